"""Projection of a kingdom's treasury over the weeks to come, under any law whose armies cost something by the week."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Sequence
from itertools import takewhile
from typing import NamedTuple

from rules.realm import DAYS_A_WEEK, PlannedLine, sum_between

WEEKS_AHEAD = 12
HORIZON = 260  # weeks, five years: beyond it a treasury counts as lasting


class Outgoings(NamedTuple):
    """Regular payments of a kingdom in BP: armies by the week, the kingdom itself and armies in `reserve` by the month,
    potions once.
    """

    weekly: int = 0
    monthly: int = 0
    once: int = 0
    reserve: int = 0


class WeekAhead(NamedTuple):
    """End of a week: its costs, and the treasury if everything is paid. A `balance` below 0 is the BP missing."""

    week: int
    day: int
    due: int
    balance: int


def weeks_ahead(
    *, day: int, treasury: int, due: Outgoings, months: Collection[int] = (), weeks: int = WEEKS_AHEAD,
    first: int | None = None, planned: Sequence[PlannedLine] = (),
) -> tuple[WeekAhead, ...]:  # fmt: skip
    """Return the coming ends of weeks.

    What was used up is paid in the first week. The kingdom's own monthly cost, and armies in reserve, are paid on days
    in `months`; a month that begins on the last day of a week belongs to that week. Armies in reserve are paid once a
    week at most. `first` is the full cost of the current week, if the law foretold it. `planned` lines fall in their
    weeks; income reduces a week's cost.
    """
    found: list[WeekAhead] = []
    begun, balance = sorted(months), treasury
    since = bisect_right(begun, day)
    for number in range(day // DAYS_A_WEEK + 1, day // DAYS_A_WEEK + 1 + weeks):
        until = number * DAYS_A_WEEK
        cost = due.weekly + (0 if found else due.once)
        past = bisect_right(begun, until)
        cost += due.monthly * (past - since) + due.reserve * (past > since)
        cost -= sum_between(planned, max(day, until - DAYS_A_WEEK), until, begun[since:past])
        if first is not None and not found:
            cost = first
        balance -= cost
        found.append(WeekAhead(number, until, cost, balance))
        since = past
    return tuple(found)


def weeks_paid(ahead: Iterable[WeekAhead]) -> int:
    """Return how many of these weeks, from the first on, can be paid in full."""
    return sum(1 for _week in takewhile(lambda week: week.balance >= 0, ahead))
