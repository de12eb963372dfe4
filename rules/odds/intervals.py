"""Confidence intervals: how far a counted share may lie from the true one."""

from __future__ import annotations

import math

NINETY_FIVE = 1.959963984540054
"""How many standard deviations hold 95 % of what can happen, on both sides of the mean."""


def half_width(share: float, count: int) -> float:
    """Half of Wilson's 95 % interval, measured from the share to its farther end: never 0, not even at 0 and 1."""
    z2 = NINETY_FIVE**2
    centre = (share + z2 / (2 * count)) / (1 + z2 / count)
    half = NINETY_FIVE / (1 + z2 / count) * math.sqrt(share * (1 - share) / count + z2 / (4 * count**2))
    return half + abs(centre - share)
