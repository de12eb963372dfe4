"""The calendar: what days are called."""

from __future__ import annotations

import datetime

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from core.text import render
from kingdom.campaign.calendar_forms import READY, CalendarForm, ready_calendar
from kingdom.campaign.services import update_campaign
from kingdom.models import Campaign
from kingdom.models.calendar import Calendar, Leap, Month, Moon, SeasonStart, calendar_from, dump_calendar
from kingdom.models.calendar_input import clean_calendar
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
        ({"suns": 1}, "/calendar/suns"),
        ({"months": [{"name": "Feast", "days": 1, "between": True}]}, "/calendar/months"),
        ({"months": [{"name": "May", "days": 1, "between": 1}]}, "/calendar/months/0/between"),
        ({"months": [{"name": "M", "days": 1}, {"name": "F", "days": 0, "between": True}]}, "/calendar/months/1/days"),
        ({"leap": 4}, "/calendar/leap"),
        ({"leap": {"month": 13, "every": 4}}, "/calendar/leap/month"),
        ({"leap": {"month": 2}}, "/calendar/leap/every"),
        ({"leap": {"month": 2, "every": 1}}, "/calendar/leap/every"),
        ({"leap": {"month": 2, "every": 4, "skip": 0}}, "/calendar/leap/skip"),
        ({"leap": {"month": 2, "every": 4, "keep": 400}}, "/calendar/leap/keep"),
        ({"leap": {"month": 2, "every": 4}, "epoch": {"year": 5, "month": 2, "day": 29}}, "/calendar/epoch/day"),
        ({"seasons": {}}, "/calendar/seasons"),
        ({"seasons": [{"name": "S", "month": 1, "day": 1}] * 13}, "/calendar/seasons"),
        ({"seasons": [{"name": "S", "month": 1, "day": 1}] * 2}, "/calendar/seasons/1/day"),
        (
            {"seasons": [{"name": "S", "month": 2, "day": 29}], "leap": {"month": 2, "every": 4}},
            "/calendar/seasons/0/day",
        ),
        ({"moons": [{"name": "M", "cycle": 30}] * 7}, "/calendar/moons"),
        ({"moons": [{"name": "M", "cycle": 0.5}]}, "/calendar/moons/0/cycle"),
        ({"moons": [{"name": "M", "cycle": True}]}, "/calendar/moons/0/cycle"),
        ({"moons": [{"name": "M", "cycle": float("nan")}]}, "/calendar/moons/0/cycle"),
        ({"moons": [{"name": "M", "cycle": 30, "new": -1}]}, "/calendar/moons/0/new"),
        ({"months": {}}, "/calendar/months"),
        ({"months": []}, "/calendar/months"),
        ({"months": [{"name": "M", "days": 1}] * 31}, "/calendar/months"),
        ({"months": ["May"]}, "/calendar/months/0"),
        ({"months": [{"name": "", "days": 3}]}, "/calendar/months/0/name"),
        ({"months": [{"name": "May"}]}, "/calendar/months/0/days"),
        ({"months": [{"name": "May", "days": 0}]}, "/calendar/months/0/days"),
        ({"months": [{"name": "May", "days": 401}]}, "/calendar/months/0/days"),
        ({"months": [{"name": "May", "days": True}]}, "/calendar/months/0/days"),
        ({"weekdays": []}, "/calendar/weekdays"),
        ({"weekdays": ["One"] * 31}, "/calendar/weekdays"),
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
    (0, "lundi 1er janvier de l’an 1", "1er janvier de l’an 1"),
    (1, "mardi 2 janvier de l’an 1", "2 janvier de l’an 1"),
    (31, "jeudi 1er février de l’an 1", "1er février de l’an 1"),
])  # fmt: skip
def test_french_counts_the_first_of_a_month_apart(day, long, short):
    date = Calendar().date(day)
    with translation.override("fr"):
        assert (render(date.text), render(date.short)) == (long, short)


