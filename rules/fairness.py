"""How a battle's dice were with either side: what its chance to win gained or lost by them, phase by phase.

Whoever plays on is promised nothing by his chance to win: before the dice fall, its mean after them is what it is now.
So what a phase's dice added to it or took from it is luck, in points of that chance, and luck is 0 on the average.
What orders do to the chance is no luck: a phase is measured with its orders known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.battles import Stage
from rules.odds import Odds


class Chances(NamedTuple):
    """How likely each side wins, in the order of sides, and how likely none is left."""

    wins: tuple[float, ...]
    mutual: float = 0.0

    @classmethod
    def of(cls, odds: Odds) -> Chances:
        return cls(tuple(side.win for side in odds.sides), odds.mutual)

    @classmethod
    def decided(cls, winner: int | None, sides: int) -> Chances:
        """When it is over: the winner's index, None where none was left."""
        return cls(tuple(float(side == winner) for side in range(sides)), float(winner is None))


class Moment(NamedTuple):
    """A phase that was fought: the chances with its orders known and its dice still in the hand, and once they lay."""

    stage: Stage
    before: Chances
    after: Chances


class Step(NamedTuple):
    """What the dice of one phase added to each side's chance to win, from −1 to 1."""

    stage: Stage
    luck: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Fairness:
    """`luck`: by side, the sum of its steps. `turning`: the index of the step whose dice moved most, None where none
    moved anything. `likely`: how likely this result was before the first die, None where it cannot be said.
    """

    steps: tuple[Step, ...]
    luck: tuple[float, ...]
    turning: int | None
    likely: float | None


def fairness(moments: Iterable[Moment], end: Chances | None = None) -> Fairness:
    """The luck of each side over these phases, in their order. `end`: how it ended, if it did."""
    moments = tuple(moments)
    steps = tuple(Step(moment.stage, _gained(moment)) for moment in moments)
    sides = max((len(step.luck) for step in steps), default=0)
    luck = tuple(sum(step.luck[side] for step in steps) for side in range(sides))
    return Fairness(steps, luck, _turning(steps), _likely(moments[0].before, end) if moments and end else None)


def _gained(moment: Moment) -> tuple[float, ...]:
    return tuple(after - before for before, after in zip(moment.before.wins, moment.after.wins, strict=True))


def _turning(steps: Sequence[Step]) -> int | None:
    """The first of the largest."""
    moved = [max(map(abs, step.luck), default=0.0) for step in steps]
    largest = max(moved, default=0.0)
    return moved.index(largest) if largest > 0 else None


def _likely(start: Chances, end: Chances) -> float:
    """The chance at the start of what came: that this side wins, or that none is left."""
    return sum(a * b for a, b in zip((*start.wins, start.mutual), (*end.wins, end.mutual), strict=True))
