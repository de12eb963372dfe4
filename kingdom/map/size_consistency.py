"""Consistency of a size and the hexes it counts: no undo may part them (`kingdom.chronicle.changes`).

Who changes both at once changes them alike. Who changed one alone did so while sizes were written by people; that is
not taken back while sizes follow the map, nor do they follow it again by an undo while it stands, or while any kingdom
is not as large as it has hexes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from kingdom.map.map_state import claims_in
from kingdom.map.queries import get_extent_figure, parted_from_hexes
from kingdom.map.tracked_fields import MAP_WORDS, parse_hexes
from kingdom.models import CampaignMap, ChronicleEntry, User
from rules.core.errors import IllegalCommand
from rules.core.text import Said, _, say

PARTED = _(
    "{kingdom} has size {size} but claims {hexes} hexes, so this can’t be undone. Turn on “Kingdom size "
    "follows the map” or bring the map back into use instead."
)


def overlap(entry: ChronicleEntry, later: ChronicleEntry) -> Said | None:
    """Sizes follow since `later`, or would again without `entry`, and the other changed a size or hexes alone."""
    parted = (_turned(later, "after") and _alone(entry)) or (_turned(entry, "before") and _alone(later))
    return MAP_WORDS["sizes"] if parted else None


def refuse_parted(entry: ChronicleEntry, _by: User) -> None:
    """Where sizes follow the map again without the entry, they have to be what they follow. Raises `IllegalCommand`."""
    if _turned(entry, "before") and (parted := parted_from_hexes(entry.campaign)):
        raise IllegalCommand(say(PARTED, kingdom=parted.name, size=parted.size, hexes=parted.hexes))


def _turned(entry: ChronicleEntry, then: str) -> bool:
    """Whether the entry changed sizes between written and followed, and `then` ("before", "after") they follow."""
    lines = {line["field"]: line[then] for line in entry.changes if line["subject_kind"] == "map"}
    if "sizes" in lines:
        return bool(lines["sizes"])
    follow = CampaignMap.objects.filter(campaign=entry.campaign_id, sizes=True)
    return lines.get("put_away") is False and follow.exists()


def _alone(entry: ChronicleEntry) -> bool:
    """Whether a kingdom's size changed by more or less than its hexes did."""
    size, moved = get_extent_figure(entry.campaign), Counter[str]()
    for line in entry.changes:
        if (line["subject_kind"], line["field"]) == ("kingdom", size):
            moved[line["subject_id"]] += (line["after"] or 0) - (line["before"] or 0)
        moved.subtract(_claimed(line, "after"))
        moved.update(_claimed(line, "before"))
    return any(moved.values())


def _claimed(line: Mapping[str, Any], then: str) -> Counter[str]:
    """How many hexes each kingdom has of what this line is about."""
    match line["subject_kind"], line["field"], line[then]:
        case "ground", "claim", str() as kingdom:
            return Counter({kingdom: len(parse_hexes(line["subject_id"]))})
        case "map", "document", {"claims": runs}:
            return Counter(map(str, claims_in([tuple(run) for run in runs]).values()))
    return Counter()