def test_french_says_of_an_early_year_that_it_is_one():
    with translation.override("fr"):
        assert render(Calendar(year=1805).date(0).short) == "1er janvier 1805"
    assert render(Calendar().date(0).short) == "1 January 1"


# Leap years, days between months, weeks, seasons and moons.

FEASTS = (Month(Term("Thaw"), 3), Month(Term("Feast"), 1, between=True), Month(Term("Frost"), 4),
          Month(Term("Dark Days"), 2, between=True))  # fmt: skip


@st.composite
def calendars(draw) -> Calendar:
    """Calendars of every shape that the GM can set, as `clean_calendar` lets them through."""
    lengths = draw(st.lists(st.tuples(st.integers(1, 40), st.booleans()), max_size=5))
    months = [Month(Term("First"), draw(st.integers(1, 40)))]
    months += [Month(Term(f"M{number}"), days, between) for number, (days, between) in enumerate(lengths)]
    month = st.integers(1, len(months))
    years = st.integers(2, 60)
    keep = draw(st.none() | years)
    leap = draw(st.none() | st.builds(Leap, month, years, years if keep else st.none() | years, st.just(keep)))
    if leap and months[leap.month - 1].between:
        months[leap.month - 1] = months[leap.month - 1]._replace(days=draw(st.integers(0, 2)))
    dates = {(number, draw(st.integers(1, months[number - 1].days))) for number in draw(st.lists(month, max_size=4))
             if months[number - 1].days}  # fmt: skip
    return Calendar(
        months=tuple(months),
        weekdays=tuple(Term(f"D{number}") for number in range(draw(st.integers(1, 12)))),
        year=draw(st.integers(-3_000, 3_000)),
        day=draw(st.integers(1, months[0].days)),
        leap=leap,
        seasons=tuple(SeasonStart(Term("Season"), *date) for date in sorted(dates)),
        moons=(Moon(Term("Moon"), draw(st.integers(100, 100_000)) / 100, draw(st.integers(0, 50))),),
    )


DAYS = st.integers(-200_000, 1_000_000)


@given(calendars(), DAYS)
def test_a_date_leads_back_to_its_day(calendar, day):
    assert calendar.find_day(*calendar.date(day)[:3]) == day
    assert calendar.date(0)[:3] == (calendar.year, calendar.month, calendar.day)


@given(calendars(), DAYS)
def test_the_next_day_has_the_next_date(calendar, day):
    (year, month, passed), after = calendar.date(day)[:3], calendar.date(day + 1)[:3]
    if passed < calendar.length(month, year):
        assert after == (year, month, passed + 1)
    else:
        assert after > (year, month, passed)
        assert after[2] == 1


@given(calendars(), DAYS)
def test_the_next_month_is_the_first_first_day_of_a_month(calendar, day):
    found = calendar.next_month(day)
    dates = {ahead: calendar.date(ahead) for ahead in range(day + 1, found + 1)}
    assert [ahead for ahead, date in dates.items() if date.day == 1 and not date.between] == [found]


@given(calendars(), DAYS)
def test_a_season_holds_its_days_and_the_next_one_follows(calendar, day):
    season = calendar.season(day)
    if season is None:
        assert calendar.seasons == ()
        return
    assert season.since <= day <= season.until
    assert calendar.date(season.since)[1:3] == calendar.seasons[season.number][1:]
    after = calendar.season(season.until + 1)
    assert (after.since, after.number) == (season.until + 1, (season.number + 1) % len(calendar.seasons))


@given(calendars())
def test_what_is_stored_is_the_calendar(calendar):
    assert dump_calendar(calendar_from(clean_calendar(dump_calendar(calendar)))) == dump_calendar(calendar)


