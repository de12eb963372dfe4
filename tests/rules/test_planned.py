"""Planned income and costs: on which days they fall, and what they come to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules.realm import MONTH, WEEK, PlannedLine, as_json, falling, lines_from, sum_between
from rules.treasury_projection import Outgoings, weeks_ahead

TAXES = PlannedLine("a", "Taxes", 4, MONTH)
WAGES = PlannedLine("b", "Wages", -3, WEEK, since=7, until=21)
MONTHS = (31, 59)


def test_lines_of_weeks_fall_on_their_last_day_and_lines_of_months_on_their_first():
    assert [day for day in range(1, 60) if falling((TAXES,), day, month=day in MONTHS)] == [31, 59]
    assert [day for day in range(1, 60) if falling((WAGES,), day, month=day in MONTHS)] == [14, 21]


def test_a_line_holds_after_the_day_it_begins_and_up_to_the_day_it_ends():
    assert not WAGES.holds(7)
    assert WAGES.holds(8)
    assert WAGES.holds(21)
    assert not WAGES.holds(22)
    assert (WAGES.over(20), WAGES.over(21)) == (False, True)


def test_the_next_day_a_line_falls_on_is_told():
    assert WAGES.next_day(0, 31) == 14
    assert WAGES.next_day(14, 31) == 21
    assert WAGES.next_day(21, 31) is None
    assert TAXES.next_day(3, 31) == 31
    assert TAXES._replace(since=31).next_day(3, 31) is None


def test_lines_are_kept_as_json_and_come_back_equal():
    assert lines_from(as_json((TAXES, WAGES))) == (TAXES, WAGES)


lines = st.lists(
    st.builds(PlannedLine, st.just("x"), st.just("x"), st.integers(-9, 9), st.sampled_from((WEEK, MONTH)),
              st.integers(0, 80), st.none() | st.integers(1, 200)),
    max_size=5,
)  # fmt: skip


@given(lines, st.integers(0, 60), st.integers(0, 90), st.sets(st.integers(1, 160), max_size=6))
def test_a_sum_is_what_falls_day_by_day(planned, since, days, months):
    until = since + days
    fell = [line.amount for day in range(since + 1, until + 1) for line in falling(planned, day, month=day in months)]
    assert sum_between(planned, since, until, months) == sum(fell)


@given(lines, st.integers(0, 60), st.sets(st.integers(1, 200), max_size=6))
def test_weeks_ahead_hold_what_falls_in_them(planned, day, months):
    ahead = weeks_ahead(day=day, treasury=50, due=Outgoings(3, 2), months=months, weeks=6, planned=planned)
    balance, before = 50, day
    for week in ahead:
        begun = sum(before < at <= week.day for at in months)
        balance += sum_between(planned, before, week.day, months) - 3 - 2 * begun
        assert week.balance == balance
        before = week.day
