"""Tally of simulated battles: it counts their outcomes and computes odds from them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rules.core.odds import SIMULATED, ArmyOdds, Length, Odds, SideOdds, Spread, half_width
from rules.pathfinder.battle.state.battle_state import CAPTURED, DEFEATED, FIGHTING, ROUTED, WITHDRAWN, BattleState

type Array = npt.NDArray[Any]

FATES = (FIGHTING, WITHDRAWN, ROUTED, DEFEATED, CAPTURED)
"""Statuses of an army; arrays hold the index."""
ON_FIELD, GONE, FLED, FALLEN, CAUGHT = range(len(FATES))
NOBODY, UNDECIDED = -1, -2
"""Values of `winners` in place of a side's index: no side is left, or the battle is not over."""


@dataclass(frozen=True, slots=True)
class Thrown:
    """State of simulated battles at the end of the look: a column for each battle, a row for each army in the order of
    `ids`.

    `winners` is the index of the only side left, `NOBODY` or `UNDECIDED`. `phases` is the number of phases fought.
    """

    ids: tuple[str, ...]
    hp: Array
    fates: Array
    winners: Array
    phases: Array

    @property
    def decided(self) -> Array:
        decided: Array = self.winners != UNDECIDED
        return decided

    def part(self, which: slice) -> Thrown:
        """Return a slice of the battles."""
        return Thrown(self.ids, self.hp[:, which], self.fates[:, which], self.winners[which], self.phases[which])

    @classmethod
    def together(cls, parts: Iterable[Thrown]) -> Thrown:
        parts = tuple(parts)
        whole = [np.concatenate([getattr(part, name) for part in parts], axis=-1)
                 for name in ("hp", "fates", "winners", "phases")]  # fmt: skip
        return cls(parts[0].ids, *whole)


def odds_of(battle: BattleState, thrown: Thrown) -> Odds:
    """Return the odds that these battles give. All of them began at `battle`."""
    wins, mutual = _ends(battle, thrown)
    count = thrown.winners.size
    sides = tuple(_side(battle, thrown, index, win) for index, win in enumerate(wins))
    armies = {army: _army(thrown, row, battle.armies[army].side) for row, army in enumerate(thrown.ids)}
    undecided = 1.0 - float(thrown.decided.mean())
    error = max(half_width(win, count) for win in wins)
    return Odds(SIMULATED, error, undecided, mutual, sides, armies, _length(thrown))


def _rows(battle: BattleState, thrown: Thrown, side: int) -> list[int]:
    return [row for row, army in enumerate(thrown.ids) if battle.armies[army].side == side]


def _ends(battle: BattleState, thrown: Thrown) -> tuple[list[float], float]:
    """Return for each side the share of battles it wins, and the share in which nobody is left."""
    wins = [float((thrown.winners == side).mean()) for side in range(len(battle.sides))]
    return wins, float((thrown.winners == NOBODY).mean())


def _side(battle: BattleState, thrown: Thrown, side: int, win: float) -> SideOdds:
    fates = thrown.fates[_rows(battle, thrown, side)]
    fled = (fates == FLED) | (fates == CAUGHT)
    destroyed = fates == FALLEN
    return SideOdds(
        battle.sides[side].name, win, float(fled.all(axis=0).mean()), float(destroyed.all(axis=0).mean()), win, win
    )


def _army(thrown: Thrown, row: int, side: int) -> ArmyOdds:
    count = thrown.winners.size
    fates = np.bincount(thrown.fates[row], minlength=len(FATES)) / count
    told = {fate: float(share) for fate, share in zip(FATES, fates, strict=True) if share}
    victory = _spread(thrown.hp[row][thrown.winners == side], count)
    return ArmyOdds(thrown.ids[row], _spread(thrown.hp[row], count), told, victory)


def _spread(hp: Array, count: int) -> Spread:
    """Return the frequency of each number of hit points among all battles."""
    often = np.bincount(hp)  # faster than sorting, because hit points are few
    return tuple((points, float(often[points]) / count) for points in np.flatnonzero(often).tolist())


def _length(thrown: Thrown) -> Length:
    """Return the length of decided battles; zeros if there are none."""
    fought = thrown.phases[thrown.decided]
    if not fought.size:
        return Length(0.0, 0)
    ended = np.bincount(fought).cumsum()  # by phase, the number of battles that last no longer
    return Length(float(fought.mean()), int(np.searchsorted(ended, math.ceil(0.9 * fought.size))))
