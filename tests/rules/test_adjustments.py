"""Lasting adjustments kept within the bounds of a figure: their sum counts, whatever their order."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.adjustments import (
    Adjustable,
    AdjustableFigure,
    LastingAdjustment,
    adjusted_by,
    bound_sums,
    carry_health,
    keep_within,
)
from rules.core.text import Term

AMOUNTS = st.lists(st.integers(-30, 30).filter(bool), max_size=6)


def adjustments(*amounts: int) -> list[LastingAdjustment]:
    return [LastingAdjustment("melee", amount, f"reason {at}") for at, amount in enumerate(amounts)]


def kept(amounts, value, least, most):
    given_ = [*adjustments(*amounts), LastingAdjustment("guard", 5, "another figure")]
    return [one.amount for one in keep_within(given_, "melee", value, least, most)]


@pytest.mark.parametrize(
    ("amounts", "value", "least", "most", "expected"),
    [
        ((-5, 5), 3, 0, 9, 3),
        ((12, -9), 3, 0, 9, 6),
        ((-4, 2), 3, 1, 9, 1),
        ((-9, 2), 3, 1, 12, 1),
        ((-8, 8), 8, 4, 12, 8),
        ((8, -4), 8, 4, 12, 12),
        ((), 15, 0, 9, 15),
        ((2,), 15, 0, 9, 15),
        ((-2,), 15, 0, 9, 13),
    ],
)
def test_the_sum_is_bounded_once_in_any_order(amounts, value, least, most, expected):
    assert {value + sum(kept(order, value, least, most)) for order in permutations(amounts)} == {expected}


def test_what_is_too_much_shortens_the_last_that_pulls_that_way():
    assert kept((-9, 2), 3, 1, 12) == [-4, 2]
    assert kept((-1, -3, -3), 3, 1, 12) == [-1, -1]
    assert kept((3,), 9, 1, 9) == []


@given(AMOUNTS, st.integers(-5, 25), st.integers(0, 5), st.integers(6, 20))
def test_lines_add_up_within_bounds_and_none_grows_or_turns(amounts, value, least, most):
    found = list(keep_within(adjustments(*amounts), "melee", value, least, most))
    total = value + sum(one.amount for one in found)
    assert total == max(min(value, least), min(max(value, most), value + sum(amounts)))
    for one in found:
        whole = amounts[int(one.reason.removeprefix("reason "))]
        assert 0 < one.amount / whole <= 1


LAW = Adjustable(figures={"melee": AdjustableFigure(Term("melee"), 10), "guard": AdjustableFigure(Term("guard"), 4)})


@given(AMOUNTS)
def test_no_sum_is_beyond_the_bound_of_its_figure(amounts):
    """Those that weighed against others may have ended."""
    found = bound_sums([*adjustments(*amounts), LastingAdjustment("guard", 5, "another figure")], LAW)
    assert adjusted_by(found, "melee") == max(-10, min(10, sum(amounts)))
    assert adjusted_by(found, "guard") == 4


def test_adjustments_within_the_bounds_stay_as_they_are():
    given_ = (*adjustments(3, -2), LastingAdjustment("guard", 4, "another figure"), *adjustments(7))
    assert bound_sums(given_, LAW) == given_


def test_health_that_was_regained_while_damage_is_spared_stays():
    assert carry_health(6, 0, 18, keeps=True) == (6, 18)
    assert carry_health(6, 5, 18, keeps=True) == (6, 13)
    assert carry_health(6, -7, 18, keeps=True) == (1, 20)
    assert carry_health(6, 20, 18, keeps=True) == (8, 0)
    assert carry_health(6, 5, 18, keeps=False) == (1, 0)


@given(st.integers(1, 60), st.lists(st.integers(-60, 60), max_size=5))
def test_a_maximum_that_changes_and_returns_costs_no_health(health, rises):
    found, most = carry_health(health, 0, 0, keeps=True), 0
    for rise in rises:
        found, most = carry_health(found.health, rise, found.spared, keeps=True), most + rise
        assert found.health >= 1
    back = carry_health(found.health, -most, found.spared, keeps=True)
    assert back.health >= min(health, found.health)
    assert carry_health(back.health, back.spared, back.spared, keeps=True) == (back.health, 0)
