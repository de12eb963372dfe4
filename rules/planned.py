"""Planned income and costs of a realm: sums that come or go by themselves, week by week or month by month.

No law knows them: they are the table's own, under every law. On a day on which they fall they are counted before
anybody is paid, in the order in which they stand, and always in full: a treasury may fall below 0 by them, as by what
a kingdom costs itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.text import Said, _, verbatim

WEEK, MONTH = "week", "month"
RHYTHMS: Mapping[str, Said] = {WEEK: _("each week"), MONTH: _("each month")}
TAKEN_BACK = _("Undone: {what}")
"""What a ledger says of an entry that takes others back."""
MOST_LINES = 40
DAYS_A_WEEK = 7


class PlannedLine(NamedTuple):
    """`amount`: so much comes (above 0) or goes, in the realm's money. It falls on the last day of each week, or on
    the first of each month, after day `since` and up to day `until` (None: for ever).
    """

    id: str
    name: str
    amount: int
    every: str = WEEK
    since: int = 0
    until: int | None = None

    @property
    def rhythm(self) -> Said:
        return RHYTHMS[self.every]

    @property
    def said(self) -> Said:
        return verbatim(self.name)

    def holds(self, day: int) -> bool:
        """Whether it is planned for that day, if it falls on it."""
        return day > self.since and (self.until is None or day <= self.until)

    def over(self, day: int) -> bool:
        """Whether it never falls after that day."""
        return self.until is not None and self.until <= day

    def next_day(self, day: int, month: int) -> int | None:
        """The first day after `day` it falls on, where the next month begins on day `month`; None: not in that month.

        A line of weeks falls on the end of the week that is running, or of the one in which it begins.
        """
        if self.every == MONTH:
            return month if self.holds(month) else None
        end = (max(day, self.since) // DAYS_A_WEEK + 1) * DAYS_A_WEEK
        return end if self.holds(end) else None


def lines_from(stored: Iterable[Mapping[str, Any]]) -> tuple[PlannedLine, ...]:
    """As they are kept (`as_json`)."""
    return tuple(PlannedLine(**line) for line in stored)


def as_json(lines: Iterable[PlannedLine]) -> list[dict[str, Any]]:
    return [line._asdict() for line in lines]


def falling(lines: Sequence[PlannedLine], day: int, *, month: bool) -> list[PlannedLine]:
    """Those that fall on this day; `month`: whether a month begins on it."""
    wanted = {WEEK} if day % DAYS_A_WEEK == 0 else set()
    if month:
        wanted.add(MONTH)
    return [line for line in lines if line.every in wanted and line.holds(day)] if wanted and lines else []


def sum_between(lines: Sequence[PlannedLine], since: int, until: int, months: Collection[int]) -> int:
    """What they come to after day `since` and up to day `until`; `months`: the days on which months begin."""
    if not lines:
        return 0
    weeks = range((since // DAYS_A_WEEK + 1) * DAYS_A_WEEK, until + 1, DAYS_A_WEEK)
    begun = [day for day in months if since < day <= until]
    return sum(line.amount for line in lines for day in (begun if line.every == MONTH else weeks) if line.holds(day))
