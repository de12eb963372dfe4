"""Who may see and command what in a battle.

A GM sees and does everything. A player commands the armies of his kingdoms and reads their figures; of
the others he sees what can be seen on a field, and their sheets only where the GM reveals them. A viewer
reads every figure and no order. For a stranger there is no battle (404).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404

from battles import folding
from battles.models import Battle
from kingdom.models import Campaign, User
from kingdom.selectors import as_uuid, campaigns_of, is_gm, readable_kingdom_ids, role_of, run_kingdom_ids
from rules.law import Combatant, Viewer


@dataclass(frozen=True, slots=True)
class Eyes:
    """What somebody may do (`viewer`) and whose figures he may read (`reads`)."""

    viewer: Viewer
    reads: frozenset[str]

    @property
    def gm(self) -> bool:
        return self.viewer.gm

    def commands(self, army: str) -> bool:
        return self.viewer.commands(army)


def battles_of(user: User) -> QuerySet[Battle]:
    """Battles of the campaigns at whose table the user sits, newest first."""
    return Battle.objects.filter(campaign__in=campaigns_of(user)).select_related("campaign")


def battle_for(user: User, battle_id: UUID | str) -> Battle:
    """The battle, for any member of its campaign. Raises Http404."""
    battle = Battle.objects.select_related("campaign").filter(pk=as_uuid(battle_id)).first()
    if battle is None or role_of(user, battle.campaign) is None:
        raise Http404
    return battle


def viewer_of(user: User, battle: Battle, state: Any) -> Viewer:
    """What the user may command."""
    armies = folding.summary_of(battle, state).armies
    if is_gm(user, battle.campaign):
        return Viewer(gm=True, armies=frozenset(armies))
    return Viewer(armies=_of_kingdoms(armies, run_kingdom_ids(user, battle.campaign)))


def eyes_of(user: User, battle: Battle, state: Any = None) -> Eyes:
    state = state or folding.state_of(battle)
    viewer = viewer_of(user, battle, state)
    armies = folding.summary_of(battle, state).armies
    if viewer.gm:
        return Eyes(viewer, frozenset(armies))
    known = _of_kingdoms(armies, readable_kingdom_ids(user, battle.campaign))
    return Eyes(viewer, known | _revealed(battle, armies))


def eyes_as(battle: Battle, state: Any, kingdoms: Iterable[UUID]) -> Eyes:
    """As a player who runs these kingdoms would see it (for the GM who looks through his eyes)."""
    armies = folding.summary_of(battle, state).armies
    own = _of_kingdoms(armies, set(kingdoms))
    return Eyes(Viewer(armies=own), own | _revealed(battle, armies))


def _of_kingdoms(armies: Mapping[str, Combatant], kingdoms: Iterable[UUID]) -> frozenset[str]:
    wanted = {str(kingdom) for kingdom in kingdoms}
    return frozenset(army.id for army in armies.values() if army.kingdom in wanted)


def _revealed(battle: Battle, armies: Iterable[str]) -> frozenset[str]:
    """Armies whose sheet the GM shows to everyone; what they spawned is shown with them."""
    shown = {str(pk) for pk in battle.seats.filter(army__revealed=True).values_list("army_id", flat=True)}
    return frozenset(army for army in armies if army.split("~")[0] in shown)


def open_in(campaign: Campaign) -> QuerySet[Battle]:
    return Battle.objects.filter(campaign=campaign, status__in=Battle.OPEN)
