"""Services that advance a battle by itself: phase after phase until something happens, and through empty phases.

Every phase is a record of its own, so undo takes them back one by one. Everything happens in one transaction under one
lock.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Unpack
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from battles.codec.requests import TableDice
from battles.models import FORWARD, PASSED, TOGETHER, Battle
from battles.opponents.services import give_what_is_left
from battles.play import battle_state as play_battle_state
from battles.play.event_log import READ_MOST, read_standing
from battles.play.record_services import IN_SIGHT, Played, carry_out, notify, refuse_stale, take
from battles.queries import get_viewer, list_halts
from battles.ruleset_ui import get_battle_ui
from kingdom.access.decorators import internal, unrestricted
from kingdom.models import User
from rules.core.dice import DiceNeeded
from rules.core.errors import Refusal, demand, refuse
from rules.core.text import Said, _, say
from rules.law import Halt, Viewer
from rules.pending import DICE, LONG, NEW_CHOICE, ORDER

PHASES_MOST = 20  # most phases resolved in one request
TYPED = _("You can only enter dice for one phase. Resolve that phase by itself.")
NOT_NOW = _("This battle is waiting for someone to act.")
LONG_ENOUGH = _("Nothing happened in {count} phases.")


@dataclass(frozen=True, slots=True)
class GoingOn:
    """A locked battle while it advances automatically, phase by phase. `mark` is stored in its records."""

    battle: Battle
    state: Any
    by: User
    viewer: Viewer
    dice: TableDice
    mark: Mapping[str, Any]

    @property
    def engine(self) -> Any:
        return play_battle_state.get_engine(self.battle)

    @property
    def command(self) -> Any | None:
        """Command that resolves the current phase, if this user may give it."""
        command = self.engine.onward(self.state)
        return command if command is not None and self.engine.allows(self.state, command, self.viewer) else None

    def after(self, played: Played) -> GoingOn:
        return replace(self, battle=played.battle, state=played.state)

    def again(self) -> GoingOn:
        """Return the same with the battle reloaded from the database, after what was begun was rolled back."""
        battle = Battle.with_branches.select_related("campaign").get(pk=self.battle.pk)
        battle.__dict__[IN_SIGHT] = self.battle.__dict__.get(IN_SIGHT, False)
        return replace(self, battle=battle)


@unrestricted("Whoever may carry out the phase at hand.")
@transaction.atomic
def forward(*, by: User, battle_id: UUID | str, version: int, **dice: Unpack[TableDice]) -> Played:
    """Resolve phase after phase until something happens (`BattleLaw.halts`), somebody has to act, or dice are asked
    for. Orders stay: armies without new ones repeat those of the last phase.

    Raises `DiceNeeded` if the first phase needs dice, `IllegalCommand` if no phase can be resolved now, `InvalidInput`
    for typed dice.
    """
    demand(not dice.get("typed"), TYPED, field="/dice")
    battle = take(by, battle_id)
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    now = GoingOn(battle, state, by, viewer, dice, {FORWARD: battle.version})
    if now.command is None:
        if not viewer.gm:
            raise PermissionDenied
        refuse(NOT_NOW)
    refuse_stale(battle, version)
    found = _until_something_happens(now)
    notify(found.battle)
    return found


class PhaseDone(NamedTuple):
    """Resolved phase, and the state before it."""

    before: Any
    played: Played


def _until_something_happens(now: GoingOn) -> Played:
    phases = [_carried(now, repeat=_state_of_last_orders(now))]
    now = now.after(phases[0].played)
    while not (halts := _halts(now, phases[-1])):
        if len(phases) == PHASES_MOST:
            return _summed(now, phases, (Halt(LONG, say(LONG_ENOUGH, count=PHASES_MOST)),))
        try:
            with transaction.atomic():
                phases.append(_carried(now, repeat=phases[-1].before))
        except DiceNeeded as needed:
            return _summed(now.again(), phases, (Halt(DICE, _("Dice are needed.")),), needed)
        except Refusal as refusal:
            return _summed(now.again(), phases, (Halt(ORDER, refusal.message),))
        now = now.after(phases[-1].played)
    return _summed(now, phases, halts)


def _halts(now: GoingOn, phase: PhaseDone) -> tuple[Halt, ...]:
    """Return why the battle stops after this phase, as the user may know."""
    engine = now.engine
    then, seen = engine.seen(phase.before, now.viewer), engine.seen(now.state, now.viewer)
    told = (engine.witnessed(now.state, event, now.viewer) for event in phase.played.events)
    found = list_halts(now.battle, then, tuple(event for event in told if event is not None), seen, now.viewer)
    if engine.empty(now.state):
        found = tuple(halt for halt in found if halt.kind != ORDER)
    return found or _someone_to_act(now, seen)


def _someone_to_act(now: GoingOn, seen: Any) -> tuple[Halt, ...]:
    if now.command is not None and not now.engine.pending(seen, now.viewer):
        return ()
    awaited = now.engine.summary(seen).waiting_for
    names: list[Said | str] = [one.name or now.engine.summary(seen).armies[one.army].name for one in awaited]
    return (Halt(NEW_CHOICE, say(_("Waiting for {names}."), names=names) if names else NOT_NOW),)


def _carried(now: GoingOn, *, repeat: Any | None = None) -> PhaseDone:
    """Resolve the current phase, after giving the lasting orders of the previous phase (which began with `repeat`) and
    those of the computer. An order that is no longer possible is dropped. Raises `IllegalCommand` if the law warns of
    this phase.
    """
    battle, state, together = now.battle, now.state, now.battle.version
    bundle: Mapping[str, Any] = {TOGETHER: together}
    seen: dict[str, Any] = {"by": now.by, "viewer": now.viewer}
    given = 0
    for command in _repeated(now, repeat) if repeat is not None else ():
        with suppress(Refusal):
            state = carry_out(battle, state, **seen, command=command, told=bundle, quiet=True).state
            given += 1
    onward = now.command
    assert onward is not None
    mark = None
    if now.viewer.gm and now.engine.forecast.carries_out(onward):
        state, mark = give_what_is_left(battle, state, **seen, together=together)
    if why := now.engine.why_wait(state):
        refuse(why)
    told = {**now.mark, **(bundle if given or mark else {})}
    return PhaseDone(state, carry_out(battle, state, **seen, command=onward, told=told, quiet=True, **now.dice))


def _state_of_last_orders(now: GoingOn) -> Any | None:
    """Return the state in which the last phase was resolved, with its orders. None if there is none."""
    for record in read_standing(now.battle, READ_MOST):
        if now.engine.decisive(now.state, record.events):
            return play_battle_state.state_before(now.battle, record)
    return None


def _repeated(now: GoingOn, before: Any) -> list[Any]:
    """Return the lasting orders of people. The computer gives those of its sides itself."""
    left = play_battle_state.left_to_the_engine(now.battle)
    summary = now.engine.summary(now.state)
    own = get_battle_ui(play_battle_state.get_law(now.battle))
    known = now.engine.repeated(before, now.state)
    return [command for command in known if summary.armies[own.army_of(command)].side not in left]


def _summed(
    now: GoingOn, phases: Sequence[PhaseDone], halts: tuple[Halt, ...], needed: DiceNeeded | None = None
) -> Played:
    """Return all phases as one result."""
    records = tuple(record for phase in phases for record in phase.played.records)
    events = tuple(event for phase in phases for event in phase.played.events)
    stages = tuple(now.engine.summary(phase.before).stage for phase in phases)
    return Played(now.battle, now.state, events, records[0], records[1:], stages, halts, needed)


# Empty phases, which pass by themselves.


@internal
def pass_empty_phases(played: Played, before: Any, *, by: User, viewer: Viewer, dice: TableDice) -> Played:
    """Return the result together with the empty phases after it. Nothing passes unless the command began a new phase,
    or if dice are asked for.
    """
    battle, record = played.battle, played.record
    engine = play_battle_state.get_engine(battle)
    if record is None or not engine.empty(played.state) or not _began_a_phase(battle, before, played.state):
        return played
    left = TableDice(ask=dice.get("ask", False))
    going = GoingOn(battle, played.state, by, viewer, left, {PASSED: record.version - 1})
    phases = [PhaseDone(before, played)]
    while len(phases) < PHASES_MOST and engine.empty(going.state) and going.command is not None:
        try:
            with transaction.atomic():
                phases.append(_passed(going))
        except (DiceNeeded, Refusal):
            going = going.again()
            break
        going = going.after(phases[-1].played)
    return _summed(going, phases, ())


def _began_a_phase(battle: Battle, before: Any, after: Any) -> bool:
    then, now = (play_battle_state.summarize(battle, state).stage[:2] for state in (before, after))
    return then != now


def _passed(now: GoingOn) -> PhaseDone:
    seen: dict[str, Any] = {"by": now.by, "viewer": now.viewer}
    return PhaseDone(
        now.state, carry_out(now.battle, now.state, **seen, command=now.command, told=now.mark, **now.dice)
    )
