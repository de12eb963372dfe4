"""Services that play a battle: the single entry point for commands of its page and of the API, undo, and reminders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone

from armies.forces.busy import lock_armies, refuse_absent, refuse_hidden
from armies.ruleset_ui import get_army_ui
from battles.aftermath.services import AftermathProposal, confirm_aftermath, propose_aftermath, roll_anew
from battles.codec.requests import (
    AskAftermath,
    AskForward,
    AskReinforce,
    AskUndo,
    SentCommand,
    TableDice,
    parse_request,
)
from battles.codec.storage import get_keeper
from battles.models import ENGINE, TOGETHER, Battle, BattleArmy, BattleRecord
from battles.opponents.services import give_what_is_left, hold_engine
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn, UnknownArmy
from battles.play.event_log import commands_since, read_of
from battles.play.forward_services import forward, pass_empty_phases
from battles.play.record_services import Played, carry_out, notify, refuse_stale, save, take
from battles.queries import get_viewer, may_take_back
from battles.setup.queries import build_document, state_told
from battles.setup.services import refuse_busy
from battles.webhook_events import tell_of_command, tell_reminder
from core.clean_input import parse_uuid
from core.queries import find_one
from kingdom.access.decorators import gm_only, internal, unrestricted
from kingdom.access.queries import is_gm, require_gm
from kingdom.accounts.rate_limits import Limit, count_attempt
from kingdom.chronicle import changes
from kingdom.chronicle.field_change import Blocked
from kingdom.members import mail
from kingdom.models import ChronicleEntry, Role, User
from rules.core.errors import Refusal, refuse, require
from rules.core.text import Said, _, say
from rules.law import Viewer

# Services that undo commands: the last one, or all after a point of the log. The trace stays.


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
    """The records that are not undone after the one with this event, and after those recorded together with it.

    Raises `IllegalCommand` if that command is undone itself.
    """
    last = find_last_seq(battle, event, field="/to")
    return list(battle.records.filter(undone=False, seq__gt=last).order_by("seq"))


def find_last_seq(battle: Battle, event: int, *, field: str) -> int:
    """The number of the record with this event, or of the last given in one go with it; 0 for the opening.

    Raises `IllegalCommand` if that command is undone.
    """
    holder = battle.records.filter(first_event__lte=event).order_by("seq").last()
    if holder is None:
        return 0
    if holder.undone:
        refuse(_("This has already been undone. Choose another line."), field=field)
    return max(one.seq for one in _with_it(battle, holder))


def _undo_aftermath(battle: Battle, by: User) -> bool:
    """Undo what the closed battle did to the world, and with it its closing. False if there is nothing of it."""
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
    """Return the record, with the records that the same person made together with it: orders of several armies, or a
    phase with the computer's orders for it.
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
    battle = find_one(Battle.objects.select_for_update(of=("self",)).filter(pk=entry.battle_id))
    if battle is None or battle.open:
        return
    take_back(battle, [battle.records.filter(undone=False).latest("seq")], by)


@internal
def take_back(battle: Battle, records: Sequence[BattleRecord], by: User) -> None:
    """Mark records undone and save the battle in the state before them. Campaign and battle are locked."""
    if not battle.open:  # it returns to the field, so its armies must be allowed to fight now
        _refuse_bound_elsewhere(battle)
        seated = battle.seats.values_list("army", flat=True)
        refuse_hidden(seated)
        refuse_absent(seated)
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
        why = _("{army}: now in battle (“{battle}”). Finish that battle first.")
        raise Blocked(say(why, army=seat.army.name, battle=seat.battle.name), battle=seat.battle_id)


# Services that play a battle: the single entry point for commands of its page and of the API.


@unrestricted("Orders of one's own armies; the rest of a battle is the GM's.")
def play(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    command: Any,
    patient: bool = False,
    **dice: Unpack[TableDice],
) -> Played | AftermathProposal:
    """Carry out a request (`battles.codec.requests`, or a command of the law) on the version that its sender saw.

    `patient`: an order still counts if the law says that later commands leave its meaning unchanged. An unconfirmed
    aftermath returns its proposal.
    """
    seen: dict[str, Any] = {"by": by, "battle_id": battle_id, "version": version}
    match command:
        case AskUndo(to):
            return undo(**seen, to=to)
        case AskForward():
            return forward(**seen, **dice)
        case AskReinforce(army, side):
            return reinforce(**seen, army_id=army, side=side)
        case AskAftermath():
            return _settle(seen, command, dice)
    return _command(**seen, command=command, patient=patient, **dice)


@transaction.atomic
def _command(
    *, by: User, battle_id: UUID | str, version: int, command: Any, patient: bool, **dice: Unpack[TableDice]
) -> Played:
    """Give a command of the law. If it resolves orders, the computer first gives those of its sides."""
    battle = take(by, battle_id)
    if isinstance(command, SentCommand):
        command, dice = parse_request(command.data, battle)
    engine = play_battle_state.get_engine(battle)
    if engine.settles(command):
        refuse(_("The battle is over: settle its aftermath instead."))
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    if not engine.allows(state, command, viewer):
        raise PermissionDenied
    if not (patient and still_means_the_same(battle, version, command)):
        refuse_stale(battle, version)
    mark: Mapping[str, Any] | None = None
    if viewer.gm and engine.forecast.carries_out(command):
        state, mark = give_what_is_left(battle, state, by=by, viewer=viewer)
    played = carry_out(battle, state, by=by, viewer=viewer, command=command, told=mark, **dice)
    return pass_empty_phases(played, state, by=by, viewer=viewer, dice=dice)


