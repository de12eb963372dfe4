"""Forecast of a battle for one viewer, under any law: the average odds over all worlds they may believe in.

Questions go to another process, so every function takes and returns only pure values.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.battle_law import BattleLaw, Viewer
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
