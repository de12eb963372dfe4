"""Experience spent (BP-6, B-50)."""

import pytest

from rules.breaking_point.figures import trained, training_cost, with_recruits
from rules.core.errors import IllegalCommand
from tests.rules.breaking_point.test_figures import men


def test_a_step_costs_its_new_value_bp_6():
    assert training_cost(5) == 5


@pytest.mark.parametrize("combat", [1, 0, -3])
def test_a_step_costs_one_at_least_b_50(combat):
    assert training_cost(combat) == 1


def test_training_spends_what_it_costs_and_keeps_the_rest():
    found = trained(men(combat=4, experience=7))
    assert (found.combat, found.experience) == (5, 2)


def test_training_without_the_points_is_refused():
    with pytest.raises(IllegalCommand) as refused:
        trained(men(combat=4, experience=4))
    assert str(refused.value) == "men: 4 points of experience. Raising combat to 5 costs 5."
    assert refused.value.field == "/unit"


def test_recruits_are_a_weighted_mean_down_b_50():
    assert with_recruits(100, 5, 50, 2) == 4
    assert with_recruits(1, -1, 1, 0) == -1
