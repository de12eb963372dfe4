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
from django.db.models import F, Q, QuerySet
from django.http import Http404

from battles import folding
from battles.codec import storage
from battles.models import Battle, BattleArmy
from battles.reading import RecordRead
from kingdom import secrecy
from kingdom.models import Campaign, User
from kingdom.prepared import Prepared
from kingdom.selectors import as_uuid, campaigns_of, is_gm, know_seat, readable_kingdom_ids, run_kingdom_ids, seat_key
from rules.law import OPEN, Combatant, Veil, Viewer

NONE: frozenset[str] = frozenset()
REVEALED = "_revealed"  # where a battle in hand keeps whose sheets the GM shows


def battles_of(user: User) -> QuerySet[Battle]:
    """Battles of the campaigns at whose table the user sits, newest first."""
    return Battle.objects.filter(campaign__in=campaigns_of(user)).select_related("campaign")


def battles_of_all(users: Iterable[User]) -> QuerySet[Battle]:
    """Those that each of these sees, in one query however many they are; of nobody none."""
    seen = [Q(campaign__in=campaigns_of(user)) for user in users]
    return Battle.objects.filter(*seen) if seen else Battle.objects.none()


def battle_for(user: User, battle_id: UUID | str) -> Battle:
    """The battle, for any member of its campaign. Raises Http404."""
    return seated(_ask_battle, user, battle_id)


def version_of(battle_id: UUID) -> int | None:
    """As it is now; None where it is gone. Who may know, the caller asks."""
    return Battle.objects.filter(pk=battle_id).values_list("version", flat=True).first()


def seated(ask: Prepared, user: User, battle_id: UUID | str) -> Battle:
    """The battle that `ask` finds by its id and its reader's, who has a `seat` in its campaign. Raises Http404."""
    battle = ask.first(as_uuid(battle_id), seat_key(user)) if user.is_authenticated else None
    if battle is None:
        raise Http404
    know_seat(battle.campaign, user, battle.__dict__.pop("seat"))
    return battle


def battle_of_member(battle: UUID, user: UUID) -> QuerySet[Battle]:
    """The battle and its campaign with the `seat` of its reader, without what only a fold needs."""
    rows = Battle.objects.filter(pk=battle, campaign__memberships__user=user).select_related("campaign")
    return rows.defer("opening", "figures").annotate(seat=F("campaign__memberships__role"))


_ask_battle = Prepared(battle_of_member, UUID, UUID)


def viewer_of(user: User, battle: Battle, state: Any) -> Viewer:
    """What the user may command there, and whose figures he may read."""
    armies = folding.summary_of(battle, state).armies
    if is_gm(user, battle.campaign):
        everything = frozenset(armies)
        return Viewer(gm=True, armies=everything, reads=everything, user=str(user.pk))
    known = _of_kingdoms(armies, readable_kingdom_ids(user, battle.campaign))
    return _veiled(battle, state, _of_kingdoms(armies, run_kingdom_ids(user, battle.campaign)), known, str(user.pk))


def _veiled(battle: Battle, state: Any, own: frozenset[str], known: frozenset[str], user: str = "") -> Viewer:
    """Somebody who commands these and reads those, and what the GM reveals. The campaign's settings of today decide
    what is kept from him of others, whenever the battle began.
    """
    summary = folding.summary_of(battle, state)
    beside = frozenset(army for side in summary.sides if not own.isdisjoint(side.armies) for army in side.armies)
    veil = veil_of(battle.campaign)
    reads = known | _revealed(battle, summary.armies)
    return Viewer(armies=own, reads=reads, user=user, beside=beside if veil != OPEN else NONE, veil=veil)


def viewer_as(battle: Battle, state: Any, kingdoms: Iterable[UUID]) -> Viewer:
    """As a player who runs these kingdoms would see it (for the GM who looks through his eyes)."""
    armies = folding.summary_of(battle, state).armies
    own = _of_kingdoms(armies, set(kingdoms))
    return _veiled(battle, state, own, own)


def viewer_at_head(battle: Battle, state: Any, side: int) -> Viewer:
    """As somebody would see it who commands the armies of this side and nobody else's."""
    summary = folding.summary_of(battle, state)
    own = frozenset(summary.sides[side].armies)
    return _veiled(battle, state, own, own)


def viewer_through(own: Viewer, battle: Battle, state: Any, side: int) -> Viewer:
    """Whoever plays the kingdoms of this side, for the GM only: others get `PermissionDenied`."""
    if not own.gm:
        raise PermissionDenied
    summary = folding.summary_of(battle, state)
    kingdoms = {summary.armies[army].kingdom for army in summary.sides[side].armies}
    return viewer_as(battle, state, [UUID(kingdom) for kingdom in kingdoms if kingdom])


def veil_of(campaign: Campaign) -> Veil:
    """What its players are not told of the enemies they meet."""
    now = secrecy.chosen(campaign.secrecy)
    return Veil(
        health=now["health"] == secrecy.WORDS,
        figures=now["figures"] == secrecy.HIDDEN,
        corrections=now["corrections"] == secrecy.BARE,
    )


def may_take_back(viewer: Viewer, battle: Battle, record: RecordRead) -> bool:
    """Whether he may take this command back, if it is the last: the GM any, others their own where the law says so."""
    if viewer.gm:
        return True
    if str(record.by) != viewer.user:
        return False
    engine = folding.engine_of(battle)
    keeper = storage.keeper_of(engine)
    return engine.revocable(keeper.load_command(record.command), record.events)


def _of_kingdoms(armies: Mapping[str, Combatant], kingdoms: Iterable[UUID]) -> frozenset[str]:
    wanted = {str(kingdom) for kingdom in kingdoms}
    return frozenset(army.id for army in armies.values() if army.kingdom in wanted)


def _revealed(battle: Battle, armies: Mapping[str, Combatant]) -> frozenset[str]:
    """Armies whose sheet the GM shows to everyone; what rose from them is shown with them."""
    shown = battle.__dict__.get(REVEALED)
    if shown is None:
        shown = battle.__dict__[REVEALED] = {str(pk) for (pk,) in _ask_revealed(battle.pk)}
    return frozenset(army.id for army in armies.values() if (army.risen_from or army.id) in shown)


_ask_revealed = Prepared(
    lambda battle: BattleArmy.objects.filter(battle=battle, army__revealed=True).order_by().values_list("army_id"), UUID
)


def open_in(campaign: Campaign) -> QuerySet[Battle]:
    return Battle.objects.filter(campaign=campaign, status__in=Battle.OPEN)
