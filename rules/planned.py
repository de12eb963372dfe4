"""Planned income and costs of a realm: sums that fall due weekly or monthly, under any law.

On their day they are booked before anybody is paid, in list order and always in full. They may take a treasury below 0.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from rules.core.text import Said, _, verbatim

WEEK, MONTH = "week", "month"
RHYTHMS: Mapping[str, Said] = {WEEK: _("each week"), MONTH: _("each month")}
TAKEN_BACK = _("Undone: {what}")
"""Ledger text of an entry that reverses others."""
MOST_LINES = 40
DAYS_A_WEEK = 7


class PlannedLine(NamedTuple):
    """Planned income (`amount` above 0) or cost, in the realm's currency.

    It falls due on the last day of each week or on the first of each month, after day `since` and up to day `until`
    (None: forever).
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
        """Whether the line is in force on that day."""
        return day > self.since and (self.until is None or day <= self.until)

    def over(self, day: int) -> bool:
        """Whether the line never falls due after that day."""
        return self.until is not None and self.until <= day

    def next_day(self, day: int, month: int) -> int | None:
        """Return the first due day after `day`, where the next month begins on day `month`.

        None if the line is not in force on that day. A weekly line falls due at the end of the current week, or of
        the week in which it begins.
        """
        if self.every == MONTH:
            return month if self.holds(month) else None
        end = (max(day, self.since) // DAYS_A_WEEK + 1) * DAYS_A_WEEK
        return end if self.holds(end) else None


def lines_from(stored: Iterable[Mapping[str, Any]]) -> tuple[PlannedLine, ...]:
    """Read lines as `as_json` writes them."""
    return tuple(PlannedLine(**line) for line in stored)


def as_json(lines: Iterable[PlannedLine]) -> list[dict[str, Any]]:
    return [line._asdict() for line in lines]


def falling(lines: Sequence[PlannedLine], day: int, *, month: bool) -> list[PlannedLine]:
    """Return the lines due on this day. `month`: a month begins on it."""
    wanted = {WEEK} if day % DAYS_A_WEEK == 0 else set()
    if month:
        wanted.add(MONTH)
    return [line for line in lines if line.every in wanted and line.holds(day)] if wanted and lines else []


def sum_between(lines: Sequence[PlannedLine], since: int, until: int, months: Collection[int]) -> int:
    """Return the sum of all due amounts after day `since` and up to day `until`. `months` are the days on which months
    begin.
    """
    if not lines:
        return 0
    weeks = range((since // DAYS_A_WEEK + 1) * DAYS_A_WEEK, until + 1, DAYS_A_WEEK)
    begun = [day for day in months if since < day <= until]
    return sum(line.amount for line in lines for day in (begun if line.every == MONTH else weeks) if line.holds(day))
