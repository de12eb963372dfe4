"""Services that lock a battle and record the effects of a command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from armies.forces.busy import explain_held_by_ruleset, refuse_absent, refuse_hidden
from armies.models import Army
from battles.codec import storage
from battles.models import Battle, BattleArmy, BattleRecord
from battles.opponents.queries import call_engine
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn
from battles.play.event_log import follow, read_written
from battles.queries import BATTLES, get_member_battle
from battles.webhook_events import tell_of_begin, tell_of_command, tell_of_end, tell_of_turn
from core import live as live_notify
from kingdom.access.decorators import internal
from kingdom.access.queries import get_seat_key, parse_uuid_or_404
from kingdom.models import Campaign, User
from kingdom.models.base import uuid7
from rules.core.dice import Dice, DiceNeeded, Roll, Typed, TypedDie, further
from rules.core.errors import IllegalCommand
from rules.law import Combatant, Halt, Stage, Summary, Viewer

IN_SIGHT = "_in_sight"  # key in a battle's `__dict__`: it has changed in a way everybody sees in lists


class RecordedDice:
    """Dice source that records the rolls in order, as a replay needs them."""

    def __init__(self, dice: Dice):
        self._dice = dice
        self.rolls: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        return self._kept(self._dice.roll(army, name, die))

    def again(self, before: Roll) -> Roll:
        return self._kept(further(self._dice, before))

    def _kept(self, roll: Roll) -> Roll:
        self.rolls.append(roll)
        return roll

    def checkpoint(self) -> None:
        self._dice.checkpoint()

    def finish(self) -> None:
        self._dice.finish()


def take(user: User, battle_id: UUID | str, *, with_campaign: bool = False) -> Battle:
    """Lock a battle and return it, for a member of its campaign. Raises Http404.

    `with_campaign`: the campaign's row is locked first, as `kingdom.chronicle.changes` does, because the world will
    change. Its key is not locked: records that refer to the campaign can still be written.
    """
    key = parse_uuid_or_404(battle_id)
    if with_campaign:
        list(Campaign.objects.select_for_update(no_key=True).filter(battles=key).values_list("pk"))
    # Strangers must not wait for the lock, nor hold it
    theirs = BATTLES.filter(campaign__memberships__user=get_seat_key(user))
    return get_member_battle(theirs.select_for_update(of=("self",)), user, key)


def refuse_stale(battle: Battle, version: int) -> None:
    if battle.version != version:
        raise BattleMovedOn(battle.version)


@internal
def append(
    battle: Battle,
    *,
    by: User | None,
    command: Any,
    rolls: Iterable[Roll],
    events: Sequence[Any],
    before: Any,
    state: Any,
    told: Mapping[str, Any] | None = None,
    quiet: bool = False,
) -> BattleRecord:
    """Record a command and save the battle in its new state. `told` is stored with the command. `quiet`: the same
    transaction records more, and its last part notifies (`notify`).
    """
    keeper = storage.get_keeper(play_battle_state.get_engine(battle))
    last, since = read_written(battle), battle.revision
    _date(battle, begun=bool(last.standing))
    record = BattleRecord(
        campaign_id=battle.campaign_id,
        battle=battle,
        seq=last.seq + 1,
        version=battle.version + 1,
        first_event=last.event + 1,
        command={**keeper.dump_command(command), **(told or {})},
        dice=storage.dump_dice(rolls),
        events=keeper.dump_events(events),
        frozen=play_battle_state.frozen_at(battle, state, last.standing + 1),
        figures=_changed_figures(battle, before, state),
        by=by,
    )
    record.save(force_insert=True)
    then, now = (standing_in(play_battle_state.summarize(battle, at)).keys() for at in (before, state))
    save(battle, state, seats=then != now, quiet=quiet, actor=by)
    tell_of_command(battle, command, record)
    follow(battle, since, last, record, tuple(events))
    return record


def _date(battle: Battle, *, begun: bool) -> None:
    """Set the battle's day, which is that of its first command. Until then days may pass or be undone."""
    if not begun and battle.day != battle.campaign.day:
        battle.day = battle.campaign.day
        battle.save(update_fields=["day"])


def _changed_figures(battle: Battle, before: Any, state: Any) -> dict[str, Any] | None:
    """Return the figures of all armies if the command changed any, else None. Most orders change none."""
    then, now = play_battle_state.refold_figures(battle, before), play_battle_state.refold_figures(battle, state)
    return None if now == then else storage.dump_figures(now)


