"""Places on a board's drawing by hex labels, and chances as percentages."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from kingdom.map.svg import Spot, spot
from rules.hexes.geometry import Hex, hex_at


@lru_cache(maxsize=4096)
def at_label(label: str) -> Hex:
    return hex_at(label)


@lru_cache(maxsize=4096)
def spot_of(label: str) -> Spot:
    """The centre point of the hex with this label."""
    return spot(hex_at(label))


def hexes_of(labels: Iterable[str]) -> frozenset[Hex]:
    return frozenset(at_label(label) for label in labels)


def percent(chance: Fraction) -> str:
    """A chance in per cent, rounded, but never 0 or 100 unless it is exactly that."""
    hundredths = round(100 * chance)
    if hundredths in (0, 100) and 0 < chance < 1:
        hundredths = 1 if hundredths == 0 else 99
    return f"{hundredths}\N{NO-BREAK SPACE}%"
