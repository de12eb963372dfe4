"""Units of length in which readers count. The rules count in metres, and metres are stored; a square is 5 feet or 1.5
m.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from kingdom.models.user import Units

A_FOOT = Decimal("0.3")  # in metres, as the game's two editions count
CENT = Decimal("0.01")


def reads_feet(reader: Any) -> bool:
    """Nobody in particular reads metres."""
    return getattr(reader, "units", "") == Units.FEET


def convert_to_feet(metres: Decimal) -> Decimal:
    """To the hundredth: fine enough for every hundredth of a metre to come back as it was."""
    return _short((metres / A_FOOT).quantize(CENT))


def convert_to_metres(feet: Decimal) -> Decimal:
    """To the hundredth; of whole feet it is exact."""
    return _short((feet * A_FOOT).quantize(CENT))


def _short(number: Decimal) -> Decimal:
    """30, not 30.00."""
    return number.to_integral_value() if number == number.to_integral_value() else number.normalize()
