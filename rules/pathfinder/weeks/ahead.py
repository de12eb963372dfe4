"""Weeks ahead: what the running week ends in, how long a treasury lasts, and what a lost battle would cost."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from rules.core.dice import Roll
from rules.pathfinder.size import Size
from rules.pathfinder.weeks.passage import PLANNED, CampaignArmies, pass_time
from rules.pathfinder.weeks.week_state import KingdomNow, KingdomWeek, Report, TimePlan
from rules.planned import PlannedLine, sum_between

# Projection of a treasury, and what a lost battle would cost (PF-7.2, PF-8.4, PF-6.1, PF-2.8).

DAYS_A_WEEK = 7
WEEKS_AHEAD = 12
HORIZON = 260  # weeks; a treasury that lasts five years is not worth a figure


class Outgoings(NamedTuple):
    """What a kingdom pays without anybody deciding it: armies by the week, itself by the month, potions once (BP)."""

    weekly: int
    monthly: int = 0
    once: int = 0


class WeekAhead(NamedTuple):
    """A week's end: what it costs, and the treasury if everything is paid. Below 0: so many BP are missing."""

    week: int
    day: int
    due: int
    balance: int


def weeks_ahead(
    *, day: int, treasury: int, due: Outgoings, months: Collection[int] = (), weeks: int = WEEKS_AHEAD,
    first: int | None = None, planned: Sequence[PlannedLine] = (),
) -> tuple[WeekAhead, ...]:  # fmt: skip
    """The coming ends of weeks. Potions drunk are paid in the first; the kingdom's own Consumption on the days in
    `months`, in the week they belong to (a month that begins on the day a week ends is paid with that week).
    `first`: all that the running week costs, where it is foretold (`rules.pathfinder.weeks.ahead`). `planned` comes and
    goes in the weeks it falls in; what comes makes a week cost less.
    """
    found: list[WeekAhead] = []
    begun, balance = sorted(months), treasury
    since = bisect_right(begun, day)
    for number in range(day // DAYS_A_WEEK + 1, day // DAYS_A_WEEK + 1 + weeks):
        until = number * DAYS_A_WEEK
        cost = due.weekly + (0 if found else due.once)
        past = bisect_right(begun, until)
        cost += due.monthly * (past - since) - sum_between(
            planned, max(day, until - DAYS_A_WEEK), until, begun[since:past]
        )
        if first is not None and not found:
            cost = first
        balance -= cost
        found.append(WeekAhead(number, until, cost, balance))
        since = past
    return tuple(found)


def weeks_paid(ahead: Iterable[WeekAhead]) -> int:
    """How many of these weeks, from the first on, can be paid in full."""
    return sum(1 for _week in takewhile(lambda week: week.balance >= 0, ahead))


@dataclass(frozen=True, slots=True)
class Loss:
    """What an army's defeat would cost its kingdom: attributes (0 or less), and the BP of a ransom.

    `spared`: the BP a week its Consumption would no longer take.
    """

    economy: int
    loyalty: int
    stability: int
    ransom: int = 0
    spared: int = 0

    def __add__(self, other: Loss) -> Loss:
        return Loss(
            self.economy + other.economy,
            self.loyalty + other.loyalty,
            self.stability + other.stability,
            self.ransom + other.ransom,
            self.spared + other.spared,
        )


NO_LOSS = Loss(0, 0, 0)


def loss_of(size: Size, *, consumption: int, led: bool) -> Loss:
    """The defeat row of its size (PF-1.2); its commander, if taken, costs its Consumption in ransom (PF-2.8)."""
    return Loss(*size.defeat, ransom=consumption if led else 0, spared=consumption)


def total_loss(losses: Iterable[Loss]) -> Loss:
    """Everything at once: the worst day."""
    return sum(losses, NO_LOSS)


class Foretold(NamedTuple):
    """One kingdom to the end of its week. BP: `treasury` today, `after` that day; `week`: what its armies meet with;
    `planned`: what comes and goes until then as it is planned.
    """

    treasury: int
    week: KingdomWeek
    after: int
    planned: int = 0

    @property
    def upkeep(self) -> int:
        """What the kingdom pays for itself until then."""
        return self.treasury + self.planned - self.after - self.week.spent

    @property
    def asked(self) -> int:
        """What everything costs that falls due until then, paid or not, less what comes in."""
        return self.upkeep - self.planned + max(self.week.spent, self.week.due + self.week.owed)

    @property
    def short(self) -> bool:
        """Whether an army goes without its week or its arrears."""
        return self.week.due + self.week.owed > max(0, self.week.purse)


class Unrolled:
    """Dice that nobody has cast."""

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, die // 2, "asked")

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def foretell(kingdoms: Iterable[KingdomNow], troops: CampaignArmies, plan: TimePlan) -> dict[str, Foretold]:
    """By kingdom. The plan goes up to the end of the week that is running; `troops` may be spent on it."""
    kingdoms = list(kingdoms)
    report = Report(Unrolled(), detailed=False)
    after = pass_time(kingdoms, troops, plan, report)
    weeks = {week.kingdom: week for week in report.weeks}
    planned = planned_of(report)
    return {
        one.id: Foretold(one.treasury, weeks[one.id], after[one.id].treasury, planned.get(one.id, 0))
        for one in kingdoms
    }


def planned_of(report: Report) -> dict[str, int]:
    """By kingdom, what came and went as it was planned."""
    found: dict[str, int] = defaultdict(int)
    for change in report.changes:
        if change.field == "treasury" and change.rule == PLANNED:
            assert isinstance(change.before, int)
            assert isinstance(change.after, int)
            found[change.id] += change.after - change.before
    return found
