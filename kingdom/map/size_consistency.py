"""Undo guards that keep a kingdom's size equal to its number of hexes (`kingdom.chronicle.changes`).

While sizes follow the map, an entry that changed a size or hexes alone, made while users entered sizes, cannot be
undone. Nor can an undo let sizes follow the map again while such an entry stands, or while a size differs from its
hexes.
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
    """Return the shared field if one entry switched sizes to follow the map and the other changed a size or hexes
    alone.
    """
    parted = (_turned(later, "after") and _alone(entry)) or (_turned(entry, "before") and _alone(later))
    return MAP_WORDS["sizes"] if parted else None


def refuse_parted(entry: ChronicleEntry, _by: User) -> None:
    """Raise `IllegalCommand` if sizes would follow the map again after this undo while one of them differs from its
    hexes.
    """
    if _turned(entry, "before") and (parted := parted_from_hexes(entry.campaign)):
        raise IllegalCommand(say(PARTED, kingdom=parted.name, size=parted.size, hexes=parted.hexes))


def _turned(entry: ChronicleEntry, then: str) -> bool:
    """Return whether the entry changed whether sizes follow the map, and they do at `then` ("before", "after")."""
    lines = {line["field"]: line[then] for line in entry.changes if line["subject_kind"] == "map"}
    if "sizes" in lines:
        return bool(lines["sizes"])
    follow = CampaignMap.objects.filter(campaign=entry.campaign_id, sizes=True)
    return lines.get("put_away") is False and follow.exists()


def _alone(entry: ChronicleEntry) -> bool:
    """Return whether a kingdom's size changed by another number than its hexes."""
    size, moved = get_extent_figure(entry.campaign), Counter[str]()
    for line in entry.changes:
        if (line["subject_kind"], line["field"]) == ("kingdom", size):
            moved[line["subject_id"]] += (line["after"] or 0) - (line["before"] or 0)
        moved.subtract(_claimed(line, "after"))
        moved.update(_claimed(line, "before"))
    return any(moved.values())


def _claimed(line: Mapping[str, Any], then: str) -> Counter[str]:
    """Return the number of hexes each kingdom has in what this line is about."""
    match line["subject_kind"], line["field"], line[then]:
        case "ground", "claim", str() as kingdom:
            return Counter({kingdom: len(parse_hexes(line["subject_id"]))})
        case "map", "document", {"claims": runs}:
            return Counter(map(str, claims_in([tuple(run) for run in runs]).values()))
    return Counter()
