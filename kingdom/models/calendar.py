"""Calendar of a campaign: the dates of its days.

The campaign counts days from 0. The weeks of the rules have seven days and begin on day 0, 7, 14… in every calendar;
weekdays are names that go round in their own number. The GM sets months, days between months, the leap day, weekdays,
seasons, moons, and the date of day 0 (the epoch).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import lcm
from typing import Any, NamedTuple

from rules.core.text import Said, Term, _, say

DAYS_A_WEEK = 7
CYCLE_PLACES = 2  # decimals of a moon's cycle

MONTHS = (
    (_("January"), 31), (_("February"), 28), (_("March"), 31), (_("April"), 30), (_("May"), 31), (_("June"), 30),
    (_("July"), 31), (_("August"), 31), (_("September"), 30), (_("October"), 31), (_("November"), 30),
    (_("December"), 31),
)  # fmt: skip
WEEKDAYS = (
    _("Monday"), _("Tuesday"), _("Wednesday"), _("Thursday"), _("Friday"), _("Saturday"), _("Sunday"),
)  # fmt: skip


PHASES = (
    _("new moon"), _("waxing crescent"), _("first quarter"), _("waxing gibbous"), _("full moon"), _("waning gibbous"),
    _("last quarter"), _("waning crescent"),
)  # fmt: skip


class Month(NamedTuple):
    """`between`: its days stand between two months and belong to none."""

    name: Said
    days: int
    between: bool = False


class Leap(NamedTuple):
    """A month has one more day in every year that `every` divides, not if `skip` does, but if `keep` does too."""

    month: int
    every: int
    skip: int | None = None
    keep: int | None = None

    def falls_in(self, year: int) -> bool:
        return self.count_before(year + 1) > self.count_before(year)

    def count_before(self, year: int) -> int:
        """Leap years from year 0 up to this one, without it; negative for a year before 0."""
        count = -(-year // self.every)
        if self.skip:
            skipped = lcm(self.every, self.skip)
            count -= -(-year // skipped)
            count += -(-year // lcm(skipped, self.keep)) if self.keep else 0
        return count


class SeasonStart(NamedTuple):
    """A season, with the date of its first day; it lasts until the next one begins."""

    name: Said
    month: int
    day: int


class SeasonSpan(NamedTuple):
    """A season of one year: its number in the year, and its first and last day of the campaign."""

    name: Said
    number: int
    since: int
    until: int


class Moon(NamedTuple):
    """`cycle`: days from new moon to new moon. `new`: a day of the campaign with new moon."""

    name: Said
    cycle: float
    new: int = 0

    def phase(self, day: int) -> Term:
        """The nearest of the eight phases."""
        scale = 10**CYCLE_PLACES
        cycle = round(self.cycle * scale)
        eighths = (2 * len(PHASES) * (day - self.new) * scale + cycle) // (2 * cycle)
        return PHASES[eighths % len(PHASES)]


EARLY = 100
"""Before this year, a year alone reads as another day; some languages say then that it is a year."""


class Date(NamedTuple):
    """A date in words; `month` and `day` count from 1. `between`: the length of the days between two months."""

    year: int
    month: int
    day: int
    month_name: Said
    weekday: Said
    between: int = 0

    @property
    def text(self) -> Said:
        if self.between:
            return self._between(_("{weekday}, {month} {year}"), _("{weekday}, day {day} of {month} {year}"))
        return self._said(_("{weekday}, {day} {month} {year}"), _("{weekday}, 1 {month} {year}"))

    @property
    def short(self) -> Said:
        if self.between:
            return self._between(_("{month} {year}"), _("day {day} of {month} {year}"))
        return self._said(_("{day} {month} {year}"), _("1 {month} {year}"))

    @property
    def yearless(self) -> Said:
        if self.between:
            among = say(_("day {day} of {month}"), day=self.day, month=self.month_name)
            return among if self.between > 1 else self.month_name
        return self._said(_("{day} {month}"), _("1 {month}"))

    def _said(self, any_day: Term, first: Term) -> Said:
        """`first` is the template for the first of a month, which some languages write in another way."""
        template = first if self.day == 1 else any_day
        year = self.year if self.year >= EARLY else say(_("{year}"), year=self.year)
        return say(template, weekday=self.weekday, day=self.day, month=self.month_name, year=year)

    def _between(self, alone: Term, among: Term) -> Said:
        """`alone` is the template for a single day between months, which its name tells."""
        return self._said(among, alone if self.between == 1 else among)


@dataclass(frozen=True, slots=True)
class Calendar:
    """Months with their lengths, weekdays, and the date of day 0; leap day, seasons and moons where there are any.

    Months and days between them count together: number 3 is the third line. Seasons are ordered by date.
    """

    months: tuple[Month, ...] = tuple(Month(*month) for month in MONTHS)
    weekdays: tuple[Said, ...] = WEEKDAYS
    year: int = 1
    month: int = 1
    day: int = 1
    leap: Leap | None = None
    seasons: tuple[SeasonStart, ...] = ()
    moons: tuple[Moon, ...] = ()

    @property
    def days_a_year(self) -> int:
        """Days of a year without leap day."""
        return sum(month.days for month in self.months)

    def length(self, month: int, year: int) -> int:
        """Days of a month in this year."""
        leaps = self.leap is not None and self.leap.month == month and self.leap.falls_in(year)
        return self.months[month - 1].days + leaps

    def date(self, day: int) -> Date:
        """Return the date of a day of the campaign."""
        counted = day + self._count(self.year, self.month, self.day)
        year = self._find_year(counted)
        left = counted - self._first(year)
        for number, month in enumerate(self.months, 1):
            length = self.length(number, year)
            if left < length:
                weekday = self.weekdays[day % len(self.weekdays)]
                return Date(year, number, left + 1, month.name, weekday, length if month.between else 0)
            left -= length
        raise AssertionError("the days of a year are those of its months")

    def find_day(self, year: int, month: int, day: int) -> int:
        """Return the day of the campaign with this date; it is negative before the epoch. Raises `ValueError`."""
        if not (1 <= month <= len(self.months) and 1 <= day <= self.length(month, year)):
            raise ValueError((year, month, day))
        return self._count(year, month, day) - self._count(self.year, self.month, self.day)

    def month_starts(self, since: int, until: int) -> Iterator[int]:
        """Yield the days after `since`, up to and including `until`, on which a month begins."""
        day = since
        while (day := self.next_month(day)) <= until:
            yield day

    def next_month(self, day: int) -> int:
        """Return the first day after this one on which a month begins. Days between months begin none."""
        year, month, passed = self.date(day)[:3]
        day -= passed - 1
        while True:
            day += self.length(month, year)
            year, month = (year, month + 1) if month < len(self.months) else (year + 1, 1)
            if not self.months[month - 1].between:
                return day

    def season(self, day: int) -> SeasonSpan | None:
        """The season of a day; None for a calendar without seasons."""
        if not self.seasons:
            return None
        year, month, passed = self.date(day)[:3]
        since = bisect_right(self.seasons, (month, passed), key=lambda season: season[1:]) - 1
        began, ends = (self._season_start(year, place) for place in (since, since + 1))
        number = since % len(self.seasons)
        return SeasonSpan(self.seasons[number].name, number, began, ends - 1)

    def sky(self, day: int) -> list[Said]:
        """The season, and the phase of each moon, in words."""
        season = self.season(day)
        moons = [say(_("{moon}: {phase}"), moon=moon.name, phase=moon.phase(day)) for moon in self.moons]
        return [season.name, *moons] if season else [*moons]

    def _season_start(self, year: int, place: int) -> int:
        """Day on which a season begins; places below 0 and above the last are those of the years beside this one."""
        years, number = divmod(place, len(self.seasons))
        return self.find_day(year + years, *self.seasons[number][1:])

    def _first(self, year: int) -> int:
        """Days from the first day of year 0 to that of this year."""
        return year * self.days_a_year + (self.leap.count_before(year) if self.leap else 0)

    def _count(self, year: int, month: int, day: int) -> int:
        """Days from the first day of year 0 to this date."""
        leapt = self.leap is not None and self.leap.month < month and self.leap.falls_in(year)
        return self._first(year) + sum(one.days for one in self.months[: month - 1]) + leapt + day - 1

    def _find_year(self, counted: int) -> int:
        """The year of a day counted from the first day of year 0."""
        if self.leap is None:
            return counted // self.days_a_year
        least, most = sorted((counted // self.days_a_year, counted // (self.days_a_year + 1)))
        years = range(least - 1, most + 2)
        return years[bisect_right(years, counted, key=self._first) - 1]


def calendar_from(stored: Mapping[str, Any]) -> Calendar:
    """Return the calendar stored with a campaign. Missing parts are those of the default calendar."""
    usual = Calendar()
    epoch = stored.get("epoch", {})
    return Calendar(
        months=tuple(Month(**_named(month)) for month in stored.get("months", ())) or usual.months,
        weekdays=tuple(map(Term, stored.get("weekdays", ()))) or usual.weekdays,
        year=epoch.get("year", usual.year),
        month=epoch.get("month", usual.month),
        day=epoch.get("day", usual.day),
        leap=Leap(**stored["leap"]) if stored.get("leap") else None,
        seasons=tuple(SeasonStart(**_named(season)) for season in stored.get("seasons", ())),
        moons=tuple(Moon(**_named(moon)) for moon in stored.get("moons", ())),
    )


def _named(stored: Mapping[str, Any]) -> dict[str, Any]:
    return {**stored, "name": Term(stored["name"])}


def dump_calendar(calendar: Calendar) -> dict[str, Any]:
    """Return the calendar as JSON, in the shape that `clean_calendar` takes."""
    return {
        "epoch": {"year": calendar.year, "month": calendar.month, "day": calendar.day},
        "months": [_dump_month(month) for month in calendar.months],
        "weekdays": [str(name) for name in calendar.weekdays],
        "leap": calendar.leap._asdict() if calendar.leap else None,
        "seasons": [{**season._asdict(), "name": str(season.name)} for season in calendar.seasons],
        "moons": [{**moon._asdict(), "name": str(moon.name)} for moon in calendar.moons],
    }


def _dump_month(month: Month) -> dict[str, Any]:
    return {"name": str(month.name), "days": month.days, **({"between": True} if month.between else {})}
