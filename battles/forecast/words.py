"""Words and figures for chances, the same on every page; decimals as the reader writes them."""

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
    """`rules.core.odds.percent` with decimals as the reader writes them."""
    return odds.percent(chance, decimals, format_decimal)


def format_points(change: float) -> str:
    """Of a chance, in points of a hundred with their sign: +23.4."""
    return format_signed(100 * change)


def format_signed(amount: float) -> str:
    """+7.5 or −8.5."""
    told = round(amount, 1)
    return (MINUS if told < 0 else "+") + format_decimal(abs(told))


def format_decimal(number: float, decimals: int = 1) -> str:
    """Rounded, not cut off as `number_format` would."""
    return str(number_format(round(number, decimals), decimals))


def format_error(error: float) -> str:
    """How far off a chance may be, in points: never told as nothing."""
    return format_decimal(max(100 * error, 0.1))


def adds_up(shares: Iterable[float], decimals: int = 0) -> bool:
    """Whether these chances, which are one together, are a hundred as they are told."""
    return round(sum(round(100 * chance, decimals) for chance in shares), decimals) == WHOLE


class Segment(NamedTuple):
    """A stretch of a bar, in points of a hundred."""

    colour: str
    x: float
    width: float


def build_segments(parts: Iterable[tuple[str, float]]) -> list[Segment]:
    """Chances one behind the other, each with its colour; those that are nothing are not there."""
    found, x = [], 0.0
    for colour, exact in parts:
        chance = odds.bounded(exact)
        if chance > 0:
            found.append(Segment(colour, round(x, 3), round(100 * chance, 3)))
        x += 100 * chance
    return found