@given(st.builds(Leap, st.just(1), st.integers(2, 12), st.integers(2, 12), st.integers(2, 12)), st.integers(-400, 400))
def test_leap_years_are_those_the_rule_names(leap, year):
    named = year % leap.every == 0 and (year % leap.skip != 0 or year % leap.keep == 0)
    assert leap.falls_in(year) == named


@given(st.dates())
def test_our_calendar_has_the_dates_of_ours(date):
    ours = ready_calendar("today", Calendar())
    assert ours.date((date - datetime.date(1, 1, 1)).days)[:3] == (date.year, date.month, date.day)


def test_golarion_has_a_leap_day_in_calistril_every_eight_years():
    golarion = ready_calendar("golarion", Calendar(year=4712, month=2, day=28))
    assert str(golarion.date(1).short) == "29 Calistril 4712"
    assert str(golarion.date(2).short) == "1 Pharast 4712"
    assert [golarion.length(2, year) for year in (4711, 4716, 4720)] == [28, 28, 29]
    assert str(golarion.date(2).text) == "Wealday, 1 Pharast 4712"
    assert [list(map(str, golarion.sky(day))) for day in (0, 2)] == [
        ["Winter", "Somal: new moon"], ["Spring", "Somal: waxing crescent"],
    ]  # fmt: skip


def test_days_between_months_have_their_name_and_begin_no_month():
    calendar = Calendar(months=FEASTS)
    assert str(calendar.date(3).text) == "Thursday, Feast 1"
    assert str(calendar.date(3).short) == "Feast 1"
    assert str(calendar.date(9).short) == "day 2 of Dark Days 1"
    assert list(calendar.month_starts(0, 14)) == [4, 10, 14]


def test_a_leap_day_between_months_exists_in_leap_years_only():
    months = (Month(Term("Thaw"), 3), Month(Term("Shield"), 0, between=True), Month(Term("Frost"), 4))
    calendar = calendar_from(clean_calendar(dump_calendar(Calendar(months=months, leap=Leap(2, every=2)))))
    assert [str(calendar.date(day).short) for day in (2, 3, 9, 10, 11)] == [
        "3 Thaw 1", "1 Frost 1", "3 Thaw 2", "Shield 2", "1 Frost 2",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="1, 2, 1"):
        calendar.find_day(1, 2, 1)


def test_weekdays_go_round_in_their_number_and_weeks_of_the_rules_stay_seven_days(gm, campaign):
    update_campaign(by=gm, campaign=campaign, calendar={"weekdays": list("ABCDEFGHIJ")})
    found = Campaign.objects.get(pk=campaign.pk)
    assert [str(found.dates.date(day).weekday) for day in (0, 7, 9, 10)] == ["A", "H", "J", "A"]
    found.day = 8
    assert (found.week, found.days_to_upkeep) == (2, 6)


def test_a_moon_goes_through_its_phases_and_comes_back():
    moon = Moon(Term("Somal"), 29.5, new=3)
    assert [str(moon.phase(day)) for day in (3, 7, 10, 18, 25, 62)] == [
        "new moon", "waxing crescent", "first quarter", "full moon", "last quarter", "new moon",
    ]  # fmt: skip


def test_a_ready_calendar_keeps_the_date_of_day_0_if_it_has_it():
    assert ready_calendar("golarion", Calendar(year=4707, month=4, day=30)).date(0)[:3] == (4707, 4, 30)
    short = Calendar(months=(Month(Term("Long"), 360),), year=5, day=300)
    assert ready_calendar("golarion", short).date(0)[:3] == (5, 1, 1)
    assert ready_calendar("unknown", short) == short


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("calendar", [*(ready for _name, ready in READY.values()), Calendar(months=FEASTS)])
def test_the_form_writes_every_calendar_as_it_reads_it(language, calendar):
    with translation.override(language):
        form = CalendarForm(CalendarForm(calendar=calendar).initial, calendar=Calendar())
        assert form.is_valid(), form.errors
        assert clean_calendar(form.given()) == clean_calendar(dump_calendar(calendar))
