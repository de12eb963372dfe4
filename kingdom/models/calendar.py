"""Calendar of a campaign: the dates of its days.

The campaign counts days from 0. Weeks of seven days begin on day 0, 7, 14… in every calendar. The GM sets the names of
months and weekdays, the lengths of months, and the date of day 0 (the epoch).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.clean_input import clean_text, clean_whole
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, Term, _, say

DAYS_A_WEEK = 7
MOST_MONTHS, MOST_DAYS, MOST_YEAR, NAME = 30, 400, 99_999, 40

MONTHS = (
    (_("January"), 31), (_("February"), 28), (_("March"), 31), (_("April"), 30), (_("May"), 31), (_("June"), 30),
    (_("July"), 31), (_("August"), 31), (_("September"), 30), (_("October"), 31), (_("November"), 30),
    (_("December"), 31),
)  # fmt: skip
WEEKDAYS = (
    _("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"),
)  # fmt: skip


class Month(NamedTuple):
    name: Said
    days: int


class Date(NamedTuple):
    """A date in words; `month` and `day` count from 1."""

    year: int
    month: int
    day: int
    month_name: Said
    weekday: Said

    @property
    def text(self) -> Said:
        return self._said(_("{weekday}, {day} {month} {year}"), _("{weekday}, 1 {month} {year}"))

    @property
    def short(self) -> Said:
        return self._said(_("{day} {month} {year}"), _("1 {month} {year}"))

    def _said(self, any_day: Term, first: Term) -> Said:
        """`first` is the template for the first of a month, which some languages write in another way."""
        template = first if self.day == 1 else any_day
        return say(template, weekday=self.weekday, day=self.day, month=self.month_name, year=self.year)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Months with their lengths, seven weekdays, and the date of day 0."""

    months: tuple[Month, ...] = tuple(Month(*month) for month in MONTHS)
    weekdays: tuple[Said, ...] = WEEKDAYS
    year: int = 1
    month: int = 1
    day: int = 1

    @property
    def days_a_year(self) -> int:
        return sum(month.days for month in self.months)

    def date(self, day: int) -> Date:
        """Return the date of a day of the campaign."""
        years, left = divmod(day + self._offset, self.days_a_year)
        for number, month in enumerate(self.months, 1):
            if left < month.days:
                return Date(self.year + years, number, left + 1, month.name, self.weekdays[day % DAYS_A_WEEK])
            left -= month.days
        raise AssertionError("the days of a year are those of its months")

    def find_day(self, year: int, month: int, day: int) -> int:
        """Return the day of the campaign with this date; it is negative before the epoch. Raises `ValueError`."""
        if not (1 <= month <= len(self.months) and 1 <= day <= self.months[month - 1].days):
            raise ValueError((year, month, day))
        earlier = sum(one.days for one in self.months[: month - 1])
        return (year - self.year) * self.days_a_year + earlier + day - 1 - self._offset

    def month_starts(self, since: int, until: int) -> Iterator[int]:
        """Yield the days after `since`, up to and including `until`, on which a month begins."""
        day = since
        while (day := self.next_month(day)) <= until:
            yield day

    def next_month(self, day: int) -> int:
        """Return the first day after this one on which a month begins."""
        date = self.date(day)
        return day + self.months[date.month - 1].days - date.day + 1

    @property
    def _offset(self) -> int:
        """Days between the first day of the epoch's year and day 0."""
        return sum(month.days for month in self.months[: self.month - 1]) + self.day - 1


def calendar_from(stored: Mapping[str, Any]) -> Calendar:
    """Return the calendar stored with a campaign. Missing parts are those of the default calendar."""
    usual = Calendar()
    epoch = stored.get("epoch", {})
    months = tuple(Month(Term(month["name"]), month["days"]) for month in stored.get("months", ()))
    return Calendar(
        months=months or usual.months,
        weekdays=tuple(map(Term, stored.get("weekdays", ()))) or usual.weekdays,
        year=epoch.get("year", usual.year),
        month=epoch.get("month", usual.month),
        day=epoch.get("day", usual.day),
    )


