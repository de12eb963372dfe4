"""Neutral values of armies that fight by another law."""

import pytest

from rules.aftermath import size_of
from rules.core.breakdown import shared
from rules.pathfinder.spec import SIZES


@pytest.mark.parametrize("heads", [1, 9, 10, 49, 50, 99, 100, 199, 200, 499, 500, 999, 1000, 1999, 2000, 90_000])
def test_size_classes_are_those_of_armies_of_so_many_heads(heads):
    fitting = [size for size in SIZES.values() if size.units <= heads]
    assert size_of(heads) == max(fitting, key=lambda size: size.rank).slug


def test_what_is_left_over_goes_to_the_largest_remainders_ties_in_order():
    assert shared(8, [500, 300, 200]) == (4, 2, 2)
    assert shared(1, [5, 5]) == (1, 0)
    assert shared(4, []) == ()
    assert shared(4, [0, 0]) == (0, 0)