def save(
    battle: Battle,
    state: Any,
    *,
    seats: bool = True,
    quiet: bool = False,
    taken_back: bool = False,
    actor: User | None = None,
) -> None:
    """Save the battle as the next version: summary, status and (with `seats`) roster follow the state. Listeners are
    notified unless `quiet`. `taken_back`: it returns to an earlier state. `actor`: who commanded it.
    """
    position = play_battle_state.get_snapshot(battle, state)
    summary = position.summary
    battle.version += 1
    battle.revision = uuid7()
    before = battle.state, battle.status
    battle.state = play_battle_state.summarize_for_lists(battle, state)
    battle.status = _status_of(battle, summary)
    if before != (battle.state, battle.status):
        battle.__dict__[IN_SIGHT] = True
        tell_of_begin(battle, before[1], by=actor)
        tell_of_end(battle, before[1])
        tell_of_turn(battle, before[0], taken_back=taken_back)
    if before[1] == Battle.Status.SETUP != battle.status:
        _refuse_held(battle)
    battle.save(update_fields=["version", "revision", "state", "status"])
    if seats and not battle.is_branch:
        seat(battle, summary)
    call_engine(battle, state)
    if not quiet:
        notify(battle)
    revision = battle.revision
    transaction.on_commit(lambda: play_battle_state.remember(revision, position))


def _status_of(battle: Battle, summary: Summary) -> str:
    """A what-if has no aftermath: fought, it is over."""
    fought = battle.is_branch and summary.status == Battle.Status.AFTERMATH
    return Battle.Status.CLOSED if fought else summary.status


def _refuse_held(battle: Battle) -> None:
    """Raise `IllegalCommand` if an army became unavailable during the battle's set-up."""
    armies = Army.objects.filter(seats__battle=battle).select_related("campaign")
    for reason in explain_held_by_ruleset(armies).values():
        raise IllegalCommand(reason)
    refuse_absent([army.pk for army in armies])


def standing_in(summary: Summary) -> dict[UUID, Combatant]:
    """Return the battle's armies that belong to the campaign."""
    return {UUID(pk): army for pk, army in summary.armies.items() if not army.risen_from}


def seat(battle: Battle, summary: Summary) -> None:
    """Update the roster to the armies in the battle. A reinforcement is added, and removed if it is undone."""
    standing = standing_in(summary)
    seated = set(battle.seats.values_list("army_id", flat=True))
    if gone := seated - standing.keys():
        battle.seats.filter(army_id__in=gone).delete()
    if new := standing.keys() - seated:
        refuse_hidden(new)
        refuse_absent(new)
    BattleArmy.objects.bulk_create(
        BattleArmy(
            campaign_id=battle.campaign_id,
            battle=battle,
            army_id=key,
            side=army.side,
            commander_id=army.leader or None,
        )
        for key, army in standing.items()
        if key in new
    )


def notify(battle: Battle) -> None:
    """Notify listeners when the transaction commits: always pages of this battle, and the campaign's pages only if
    something changed that every member sees there.
    """
    in_sight = battle.__dict__.pop(IN_SIGHT, False) and not battle.is_branch
    live_notify.notify(battle.pk, battle.version, beside=battle.campaign_id if in_sight else None)


# Services that decide a permitted command, record it and fold it.


@dataclass(frozen=True, slots=True)
class Played:
    """Result of a command: the battle now, and what happened.

    `further` are records of phases that passed by themselves, `stages` all phases if there are several. `halts` say why
    a battle stopped that advanced by itself, `needed` which dice it waits for.
    """

    battle: Battle
    state: Any
    events: tuple[Any, ...]
    record: BattleRecord | None = None
    further: tuple[BattleRecord, ...] = ()
    stages: tuple[Stage, ...] = ()
    halts: tuple[Halt, ...] = ()
    needed: DiceNeeded | None = None

    @property
    def records(self) -> tuple[BattleRecord, ...]:
        return (self.record, *self.further) if self.record else ()


@internal
def carry_out(
    battle: Battle,
    state: Any,
    *,
    by: User | None,
    viewer: Viewer,
    command: Any,
    typed: Iterable[TypedDie] = (),
    ask: bool = False,
    server: Dice | None = None,
    told: Mapping[str, Any] | None = None,
    quiet: bool = False,
) -> Played:
    """Decide and record a command (`told` and `quiet` as in `append`). The battle is locked, and permission was
    checked. `by` is None for the computer player.
    """
    engine = play_battle_state.get_engine(battle)
    dice = RecordedDice(Typed(typed, by=by.get_username() if by else "", ask=ask, server=server))
    events = engine.decide(state, command, dice, viewer)
    after = engine.fold(state, events)
    done: dict[str, Any] = {"command": command, "rolls": dice.rolls, "events": events}
    record = append(battle, by=by, **done, before=state, state=after, told=told, quiet=quiet)
    play_battle_state.remember_before(battle, record, state)
    return Played(battle, after, events, record)
