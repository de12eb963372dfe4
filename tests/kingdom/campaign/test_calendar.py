"""The calendar: what days are called."""

from __future__ import annotations

import pytest
from django.utils import translation

from core.text import render
from kingdom.campaign.services import update_campaign
from kingdom.models import Campaign
from kingdom.models.calendar import Calendar, Month, calendar_from, clean_calendar
from rules.core.errors import InvalidInput
from rules.core.text import Term

SHORT = Calendar(months=(Month(Term("Thaw"), 3), Month(Term("Frost"), 4)), year=10, month=2, day=3)


@pytest.mark.parametrize(
    "day, date",
    [(0, (10, 2, 3)), (1, (10, 2, 4)), (2, (11, 1, 1)), (4, (11, 1, 3)), (5, (11, 2, 1)), (9, (12, 1, 1))],
)
def test_days_count_from_the_epoch_through_the_months(day, date):
    assert SHORT.date(day)[:3] == date


def test_a_date_reads_as_weekday_day_month_and_year():
    assert str(SHORT.date(2).text) == "Wednesday, 1 Thaw 11"
    assert str(SHORT.date(2).short) == "1 Thaw 11"


def test_weekdays_go_round_in_seven_whatever_the_months():
    assert [str(Calendar().date(day).weekday) for day in (0, 6, 7)] == ["Monday", "Sunday", "Monday"]


def test_months_begin_after_a_day_and_up_to_another():
    assert list(SHORT.month_starts(0, 9)) == [2, 5, 9]
    assert list(SHORT.month_starts(2, 4)) == []
    assert list(Calendar().month_starts(30, 31)) == [31]
    assert SHORT.next_month(2) == 5


def test_the_ordinary_year_has_twelve_months_of_the_usual_lengths():
    usual = Calendar()
    assert len(usual.months) == 12
    assert usual.days_a_year == 365
    assert usual.date(365)[:3] == (2, 1, 1)


def test_a_year_before_the_first_counts_down():
    assert Calendar(year=-3).date(400).year == -2


def test_only_what_differs_from_the_ordinary_calendar_is_kept():
    usual = {"epoch": {"year": 1, "month": 1, "day": 1}}
    assert clean_calendar(usual) == {}
    assert clean_calendar({}) == {}
    kept = clean_calendar({"epoch": {"year": 4710, "month": 2, "day": 28}})
    assert kept == {"epoch": {"year": 4710, "month": 2, "day": 28}}
    assert calendar_from(kept).date(1)[:3] == (4710, 3, 1)


@pytest.mark.parametrize(
    "given, pointer",
    [
        ([], "/calendar"),
        ({"moons": 1}, "/calendar/moons"),
        ({"months": {}}, "/calendar/months"),
        ({"months": []}, "/calendar/months"),
        ({"months": [{"name": "M", "days": 1}] * 31}, "/calendar/months"),
        ({"months": ["May"]}, "/calendar/months/0"),
        ({"months": [{"name": "", "days": 3}]}, "/calendar/months/0/name"),
        ({"months": [{"name": "May"}]}, "/calendar/months/0/days"),
        ({"months": [{"name": "May", "days": 0}]}, "/calendar/months/0/days"),
        ({"months": [{"name": "May", "days": 401}]}, "/calendar/months/0/days"),
        ({"months": [{"name": "May", "days": True}]}, "/calendar/months/0/days"),
        ({"weekdays": ["One"] * 6}, "/calendar/weekdays"),
        ({"weekdays": ["One"] * 6 + [7]}, "/calendar/weekdays/6"),
        ({"epoch": {"year": 100_000}}, "/calendar/epoch/year"),
        ({"epoch": {"month": 13}}, "/calendar/epoch/month"),
        ({"epoch": {"month": 2, "day": 29}}, "/calendar/epoch/day"),
        ({"months": [{"name": "May", "days": 5}], "epoch": {"day": 6}}, "/calendar/epoch/day"),
    ],
)
def test_a_calendar_that_cannot_be_is_refused_where_it_is_wrong(given, pointer):
    with pytest.raises(InvalidInput) as refused:
        clean_calendar(given)
    assert refused.value.field == pointer


def test_the_gm_sets_the_calendar_and_weeks_keep_their_days(gm, campaign):
    calendar = {"months": [{"name": "Thaw", "days": 3}], "weekdays": list("ABCDEFG")}
    update_campaign(by=gm, campaign=campaign, calendar=calendar)
    found = Campaign.objects.get(pk=campaign.pk)
    found.day = 8
    assert str(found.date.text) == "B, 3 Thaw 3"
    assert (found.week, found.days_to_upkeep) == (2, 6)


@pytest.mark.parametrize(("day", "long", "short"), [
    (0, "lundi 1er janvier 1", "1er janvier 1"), (1, "mardi 2 janvier 1", "2 janvier 1"),
    (31, "jeudi 1er février 1", "1er février 1"),
])  # fmt: skip
def test_french_counts_the_first_of_a_month_apart(day, long, short):
    date = Calendar().date(day)
    with translation.override("fr"):
        assert (render(date.text), render(date.short)) == (long, short)
