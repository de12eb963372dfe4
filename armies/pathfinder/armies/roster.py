"""Roster: armies at a glance, kingdom by kingdom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from armies.forces.access import count_shown_armies, first_of, get_knowledge, list_first_armies
from armies.forces.current_battles import Engaged, find_engaged
from armies.forces.sightings_text import VisibleArmy, build_visible_army
from armies.models import rows_of
from armies.pathfinder.armies.warnings import Warning, list_warnings
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.army import PathfinderArmyQuerySet, outfitted
from core.db.compiled_queries import CompiledQuery, CompiledQueryForUser
from kingdom.access.queries import get_role, reads_all
from kingdom.models import Campaign, Kingdom, Knowledge, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal


@dataclass(frozen=True, slots=True)
class RosterLine:
    """One army in a list. `sheet` is None where it is not the reader's to read; `glimpse` is what they know then beside
    the name.
    """

    army: PathfinderArmy
    sheet: Any | None
    warnings: tuple[Warning, ...] = ()
    engaged: Engaged | None = None
    glimpse: VisibleArmy | None = None

    @property
    def leader(self) -> PathfinderCommander | None:
        return self.army.leader if self.sheet else None


def build_sheet(army: PathfinderArmy, *, unhurt: bool = False) -> Any | None:
    """The army's sheet, or None when the rules no longer accept what it is. `unhurt`: see `build_army_spec`."""
    try:
        return get_ruleset(army.campaign).sheet(build_army_spec(army, unhurt=unhurt))
    except Refusal:
        return None


def roster(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> dict[UUID, list[RosterLine]]:
    """The first armies of each of these kingdoms, standing ones first, as far as the user knows them. Two queries."""
    lines: dict[UUID, list[RosterLine]] = defaultdict(list)
    if get_role(user, campaign) is None:
        return lines
    engaged = find_engaged(campaign)
    for army in sorted(_first_known(user, campaign, kingdoms), key=lambda army: not army.standing):
        _ready(army, campaign)
        lines[army.kingdom_id].append(_line(army, engaged.get(army.pk)))
    return lines


def _first_known(user: User, campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterable[PathfinderArmy]:
    asked = [kingdom.pk for kingdom in kingdoms], count_shown_armies(len(kingdoms))
    return _ask_glance(*asked) if reads_all(user, campaign) else _ask_known_glance(user, *asked)


def _first_of(kingdoms: list[UUID], most: int) -> PathfinderArmyQuerySet:
    return first_of(kingdoms, most, rows_of(PathfinderArmy)).listed()  # type: ignore[attr-defined]


def _known_first_of(user: User, kingdoms: list[UUID], most: int) -> PathfinderArmyQuerySet:
    return list_first_armies(user, kingdoms, most, PathfinderArmy).listed()  # type: ignore[attr-defined]


_ask_glance = CompiledQuery(_first_of, list, int)
_ask_known_glance = CompiledQueryForUser(_known_first_of, list, int)


def kingdom_roster(kingdom: Kingdom, armies: Iterable[PathfinderArmy]) -> list[RosterLine]:
    """These armies of one kingdom, read by `listed`, for who reads its sheet."""
    engaged, found = find_engaged(kingdom.campaign), list(armies)
    for army in found:
        _ready(army, kingdom.campaign)
    return [_line(army, engaged.get(army.pk)) for army in found]


def _ready(army: PathfinderArmy, campaign: Campaign) -> None:
    army.campaign = campaign  # one object: the roles and house rules are read once
    outfitted(army)


def _line(army: PathfinderArmy, engaged: Engaged | None) -> RosterLine:
    if get_knowledge(army) < Knowledge.ALL:
        return RosterLine(
            army,
            None,
            engaged=engaged and engaged.for_enemies(army.campaign),
            glimpse=build_visible_army(army, engaged),
        )
    return RosterLine(army, build_sheet(army), list_warnings(army), engaged)
