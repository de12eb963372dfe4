"""Armies at a glance, kingdom by kingdom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from armies.access import first_of, shown_of
from armies.engagements import Engaged, engaged_in
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.army import PathfinderArmyQuerySet, outfitted
from armies.pathfinder.selectors.warnings import Warning, warnings_of
from armies.pathfinder.spec import army_spec
from kingdom.models import Campaign, Kingdom, User
from kingdom.prepared import Prepared
from kingdom.selectors import reads_kingdom, role_of, ruleset_of
from rules.errors import Refusal


@dataclass(frozen=True, slots=True)
class RosterLine:
    """One army in a list. `sheet` is None where the reader knows no more than the name."""

    army: PathfinderArmy
    sheet: Any | None
    warnings: tuple[Warning, ...] = ()
    engaged: Engaged | None = None

    @property
    def leader(self) -> PathfinderCommander | None:
        return self.army.leader if self.sheet else None


def sheet_of(army: PathfinderArmy) -> Any | None:
    """The army's sheet, or None when the rules no longer accept what it is."""
    try:
        return ruleset_of(army.campaign).sheet(army_spec(army))
    except Refusal:
        return None


def roster(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> dict[UUID, list[RosterLine]]:
    """The first armies of each of these kingdoms, standing ones first; hidden ones by name only. Two queries."""
    lines: dict[UUID, list[RosterLine]] = defaultdict(list)
    if role_of(user, campaign) is None:
        return lines
    readable = {kingdom.pk for kingdom in kingdoms if reads_kingdom(user, kingdom)}
    armies = _ask_glance([kingdom.pk for kingdom in kingdoms], shown_of(len(kingdoms)))
    engaged = engaged_in(campaign)
    for army in sorted(armies, key=lambda army: not army.standing):
        _ready(army, campaign)
        visible = army.revealed or army.kingdom_id in readable
        lines[army.kingdom_id].append(_line(army, engaged.get(army.pk), visible=visible))
    return lines


def _first_of(kingdoms: list[UUID], most: int) -> PathfinderArmyQuerySet:
    return first_of(kingdoms, most, PathfinderArmy).listed()  # type: ignore[attr-defined]


_ask_glance = Prepared(_first_of, list, int)


def kingdom_roster(user: User, kingdom: Kingdom, armies: Iterable[PathfinderArmy]) -> list[RosterLine]:
    """These armies of one kingdom, read by `listed`, for one of its campaign's members."""
    reads, engaged, found = reads_kingdom(user, kingdom), engaged_in(kingdom.campaign), list(armies)
    for army in found:
        _ready(army, kingdom.campaign)
    return [_line(army, engaged.get(army.pk), visible=army.revealed or reads) for army in found]


def _ready(army: PathfinderArmy, campaign: Campaign) -> None:
    army.campaign = campaign  # one object: the roles and house rules are read once
    outfitted(army)


def _line(army: PathfinderArmy, engaged: Engaged | None, *, visible: bool) -> RosterLine:
    if not visible:
        return RosterLine(army, None, engaged=engaged)
    return RosterLine(army, sheet_of(army), warnings_of(army), engaged)
