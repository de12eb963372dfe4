"""Luck in points of the chance to win: what dice did, not what orders did."""

from __future__ import annotations

import pytest

from rules.battle_law import Stage
from rules.odds.viewer_forecast import Chances, Moment, fairness

FIRST, SECOND, THIRD = (Stage("melee", number, f"Melee {number}") for number in (1, 2, 3))


def moment(stage: Stage, before: float, after: float) -> Moment:
    """Of two sides, the first one's chances; a tenth of what is left is that none is."""
    return Moment(stage, Chances((before, 0.9 - before), 0.1), Chances((after, 0.9 - after), 0.1))


def test_what_dice_add_to_a_chance_is_luck() -> None:
    found = fairness([moment(FIRST, 0.5, 0.6), moment(SECOND, 0.6, 0.3), moment(THIRD, 0.3, 0.4)])
    assert [step.stage for step in found.steps] == [FIRST, SECOND, THIRD]
    assert [step.luck[0] for step in found.steps] == pytest.approx([0.1, -0.3, 0.1])
    assert found.luck == pytest.approx((-0.1, 0.1))


def test_what_orders_do_to_a_chance_is_no_luck() -> None:
    """Between the phases the chance falls from 0.6 to 0.2 by a bad order."""
    assert fairness([moment(FIRST, 0.5, 0.6), moment(SECOND, 0.2, 0.2)]).luck == pytest.approx((0.1, -0.1))


def test_the_turning_point_is_where_dice_moved_most() -> None:
    found = fairness([moment(FIRST, 0.5, 0.6), moment(SECOND, 0.6, 0.3), moment(THIRD, 0.3, 0.6)])
    assert found.turning == 1
    assert fairness([moment(FIRST, 0.5, 0.5)]).turning is None
    assert fairness([]).turning is None


@pytest.mark.parametrize("winner, likely", [(0, 0.3), (1, 0.6), (None, 0.1)])
def test_how_likely_the_result_had_been(winner: int | None, likely: float) -> None:
    end = Chances.decided(winner, 2)
    moments = [moment(FIRST, 0.3, 0.5), Moment(SECOND, Chances((0.5, 0.4), 0.1), end)]
    assert fairness(moments, end).likely == pytest.approx(likely)


def test_of_a_battle_that_goes_on_there_is_no_likelihood_yet() -> None:
    assert fairness([moment(FIRST, 0.3, 0.5)]).likely is None
