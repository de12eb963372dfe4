"""Armies at a glance, kingdom by kingdom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from armies.access import at_a_glance
from armies.engagements import Engaged, engaged_in
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.selectors.warnings import Warning, warnings_of
from armies.pathfinder.spec import army_spec
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import readable_kingdom_ids, role_of, ruleset_of
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


def roster(user: User, campaign: Campaign) -> dict[UUID, list[RosterLine]]:
    """The first armies of every kingdom, standing ones first; hidden ones by name only. Six queries."""
    if role_of(user, campaign) is None:
        return {}
    armies = at_a_glance(campaign, PathfinderArmy).complete()
    return _by_kingdom(armies, campaign, readable_kingdom_ids(user, campaign))


def kingdom_roster(user: User, kingdom: Kingdom) -> list[RosterLine]:
    """Every army of one kingdom."""
    armies = PathfinderArmy.objects.filter(kingdom=kingdom).complete()
    return _by_kingdom(armies, kingdom.campaign, readable_kingdom_ids(user, kingdom.campaign)).get(kingdom.pk, [])


def _by_kingdom(armies: Iterable[PathfinderArmy], campaign: Campaign, read: set[UUID]) -> dict[UUID, list[RosterLine]]:
    lines: dict[UUID, list[RosterLine]] = defaultdict(list)
    engaged = engaged_in(campaign)
    for army in sorted(armies, key=lambda army: not army.standing):
        army.campaign = campaign  # one object: the roles and house rules are read once
        visible = army.revealed or army.kingdom_id in read
        lines[army.kingdom_id].append(_line(army, engaged.get(army.pk), visible=visible))
    return lines


def _line(army: PathfinderArmy, engaged: Engaged | None, *, visible: bool) -> RosterLine:
    if not visible:
        return RosterLine(army, None, engaged=engaged)
    return RosterLine(army, sheet_of(army), warnings_of(army), engaged)
