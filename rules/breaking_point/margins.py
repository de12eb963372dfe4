"""Margins: what a characteristic, a ratio of powers and a margin come to, the same in battles and in sieges."""

from __future__ import annotations

AVERAGE = 5  # the characteristic whose modifier is 0 (B-14)
RATIOS = ((5, 1, 5), (4, 1, 4), (3, 1, 3), (2, 1, 2), (3, 2, 1))
"""Numbers, from highest to lowest: so much to so much, and what it adds (BP-4.5)."""


def modifier(characteristic: int) -> int:
    """Of MENTAL, PRESENCE and the like (B-14)."""
    return characteristic - AVERAGE


def ratio_bonus(ours: int, theirs: int) -> int:
    """The highest row reached; with nothing to set against it the highest of all (BP-4.5, B-29). 0 without power."""
    if not ours:
        return 0
    for many, few, bonus in RATIOS:
        if ours * few >= theirs * many:
            return bonus
    return 0


def percent_lost(margin: int) -> int:
    """Of the power, by the margin of success: 10 % and 10 % per 2 points (BP-4.6)."""
    return 10 + 10 * (margin // 2)


def percent_rallied(margin: int) -> int:
    """Of the losses, by the margin of a rally: 10 % per 2 points, all at most; below 0 none (BP-4.11)."""
    return min(100, 10 * (margin // 2)) if margin >= 0 else 0
