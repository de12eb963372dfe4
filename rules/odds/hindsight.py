"""Hindsight on a battle: what the dice of a command did to the chances, as one viewer may know it, under any law.

What is asked goes to another process as pure values, like a forecast (`rules.odds.viewer_forecast`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from rules.battle_law import AFTERMATH, CLOSED, Stage, Summary, Viewer
from rules.core.errors import Refusal
from rules.core.odds import SIMULATED, AboutOdds, Method, Odds
from rules.odds.viewer_forecast import FieldNow, odds_of


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


@dataclass(frozen=True, slots=True)
class Fought:
    """The battle as it stood with its orders given and the dice still in the hand, and what happened then."""

    now: FieldNow
    events: tuple[Any, ...]


class Weighed(NamedTuple):
    """The chances on both sides of the dice. `error`: of the less sure of the two, as `Odds` has it.

    `phase`: in which they fell, as `BattleLaw.stage` knows it; None in what was written down before it was kept.
    """

    before: Chances
    after: Chances
    method: Method
    error: float
    phase: tuple[str, int] | None = None


def weighed(fought: Fought, viewer: Viewer) -> Weighed | None:
    """None where the law could foretell nothing before these dice fell."""
    now, law = fought.now, fought.now.battle
    state = law.thaw(now.opening, now.frozen)
    first = _with_orders(fought, state, viewer)
    if first is None:
        return None
    phase, after = law.summary(state).stage[:2], law.fold(state, fought.events)
    if (end := ended(law.summary(after))) is not None:
        return Weighed(Chances.of(first), end, first.method, first.error, phase)
    then = odds_of(replace(now, frozen=law.freeze(after)), AboutOdds(), viewer)
    if then is None:  # broken off in the midst of it: these dice led nowhere
        return None
    method = SIMULATED if SIMULATED in (first.method, then.method) else first.method
    return Weighed(Chances.of(first), Chances.of(then), method, max(first.error, then.error), phase)


def ended(summary: Summary) -> Chances | None:
    """How the battle ended. One broken off has no end that could have been likely."""
    outcome = summary.outcome
    if summary.status not in (AFTERMATH, CLOSED) or outcome is None:
        return None
    if outcome.winner is None and any(army.fighting for army in summary.armies.values()):
        return None
    return Chances.decided(outcome.winner, len(summary.sides))


def _with_orders(fought: Fought, state: Any, viewer: Viewer) -> Odds | None:
    """The odds before the dice, with orders as they were carried out: their own, and of others what the log tells them.

    An order that cannot be given in the world they may believe in is left out with the others.
    """
    law = fought.now.battle
    seen = law.seen(state, viewer)
    told = [law.witnessed(seen, event, viewer) for event in fought.events]
    orders = tuple(law.forecast.carried_out(seen, [event for event in told if event is not None], viewer))
    try:
        return odds_of(fought.now, AboutOdds(commands=orders, carried_out=True), viewer)
    except Refusal:
        return odds_of(fought.now, AboutOdds(carried_out=True), viewer)
