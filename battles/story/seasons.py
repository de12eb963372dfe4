"""Seasons of a campaign's calendar: four of equal length, with the turn of the year in winter."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import NamedTuple

from kingdom.models.calendar import Calendar
from rules.core.text import Said, _, say

SEASONS = 4
MONTHS_BEFORE = 1 / 12  # of a year: the part of winter before the turn of the year
BY_MONTHS = 8  # fewest months of a year whose seasons are whole months

WINTER, SPRING, SUMMER, AUTUMN = range(SEASONS)
OF_A_YEAR = (
    _("Winter of year {year}"),
    _("Spring of year {year}"),
    _("Summer of year {year}"),
    _("Autumn of year {year}"),
)
OF_TWO_YEARS = _("Winter of years {first} and {last}")


class Season(NamedTuple):
    """A season, by the year it ends in. `begins`: the year it begins in, within the campaign's time."""

    year: int
    season: int
    begins: int

    @property
    def title(self) -> Said:
        if self.begins != self.year:
            return say(OF_TWO_YEARS, first=self.begins, last=self.year)
        return say(OF_A_YEAR[self.season], year=self.year)


def find_season(calendar: Calendar, day: int) -> Season:
    """The season of a day of the campaign."""
    date = calendar.date(day)
    season, turned = _split(calendar)(date.month, date.day)
    year = date.year + turned
    if season != WINTER:
        return Season(year, season, year)
    began = (calendar.year, *_split(calendar)(calendar.month, calendar.day))
    in_first_days = began[0] == year and began[1:] == (WINTER, 0)
    return Season(year, season, year if in_first_days else year - 1)


def _split(calendar: Calendar) -> Callable[[int, int], tuple[int, int]]:
    """A function of month and day: the season, and 1 where it is the winter of the next year, else 0."""
    starts = [0, *accumulate(month.days for month in calendar.months)]
    whole = calendar.days_a_year

    def find(month: int, day: int) -> tuple[int, int]:
        start, end = starts[month - 1], starts[month]
        place = (start + end) / 2 if len(calendar.months) >= BY_MONTHS else start + day - 0.5
        turned, part = divmod(place / whole + MONTHS_BEFORE, 1)
        return int(part * SEASONS), int(turned)

    return find
