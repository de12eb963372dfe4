"""Exact chances of dice, as fractions: 2D6 against columns of a table, pools of dice with symbols, lots.

Everything is worked out once for the same question.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

type Tallies[Value] = Mapping[Value, Fraction]
"""Of each result its chance; they sum to 1."""

ONE = Fraction(1)
TWO_DICE: tuple[tuple[int, int], ...] = tuple((total, 6 - abs(total - 7)) for total in range(2, 13))
"""Of each sum of 2D6, in how many of 36 cases it falls."""


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
    """The chance that 2D6 is at most this. `always`, `never`: sums that succeed or fail whatever the limit."""
    good = sum(times for total, times in TWO_DICE if total not in never and (total in always or total <= limit))
    return Fraction(good, 36)


@lru_cache(maxsize=1 << 10)
def pool(dice: int, faces: tuple[int, ...]) -> tuple[Fraction, ...]:
    """Of so many dice, the chance of each number of hits, from 0 on. `faces`: what each side of a die counts."""
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
    """Of so many dice, the chance of every combination of counts. `faces`: what each side counts, in several tallies,
    as (hits, flags): ((0, 1), (1, 0), …).
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
    """The chance of each number of hits that stay, when each is confirmed by a die of its own."""
    found = [Fraction(0)] * len(hits)
    for number, likely in enumerate(hits):
        kept: tuple[Fraction, ...] = (ONE,)
        for _hit in range(number):
            kept = convolved(kept, (1 - chance, chance))
        for stays, share in enumerate(kept):
            found[stays] += likely * share
    return tuple(found)


def at_least(chances: Sequence[Fraction], least: int) -> Fraction:
    """The chance of so many, or of a column so far right, or more."""
    return sum(chances[least:], Fraction(0))


def capped(chances: Sequence[Fraction], most: int) -> tuple[Fraction, ...]:
    """The same where nothing beyond `most` makes a difference."""
    if len(chances) <= most + 1:
        return (*chances, *(Fraction(0) for _none in range(most + 1 - len(chances))))
    return (*chances[:most], at_least(chances, most))


def mean(chances: Sequence[Fraction]) -> Fraction:
    """The mean of a number whose chances these are, from 0 on."""
    return sum((number * chance for number, chance in enumerate(chances)), Fraction(0))


@lru_cache(maxsize=1 << 8)
def lots(first: int, second: int, die: int = 6) -> tuple[Fraction, Fraction, Fraction]:
    """Of two sides that throw a die and add these: the first is higher, both are equal, the second is higher."""
    cases = [0, 0, 0]
    for one in range(1, die + 1):
        for other in range(1, die + 1):
            a, b = one + first, other + second
            cases[0 if a > b else 1 if a == b else 2] += 1
    return Fraction(cases[0], die**2), Fraction(cases[1], die**2), Fraction(cases[2], die**2)
