"""Hindsight on a battle: how the dice of a command changed the chances, as one viewer may know it, under any law.

Questions go to another process as pure values, like forecasts (`rules.odds.viewer_forecast`).
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
    """Chance of each side to win, in the order of sides, and the chance that nobody is left."""

    wins: tuple[float, ...]
    mutual: float = 0.0

    @classmethod
    def of(cls, odds: Odds) -> Chances:
        return cls(tuple(side.win for side in odds.sides), odds.mutual)

    @classmethod
    def decided(cls, winner: int | None, sides: int) -> Chances:
        """Return the chances of a decided battle. `winner` is the side's index, None if nobody was left."""
        return cls(tuple(float(side == winner) for side in range(sides)), float(winner is None))


class Moment(NamedTuple):
    """Phase that was fought: the chances with its orders known, before and after its dice."""

    stage: Stage
    before: Chances
    after: Chances


class Step(NamedTuple):
    """What the dice of one phase added to each side's chance to win, from −1 to 1. `before` and `after` are the chances
    before its first die and after its last.
    """

    stage: Stage
    luck: tuple[float, ...]
    before: Chances
    after: Chances


@dataclass(frozen=True, slots=True)
class Fairness:
    """Luck of a battle. `luck` is by side, the sum over its steps. `turning` is the index of the step whose dice
    changed most, or None. `likely` is the chance of this result before the first die, None if unknown.
    """

    steps: tuple[Step, ...]
    luck: tuple[float, ...]
    turning: int | None
    likely: float | None


def fairness(moments: Iterable[Moment], end: Chances | None = None) -> Fairness:
    """Return each side's luck over these moments, which are in order; those of one phase form one step. `end` is the
    result of a finished battle.
    """
    moments = tuple(moments)
    steps = tuple(_step(tuple(phase)) for _stage, phase in groupby(moments, key=lambda moment: moment.stage[:2]))
    sides = max((len(step.luck) for step in steps), default=0)
    luck = tuple(sum(step.luck[side] for step in steps) for side in range(sides))
    return Fairness(steps, luck, _turning(steps), _likely(moments[0].before, end) if moments and end else None)


def _step(phase: Sequence[Moment]) -> Step:
    """Merge the moments of a phase. Only changes by dice are added up, because orders may be given in between."""
    first, last = phase[0], phase[-1]
    luck = tuple(map(sum, zip(*map(_gained, phase), strict=True)))
    return Step(first.stage, luck, first.before, last.after)


def _gained(moment: Moment) -> tuple[float, ...]:
    return tuple(after - before for before, after in zip(moment.before.wins, moment.after.wins, strict=True))


def _turning(steps: Sequence[Step]) -> int | None:
    """Return the first of the largest steps. Differences by rounding alone do not count."""
    moved = [round(max(map(abs, step.luck), default=0.0), 9) for step in steps]
    largest = max(moved, default=0.0)
    return moved.index(largest) if largest > 0 else None


def _likely(start: Chances, end: Chances) -> float:
    """Return the chance that the start gave to the actual result."""
    return sum(a * b for a, b in zip((*start.wins, start.mutual), (*end.wins, end.mutual), strict=True))


@dataclass(frozen=True, slots=True)
class Fought:
    """Battle with its orders given and its dice not yet rolled, and the events that followed."""

    now: FieldNow
    events: tuple[Any, ...]


class Weighed(NamedTuple):
    """Chances before and after the dice. `error` is the larger of the two, as in `Odds`. `phase` is the one of the
    dice, for `BattleLaw.stage`; None in older records.
    """

    before: Chances
    after: Chances
    method: Method
    error: float
    phase: tuple[str, int] | None = None


def weighed(fought: Fought, viewer: Viewer) -> Weighed | None:
    """Return the chances before and after the dice. None if the law could foretell nothing before them."""
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
    """Return the chances of a finished battle. None if it goes on or was broken off."""
    outcome = summary.outcome
    if summary.status not in (AFTERMATH, CLOSED) or outcome is None:
        return None
    if outcome.winner is None and any(army.fighting for army in summary.armies.values()):
        return None
    return Chances.decided(outcome.winner, len(summary.sides))


def _with_orders(fought: Fought, state: Any, viewer: Viewer) -> Odds | None:
    """Return the odds before the dice, with the orders as carried out: the viewer's own, and those the events reveal.
    If one is impossible in the world the viewer may believe in, all revealed orders are ignored.
    """
    law = fought.now.battle
    seen = law.seen(state, viewer)
    told = [law.witnessed(seen, event, viewer) for event in fought.events]
    orders = tuple(law.forecast.carried_out(seen, [event for event in told if event is not None], viewer))
    try:
        return odds_of(fought.now, AboutOdds(commands=orders, carried_out=True), viewer)
    except Refusal:
        return odds_of(fought.now, AboutOdds(carried_out=True), viewer)
