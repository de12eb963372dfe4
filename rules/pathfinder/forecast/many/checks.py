"""Morale checks in arrays (PF-3.1), and whether an army may leave."""

from __future__ import annotations

import numpy as np

from rules.pathfinder.battle.steps.strike import HIGHEST
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Purpose
from rules.pathfinder.forecast.many.battle_arrays import ManyBattles
from rules.pathfinder.forecast.tally import Array

STOCK = 40_000  # faces thrown at once


class ManyDice:
    """Faces of d20s, thrown in stocks: a small throw costs more than its faces. `generator`: for all other dice."""

    def __init__(self, generator: np.random.Generator):
        self.generator = generator
        self._stock = np.zeros(0, np.int16)

    def faces(self, count: int) -> Array:
        """So many, 0 for a 1."""
        if count > self._stock.size:
            self._stock = self.generator.integers(0, HIGHEST, size=max(count, STOCK), dtype=np.int16)
        taken, self._stock = self._stock[:count], self._stock[count:]
        return taken


def check(many: ManyBattles, dice: ManyDice, i: int, where: Array, purpose: Purpose, dc: int) -> Array:
    """A morale check in the battles at these places: where it succeeds. Failing while afraid dooms (R-45)."""
    if t.MINDLESS in many.cast.armies[i].profile.traits:
        return np.ones(where.size, bool)
    passed = thrown(dice, where.size) + bonus(many, i, where, purpose) >= dc
    if many.can.frightens:
        many.doomed[i, where] |= many.afraid[i, where] & ~passed
    return passed


def thrown(dice: ManyDice, count: int) -> Array:
    return dice.faces(count) + np.int16(1)


def bonus(many: ManyBattles, i: int, where: Array, purpose: Purpose) -> Array | np.int16:
    """One number where it is the same in all these battles."""
    mine = many.posture(i)
    if mine.which is None:
        return np.int16(many.figures.morale(i, mine.held[0], purpose))
    each = np.array([many.figures.morale(i, one, purpose) for one in mine.held], dtype=np.int16)
    found: Array = each[mine.which[where]]
    return found


def may_leave(many: ManyBattles, i: int) -> Array:
    free = np.full(many.count, not many.cast.stays[i])
    if many.can.stands:
        free &= many.stand[i] == 0
    if many.can.frightens:
        free &= ~many.doomed[i]
    return free
