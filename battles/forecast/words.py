"""Formatting of chances, the same on every page, with the reader's decimal separator."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.formats import number_format

from rules.core import odds
from rules.core.odds import NB as NB
from rules.core.text import MINUS, Said, _

WHOLE = 100
ROUNDED: Said = _("Rounded: the sum may not be exactly 100%.")


def format_percent(chance: float, decimals: int = 0) -> str:
    """`rules.core.odds.percent` with the reader's decimal separator."""
    return odds.percent(chance, decimals, format_decimal)


def format_points(change: float) -> str:
    """Format a change of a chance in points with its sign: "+23.4"."""
    return format_signed(100 * change)


def format_signed(amount: float) -> str:
    """Format a number with its sign: "+7.5", "−8.5"."""
    told = round(amount, 1)
    return (MINUS if told < 0 else "+") + format_decimal(abs(told))


def format_decimal(number: float, decimals: int = 1) -> str:
    """Format a number, rounded (`number_format` would truncate)."""
    return str(number_format(round(number, decimals), decimals))


def format_error(error: float) -> str:
    """Format the error of a chance in points, at least 0.1."""
    return format_decimal(max(100 * error, 0.1))


def adds_up(shares: Iterable[float], decimals: int = 0) -> bool:
    """Whether these chances, which add up to 1, still add up to 100 once rounded."""
    return round(sum(round(100 * chance, decimals) for chance in shares), decimals) == WHOLE


class Segment(NamedTuple):
    """Segment of a bar, in percent."""

    colour: str
    x: float
    width: float


def build_segments(parts: Iterable[tuple[str, float]]) -> list[Segment]:
    """Return consecutive segments for chances with their colours; empty ones are left out."""
    found, x = [], 0.0
    for colour, exact in parts:
        chance = odds.bounded(exact)
        if chance > 0:
            found.append(Segment(colour, round(x, 3), round(100 * chance, 3)))
        x += 100 * chance
    return found
