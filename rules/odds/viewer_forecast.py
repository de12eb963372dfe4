"""Forecast of a battle for one viewer under any law: the average odds over all states that the viewer must consider
possible. Also hindsight: the effect of dice already rolled.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, NamedTuple

from rules.battle_law import AFTERMATH, CLOSED, BattleLaw, Stage, Summary, Viewer
from rules.core.errors import Refusal
from rules.core.odds import (
    EXACT,
    SIMULATED,
    AboutOdds,
    ArmyOdds,
    Guess,
    Length,
    Method,
    Odds,
    OddsTable,
    SideOdds,
    Spread,
)
from rules.registry import RULESETS, register_all, ruleset

# Forecast of a battle for one viewer, under any law: the average odds over all worlds they may believe in.
#
# Questions go to another process, so every function takes and returns only pure values.


@dataclass(frozen=True, slots=True)
class FieldNow:
    """State of a battle: the law's slug, the campaign's house rules, and the law's own pure values."""

    law: str
    house: Mapping[str, Any]
    opening: Any
    frozen: Any

    @property
    def battle(self) -> BattleLaw:
        return ruleset(self.law, self.house).battle


@dataclass(frozen=True, slots=True)
class WhichTable:
    """Table of choices: its kind, and the two armies that choose."""

    kind: str
    row: str
    column: str


def prepare(laws: Iterable[str]) -> None:
    """Register the laws in a worker process, if none are."""
    if not RULESETS:
        register_all(laws)


def odds_of(now: FieldNow, about: AboutOdds, viewer: Viewer) -> Odds | None:
    """Return the odds; None if nothing can be foretold. Raises `InvalidInput` for an impossible order."""
    law = now.battle.forecast
    found = [(law.odds(guess.state, about, viewer), guess.weight) for guess in guesses_of(now, viewer)]
    parts = [(odds, weight) for odds, weight in found if odds is not None]
    return mixed(parts) if parts else None


def table_of(now: FieldNow, which: WhichTable, about: AboutOdds, viewer: Viewer) -> OddsTable | None:
    """Return the table in the likeliest world that the viewer may believe in."""
    guess = max(guesses_of(now, viewer), key=_weight)
    return now.battle.forecast.table(guess.state, which.kind, which.row, which.column, about, viewer)


def guesses_of(now: FieldNow, viewer: Viewer) -> Sequence[Guess]:
    """Return all worlds that the viewer may believe in, from nothing but what they may know."""
    law = now.battle
    return law.forecast.guesses(law.seen(law.thaw(now.opening, now.frozen), viewer), viewer)


def _weight(guess: Guess) -> float:
    return guess.weight


def mixed(parts: Sequence[tuple[Odds, float]]) -> Odds:
    """Average the odds of several worlds, with weights that add up to 1.

    `low` and `high` are the least and greatest chance among them. `p90` is the longest of theirs, so it is never too
    low.
    """
    if len(parts) == 1:
        return parts[0][0]
    several = [odds for odds, _ in parts]
    first = several[0]
    return Odds(
        method=_method(several),
        error=_mean((odds.error, weight) for odds, weight in parts),
        undecided=_mean((odds.undecided, weight) for odds, weight in parts),
        mutual=_mean((odds.mutual, weight) for odds, weight in parts),
        sides=tuple(
            _side([(odds.sides[index], weight) for odds, weight in parts]) for index in range(len(first.sides))
        ),
        armies={army: _army([(odds.armies[army], weight) for odds, weight in parts]) for army in first.armies},
        phases=Length(
            _mean((odds.phases.mean, weight) for odds, weight in parts), max(odds.phases.p90 for odds in several)
        ),
        assumed=tuple({str(said): said for odds in several for said in odds.assumed}.values()),
    )


def _method(several: Iterable[Odds]) -> Method:
    return EXACT if all(odds.method == EXACT for odds in several) else SIMULATED


def _mean(parts: Iterable[tuple[float, float]]) -> float:
    return sum(value * weight for value, weight in parts)


def _side(parts: Sequence[tuple[SideOdds, float]]) -> SideOdds:
    return SideOdds(
        parts[0][0].name,
        win=_mean((side.win, weight) for side, weight in parts),
        rout=_mean((side.rout, weight) for side, weight in parts),
        destroyed=_mean((side.destroyed, weight) for side, weight in parts),
        low=min(side.low for side, _ in parts),
        high=max(side.high for side, _ in parts),
    )


def _army(parts: Sequence[tuple[ArmyOdds, float]]) -> ArmyOdds:
    health: dict[int, float] = defaultdict(float)
    fates: dict[str, float] = defaultdict(float)
    victory: dict[int, float] = defaultdict(float)
    for army, weight in parts:
        for left, chance in army.health:
            health[left] += chance * weight
        for left, chance in army.victory:
            victory[left] += chance * weight
        for fate, chance in army.fates.items():
            fates[fate] += chance * weight
    spread: Spread = tuple(sorted(health.items()))
    return ArmyOdds(parts[0][0].army, spread, dict(fates), tuple(sorted(victory.items())))


# Hindsight on a battle: how the dice of a command changed the chances, as one viewer may know it, under any law.
#
# Questions go to another process as pure values, like forecasts (`rules.odds.viewer_forecast`).


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
    """Luck of one phase: the change of each side's chance to win by the phase's dice, from −1 to 1. `before` and
    `after` are the chances before its first die and after its last.
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
