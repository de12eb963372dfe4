"""Places on the drawing of a board, by the labels of hexes; and chances as people read them."""

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
    """Where the middle of the hex of this name is drawn."""
    return spot(hex_at(label))


def hexes_of(labels: Iterable[str]) -> frozenset[Hex]:
    return frozenset(at_label(label) for label in labels)


def percent(chance: Fraction) -> str:
    """A chance in hundredths. What is neither certain nor out of the question does not read as if it were."""
    hundredths = round(100 * chance)
    if hundredths in (0, 100) and 0 < chance < 1:
        hundredths = 1 if hundredths == 0 else 99
    return f"{hundredths}\N{NO-BREAK SPACE}%"
