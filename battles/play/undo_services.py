"""Services that undo commands: the last one, or all after a point of the log. The trace stays."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from armies.forces.busy import refuse_hidden
from battles.codec.storage import get_keeper
from battles.models import Battle, BattleArmy, BattleRecord
from battles.opponents.turn_services import hold_engine
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn
from battles.play.event_log import read_of
from battles.play.record_services import Played, refuse_stale, save, take
from battles.queries import may_take_back
from battles.webhook_events import tell_of_command
from kingdom.access.decorators import internal, unrestricted
from kingdom.access.queries import is_gm
from kingdom.chronicle import changes
from kingdom.chronicle.conflicts import Blocked
from kingdom.models import ChronicleEntry, User
from rules.core.errors import refuse
from rules.core.text import _, say
from rules.law import Viewer


@unrestricted("The GM to any depth; who gave the last command, where the law lets them take it back.")
@transaction.atomic
def undo(*, by: User, battle_id: UUID | str, version: int, to: int | None = None) -> Played:
    """Undo the last command that stands, and with a closing what it did to the world.

    The GM may undo any command, others their own where the law says so. `to`: the number of an event; the GM undoes all
    commands after the one that made it happen, 0 for all of them. Raises `IllegalCommand` when nothing is left to undo,
    or naming what depends on the aftermath.
    """
    battle = take(by, battle_id, with_campaign=True)
    record = _last_of(battle, by)
    refuse_stale(battle, version)
    if record is None:
        refuse(_("Nothing to undo."))
    if to is None:
        _undo_last(battle, record, by)
    else:
        _undo_after(battle, to, by)
    return Played(battle, play_battle_state.refold(battle), ())


def _undo_last(battle: Battle, record: BattleRecord, by: User) -> None:
    if not _undo_aftermath(battle, by):
        take_back(battle, _with_it(battle, record), by)


def _undo_after(battle: Battle, event: int, by: User) -> None:
    """Undo what stands after the command of this event. All of it, or nothing."""
    if not is_gm(by, battle.campaign):
        raise PermissionDenied
    after = find_later_records(battle, event)
    if not after:
        refuse(_("Nothing happened after this."), field="/to")
    if _undo_aftermath(battle, by):
        after = find_later_records(battle, event)
    if after:
        take_back(battle, after, by)


def find_later_records(battle: Battle, event: int) -> list[BattleRecord]:
    """The records that stand after the one with this event, and after those given in one go with it.

    Raises `IllegalCommand` where that command is undone itself.
    """
    standing = battle.records.filter(undone=False).order_by("seq")
    holder = battle.records.filter(first_event__lte=event).order_by("seq").last()
    if holder is None:
        return list(standing)
    if holder.undone:
        refuse(_("This is undone already. Choose a line that still stands."), field="/to")
    return list(standing.filter(seq__gt=max(one.seq for one in _with_it(battle, holder))))


def _undo_aftermath(battle: Battle, by: User) -> bool:
    """Undo what the closed battle did to the world, and with it its closing. False where there is nothing of it."""
    entry = _applied(battle) if battle.status == Battle.Status.CLOSED else None
    if entry is None:
        return False
    changes.undo(campaign=battle.campaign, entry=entry, by=by)  # reopens through `reopen`, below
    battle.refresh_from_db()
    return True


def _last_of(battle: Battle, by: User) -> BattleRecord | None:
    """Return the last command, or for others than the GM their own last command.

    Raises `PermissionDenied` if they may not undo it and `BattleMovedOn` if somebody has acted since.
    """
    standing = battle.records.filter(undone=False).order_by("-seq")
    if is_gm(by, battle.campaign):
        return standing.first()
    own = standing.filter(by=by).first()
    if own is None or not may_take_back(Viewer(user=str(by.pk)), battle, read_of(battle, own)):
        raise PermissionDenied
    if standing.filter(seq__gt=own.seq).exists():
        raise BattleMovedOn(battle.version)
    return own


def _with_it(battle: Battle, record: BattleRecord) -> list[BattleRecord]:
    """Return the record with those given together with it by the same person: orders of several armies, or a phase with
    the engine's orders for it.
    """
    mark = record.together
    return [record] if mark is None else list(battle.records.filter(undone=False, command__together=mark))


def _applied(battle: Battle) -> ChronicleEntry | None:
    """Return the chronicle entry of the aftermath, unless it is undone."""
    entries = ChronicleEntry.objects.filter(campaign=battle.campaign_id, battle_id=battle.pk, undone_at=None)
    return entries.order_by("-seq").first()


@internal
def reopen(entry: ChronicleEntry, by: User) -> None:
    """Reopen the battle after its aftermath was undone, here or in the chronicle."""
    if entry.battle_id is None:
        return
    battle = Battle.objects.select_for_update(of=("self",)).filter(pk=entry.battle_id).first()
    if battle is None or battle.open:
        return
    take_back(battle, [battle.records.filter(undone=False).latest("seq")], by)


@internal
def take_back(battle: Battle, records: Sequence[BattleRecord], by: User) -> None:
    """Mark records undone and save the battle in the state before them. Campaign and battle are locked."""
    if not battle.open:  # it returns to the field, so its armies must be allowed to fight now
        _refuse_bound_elsewhere(battle)
        refuse_hidden(battle.seats.values_list("army", flat=True))
    at = timezone.now()
    for record in records:
        record.undone, record.undone_by, record.undone_at = True, by, at
        record.save(update_fields=["undone", "undone_by", "undone_at"])
    now = play_battle_state.refold(battle)
    hold_engine(battle, now)
    save(battle, now, taken_back=True)
    keeper = get_keeper(play_battle_state.get_engine(battle))
    for record in records:
        tell_of_command(battle, keeper.load_command(record.command), record, taken_back=True)


def _refuse_bound_elsewhere(battle: Battle) -> None:
    """Raise `IllegalCommand` if an army of this battle has joined another one since."""
    armies = battle.seats.values("army")
    bound = BattleArmy.objects.filter(army__in=armies, battle__status__in=Battle.OPEN).exclude(battle=battle)
    seat = bound.select_related("army", "battle").first()
    if seat is not None:
        why = _("{army} now fights in “{battle}”. Finish that battle first.")
        raise Blocked(say(why, army=seat.army.name, battle=seat.battle.name), battle=seat.battle_id)
