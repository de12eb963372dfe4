"""Input cleaning of calendars, and their serializers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.clean_input import DAY_MAX, clean_optional_whole, clean_text, clean_whole
from kingdom.models.calendar import (
    CYCLE_PLACES,
    Calendar,
    Leap,
    Moon,
    SeasonStart,
    calendar_from,
    dump_calendar,
)
from rules.core.errors import InvalidInput, demand
from rules.core.text import _

MOST_MONTHS, MOST_DAYS, MOST_YEAR, NAME = 30, 400, 99_999, 40
MOST_WEEKDAYS, MOST_SEASONS, MOST_MOONS, MOST_CYCLE = 30, 12, 6, 1_000


def clean_calendar(given: object) -> dict[str, Any]:
    """Return the validated parts of a calendar that differ from the default one; {} for the default calendar.

    `given`: `{epoch: {year, month, day}, months: [{name, days, between}], weekdays: [names], leap: {month, every, skip,
    keep}, seasons: [{name, month, day}], moons: [{name, cycle, new}]}`, each part optional. Raises `InvalidInput` with
    the pointer of the fault.
    """
    usual = dump_calendar(Calendar())
    stored = _object(given, "/calendar", tuple(usual))
    kept: dict[str, Any] = {}
    if "months" in stored:
        kept["months"] = _months(stored["months"])
    if "weekdays" in stored:
        kept["weekdays"] = _names(stored["weekdays"])
    if stored.get("leap") is not None:
        kept["leap"] = _leap(stored["leap"], len(calendar_from(kept).months))
    calendar = calendar_from(kept)
    for place, month in enumerate(calendar.months, 1):
        filled = month.days or (calendar.leap and calendar.leap.month == place)
        demand(filled, _("Only a leap day between months may have 0 days."), field=f"/calendar/months/{place - 1}/days")
    if "epoch" in stored:
        kept["epoch"] = _epoch(stored["epoch"], calendar)
    if "seasons" in stored:
        kept["seasons"] = _seasons(stored["seasons"], calendar)
    if "moons" in stored:
        kept["moons"] = [_moon(moon, field) for moon, field in _items(stored["moons"], "moons", 0, MOST_MOONS)]
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


def _items(given: object, part: str, least: int, most: int) -> Iterator[tuple[Any, str]]:
    """Yield each item of a list with its pointer."""
    items = _list(given, f"/calendar/{part}")
    known = least <= len(items) <= most
    demand(known, _("Use {least} to {most} entries."), field=f"/calendar/{part}", least=least, most=most)
    yield from ((item, f"/calendar/{part}/{place}") for place, item in enumerate(items))


def _months(given: object) -> list[dict[str, Any]]:
    months = _list(given, "/calendar/months")
    known = 1 <= len(months) <= MOST_MONTHS
    demand(known, _("Use 1 to {most} months."), field="/calendar/months", most=MOST_MONTHS)
    kept = [_month(month, f"/calendar/months/{place}") for place, month in enumerate(months)]
    demand(
        not all("between" in month for month in kept), _("A year needs at least one month."), field="/calendar/months"
    )
    return kept


def _month(given: object, field: str) -> dict[str, Any]:
    month = _object(given, field, ("name", "days", "between"))
    between = month.get("between", False)
    demand(isinstance(between, bool), _("Use true or false."), field=f"{field}/between")
    return {
        "name": clean_text(month.get("name"), field=f"{field}/name", most=NAME),
        "days": clean_whole(month.get("days"), field=f"{field}/days", least=0 if between else 1, most=MOST_DAYS),
        **({"between": True} if between else {}),
    }


def _names(given: object) -> list[str]:
    return [clean_text(name, field=field, most=NAME) for name, field in _items(given, "weekdays", 1, MOST_WEEKDAYS)]


def _leap(given: object, months: int) -> dict[str, int | None]:
    field = "/calendar/leap"
    leap = _object(given, field, Leap._fields)
    skip, keep = (
        clean_optional_whole(leap.get(part), field=f"{field}/{part}", least=2, most=MOST_YEAR)
        for part in ("skip", "keep")
    )
    demand(skip or not keep, _("First enter which years are exceptions."), field=f"{field}/keep")
    return {
        "month": clean_whole(leap.get("month"), field=f"{field}/month", least=1, most=months),
        "every": clean_whole(leap.get("every"), field=f"{field}/every", least=2, most=MOST_YEAR),
        "skip": skip,
        "keep": keep,
    }


def _epoch(given: object, calendar: Calendar) -> dict[str, int]:
    epoch = _object(given, "/calendar/epoch", ("year", "month", "day"))
    year = clean_whole(epoch.get("year", 1), field="/calendar/epoch/year", least=-MOST_YEAR, most=MOST_YEAR)
    month = clean_whole(epoch.get("month", 1), field="/calendar/epoch/month", least=1, most=len(calendar.months))
    most = calendar.length(month, year)
    demand(most, _("This day doesn’t exist in that year."), field="/calendar/epoch/month")
    day = clean_whole(epoch.get("day", 1), field="/calendar/epoch/day", least=1, most=most)
    return {"year": year, "month": month, "day": day}


def _seasons(given: object, calendar: Calendar) -> list[dict[str, Any]]:
    """Return the seasons by date. Each begins on a day that every year has."""
    kept: dict[tuple[int, int], dict[str, Any]] = {}
    for item, field in _items(given, "seasons", 0, MOST_SEASONS):
        season = _object(item, field, SeasonStart._fields)
        name = clean_text(season.get("name"), field=f"{field}/name", most=NAME)
        month = clean_whole(season.get("month"), field=f"{field}/month", least=1, most=len(calendar.months))
        days = calendar.months[month - 1].days
        demand(days, _("A season must begin on a day that every year has."), field=f"{field}/month")
        day = clean_whole(season.get("day"), field=f"{field}/day", least=1, most=days)
        demand((month, day) not in kept, _("Another season begins on this day."), field=f"{field}/day")
        kept[month, day] = {"name": name, "month": month, "day": day}
    return [kept[date] for date in sorted(kept)]


def _moon(given: object, field: str) -> dict[str, Any]:
    moon = _object(given, field, Moon._fields)
    cycle = moon.get("cycle")
    demand(
        isinstance(cycle, int | float) and not isinstance(cycle, bool) and 1 <= cycle <= MOST_CYCLE,
        _("Use a number from {least} to {most}."),
        field=f"{field}/cycle",
        least=1,
        most=MOST_CYCLE,
    )
    return {
        "name": clean_text(moon.get("name"), field=f"{field}/name", most=NAME),
        "cycle": round(cycle, CYCLE_PLACES),  # type: ignore[arg-type]
        "new": clean_whole(moon.get("new", 0), field=f"{field}/new", least=0, most=DAY_MAX),
    }


# Serializers of a campaign's calendar.


class MonthSerializer(serializers.Serializer):
    """`between`: days between two months, which belong to none."""

    name = serializers.CharField()
    days = serializers.IntegerField()
    between = serializers.BooleanField(required=False)


class EpochSerializer(serializers.Serializer):
    """Date of day 0 of the campaign."""

    year = serializers.IntegerField(required=False)
    month = serializers.IntegerField(required=False)
    day = serializers.IntegerField(required=False)


class LeapSerializer(serializers.Serializer):
    """Leap day: one more day of a month in every year divisible by `every`, except years divisible by `skip`, but
    including years divisible by `keep`.
    """

    month = serializers.IntegerField()
    every = serializers.IntegerField()
    skip = serializers.IntegerField(required=False, allow_null=True)
    keep = serializers.IntegerField(required=False, allow_null=True)


class SeasonSerializer(serializers.Serializer):
    """A season, with the date of its first day."""

    name = serializers.CharField()
    month = serializers.IntegerField()
    day = serializers.IntegerField()


class MoonSerializer(serializers.Serializer):
    """`cycle`: days from new moon to new moon. `new`: a day of the campaign with new moon."""

    name = serializers.CharField()
    cycle = serializers.FloatField()
    new = serializers.IntegerField(required=False)


class CalendarSerializer(serializers.Serializer):
    """Calendar of the campaign. Missing parts are those of the default calendar."""

    epoch = EpochSerializer(required=False)
    months = MonthSerializer(many=True, required=False)
    weekdays = serializers.ListField(child=serializers.CharField(), required=False)
    leap = LeapSerializer(required=False, allow_null=True)
    seasons = SeasonSerializer(many=True, required=False)
    moons = MoonSerializer(many=True, required=False)


@extend_schema_field(CalendarSerializer)
class CalendarField(serializers.DictField):
    """JSON field of a calendar. The service reports unknown keys."""
