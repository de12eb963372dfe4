"""Working state of a command's decision: the state so far, the events, the dice, the steps still to do, and the
consequences of moving and appearing units.
"""

from __future__ import annotations

from typing import Any

from rules.core.dice import Dice, Roll
from rules.core.errors import IllegalCommand
from rules.core.text import Said
from rules.hexbattle.common import Destroyed, EffectEnded, Revealed, Withdrawn
from rules.hexbattle.field import Ended
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.fold import after
from rules.thucidide_fantasy.battle.record.state import FantasyState, Todo
from rules.thucidide_fantasy.battle.situation import GROVE, foes_beside, hidden_from, under

# Working state of a command's decision: the state so far, the events, the dice, and the steps still to do.

D6 = 6
ENOUGH_DESTROYED = "enough-destroyed"
MASTER_GONE = "master"
LEAVING = (Destroyed, Withdrawn, e.Vanished, e.Carrying)


class BattleOver(Exception):
    """Raised when the battle ends in the middle of a command, to skip the rest of it (T-41)."""


class Run:
    """A command being decided.

    Each event changes `state` as it is emitted. `todo`: steps of a combat, spell or god's answer still to do, the next
    one last.
    """

    def __init__(self, state: FantasyState, dice: Dice):
        self.state, self.dice = state, dice
        self.events: list[Any] = []
        self.todo: list[Todo] = []

    def emit(self, *events: Any) -> None:
        for event in events:
            self.events.append(event)
            self.state = after(self.state, event)
            if isinstance(event, LEAVING):
                self._look_at_victory()
                self._masterless(getattr(event, "unit", "") or getattr(event, "caster", ""))

    def _look_at_victory(self) -> None:
        """End the battle if a side has destroyed enough units; checked whenever a unit leaves the table (TF-1.16,
        T-41).

        Raises `BattleOver` if so.
        """
        state = self.state
        if not state.field.started or state.field.ended:
            return
        won = [side for side in (0, 1) if len(state.fallen[1 - side]) >= state.victory[side] > 0]
        if won:
            self.emit(Ended(won[0], ENOUGH_DESTROYED))
            raise BattleOver

    def _masterless(self, person: str) -> None:
        """Remove the undead of a master who left the table (TF-5.1); turned undead have no master (TF-5.3)."""
        if person not in self.state.people:
            return
        for unit, own in tuple(self.state.units.items()):
            if own.master == person and self.state.standing(unit) and not own.turner:
                self.emit(e.Vanished(unit, self.state.at(unit), MASTER_GONE))

    def then(self, *todo: Todo) -> None:
        """Add steps to do next, in this order, before those already waiting."""
        self.todo.extend(reversed(todo))

    def roll(self, who: str, name: str, count: int) -> tuple[Roll, ...]:
        """The dice of one throw. Typed dice are asked for at once."""
        rolls = tuple(self.dice.roll(who, name, D6) for _die in range(count))
        self.dice.checkpoint()
        return rolls


def forbid(why: Said | None, field: str) -> None:
    """Raise `IllegalCommand` with this reason, if there is one."""
    if why is not None:
        raise IllegalCommand(why, field)


# Consequences of moving or appearing: phantoms are exposed, groves end (T-15, T-70).


def after_shift(run: Run, unit: str) -> None:
    """Apply the consequences of any move or retreat: phantoms beside an enemy are exposed, a grove that moved ends."""
    leave_grove(run, unit)
    expose_phantoms(run)


def expose_phantoms(run: Run) -> None:
    """Expose all phantoms with an enemy beside them."""
    for unit, own in tuple(run.state.units.items()):
        if own.false and run.state.standing(unit):
            token = run.state.token(unit)
            if foes_beside(run.state, token.at, token.side):
                run.emit(e.PhantomVanished(unit, token.at))


def finds_room(run: Run, side: int, at: str) -> bool:
    """Whether there is room on a hex that looks free to a side.

    If an enemy in a grove holds it there is none, and the grove ends (T-70).
    """
    hidden = [token.id for token in run.state.field.at(at) if token.id in hidden_from(run.state, side)]
    for one in hidden:
        leave_grove(run, one)
    return not hidden


def leave_grove(run: Run, unit: str) -> None:
    """End the grove around a unit, which everybody sees from now on."""
    timer = under(run.state, unit, GROVE)
    if timer is not None:
        run.emit(EffectEnded(timer))
        token = run.state.token(unit)
        if token.standing:
            run.emit(Revealed(unit, token.at, out=True))
