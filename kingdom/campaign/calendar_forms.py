"""Form of the campaign's calendar, and ready calendars that fill it in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.forms.form_fields import Whole
from core.text import render
from kingdom.models.calendar import Calendar, Leap, Month, Moon, SeasonStart, dump_calendar
from kingdom.models.calendar_input import MOST_MONTHS, MOST_YEAR
from rules.core import text
from rules.core.errors import Refusal
from rules.core.text import Said, Term

PARTS = {
    "name": _("name"), "month": _("month"), "day": _("day"), "days": _("days"), "cycle": _("days of a cycle"),
    "new": _("day of a new moon"),
}  # fmt: skip
"""What a refusal calls the parts of a line."""

# Ready calendars. What a setting calls its months and days is the same in every language.

GOLARION_MONTHS = (
    ("Abadius", 31), ("Calistril", 28), ("Pharast", 31), ("Gozran", 30), ("Desnus", 31), ("Sarenith", 30),
    ("Erastus", 31), ("Arodus", 31), ("Rova", 30), ("Lamashan", 31), ("Neth", 30), ("Kuthona", 31),
)  # fmt: skip
GOLARION_DAYS = ("Moonday", "Toilday", "Wealday", "Oathday", "Fireday", "Starday", "Sunday")
SEASONS = text._("Spring"), text._("Summer"), text._("Autumn"), text._("Winter")


def _seasons(*starts: tuple[int, int]) -> tuple[SeasonStart, ...]:
    """Spring, summer, autumn and winter, each with month and day of its first day."""
    return tuple(SeasonStart(name, *start) for name, start in zip(SEASONS, starts, strict=True))


READY: Mapping[str, tuple[Promise | str, Calendar]] = {
    "plain": (_("Plain: twelve months, no leap years"), Calendar()),
    "today": (
        _("Ours: leap years, seasons and the moon"),
        Calendar(
            leap=Leap(2, every=4, skip=100, keep=400),
            seasons=_seasons((3, 20), (6, 21), (9, 22), (12, 21)),
            moons=(Moon(text._("Moon"), 29.53),),
        ),
    ),
    "golarion": (
        _("Golarion"),
        Calendar(
            months=tuple(Month(Term(name), days) for name, days in GOLARION_MONTHS),
            weekdays=tuple(map(Term, GOLARION_DAYS)),
            leap=Leap(2, every=8),
            seasons=_seasons((3, 1), (6, 1), (9, 1), (12, 1)),
            moons=(Moon(Term("Somal"), 29.5),),
        ),
    ),
}
KEEPS_ITS_NAMES = [calendar for _name, calendar in READY.values()]


def ready_calendar(slug: str, kept: Calendar) -> Calendar:
    """The ready calendar with the date of day 0 that the campaign has; its own calendar for an unknown slug.

    A date that the ready calendar lacks becomes the first day of its year.
    """
    if slug not in READY:
        return kept
    ready = replace(READY[slug][1], year=kept.year)
    try:
        ready.find_day(kept.year, kept.month, kept.day)
    except ValueError:
        return ready
    return replace(ready, month=kept.month, day=kept.day)


# The form. Each line of a list is one thing: a name, then its numbers.

BETWEEN = "+"  # prefix of the name of days between months
MONTH = re.compile(r"(?P<name>.*\S)\s+(?P<days>\d{1,4})")
SEASON = re.compile(r"(?P<name>.*\S)\s+(?P<month>\d{1,3})\s+(?P<day>\d{1,4})")
MOON = re.compile(r"(?P<name>.*\S)\s+(?P<cycle>\d{1,5}(?:[.,]\d{1,9})?)\s+(?P<new>\d{1,8})")
LEAP = {"leap_month": "month", "leap_every": "every", "leap_skip": "skip", "leap_keep": "keep"}


def _lines(label: Any, rows: int, **options: Any) -> forms.CharField:
    widget = forms.Textarea(attrs={"rows": rows, "spellcheck": "false"})
    return forms.CharField(label=label, widget=widget, max_length=2_000, **options)


def _years(label: Any, **options: Any) -> Whole:
    return Whole(label=label, least=2, most=MOST_YEAR, required=False, **options)


class CalendarForm(forms.Form):
    """Form with a line for each month, weekday, season and moon, the leap day, and the date of day 0."""

    months = _lines(
        _("Months"),
        13,
        help_text=_(
            "One per line, with its number of days, such as “January 31”. A plus before the name adds days between "
            "two months, such as “+ Midwinter 1”; they belong to no month."
        ),
    )
    weekdays = _lines(
        _("Days of the week"),
        7,
        help_text=_("One per line, for every day of your week. The first is the weekday of day 0."),
    )
    year = Whole(label=_("Year"), least=-MOST_YEAR, most=MOST_YEAR)
    month = Whole(label=_("Month"), least=1, most=99, help_text=_("The month’s line in the list; 1 is the first."))
    day = Whole(label=_("Day of the month"), least=1, most=999)
    leap_every = _years(_("Leap year every … years"), help_text=_("Such as 4. Leave it empty for no leap years."))
    leap_month = Whole(
        label=_("Month with the leap day"),
        least=1,
        most=MOST_MONTHS,
        required=False,
        help_text=_("The month’s line in the list. A line such as “+ Leap day 0” exists in leap years only."),
    )
    leap_skip = _years(_("Except every … years"), help_text=_("Such as 100."))
    leap_keep = _years(_("But again every … years"), help_text=_("Such as 400."))
    seasons = _lines(
        _("Seasons"),
        4,
        required=False,
        help_text=_("One per line, with the month and day it begins, such as “Spring 3 20”."),
    )
    moons = _lines(
        _("Moons"),
        2,
        required=False,
        help_text=_(
            "One per line, with the days from one new moon to the next, and a day of the campaign with a new moon, "
            "such as “Moon 29.5 0”."
        ),
    )

    def __init__(self, *args: Any, calendar: Calendar, **options: Any):
        super().__init__(*args, **{"initial": _written(calendar), **options})

    @property
    def epoch_fields(self) -> list[forms.BoundField]:
        return [self["year"], self["month"], self["day"]]

    @property
    def leap_fields(self) -> list[forms.BoundField]:
        return [self["leap_every"], self["leap_month"], self["leap_skip"], self["leap_keep"]]

    def clean_months(self) -> list[dict[str, Any]]:
        message = _("Line %(number)s needs a name and a number of days.")
        return [_month(**found) for found in self._read("months", MONTH, message)]

    def clean_weekdays(self) -> list[str]:
        return [_stored(line) for line in _split(self.cleaned_data["weekdays"])]

    def clean_seasons(self) -> list[dict[str, Any]]:
        message = _("Line %(number)s needs a name, a month as a number, and a day.")
        found = self._read("seasons", SEASON, message)
        return [{"name": _stored(one["name"]), "month": int(one["month"]), "day": int(one["day"])} for one in found]

    def clean_moons(self) -> list[dict[str, Any]]:
        message = _("Line %(number)s needs a name, a number of days, and a day with a new moon.")
        return [_moon(**found) for found in self._read("moons", MOON, message)]

    def _read(self, name: str, line: re.Pattern[str], message: Promise | str) -> list[dict[str, str]]:
        """Return the parts of each line, or say which one lacks some."""
        found = [line.fullmatch(written) for written in _split(self.cleaned_data[name])]
        if None in found:
            raise forms.ValidationError(message % {"number": found.index(None) + 1})
        return [match.groupdict() for match in found if match]

    def clean(self) -> None:
        super().clean()
        leap = [name for name in LEAP if self.cleaned_data.get(name) is not None]
        for name in ("leap_every", "leap_month"):
            if leap and name not in leap and name not in self.errors:
                self.add_error(name, _("A leap year needs this number too."))

    def given(self) -> dict[str, Any]:
        """Return the calendar for the service. Names of ready calendars are returned as stored, so they stay
        translatable.
        """
        data = self.cleaned_data
        return {
            **{part: data[part] for part in ("months", "weekdays", "seasons", "moons")},
            "epoch": {part: data[part] for part in ("year", "month", "day")},
            "leap": {part: data[name] for name, part in LEAP.items()} if data["leap_every"] else None,
        }

    def refused(self, refusal: Refusal) -> None:
        """Add a refusal to the fields: `/calendar/months/3/days` to the months."""
        for pointer, message in refusal.errors:
            parts = [part for part in pointer.split("/") if part not in ("", "calendar", "epoch")]
            name = "_".join(parts) if parts[:1] == ["leap"] else "".join(parts[:1])
            self.add_error(name if name in self.fields else None, _in_line(parts, render(message)))


def _in_line(parts: list[str], message: str) -> str:
    """The message, with the line and its part where the pointer leads into a list: `["seasons", "0", "month"]`."""
    if len(parts) < 2 or not parts[1].isdigit():
        return message
    part = PARTS.get(parts[2]) if len(parts) > 2 else None
    words = gettext("Line {number}, {part}: {message}") if part else gettext("Line {number}: {message}")
    return words.format(number=int(parts[1]) + 1, part=part, message=message)


def _split(written: str) -> list[str]:
    return [line.strip() for line in written.splitlines() if line.strip()]


def _month(name: str, days: str) -> dict[str, Any]:
    between = name.startswith(BETWEEN)
    plain = _stored(name.removeprefix(BETWEEN).strip())
    return {"name": plain, "days": int(days), **({"between": True} if between else {})}


def _moon(name: str, cycle: str, new: str) -> dict[str, Any]:
    return {"name": _stored(name), "cycle": float(cycle.replace(",", ".")), "new": int(new)}


def _stored(name: str) -> str:
    """The name as a ready calendar stores it, if it is one of its names in the reader's language."""
    return next((str(term) for term in _ready_names() if render(term) == name), name)


def _ready_names() -> Iterable[Said]:
    for calendar in KEEPS_ITS_NAMES:
        yield from calendar.weekdays
        for part in (calendar.months, calendar.seasons, calendar.moons):
            yield from (one.name for one in part)


def _written(calendar: Calendar) -> dict[str, Any]:
    """The calendar as initial values of the form."""
    return {
        **dump_calendar(calendar)["epoch"],
        "months": _join(calendar.months, lambda month: f"{BETWEEN} " * month.between, "{0.days}"),
        "weekdays": "\n".join(render(name) for name in calendar.weekdays),
        "seasons": _join(calendar.seasons, lambda season: "", "{0.month} {0.day}"),
        "moons": _join(calendar.moons, lambda moon: "", "{0.cycle:.12g} {0.new}"),
        **({name: getattr(calendar.leap, part) for name, part in LEAP.items()} if calendar.leap else {}),
    }


def _join(items: Iterable[Any], mark: Callable[[Any], str], numbers: str) -> str:
    return "\n".join(f"{mark(one)}{render(one.name)} {numbers.format(one)}" for one in items)
