"""Taking the last command back. The trace stays."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from armies.locks import refuse_hidden
from battles import folding
from battles.codec.storage import keeper_of
from battles.hooks import tell_of_command
from battles.models import Battle, BattleArmy, BattleRecord
from battles.records_read import read_of
from battles.selectors.access import may_take_back
from battles.services.errors import BattleMovedOn
from battles.services.playing import Played
from battles.services.records import refuse_stale, save, take
from kingdom import world
from kingdom.in_the_way import InTheWay
from kingdom.models import ChronicleEntry, User
from kingdom.selectors import is_gm
from kingdom.warrants import freely, within
from rules.errors import refuse
from rules.law import Viewer
from rules.text import _, say


@freely("The GM to any depth; who gave the last command, where the law lets him take it back.")
@transaction.atomic
def undo(*, by: User, battle_id: UUID | str, version: int) -> Played:
    """Take back the last command that stands, and with a closing what it did to the world.

    The GM any, others their own where the law says so. Raises `IllegalCommand` when nothing is left to undo, or naming
    what depends on the aftermath.
    """
    battle = take(by, battle_id, with_campaign=True)
    record = _last_of(battle, by)
    refuse_stale(battle, version)
    if record is None:
        refuse(_("There is nothing to undo: the battle stands as it was opened."))
    entry = _applied(battle) if battle.status == Battle.Status.CLOSED else None
    if entry:
        world.undo(campaign=battle.campaign, entry=entry, by=by)  # reopens through `reopen`, below
        battle.refresh_from_db()
    else:
        take_back(battle, _with_it(battle, record), by)
    return Played(battle, folding.refold(battle), ())


def _last_of(battle: Battle, by: User) -> BattleRecord | None:
    """The last command that stands. Raises `PermissionDenied` where it is not his to take back.

    Who has a command of his own to take back, but was overtaken, is to be told so (`BattleMovedOn`).
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
    """The record with those that were given in one go with it, and one man's: orders of several armies, or a phase with
    the orders the engine gave for it.
    """
    mark = record.together
    return [record] if mark is None else list(battle.records.filter(undone=False, command__together=mark))


def _applied(battle: Battle) -> ChronicleEntry | None:
    """The chronicle entry of the aftermath, while it stands."""
    entries = ChronicleEntry.objects.filter(campaign=battle.campaign_id, battle_id=battle.pk, undone_at=None)
    return entries.order_by("-seq").first()


@within
def reopen(entry: ChronicleEntry, by: User) -> None:
    """The aftermath was taken back, here or in the chronicle: the battle is open again."""
    if entry.battle_id is None:
        return
    battle = Battle.objects.select_for_update(of=("self",)).filter(pk=entry.battle_id).first()
    if battle is None or battle.open:
        return
    take_back(battle, [battle.records.filter(undone=False).latest("seq")], by)


@within
def take_back(battle: Battle, records: Sequence[BattleRecord], by: User) -> None:
    """Mark the records undone and save the battle as it was before. Campaign and battle are locked."""
    if not battle.open:  # it takes the field again: what holds of armies that do must hold now
        _refuse_bound_elsewhere(battle)
        refuse_hidden(battle.seats.values_list("army", flat=True))
    at = timezone.now()
    for record in records:
        record.undone, record.undone_by, record.undone_at = True, by, at
        record.save(update_fields=["undone", "undone_by", "undone_at"])
    save(battle, folding.refold(battle))
    keeper = keeper_of(folding.engine_of(battle))
    for record in records:
        tell_of_command(battle, keeper.load_command(record.command), record, taken_back=True)


def _refuse_bound_elsewhere(battle: Battle) -> None:
    """Raise `IllegalCommand` if an army of this battle has gone into another one since."""
    armies = battle.seats.values("army")
    bound = BattleArmy.objects.filter(army__in=armies, battle__status__in=Battle.OPEN).exclude(battle=battle)
    seat = bound.select_related("army", "battle").first()
    if seat is not None:
        why = _("{army} stands in “{battle}” now: finish that battle first.")
        raise InTheWay(say(why, army=seat.army.name, battle=seat.battle.name), battle=seat.battle_id)