def still_means_the_same(battle: Battle, version: int, command: Any) -> bool:
    """Whether the version is older, but the commands since leave this command's meaning unchanged."""
    since = commands_since(battle, version)
    return bool(since) and play_battle_state.get_engine(battle).bears(command, since)


@gm_only
@transaction.atomic
def reinforce(*, by: User, battle_id: UUID | str, version: int, army_id: str, side: int) -> Played:
    """Add an army of the campaign to a side between phases (GM), with its current sheet. Raises `PermissionDenied`,
    `BattleMovedOn` for another version, `UnknownArmy`, and `IllegalCommand` for a busy army or a law that forbids it.
    """
    battle = take(by, battle_id)
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    if not viewer.gm:
        raise PermissionDenied
    refuse_stale(battle, version)
    key = parse_uuid(army_id)
    army = lock_armies([key], get_army_ui(battle.campaign).army).get(key) if key else None
    if army is None or army.campaign_id != battle.campaign_id:
        raise UnknownArmy("/army")
    if not battle.is_branch and str(key) not in play_battle_state.summarize(battle, state).armies:
        refuse_busy(army, "/army")
    law = play_battle_state.get_law(battle)
    command = law.battle.reinforcement(build_document(law, army, "/army"), side)
    return carry_out(battle, state, by=by, viewer=viewer, command=command)


@transaction.atomic
def _settle(seen: dict[str, Any], asked: AskAftermath, dice: TableDice) -> Played | AftermathProposal:
    """Propose or confirm an aftermath. If asked, its dice are first rolled again, in the same transaction."""
    thrown = roll_anew(**seen) if asked.reroll else None
    if thrown:
        seen = {**seen, "version": thrown.battle.version}
    given: dict[str, Any] = {"choices": asked.choices, **dice}
    if asked.confirm:
        return confirm_aftermath(**seen, **given)
    return replace(propose_aftermath(**seen, **given), thrown=thrown)


# Services for orders to several armies: each a record of its own, all in one transaction, undone together.


@dataclass(frozen=True, slots=True)
class Ordered:
    """Result of orders to several armies. `played` is the last one carried out, None if none was. `refused` says by
    army why it keeps its own.
    """

    played: Played | None
    given: tuple[str, ...]
    refused: Mapping[str, Said]


@unrestricted("Orders of one's own armies.")
@transaction.atomic
def order_together(*, by: User, battle_id: UUID | str, version: int, commands: Mapping[str, Any]) -> Ordered:
    """Give every army its command, on the version the sender saw. An army whose command is refused keeps its order.

    Raises `BattleMovedOn` unless each command still means the same, `PermissionDenied` for an army that is not theirs.
    """
    battle = take(by, battle_id)
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    _refuse_what_is_not_his(battle, state, viewer, commands)
    if version != battle.version and not all(still_means_the_same(battle, version, c) for c in commands.values()):
        raise BattleMovedOn(battle.version)
    mark, given = {TOGETHER: battle.version}, []
    refused: dict[str, Said] = {}
    played: Played | None = None
    for army, command in commands.items():
        try:
            played = carry_out(battle, state, by=by, viewer=viewer, command=command, told=mark, quiet=True)
        except Refusal as refusal:
            refused[army] = refusal.message
        else:
            state = played.state
            given.append(army)
    if given:
        notify(battle)
    return Ordered(played, tuple(given), refused)


def _refuse_what_is_not_his(battle: Battle, state: Any, viewer: Viewer, commands: Mapping[str, Any]) -> None:
    engine = play_battle_state.get_engine(battle)
    for command in commands.values():
        if engine.settles(command) or not engine.allows(state, command, viewer):
            raise PermissionDenied


# Services for reminding players of a battle that waits for them.

ONCE = Limit("remind", 1, 60)  # a battle an hour
SUBJECT = _("“{battle}” is waiting for you")
TEXT = _("{gm} reminds you: “{battle}” in {campaign} is waiting for you.")


@gm_only
@transaction.atomic
def remind_awaited(*, by: User, battle_id: UUID | str, page: str = "") -> list[str]:
    """Remind the players a battle waits for, by mail and by the webhooks that hear of turns (GM). Their names.

    `page`: the battle's address. Raises `IllegalCommand` if it waits for no player, or was reminded of within the hour.
    """
    battle = take(by, battle_id)
    require_gm(by, battle.campaign)
    require(not battle.is_branch, _("This is a what-if: it has no players to remind."))
    players = [user for user in list_awaited_players(battle) if user.pk != by.pk]
    require(players, _("This battle isn’t waiting for any player."))
    wait = count_attempt(ONCE, str(battle.pk))
    require(not wait, _("The players of this battle were already reminded less than an hour ago."))
    told = {"battle": battle.name, "campaign": battle.campaign.name, "gm": by.get_username()}
    mail.send(players, say(SUBJECT, **told), say(TEXT, **told), page=page)
    tell_reminder(battle)
    return sorted(user.get_username() for user in players)


def list_awaited_players(battle: Battle) -> list[User]:
    """The members who play a kingdom that is awaited."""
    if battle.status != Battle.Status.RUNNING:
        return []
    kingdoms = set(state_told(battle)["awaited"]) - {ENGINE}
    seated = {"memberships__campaign": battle.campaign_id, "memberships__role": Role.PLAYER}
    return list(User.objects.filter(seats__kingdom__in=kingdoms, **seated).distinct())
