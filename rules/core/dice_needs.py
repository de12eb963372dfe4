"""Needs of dice that are still to be typed, read from the events they decide.

An event whose dice are asked for was worked out with faces that stand in for them: its bonus and what it has to reach
are right, its result is not. So a step tells what it worked out before it asks for dice (`Dice.checkpoint`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set

from rules.core.dice import DiceNeeded, Roll
from rules.core.text import Said

type Following = Sequence[tuple[Set[str], Said]]
"""Names of rolls, by the step they fall in, with what may follow from them: the last step first."""


def foretold[Event](
    needed: DiceNeeded,
    happened: Iterable[Event],
    rolls_of: Callable[[Event], Iterable[Roll]],
    need: Callable[[Event, Roll], Said | None],
    following: Following = (),
) -> DiceNeeded:
    """The same dice, each with what it needs where the event it decides can tell, and what may follow from them."""
    told = ((roll, need(event, roll)) for event in happened for roll in rolls_of(event) if not roll.known)
    return needed.explained(told, _follows({ask.name for ask in needed.asks}, following))


def _follows(rolls: Set[str], following: Following) -> Said | None:
    """The earliest step among those asked for has the most to come."""
    return next((told for names, told in reversed(following) if names & rolls), None)
