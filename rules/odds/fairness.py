"""Fairness of dice: what a side's chance to win gained or lost by them, phase by phase.

Whoever plays on is promised nothing by their chance to win: before the dice fall, its mean after them is what it is
now. So what a phase's dice added to it or took from it is luck, in points of that chance, and luck is 0 on the average.
What orders do to the chance is no luck: a phase is measured with its orders known.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rules.battle_law import Stage
from rules.core.odds import Odds


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
    """What the dice of one phase added to each side's chance to win, from −1 to 1.

    `before`, `after`: the chances when the first of them was still in the hand, and when the last lay.
    """

    stage: Stage
    luck: tuple[float, ...]
    before: Chances
    after: Chances


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
    """The luck of each side over these moments, in their order; those of one phase are one step.

    `end`: how it ended, if it did.
    """
    moments = tuple(moments)
    steps = tuple(_step(tuple(phase)) for _stage, phase in groupby(moments, key=lambda moment: moment.stage[:2]))
    sides = max((len(step.luck) for step in steps), default=0)
    luck = tuple(sum(step.luck[side] for step in steps) for side in range(sides))
    return Fairness(steps, luck, _turning(steps), _likely(moments[0].before, end) if moments and end else None)


def _step(phase: Sequence[Moment]) -> Step:
    """Between its moments orders may have been given: only what dice did is added up."""
    first, last = phase[0], phase[-1]
    luck = tuple(map(sum, zip(*map(_gained, phase), strict=True)))
    return Step(first.stage, luck, first.before, last.after)


def _gained(moment: Moment) -> tuple[float, ...]:
    return tuple(after - before for before, after in zip(moment.before.wins, moment.after.wins, strict=True))


def _turning(steps: Sequence[Step]) -> int | None:
    """The first of the largest; what differs by rounding alone is as large."""
    moved = [round(max(map(abs, step.luck), default=0.0), 9) for step in steps]
    largest = max(moved, default=0.0)
    return moved.index(largest) if largest > 0 else None


def _likely(start: Chances, end: Chances) -> float:
    """The chance at the start of what came: that this side wins, or that none is left."""
    return sum(a * b for a, b in zip((*start.wins, start.mutual), (*end.wins, end.mutual), strict=True))
