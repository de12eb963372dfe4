"""Percentages of chances, wherever they are told: in the words of a law, on a page, in a log."""

from __future__ import annotations

from collections.abc import Callable

NB = "\N{NO-BREAK SPACE}"
SURE = 1e-9  # what a chance may miss one by and still be certain


DIGITS = 12  # of a chance, beyond which there is only what sums of many shares add


def rounded(chance: float) -> float:
    """The chance as it is told: from 0 to 1, whatever sums of its shares came to."""
    return bounded(round(chance, DIGITS))


def bounded(chance: float) -> float:
    """From 0 to 1, and never the 0 below zero."""
    return min(max(chance, 0.0), 1.0) + 0.0


def plainly(number: float, decimals: int) -> str:
    return f"{number:.{decimals}f}"


def percent(chance: float, decimals: int = 0, told: Callable[[float, int], str] = plainly) -> str:
    """ "47 %"; what is neither certain nor impossible is never told as that. `told` writes numbers as a reader does."""
    chance, step = bounded(chance), 10.0**-decimals
    if 0 < chance < step / 200:
        return f"< {told(step, decimals)}{NB}%"
    if 1 - step / 200 < chance < 1 - SURE:
        return f"> {told(100 - step, decimals)}{NB}%"
    return f"{told(100 * chance, decimals)}{NB}%"
