"""Tally of simulated battles: it counts their outcomes and computes odds from them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from rules.breaking_point.battle.state.battle_state import ANNIHILATED, FLED, SURRENDERED, BattleNow
from rules.breaking_point.battle.telling.summary import health_of, status_of
from rules.core.odds import EXACT, SIMULATED, ArmyOdds, Length, Odds, SideOdds, Spread, Winning, half_width

NOBODY, UNDECIDED = -1, -2
"""Values of `winner` in place of a side's index: nobody holds the field, or the battle is not over."""
LOST = (ANNIHILATED, SURRENDERED)


class Ended(NamedTuple):
    """State of a battle at the end of the look, and its probability. `left` and `fates` are by army; empty if only the
    winner is asked for.
    """

    winner: int
    left: Mapping[str, int]
    fates: Mapping[str, str]
    rounds: int
    chance: float = 1.0


def ended(battle: BattleNow, rounds: int, chance: float = 1.0) -> Ended:
    armies = [army for side in battle.sides for army in side.armies]
    winner = UNDECIDED
    if battle.result is not None:
        winner = NOBODY if battle.result.winner is None else battle.result.winner
    return Ended(
        winner,
        {army: health_of(battle, army)[0] for army in armies},
        {army: status_of(battle, army) for army in armies},
        rounds,
        chance,
    )


def winning_of(battle: BattleNow, ends: Sequence[Ended], *, exact: bool = False) -> Winning:
    """Return the chances that each side wins, that nobody does and that it stays undecided, from these outcomes of
    battles that began at `battle`.
    """
    whole = math.fsum(end.chance for end in ends)
    wins = tuple(_share(ends, whole, side) for side in range(len(battle.sides)))
    error = 0.0 if exact else max(half_width(win, round(whole)) for win in wins)
    method, open_, nobodys = EXACT if exact else SIMULATED, _share(ends, whole, UNDECIDED), _share(ends, whole, NOBODY)
    return Winning(method, error, open_, nobodys, wins, _length(ends))


def odds_of(battle: BattleNow, ends: Sequence[Ended], *, exact: bool = False) -> Odds:
    """Return the odds from these outcomes. `exact`: they carry exact probabilities instead of counts."""
    whole, said = math.fsum(end.chance for end in ends), winning_of(battle, ends, exact=exact)
    return Odds(
        said.method,
        said.error,
        said.undecided,
        said.mutual,
        tuple(_side(battle, ends, whole, side, win) for side, win in enumerate(said.wins)),
        {army: _army(ends, whole, army, at) for at, side in enumerate(battle.sides) for army in side.armies},
        said.phases,
    )


def _share(ends: Sequence[Ended], whole: float, winner: int) -> float:
    return math.fsum(end.chance for end in ends if end.winner == winner) / whole


def _side(battle: BattleNow, ends: Sequence[Ended], whole: float, side: int, win: float) -> SideOdds:
    own = battle.sides[side].armies
    fled = math.fsum(end.chance for end in ends if all(end.fates[army] == FLED for army in own))
    lost = math.fsum(end.chance for end in ends if all(end.fates[army] in LOST for army in own))
    return SideOdds(battle.sides[side].name, win, fled / whole, lost / whole, win, win)


def _army(ends: Sequence[Ended], whole: float, army: str, side: int) -> ArmyOdds:
    fates: dict[str, float] = defaultdict(float)
    for end in ends:
        fates[end.fates[army]] += end.chance / whole
    victory = [end for end in ends if end.winner == side]
    return ArmyOdds(army, _spread(ends, whole, army), dict(fates), _spread(victory, whole, army))


def _spread(ends: Sequence[Ended], whole: float, army: str) -> Spread:
    left: dict[int, float] = defaultdict(float)
    for end in ends:
        left[end.left[army]] += end.chance / whole
    return tuple(sorted(left.items()))


def _length(ends: Sequence[Ended]) -> Length:
    """Return the length of decided battles; zeros if there are none."""
    decided = sorted((end.rounds, end.chance) for end in ends if end.winner != UNDECIDED)
    whole = math.fsum(chance for _rounds, chance in decided)
    if not whole:
        return Length(0.0, 0)
    so_far = accumulate(chance for _rounds, chance in decided)
    p90 = next(rounds for (rounds, _), sum_ in zip(decided, so_far, strict=True) if sum_ >= 0.9 * whole - 1e-12)
    return Length(math.fsum(rounds * chance for rounds, chance in decided) / whole, p90)
