"""Who may see and command what in a battle.

A GM sees and does everything. A player commands the armies of his kingdoms and reads their figures; of
the others he sees what can be seen on a field, and their sheets only where the GM reveals them. A viewer
reads every figure and no order. For a stranger there is no battle (404).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404

from battles import folding
from battles.codec import storage
from battles.models import Battle, BattleRecord
from kingdom.models import Campaign, User
from kingdom.selectors import as_uuid, campaigns_of, is_gm, readable_kingdom_ids, role_of, run_kingdom_ids
from rules.law import Combatant, Viewer

REVEALED = "_revealed"  # where a battle in hand keeps whose sheets the GM shows


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
    """What the user may command there, and whose figures he may read."""
    armies = folding.summary_of(battle, state).armies
    if is_gm(user, battle.campaign):
        everything = frozenset(armies)
        return Viewer(gm=True, armies=everything, reads=everything, user=str(user.pk))
    known = _of_kingdoms(armies, readable_kingdom_ids(user, battle.campaign))
    return Viewer(
        armies=_of_kingdoms(armies, run_kingdom_ids(user, battle.campaign)),
        reads=known | _revealed(battle, armies),
        user=str(user.pk),
    )


def viewer_as(battle: Battle, state: Any, kingdoms: Iterable[UUID]) -> Viewer:
    """As a player who runs these kingdoms would see it (for the GM who looks through his eyes)."""
    armies = folding.summary_of(battle, state).armies
    own = _of_kingdoms(armies, set(kingdoms))
    return Viewer(armies=own, reads=own | _revealed(battle, armies))


def viewer_through(own: Viewer, battle: Battle, state: Any, side: int) -> Viewer:
    """Whoever plays the kingdoms of this side, for the GM only: others get `PermissionDenied`."""
    if not own.gm:
        raise PermissionDenied
    summary = folding.summary_of(battle, state)
    kingdoms = {summary.armies[army].kingdom for army in summary.sides[side].armies}
    return viewer_as(battle, state, [UUID(kingdom) for kingdom in kingdoms if kingdom])


def may_take_back(viewer: Viewer, battle: Battle, record: BattleRecord) -> bool:
    """Whether he may take this command back, if it is the last: the GM any, others their own where the law says so."""
    if viewer.gm:
        return True
    if str(record.by_id) != viewer.user:
        return False
    engine = folding.engine_of(battle)
    keeper = storage.keeper_of(engine)
    return engine.revocable(keeper.load_command(record.command), keeper.load_events(record.events))


def _of_kingdoms(armies: Mapping[str, Combatant], kingdoms: Iterable[UUID]) -> frozenset[str]:
    wanted = {str(kingdom) for kingdom in kingdoms}
    return frozenset(army.id for army in armies.values() if army.kingdom in wanted)


def _revealed(battle: Battle, armies: Mapping[str, Combatant]) -> frozenset[str]:
    """Armies whose sheet the GM shows to everyone; what rose from them is shown with them."""
    shown = battle.__dict__.get(REVEALED)
    if shown is None:
        seats = battle.seats.filter(army__revealed=True).values_list("army_id", flat=True)
        shown = battle.__dict__[REVEALED] = {str(pk) for pk in seats}
    return frozenset(army.id for army in armies.values() if (army.risen_from or army.id) in shown)


def open_in(campaign: Campaign) -> QuerySet[Battle]:
    return Battle.objects.filter(campaign=campaign, status__in=Battle.OPEN)
