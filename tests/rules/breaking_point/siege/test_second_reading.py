"""Sieges against a second, independent reading of the law (B-57 to B-60): the same dice, the same weeks.

A failure names the seed of its siege; `besiege(seed)` from `second_reading.blockade` lays it again.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from tests.everyday import at_most
from tests.rules.breaking_point.second_reading.blockade import besiege

FIRST, THOROUGH, LARGE_CHUNK = 60, 10_000, 500
MANY = range(FIRST, FIRST + THOROUGH, LARGE_CHUNK)
EVENTS = ("bombarded", "thin", "lifted", "counted", "starved", "broken", "terms refused", "terms honours",
          "terms unconditional")  # fmt: skip


@cache
def laid(first: int, chunk: int) -> Counter[str]:
    """What so many sieges came to."""
    return sum((besiege(seed) for seed in range(first, first + chunk)), Counter[str]())


def test_both_readings_tell_the_same_siege() -> None:
    met = laid(0, at_most(30, full=FIRST))
    assert {what: met[what] for what in EVENTS if not met[what]} == {}


@pytest.mark.slow
@pytest.mark.parametrize("first", MANY)
def test_both_readings_tell_many_sieges_alike(first: int) -> None:
    met = laid(first, LARGE_CHUNK)
    assert {what: met[what] for what in EVENTS if met[what] < 10} == {}
