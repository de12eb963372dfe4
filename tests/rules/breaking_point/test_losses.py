"""Losses in points and in heads (BP-4.12, B-47, B-48)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.breaking_point.losses import Toll, lasting, men_out, shared, toll
from rules.breaking_point.spec import TroopType, Unit

MEN = TroopType("infantry", "Infantry", 5)


def unit(strength: int, armour: int, toughness: int = 5) -> Unit:
    return Unit("Men", MEN, strength, 4, armour, "contact", toughness)


def test_losses_are_shared_by_force_and_the_points_over_go_to_the_largest_remainders():
    assert shared(10, (3, 3, 3)) == (4, 3, 3)
    assert shared(10, (500, 250, 250)) == (5, 3, 2)
    assert shared(7, (1, 100)) == (0, 7)


def test_of_a_body_without_force_nobody_bears_losses():
    assert shared(10, (0, 0)) == (0, 0)


def test_a_hundred_points_are_eight_men_of_twelve_or_twenty_of_five_with_ten_dead():
    assert men_out(unit(50, 7), 100) == 8
    assert men_out(unit(50, 0), 100) == 20
    assert toll(20) == Toll(dead=10, wounded=10)


def test_behind_walls_a_man_is_out_for_the_factor_more_points():
    assert men_out(unit(50, 0), 100, 2) == 10


def test_no_unit_loses_more_men_than_it_has():
    assert men_out(unit(50, 0), 10_000) == 50


def test_of_an_odd_number_the_greater_half_is_dead_and_the_victors_are_all_dead():
    assert toll(5) == Toll(3, 2)
    assert toll(5, victor=True) == Toll(5, 0)


@given(st.integers(0, 10**7), st.lists(st.integers(1, 10**6), min_size=1, max_size=8))
def test_nothing_is_lost_in_sharing(points, forces):
    parts = shared(points, forces)
    assert sum(parts) == points
    assert all(part - 1 <= points * force // sum(forces) <= part for part, force in zip(parts, forces, strict=True))


def test_b48_the_victors_half_is_of_the_body_and_what_stays_is_shared():
    """Halved unit by unit 3 and 3 would leave 2 and 2."""
    assert lasting(6, (3, 3), victor=True) == (2, 1)
    assert lasting(7, (1, 1), victor=True) == (2, 2)
    assert lasting(7, (1, 1)) == (4, 3)
