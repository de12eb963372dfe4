"""Arithmetic of the engine on arrays."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from rules.breaking_point.forecast.many.sheets import Numbers
from rules.breaking_point.margins import RATIOS


def each(mask: Numbers) -> Iterator[tuple[int, Numbers]]:
    """Bodies of whom it is true anywhere, and where."""
    for body, own in enumerate(mask):
        rows = np.flatnonzero(own)
        if rows.size:
            yield body, rows


def ratio_bonuses(ours: Numbers, theirs: Numbers) -> Numbers:
    """As `margins.ratio_bonus`."""
    found = np.zeros(ours.shape, dtype=np.int64)
    for many, few, bonus in reversed(RATIOS):
        found = np.where(ours * few >= theirs * many, bonus, found)
    return np.where(ours == 0, 0, found)


def losses_of(power: Numbers, percent: Numbers, harsher: Fraction | None) -> Numbers:
    """As `steps.strike.loss_of`."""
    if harsher is None:
        found: Numbers = power * percent // 100
    else:
        found = harsher.numerator * power * percent // (100 * harsher.denominator)
    return found
