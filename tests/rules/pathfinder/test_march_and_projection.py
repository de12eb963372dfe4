"""Marches (PF-1.8, PF-2.9), treasuries ahead (PF-7.2, PF-8.4) and what a defeat costs (PF-1.2, PF-2.8)."""

from __future__ import annotations

import pytest

from rules.core.breakdown import Breakdown, Line
from rules.core.errors import InvalidInput
from rules.core.text import _
from rules.pathfinder.spec import SIZES
from rules.pathfinder.travel import march, pace, reach
from rules.pathfinder.weeks.ahead import Loss, loss_of, total_loss
from rules.treasury_projection import Outgoings, weeks_ahead, weeks_paid


def speed(hexes: int) -> Breakdown:
    return Breakdown((Line(_("Speed of the unit"), hexes, "PF-1.8"),))


@pytest.mark.parametrize("hexes, land, a_day", [(2, False, 2), (1, True, 1), (5, True, 2), (8, True, 4)])
def test_foraging_halves_the_speed_and_leaves_at_least_a_hex(hexes, land, a_day):
    found = pace(speed(hexes), land=land)
    assert found.total == a_day
    assert [line.rule for line in found.lines] == ["PF-1.8", "PF-2.9"][: 1 + (land and hexes > 1)]


@pytest.mark.parametrize(
    "hexes, road, days",
    [
        (2, {"open_hexes": 1}, 1),
        (2, {"open_hexes": 4}, 2),
        (2, {"open_hexes": 5}, 3),
        (2, {"difficult_hexes": 3}, 3),
        (2, {"open_hexes": 1, "difficult_hexes": 1}, 2),  # half a day and a whole one
        (2, {"open_hexes": 3, "difficult_hexes": 1}, 3),
        (2, {"open_hexes": 4, "land": True}, 4),
        (1, {"difficult_hexes": 1}, 2),  # not free
        (1, {"open_hexes": 1, "difficult_hexes": 2}, 5),
        (3, {"difficult_hexes": 1}, 1),  # not threefold
        (3, {"difficult_hexes": 3}, 2),  # a day and a half is carried over
        (3, {"difficult_hexes": 4}, 3),
        (5, {"open_hexes": 1, "difficult_hexes": 2}, 1),
        (3, {"difficult_hexes": 1, "land": True}, 2),
    ],
)
def test_r72_a_difficult_hex_takes_two_hexes_of_speed_and_the_rest_of_a_day_is_kept(hexes, road, days):
    assert march(speed(hexes), **road).days == days


@pytest.mark.parametrize("hexes", [1, 2, 3, 7])
def test_r72_what_is_in_reach_of_some_days_takes_no_more_days(hexes):
    for days in range(1, 15):
        far = reach(speed(hexes), days=days, difficult=True)
        assert far == days * hexes // 2
        assert not far or march(speed(hexes), difficult_hexes=far).days <= days
        assert march(speed(hexes), difficult_hexes=far + 1).days > days


def test_r72_the_road_names_its_lines():
    assert [(line.value, line.rule) for line in march(speed(3), open_hexes=2, difficult_hexes=3).cost.lines] == [
        (2, "PF-1.8"), (6, "R-72"),
    ]  # fmt: skip


def test_teleporting_armies_are_there_the_same_day():
    assert march(speed(2), open_hexes=500, teleports=True).days == 0


@pytest.mark.parametrize("road", [{}, {"open_hexes": -1}, {"open_hexes": 10_001}, {"difficult_hexes": -2}])
def test_a_road_has_hexes(road):
    with pytest.raises(InvalidInput):
        march(speed(2), **road)


def test_days_are_hexes():
    assert reach(speed(3), days=4) == 12
    assert reach(speed(3), days=4, difficult=True) == 6
    with pytest.raises(InvalidInput):
        reach(speed(3), days=0)


def test_weeks_end_on_days_that_seven_divides():
    ahead = weeks_ahead(day=10, treasury=20, due=Outgoings(weekly=6), weeks=3)
    assert [(week.week, week.day, week.due, week.balance) for week in ahead] == [
        (2, 14, 6, 14),
        (3, 21, 6, 8),
        (4, 28, 6, 2),
    ]


def test_a_week_that_ended_today_is_paid_already():
    assert weeks_ahead(day=14, treasury=9, due=Outgoings(weekly=1), weeks=1)[0].day == 21


def test_potions_are_paid_once_and_the_realm_by_the_month():
    ahead = weeks_ahead(day=0, treasury=30, due=Outgoings(weekly=2, monthly=5, once=3), months={7, 20}, weeks=3)
    assert [week.due for week in ahead] == [10, 2, 7]


@pytest.mark.parametrize("treasury, weeks", [(-3, 0), (0, 0), (5, 0), (6, 1), (13, 2), (100, 12)])
def test_weeks_that_can_be_paid(treasury, weeks):
    assert weeks_paid(weeks_ahead(day=0, treasury=treasury, due=Outgoings(weekly=6))) == weeks


def test_nothing_due_empties_nothing():
    assert weeks_paid(weeks_ahead(day=0, treasury=0, due=Outgoings(weekly=0))) == 12


def test_a_defeat_costs_the_row_of_its_size():
    assert loss_of(SIZES["huge"], consumption=4, led=True) == Loss(-4, -2, -2, ransom=4, spared=4)
    assert loss_of(SIZES["fine"], consumption=1, led=False) == Loss(0, 0, 0, ransom=0, spared=1)


def test_the_worst_day_is_the_sum():
    losses = [loss_of(SIZES["huge"], consumption=4, led=True), loss_of(SIZES["large"], consumption=2, led=False)]
    assert total_loss(losses) == Loss(-7, -4, -4, ransom=4, spared=6)
    assert total_loss([]) == Loss(0, 0, 0)
