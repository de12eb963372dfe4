"""Outlook of a kingdom's treasury: past weeks by its ledger, and coming weeks at today's costs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from core.text_search import TreasuryChart, treasury_chart
from kingdom.models import Kingdom, LedgerEntry
from kingdom.models.calendar import DAYS_A_WEEK
from rules.realm import MONTH
from rules.treasury_projection import HORIZON, WEEKS_AHEAD, Outgoings, WeekAhead, weeks_ahead, weeks_paid

WEEKS_PAST = 8


class WeekPast(NamedTuple):
    """A past week: what its armies cost, and the treasury at its end. In BP."""

    week: int
    day: int
    paid: int
    balance: int


@dataclass(frozen=True, slots=True)
class TreasuryOutlook:
    """Past and expected payments of a kingdom.

    `due`: payments due in the running week. `far`: ends of the coming weeks up to the horizon; none for a kingdom
    without a treasury.
    """

    kingdom: Kingdom
    due: Outgoings
    past: tuple[WeekPast, ...]
    far: tuple[WeekAhead, ...]

    @property
    def ahead(self) -> tuple[WeekAhead, ...]:
        """The weeks of the chart."""
        return self.far[:WEEKS_AHEAD]

    @property
    def lasts(self) -> int:
        """Number of weeks that can be paid in full, at most `HORIZON`."""
        return HORIZON if self.kingdom.without_treasury else weeks_paid(self.far)

    @property
    def endless(self) -> bool:
        return self.lasts >= HORIZON

    @property
    def empty_in(self) -> WeekAhead | None:
        """The first week of the chart that cannot be paid in full; None for none."""
        return next((week for week in self.ahead if week.balance < 0), None)

    @property
    def missing(self) -> int:
        """BP missing in that week."""
        return -self.empty_in.balance if self.empty_in else 0

    @property
    def chart(self) -> TreasuryChart:
        past = [(week.balance, week.paid) for week in self.past]
        return treasury_chart(past, self.kingdom.treasury, [(week.balance, week.due) for week in self.ahead])


def far_ahead(kingdom: Kingdom, due: Outgoings, *, first: int | None = None) -> tuple[WeekAhead, ...]:
    """Ends of weeks up to the horizon with these costs, unchanged. `first`: cost of the running week, where it is
    foretold. No query.
    """
    if kingdom.without_treasury:
        return ()
    campaign, planned = kingdom.campaign, kingdom.planned_lines
    monthly = due.monthly or due.reserve or any(line.every == MONTH for line in planned)
    far = campaign.day + (HORIZON + 1) * DAYS_A_WEEK
    months = tuple(campaign.dates.month_starts(campaign.day, far)) if monthly else ()
    return weeks_ahead(
        day=campaign.day, treasury=kingdom.treasury, due=due, months=months, weeks=HORIZON, first=first,
        planned=planned,
    )  # fmt: skip


class Entry(NamedTuple):
    day: int
    amount: int
    balance: int
    source: str


def list_past_weeks(kingdom: Kingdom) -> tuple[WeekPast, ...]:
    """The latest whole weeks since the ledger was opened, oldest first. Two queries."""
    week = kingdom.campaign.day // DAYS_A_WEEK
    first = max(0, week - WEEKS_PAST)
    entries = LedgerEntry.objects.filter(kingdom=kingdom).order_by("-seq")
    before = entries.filter(day__lte=first * DAYS_A_WEEK).values_list("seq", "balance").first() or (0, 0)
    since = entries.filter(day__gt=first * DAYS_A_WEEK, seq__gt=before[0])
    standing = _standing(Entry(*row) for row in since.values_list(*Entry._fields))
    return tuple(_week(number, before[1], standing) for number in range(first + 1, week + 1))


def _standing(newest_first: Iterable[Entry]) -> list[Entry]:
    """Ledger entries without undone ones: before an entry of an earlier day, time was undone."""
    found: list[Entry] = []
    for entry in newest_first:
        if not found or entry.day <= found[-1].day:
            found.append(entry)
    return found


def _week(number: int, before: int, newest_first: Iterable[Entry]) -> WeekPast:
    end = number * DAYS_A_WEEK
    until = [entry for entry in newest_first if entry.day <= end]
    ours = (entry for entry in until if entry.day > end - DAYS_A_WEEK and entry.source == LedgerEntry.Origin.WEEK)
    paid = -sum(entry.amount for entry in ours if entry.amount < 0)
    return WeekPast(number, end, paid, until[0].balance if until else before)
