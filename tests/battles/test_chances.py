"""Chances in words and figures: rounded, bounded, and as the reader's language writes them."""

from __future__ import annotations

import pytest
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st

from battles.chances import NB, adds_up, decimal, percent, points, segments, signed, within


@pytest.mark.parametrize(("chance", "decimals", "told"), [
    (0, 0, "0 %"), (1, 0, "100 %"), (0.004, 0, "< 1 %"), (0.997, 0, "> 99 %"), (0.474, 0, "47 %"),
    (1 - 1e-12, 0, "100 %"), (0.0001, 1, "< 0.1 %"), (0.9999, 1, "> 99.9 %"), (0.5967, 1, "59.7 %"),
])  # fmt: skip
def test_what_may_or_may_not_happen_is_never_told_as_certain(chance, decimals, told):
    assert percent(chance, decimals) == told.replace(" %", f"{NB}%")


@given(st.floats(0, 1), st.sampled_from((0, 1)))
def test_only_the_impossible_is_nothing(chance, decimals):
    assert (percent(chance, decimals) in (f"0{NB}%", f"0.0{NB}%")) is (chance == 0)


def test_figures_are_rounded_not_cut_off():
    assert (decimal(9.15001), decimal(9.16), decimal(0.06), points(0.0916)) == ("9.2", "9.2", "0.1", "+9.2")
    assert (signed(-0.04), signed(-7.46)) == ("+0.0", "−7.5")


def test_no_simulation_is_told_as_right_to_within_nothing():
    assert (within(0), within(0.0004), within(0.0216)) == ("0.1", "0.1", "2.2")


def test_shares_that_do_not_add_up_as_they_are_told_are_known():
    assert adds_up((0.47, 0.40, 0.10, 0.03))
    assert adds_up((0.996, 0.004))  # > 99 % and < 1 %
    assert not adds_up((1 / 3, 1 / 3, 1 / 3))
    assert not adds_up((0.506, 0.494 - 0.008, 0.008))
    assert not adds_up((0.1666, 0.1666, 0.6668), 1)
    assert adds_up((0.166, 0.167, 0.667), 1)


def test_a_frenchman_reads_a_comma():
    with override("fr"):
        assert (decimal(6.8), points(-0.123), percent(0.5967, 1)) == ("6,8", "−12,3", f"59,7{NB}%")


def test_the_parts_of_a_bar_lie_end_to_end():
    parts = segments((("one", 0.25), ("none", 0.0), ("open", 0.25), ("two", 0.5)))
    assert parts == [("one", 0, 25), ("open", 25, 25), ("two", 50, 50)]
