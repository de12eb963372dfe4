"""How long a march takes (PF-1.8, PF-2.9, R-72)."""

from __future__ import annotations

from math import ceil

KM_A_HEX = 18


def speed_of(metres: float, land: bool = False) -> int:
    """Hexes a day."""
    hexes = max(1, int(4 * metres) // KM_A_HEX)
    return max(1, hexes // 2) if land else hexes


def days_of(speed: int, easy: int, difficult: int) -> int:
    """A difficult hex takes two of speed; what is left of a day is carried on."""
    return max(1, ceil((easy + 2 * difficult) / speed))
