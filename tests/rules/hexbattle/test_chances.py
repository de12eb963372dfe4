"""Exact chances, against counting every throw."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.hexbattle.chances import (
    at_least,
    capped,
    columns,
    confirmed,
    lots,
    mean,
    pool,
    symbols,
    two_dice_at_most,
)
from tests.everyday import at_most

MELEE, MISSILE = (4, 6, 8, 10, 12), (7, 9, 11, 13)


def of_36(chances):
    return [int(chance * 36) for chance in chances]


@pytest.mark.parametrize(
    ("bonus", "bounds", "cases"),
    [
        (0, MELEE, [6, 9, 11, 7, 3, 0]), (-2, MELEE, [15, 11, 7, 3, 0, 0]), (1, MELEE, [3, 7, 11, 9, 5, 1]),
        (2, MELEE, [1, 5, 9, 11, 7, 3]), (3, MELEE, [0, 3, 7, 11, 9, 6]), (0, MISSILE, [21, 9, 5, 1, 0]),
        (-2, MISSILE, [30, 5, 1, 0, 0]), (2, MISSILE, [10, 11, 9, 5, 1]),
    ],
)  # fmt: skip
def test_wc_t_6_columns_of_a_table(bonus, bounds, cases):
    assert of_36(columns(bonus, bounds)) == cases


def test_wc_t_1_at_most_with_sums_that_always_and_never_succeed():
    told = [two_dice_at_most(limit, always=(2,), never=(12,)) * 36 for limit in (4, 9, 0, 12)]
    assert told == [6, 30, 1, 35]
    assert two_dice_at_most(12) == 1


@pytest.mark.parametrize(
    ("faces", "cases"),
    [
        ((1, 1, 1, 0, 0, 1), [8, 48, 96, 64]), ((1, 1, 1, 0, 0, 0), [27, 81, 81, 27]),
        ((0, 1, 1, 0, 0, 0), [64, 96, 48, 8]), ((0, 0, 1, 0, 0, 0), [125, 75, 15, 1]),
    ],
)  # fmt: skip
def test_tf_t_1_three_dice(faces, cases):
    assert [chance * 216 for chance in pool(3, faces)] == cases


def test_tf_t_1_confirming_halves():
    assert mean(confirmed(pool(3, (0, 0, 1, 0, 0, 0)), Fraction(1, 2))) == Fraction(1, 4)


def test_wc_t_7_lots():
    assert [chance * 36 for chance in lots(4, 3)] == [21, 5, 10]
    assert [chance * 36 for chance in lots(5, 1)] == [33, 2, 1]


def test_more_than_matters_is_the_last():
    assert capped(pool(3, (0, 1)), 1) == (Fraction(1, 8), Fraction(7, 8))
    assert capped(pool(1, (0, 1)), 2) == (Fraction(1, 2), Fraction(1, 2), 0)
    assert at_least(pool(2, (0, 1)), 1) == Fraction(3, 4)


@settings(max_examples=at_most(20, full=200))
@given(st.integers(0, 4), st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), min_size=1, max_size=6))
def test_pools_and_symbols_count_every_throw(dice, faces):
    every = [tuple(map(sum, zip((0, 0), *throw, strict=True))) for throw in product(faces, repeat=dice)]
    counted = {tally: Fraction(times, len(every)) for tally, times in Counter(every).items()}
    assert symbols(dice, tuple(faces)) == counted
    hits = Counter(tally[0] for tally in every)
    assert list(pool(dice, tuple(face[0] for face in faces))) == [
        Fraction(hits[number], len(every)) for number in range(dice * max(face[0] for face in faces) + 1)
    ]


@given(st.integers(-12, 12), st.lists(st.integers(2, 14), min_size=1, max_size=6, unique=True).map(sorted))
def test_columns_count_every_throw(bonus, bounds):
    chances = columns(bonus, tuple(bounds))
    assert sum(chances) == 1
    below = [sum(a + b + bonus <= bound for a in range(1, 7) for b in range(1, 7)) for bound in bounds]
    assert [sum(of_36(chances)[: place + 1]) for place in range(len(bounds))] == below