def dump_calendar(calendar: Calendar) -> dict[str, Any]:
    """Return the calendar as JSON, in the shape that `clean_calendar` takes."""
    return {
        "epoch": {"year": calendar.year, "month": calendar.month, "day": calendar.day},
        "months": [{"name": str(month.name), "days": month.days} for month in calendar.months],
        "weekdays": [str(name) for name in calendar.weekdays],
    }


def clean_calendar(given: object) -> dict[str, Any]:
    """Return the validated parts of a calendar that differ from the default one; {} for the default calendar.

    `given`: `{epoch: {year, month, day}, months: [{name, days}], weekdays: [seven names]}`, each part optional. Raises
    `InvalidInput` with the pointer of the fault.
    """
    stored = _object(given, "/calendar", ("epoch", "months", "weekdays"))
    kept: dict[str, Any] = {}
    if "months" in stored:
        kept["months"] = _months(stored["months"])
    if "weekdays" in stored:
        kept["weekdays"] = _names(stored["weekdays"])
    if "epoch" in stored:
        kept["epoch"] = _epoch(stored["epoch"], calendar_from(kept).months)
    usual = dump_calendar(Calendar())
    return {part: value for part, value in kept.items() if value != usual[part]}


def _object(given: object, field: str, known: tuple[str, ...]) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise InvalidInput(_("Enter a JSON object here."), field)
    for name in given:
        demand(
            name in known, _("Unknown calendar field. Use: {known}."), field=f"{field}/{name}", known=", ".join(known)
        )
    return given


def _list(given: object, field: str) -> list[Any]:
    if not isinstance(given, list):
        raise InvalidInput(_("Send a list here."), field)
    return given


def _months(given: object) -> list[dict[str, Any]]:
    months = _list(given, "/calendar/months")
    known = 1 <= len(months) <= MOST_MONTHS
    demand(known, _("Use 1 to {most} months."), field="/calendar/months", most=MOST_MONTHS)
    return [_month(month, f"/calendar/months/{place}") for place, month in enumerate(months)]


def _month(given: object, field: str) -> dict[str, Any]:
    month = _object(given, field, ("name", "days"))
    return {
        "name": clean_text(month.get("name"), field=f"{field}/name", most=NAME),
        "days": clean_whole(month.get("days"), field=f"{field}/days", least=1, most=MOST_DAYS),
    }


def _names(given: object) -> list[str]:
    names = _list(given, "/calendar/weekdays")
    demand(len(names) == DAYS_A_WEEK, _("A week has seven days. Enter seven names."), field="/calendar/weekdays")
    return [clean_text(name, field=f"/calendar/weekdays/{place}", most=NAME) for place, name in enumerate(names)]


def _epoch(given: object, months: tuple[Month, ...]) -> dict[str, int]:
    epoch = _object(given, "/calendar/epoch", ("year", "month", "day"))
    year = clean_whole(epoch.get("year", 1), field="/calendar/epoch/year", least=-MOST_YEAR, most=MOST_YEAR)
    month = clean_whole(epoch.get("month", 1), field="/calendar/epoch/month", least=1, most=len(months))
    day = clean_whole(epoch.get("day", 1), field="/calendar/epoch/day", least=1, most=months[month - 1].days)
    return {"year": year, "month": month, "day": day}


# Serializers of a campaign's calendar.


class MonthSerializer(serializers.Serializer):
    name = serializers.CharField()
    days = serializers.IntegerField()


class EpochSerializer(serializers.Serializer):
    """Date of day 0 of the campaign."""

    year = serializers.IntegerField(required=False)
    month = serializers.IntegerField(required=False)
    day = serializers.IntegerField(required=False)


class CalendarSerializer(serializers.Serializer):
    """Calendar of the campaign. Missing parts are those of the default calendar."""

    epoch = EpochSerializer(required=False)
    months = MonthSerializer(many=True, required=False)
    weekdays = serializers.ListField(child=serializers.CharField(), required=False)


@extend_schema_field(CalendarSerializer)
class CalendarField(serializers.DictField):
    """JSON field of a calendar. The service reports unknown keys."""
