"""Access queries for battles: who may see and command what.

A GM sees and does everything. A player commands the armies of their kingdoms and reads their figures. Of other armies a
player sees what can be seen on the field, and the figures of those they know wholly (`armies.forces.access`). A viewer
reads every figure and no orders. A stranger gets 404.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.http import Http404

from armies.models import Army, rows_of
from battles.codec import storage
from battles.models import Battle, BattleArmy, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.play.event_log import RecordRead
from core.queries import build_once, find_one
from core.request_memo import remember_reads
from kingdom.access import redaction
from kingdom.access.queries import (
    get_one,
    is_gm,
    list_campaigns,
    list_readable_kingdom_ids,
    list_seats,
    remember_seats,
    require_member,
    run_kingdom_ids,
)
from kingdom.access.redaction import build_shown_condition
from kingdom.campaign.awaiting_counts import know_awaiting, with_counts
from kingdom.contributions import Contribution, contributed
from kingdom.models import Campaign, Role, User
from rules.core.text import _, say
from rules.law import OPEN, Combatant, Halt, Summary, Veil, Viewer
from rules.pending import ARMY, find_weakened

NONE: frozenset[str] = frozenset()
KNOWN = "_known"  # Attribute that caches on a battle which armies are wholly known, by kingdoms.


def list_battles(user: User) -> QuerySet[Battle]:
    """Battles of the user's campaigns, newest first."""
    return Battle.objects.filter(campaign__in=list_campaigns(user)).select_related("campaign")


def with_last_changes(battles: QuerySet[Battle]) -> QuerySet[Battle]:
    """Add `updated_at` to the battles: when the last command was given or undone, else when they were opened."""
    latest = BattleRecord.objects.filter(battle=OuterRef("pk")).order_by("-seq")
    moment = latest.annotate(moment=Greatest("at", Coalesce("undone_at", "at"))).values("moment")[:1]
    return battles.annotate(updated_at=Coalesce(Subquery(moment), "created_at"))


def list_changed_since(battles: QuerySet[Any], moment: datetime) -> QuerySet[Any]:
    """Filter to battles (`with_last_changes`) that were opened, or in which a command was given or undone, since this
    moment.
    """
    return battles.filter(Q(updated_at__gte=moment))


def battles_of_all(users: Collection[User]) -> QuerySet[Battle]:
    """Battles that every one of these users may see; none where there are no users. Two queries."""
    with remember_reads():
        remember_seats(users)
        seen = [Q(campaign__in=list_seats(user)) for user in users]
    return Battle.objects.filter(*seen) if seen else Battle.objects.none()


def get_battle_alone(user: User, battle_id: UUID | str) -> Battle:
    """The battle as `get_battle_for` finds it, without `has_branches` and the counts that only pages show."""
    return get_member_battle(BATTLES, user, battle_id)


def get_battle_for(user: User, battle_id: UUID | str) -> Battle:
    """The battle, for any member of its campaign. Raises `Http404`."""
    found = get_member_battle(_query_shown(contributed()), user, battle_id)
    know_awaiting(found, found.campaign)
    return found


def version_of(battle_id: UUID) -> int | None:
    """Current version of the battle, or None where it is deleted. Checks no permission: the caller does."""
    return find_one(Battle.with_branches.filter(pk=battle_id).values_list("version", flat=True))


def get_member_battle(battles: QuerySet[Battle], user: User, battle_id: UUID | str) -> Battle:
    """The one of these battles with this id, for a member of its campaign. Raises `Http404`, also for a what-if unless
    the reader is the GM.
    """
    if not user.is_authenticated:
        raise Http404
    battle = get_one(battles, battle_id)
    require_member(user, battle.campaign)
    # A what-if that is played on could reveal orders that are still secret.
    if battle.is_branch and not is_gm(user, battle.campaign):
        raise Http404
    return battle


# Battles with their campaigns, without the columns that only folding needs.
BATTLES = Battle.with_branches.select_related("campaign").defer("opening", "figures")


@build_once
def _query_shown(_contributions: Contribution) -> QuerySet[Battle]:
    """Battles with the counts that the tabs of their pages show."""
    branches = Battle.with_branches.filter(branch_of=OuterRef("pk"))
    return with_counts(BATTLES.annotate(has_branches=Exists(branches)), "campaign")


def list_branches(battle: Battle) -> QuerySet[Battle]:
    """What-ifs of this battle, newest first. Checks no permission: they are for the GM."""
    return Battle.with_branches.filter(branch_of=battle).defer("opening", "figures").order_by("-id")


def get_viewer(user: User, battle: Battle, state: Any) -> Viewer:
    """The user's rights in the battle: which armies they command, and whose figures they read."""
    armies = play_battle_state.summarize(battle, state).armies
    if is_gm(user, battle.campaign):
        return viewer_over_all(armies, str(user.pk))
    reads, run = list_readable_kingdom_ids(user, battle.campaign), run_kingdom_ids(user, battle.campaign)
    own = _of_kingdoms(armies, run)
    return _veiled(battle, state, own, _of_kingdoms(armies, reads) | _known(battle, armies, run), str(user.pk))


def viewer_over_all(armies: Iterable[str], user: str = "") -> Viewer:
    """The rights of a GM in a battle of these armies."""
    everything = frozenset(armies)
    return Viewer(gm=True, armies=everything, reads=everything, user=user)


