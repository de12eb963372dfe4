"""Outlook of a kingdom's treasury, and what a lost battle would cost it (PF-7.2, PF-6.1)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.week_preview import foresee
from kingdom.models import Campaign, Kingdom, LedgerEntry
from rules.core.text import Term
from rules.pathfinder.kingdom_checks import ATTRIBUTES
from rules.pathfinder.size import Size, size_of
from rules.pathfinder.weeks.ahead import (
    DAYS_A_WEEK,
    HORIZON,
    WEEKS_AHEAD,
    Foretold,
    Loss,
    Outgoings,
    WeekAhead,
    loss_of,
    total_loss,
    weeks_ahead,
    weeks_paid,
)
from rules.planned import MONTH

WEEKS_PAST = 8


class WeekPast(NamedTuple):
    """A week that is over: what was paid for its armies, and the treasury at its end."""

    week: int
    day: int
    paid: int
    balance: int


class LossLine(NamedTuple):
    """What the defeat of one army would cost. `leader`: who might be taken."""

    army: PathfinderArmy
    size: Size
    loss: Loss
    leader: str


class After(NamedTuple):
    """An attribute now, and after the worst day."""

    word: Term
    now: int
    after: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """`lasts`: weeks that can be paid in full, at most `HORIZON`. `coming`: the end of the running week."""

    kingdom: Kingdom
    due: Outgoings
    coming: Foretold
    past: tuple[WeekPast, ...]
    ahead: tuple[WeekAhead, ...]
    lasts: int
    losses: tuple[LossLine, ...]

    @property
    def endless(self) -> bool:
        return self.lasts >= HORIZON

    @property
    def empty_in(self) -> WeekAhead | None:
        """The first week of the chart that cannot be paid in full."""
        return next((week for week in self.ahead if week.balance < 0), None)

    @property
    def worst(self) -> Loss:
        return total_loss(line.loss for line in self.losses)

    @property
    def attributes(self) -> tuple[After, ...]:
        """Attributes if every army were lost."""
        worst = self.worst
        return tuple(
            After(word, getattr(self.kingdom, name), getattr(self.kingdom, name) + getattr(worst, name))
            for name, word in ATTRIBUTES.items()
        )


def build_outlook(kingdom: Kingdom) -> Outlook:
    """A handful of queries, whatever the number of armies and entries' kinds."""
    armies = list(
        PathfinderArmy.objects.filter(kingdom=kingdom, status__in=PathfinderArmy.STANDING).select_related(
            "commander__campaign", "commander__pathfindercommander"
        )
    )
    campaign = kingdom.campaign
    due = Outgoings(
        weekly=sum(army.consumption for army in armies),
        monthly=kingdom.consumption,
        once=sum(army.surcharge + army.owed for army in armies),
    )
    coming = foresee(campaign, [kingdom])[str(kingdom.pk)]
    far = far_ahead(kingdom, campaign, due, coming)
    return Outlook(kingdom, due, coming, _past(kingdom), far[:WEEKS_AHEAD], weeks_paid(far), tuple(map(_loss, armies)))


def far_ahead(kingdom: Kingdom, campaign: Campaign, due: Outgoings, coming: Foretold) -> tuple[WeekAhead, ...]:
    """The ends of weeks up to the horizon: the running one as it is foretold, the others if all is as it is."""
    far = campaign.day + (HORIZON + 1) * DAYS_A_WEEK
    planned = kingdom.planned_lines
    monthly = due.monthly or any(line.every == MONTH for line in planned)
    months = tuple(campaign.dates.month_starts(campaign.day, far)) if monthly else ()
    return weeks_ahead(
        day=campaign.day, treasury=kingdom.treasury, due=due, months=months, weeks=HORIZON, first=coming.asked,
        planned=planned,
    )  # fmt: skip


def _loss(army: PathfinderArmy) -> LossLine:
    leader = army.leader if army.leader and army.leader.present else None
    size = size_of(army.count)
    loss = loss_of(size, consumption=army.consumption, led=leader is not None)
    return LossLine(army, size, loss, leader.name if leader else "")


class Entry(NamedTuple):
    day: int
    amount: int
    balance: int
    source: str


def _past(kingdom: Kingdom) -> tuple[WeekPast, ...]:
    """The latest whole weeks since the ledger was opened, oldest first."""
    week = kingdom.campaign.day // DAYS_A_WEEK
    first = max(0, week - WEEKS_PAST)
    entries = LedgerEntry.objects.filter(kingdom=kingdom).order_by("-seq")
    before = entries.filter(day__lte=first * DAYS_A_WEEK).values_list("seq", "balance").first() or (0, 0)
    since = entries.filter(day__gt=first * DAYS_A_WEEK, seq__gt=before[0])
    standing = _standing(Entry(*row) for row in since.values_list(*Entry._fields))
    return tuple(_week(number, before[1], standing) for number in range(first + 1, week + 1))


def _standing(newest_first: Iterable[Entry]) -> list[Entry]:
    """Without what was taken back: an entry of an earlier day came after it, so time itself went back."""
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
