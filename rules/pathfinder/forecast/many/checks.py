"""Morale checks in arrays (PF-3.1), and whether an army may leave."""

from __future__ import annotations

import numpy as np

from rules.pathfinder import traits as t
from rules.pathfinder.battle.steps.strike import HIGHEST
from rules.pathfinder.effects import Purpose

from .field import ManyBattles
from .figures import Array


def check(many: ManyBattles, dice: np.random.Generator, i: int, where: Array, purpose: Purpose, dc: int) -> Array:
    """A morale check in the battles at these places: where it succeeds. Failing while afraid dooms (R-45)."""
    if t.MINDLESS in many.cast.armies[i].profile.traits:
        return np.ones(where.size, bool)
    passed = thrown(dice, where.size) + bonus(many, i, where, purpose) >= dc
    if many.can.frightens:
        many.doomed[i, where] |= many.afraid[i, where] & ~passed
    return passed


def thrown(dice: np.random.Generator, count: int) -> Array:
    return dice.integers(1, HIGHEST + 1, size=count, dtype=np.int16)


def bonus(many: ManyBattles, i: int, where: Array, purpose: Purpose) -> Array:
    mine = many.posture(i)
    each = np.array([many.figures.morale(i, one, purpose) for one in mine.held], dtype=np.int16)
    return np.full(where.size, each[0]) if mine.which is None else each[mine.which[where]]


def may_leave(many: ManyBattles, i: int) -> Array:
    free = np.full(many.count, not many.cast.stays[i])
    if many.can.stands:
        free &= many.stand[i] == 0
    if many.can.frightens:
        free &= ~many.doomed[i]
    return free