def _veiled(battle: Battle, state: Any, own: frozenset[str], reads: frozenset[str], user: str = "") -> Viewer:
    """Rights of a player who commands `own` and reads the figures of `reads`.

    What is hidden from them follows the campaign's present settings, whenever the battle began.
    """
    summary = play_battle_state.summarize(battle, state)
    beside = frozenset(army for side in summary.sides if not own.isdisjoint(side.armies) for army in side.armies)
    veil = get_veil(battle.campaign)
    return Viewer(armies=own, reads=reads, user=user, beside=beside if veil != OPEN else NONE, veil=veil)


def viewer_as(battle: Battle, state: Any, kingdoms: Iterable[UUID]) -> Viewer:
    """The rights of a player who runs these kingdoms, for a GM who has chosen their view."""
    armies = play_battle_state.summarize(battle, state).armies
    run = set(kingdoms)
    own = _of_kingdoms(armies, run)
    return _veiled(battle, state, own, own | _known(battle, armies, run))


def viewer_at_head(battle: Battle, state: Any, side: int) -> Viewer:
    """The rights of somebody who commands all armies of this side and no others."""
    summary = play_battle_state.summarize(battle, state)
    own, run = frozenset(summary.sides[side].armies), set(_kingdoms_on(summary, side))
    return _veiled(battle, state, own, own | _known(battle, summary.armies, run))


def viewer_through(own: Viewer, battle: Battle, state: Any, side: int) -> Viewer:
    """The rights of a player who runs all kingdoms of this side, for the GM. Raises `PermissionDenied` for others."""
    if not own.gm:
        raise PermissionDenied
    return viewer_as(battle, state, _kingdoms_on(play_battle_state.summarize(battle, state), side))


def _kingdoms_on(summary: Summary, side: int) -> set[UUID]:
    kingdoms = {summary.armies[army].kingdom for army in summary.sides[side].armies}
    return {UUID(kingdom) for kingdom in kingdoms if kingdom}


def get_veil(campaign: Campaign) -> Veil:
    """Secrecy settings of the campaign: the information on enemies that players do not get."""
    now = redaction.read_settings(campaign.secrecy)
    return Veil(
        health=now["health"] == redaction.WORDS,
        figures=now["figures"] == redaction.HIDDEN,
        corrections=now["corrections"] == redaction.BARE,
    )


def may_take_back(viewer: Viewer, battle: Battle, record: RecordRead) -> bool:
    """Whether the viewer may undo this command, if it is the last one. A GM may undo any command, others their own
    where the ruleset lets them.
    """
    if viewer.gm:
        return True
    if str(record.by) != viewer.user:
        return False
    engine = play_battle_state.get_engine(battle)
    keeper = storage.get_keeper(engine)
    return engine.revocable(keeper.load_command(record.command), record.events)


def list_halts(battle: Battle, before: Any, events: Sequence[Any], after: Any, viewer: Viewer) -> tuple[Halt, ...]:
    """Why a battle that advances by itself stops here: its law's reasons, and kingdoms of players that have lost half:
    their lasting orders were given before. States and events are as the viewer sees them.
    """
    engine = play_battle_state.get_engine(battle)
    found = tuple(engine.halts(before, events, after, viewer))
    now = engine.summary(after)
    if not all(map(viewer.measures, now.armies)):
        return found
    weak = set(find_weakened(engine.summary(before), now))
    names = _name_played_kingdoms(battle, weak) if weak else ()
    return (*found, *(Halt(ARMY, say(WEAKENED, kingdom=name)) for name in names))


WEAKENED = _("{kingdom} has lost more than half its strength.")


def _name_played_kingdoms(battle: Battle, among: Iterable[str]) -> list[str]:
    """Names of those of these kingdoms that have a player."""
    seated = {"memberships__campaign": battle.campaign_id, "memberships__role": Role.PLAYER}
    players = User.objects.filter(**seated, seats__kingdom__in=[UUID(kingdom) for kingdom in among])
    return sorted(set(players.values_list("seats__kingdom__name", flat=True)))


def _of_kingdoms(armies: Mapping[str, Combatant], kingdoms: Iterable[UUID]) -> frozenset[str]:
    wanted = {str(kingdom) for kingdom in kingdoms}
    return frozenset(army.id for army in armies.values() if army.kingdom in wanted)


def _known(battle: Battle, armies: Mapping[str, Combatant], kingdoms: set[UUID]) -> frozenset[str]:
    """Ids of the armies that players of these kingdoms know wholly, and of what has risen from those armies."""
    kept = battle.__dict__.setdefault(KNOWN, {})
    key = tuple(sorted(kingdoms))
    if key not in kept:
        seats = BattleArmy.objects.filter(wholly_known(key), battle=battle.branch_of_id or battle.pk).order_by()
        kept[key] = {str(pk) for pk in seats.values_list("army_id", flat=True)}
    return frozenset(army.id for army in armies.values() if (army.risen_from or army.id) in kept[key])


def wholly_known(kingdoms: Collection[UUID]) -> Q:
    """Condition for `BattleArmy` rows whose armies players of these kingdoms know wholly."""
    return Q(army__in=rows_of(Army).filter(build_shown_condition(kingdoms)))
