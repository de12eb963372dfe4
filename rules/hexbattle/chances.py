"""Exact probabilities of dice as fractions: 2D6 on table columns, dice pools with symbols, opposed rolls.

Results are cached by their arguments.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

type Tallies[Value] = Mapping[Value, Fraction]
"""The chance of each result; the chances sum to 1."""

ONE = Fraction(1)
TWO_DICE: tuple[tuple[int, int], ...] = tuple((total, 6 - abs(total - 7)) for total in range(2, 13))
"""Each sum of 2D6 with the number of the 36 cases that give it."""


@lru_cache(maxsize=1 << 12)
def columns(bonus: int, bounds: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The chance that 2D6 + bonus falls in each column of a table.

    `bounds`: the highest sum of each column but the last, which is open: (4, 6, 8) has the columns ≤ 4, 5–6, 7–8, ≥ 9.
    """
    cases = [0] * (len(bounds) + 1)
    for total, times in TWO_DICE:
        cases[bisect_left(bounds, total + bonus)] += times
    return tuple(Fraction(times, 36) for times in cases)


@lru_cache(maxsize=1 << 12)
def two_dice_at_most(limit: int, *, always: tuple[int, ...] = (), never: tuple[int, ...] = ()) -> Fraction:
    """The chance that 2D6 is at most `limit`. `always` and `never`: sums that succeed or fail whatever the limit."""
    good = sum(times for total, times in TWO_DICE if total not in never and (total in always or total <= limit))
    return Fraction(good, 36)


@lru_cache(maxsize=1 << 10)
def pool(dice: int, faces: tuple[int, ...]) -> tuple[Fraction, ...]:
    """The chance of each number of hits of a dice pool, from 0 up. `faces`: the hits each face of a die counts."""
    one = _of_one(faces)
    found: tuple[Fraction, ...] = (ONE,)
    for _die in range(dice):
        found = convolved(found, one)
    return found


def _of_one(faces: tuple[int, ...]) -> tuple[Fraction, ...]:
    cases = [0] * (max(faces, default=0) + 1)
    for hits in faces:
        cases[hits] += 1
    return tuple(Fraction(times, len(faces)) for times in cases)


def convolved(a: Sequence[Fraction], b: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """The chances of the sum of two independent numbers."""
    found = [Fraction(0)] * (len(a) + len(b) - 1)
    for first, chance in enumerate(a):
        for second, other in enumerate(b):
            found[first + second] += chance * other
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def symbols(dice: int, faces: tuple[tuple[int, ...], ...]) -> Tallies[tuple[int, ...]]:
    """The chance of each combination of symbol totals of a dice pool.

    `faces`: what each face counts, as a tuple with one number per symbol, such as (hits, flags): ((0, 1), (1, 0), …).
    """
    found: dict[tuple[int, ...], Fraction] = {tuple([0] * len(faces[0])): ONE}
    for _die in range(dice):
        found = combined(found, [(face, Fraction(1, len(faces))) for face in faces])
    return found


def combined(
    a: Tallies[tuple[int, ...]], b: Iterable[tuple[tuple[int, ...], Fraction]]
) -> dict[tuple[int, ...], Fraction]:
    """The chances of the sums of two independent tallies."""
    other = list(b)
    found: dict[tuple[int, ...], Fraction] = {}
    for tally, chance in a.items():
        for face, times in other:
            total = tuple(x + y for x, y in zip(tally, face, strict=True))
            found[total] = found.get(total, Fraction(0)) + chance * times
    return found


@lru_cache(maxsize=1 << 10)
def confirmed(hits: tuple[Fraction, ...], chance: Fraction) -> tuple[Fraction, ...]:
    """The chance of each number of confirmed hits.

    `hits`: the chance of each number of hits, from 0 up. `chance`: the chance that one hit is confirmed, each
    independently.
    """
    found = [Fraction(0)] * len(hits)
    for number, likely in enumerate(hits):
        kept: tuple[Fraction, ...] = (ONE,)
        for _hit in range(number):
            kept = convolved(kept, (1 - chance, chance))
        for stays, share in enumerate(kept):
            found[stays] += likely * share
    return tuple(found)


def at_least(chances: Sequence[Fraction], least: int) -> Fraction:
    """The chance of `least` or more (or of column `least` or one further right)."""
    return sum(chances[least:], Fraction(0))


def capped(chances: Sequence[Fraction], most: int) -> tuple[Fraction, ...]:
    """The same chances with everything above `most` counted as `most`; padded with zeros to `most` + 1 entries."""
    if len(chances) <= most + 1:
        return (*chances, *(Fraction(0) for _none in range(most + 1 - len(chances))))
    return (*chances[:most], at_least(chances, most))


def mean(chances: Sequence[Fraction]) -> Fraction:
    """The expected value of a number with these chances, from 0 up."""
    return sum((number * chance for number, chance in enumerate(chances)), Fraction(0))


@lru_cache(maxsize=1 << 8)
def lots(first: int, second: int, die: int = 6) -> tuple[Fraction, Fraction, Fraction]:
    """The chances of an opposed roll: first side higher, equal, second side higher. Each adds its bonus to a die."""
    cases = [0, 0, 0]
    for one in range(1, die + 1):
        for other in range(1, die + 1):
            a, b = one + first, other + second
            cases[0 if a > b else 1 if a == b else 2] += 1
    return Fraction(cases[0], die**2), Fraction(cases[1], die**2), Fraction(cases[2], die**2)
