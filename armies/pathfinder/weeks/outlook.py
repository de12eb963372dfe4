"""Outlook of a kingdom's treasury, and the cost of defeats (PF-7.2, PF-6.1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks import bulk_sql, bulk_update
from armies.pathfinder.weeks.bulk_update import HIGHEST, LOWEST, WeekRows, fetch_rows, list_cutoffs
from armies.pathfinder.weeks.mapping import (
    WOUNDS,
    TroopTotals,
    find_reserve_weeks,
    has_reserves,
    kingdom_now,
    load_troop_totals,
    map_army,
    now_columns,
)
from armies.pathfinder.weeks.week_choices import Choosers, ChosenNames, load_choices, merge_running_choices
from kingdom.models import Campaign, Kingdom, LedgerEntry
from rules.core.text import Term
from rules.pathfinder.kingdom_checks import ATTRIBUTES
from rules.pathfinder.spec import Size, size_of
from rules.pathfinder.weeks import ArmyNow, Report, TimePlan
from rules.pathfinder.weeks.ahead import (
    DAYS_A_WEEK,
    HORIZON,
    WEEKS_AHEAD,
    Foretold,
    Loss,
    Outgoings,
    WeekAhead,
    foretell,
    loss_of,
    total_loss,
    weeks_ahead,
    weeks_paid,
)
from rules.pathfinder.weeks.passage import Stretch
from rules.pathfinder.weeks.week import FEW, Roster
from rules.pathfinder.weeks.week_state import Choices, KingdomWeek, rests_all_week
from rules.realm import MONTH

WEEKS_PAST = 8


class WeekPast(NamedTuple):
    """A past week: what its armies cost, and the treasury at its end. In BP."""

    week: int
    day: int
    paid: int
    balance: int


class LossLine(NamedTuple):
    """Cost of the defeat of one army. `leader`: name of the commander who may be captured."""

    army: PathfinderArmy
    size: Size
    loss: Loss
    leader: str


class After(NamedTuple):
    """An attribute now, and if every army were defeated."""

    word: Term
    now: int
    after: int


@dataclass(frozen=True, slots=True)
class Outlook:
    """Past and expected payments of a kingdom, and its losses if armies are defeated.

    `due`: payments due in the running week. `coming`: the end of that week. `ahead`: the weeks after it; none for a
    kingdom without a treasury. `lasts`: number of weeks that can be paid in full, at most `HORIZON`.
    """

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
        """The first week of the chart that cannot be paid in full; None for none."""
        return next((week for week in self.ahead if week.balance < 0), None)

    @property
    def worst(self) -> Loss:
        return total_loss(line.loss for line in self.losses)

    @property
    def attributes(self) -> tuple[After, ...]:
        """Attributes if every army were defeated."""
        worst = self.worst
        return tuple(
            After(word, getattr(self.kingdom, name), getattr(self.kingdom, name) + getattr(worst, name))
            for name, word in ATTRIBUTES.items()
        )


def build_outlook(kingdom: Kingdom) -> Outlook:
    """The outlook. A constant number of queries."""
    armies = list(
        PathfinderArmy.objects.filter(kingdom=kingdom, status__in=PathfinderArmy.STANDING).select_related(
            "commander__campaign", "commander__pathfindercommander"
        )
    )
    campaign, free = kingdom.campaign, kingdom.without_treasury
    for army in armies:
        army.campaign = campaign
    end = campaign.day + campaign.days_to_upkeep
    resting = {army.pk for army in armies if rests_all_week(army.reserved_on, army.called_up, end)}
    due = _sum_outgoings(kingdom, armies, resting)
    later = _sum_outgoings(kingdom, armies, {army.pk for army in armies if army.stays_in_reserve})
    coming = foresee(campaign, [kingdom])[str(kingdom.pk)]
    far = () if free else far_ahead(kingdom, campaign, later, coming)
    lasts = HORIZON if free else weeks_paid(far)
    losses = tuple(_loss(army, free=free) for army in armies)
    return Outlook(kingdom, due, coming, _past(kingdom), far[:WEEKS_AHEAD], lasts, losses)


def _sum_outgoings(kingdom: Kingdom, armies: Sequence[PathfinderArmy], resting: Collection[UUID]) -> Outgoings:
    """Regular payments while these armies rest in reserve; none if a house rule ends the reserve."""
    if kingdom.without_treasury:
        return Outgoings()
    spared = resting if has_reserves(kingdom.campaign) else ()
    return Outgoings(
        weekly=sum(army.consumption for army in armies if army.pk not in spared),
        monthly=kingdom.consumption,
        once=sum(army.surcharge + army.owed for army in armies),
        reserve=sum(army.consumption for army in armies if army.pk in spared),
    )


def far_ahead(kingdom: Kingdom, campaign: Campaign, due: Outgoings, coming: Foretold) -> tuple[WeekAhead, ...]:
    """Ends of weeks up to the horizon: the running one as foretold, later ones with these costs, unchanged."""
    far = campaign.day + (HORIZON + 1) * DAYS_A_WEEK
    planned = kingdom.planned_lines
    monthly = due.monthly or due.reserve or any(line.every == MONTH for line in planned)
    months = tuple(campaign.dates.month_starts(campaign.day, far)) if monthly else ()
    return weeks_ahead(
        day=campaign.day, treasury=kingdom.treasury, due=due, months=months, weeks=HORIZON, first=coming.asked,
        planned=planned,
    )  # fmt: skip


def _loss(army: PathfinderArmy, *, free: bool) -> LossLine:
    """Cost of its defeat. `free`: without a treasury, which pays neither ransom nor Consumption."""
    leader = army.leader if army.leader and army.leader.present else None
    size = size_of(army.count)
    loss = loss_of(size, consumption=0 if free else army.consumption, led=leader is not None)
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


# Preview of the end of the running week, without writing anything (`rules.pathfinder.weeks.ahead`). Pages ask for it,
# so armies are read up to a limit, and counted by SQL beyond it.


NAMED = 500  # armies that are read; more are counted by SQL


def foresee(
    campaign: Campaign,
    kingdoms: Iterable[Kingdom],
    chosen: ChosenNames | None = None,
    troops: Mapping[UUID, TroopTotals] | None = None,
) -> dict[str, Foretold]:
    """End of the running week without further choices, by kingdom's id. A constant number of queries.

    `chosen`: the running week's choices; `troops`: totals of the kingdoms' armies; both save queries.
    """
    realms = list(kingdoms)
    if not realms:
        return {}
    until = campaign.day + campaign.days_to_upkeep
    months = frozenset(campaign.dates.month_starts(campaign.day, until))
    running = merge_running_choices(
        Choosers(campaign), {}, load_choices(campaign, realms) if chosen is None else chosen
    )
    paying = find_reserve_weeks(campaign, campaign.day, until)
    plan = TimePlan(campaign.day, until, months, Choices(), running, reserve_weeks=paying)
    found = _roster(campaign, realms, load_troop_totals(realms) if troops is None else troops)
    return foretell(map(kingdom_now, realms), found, plan)


def _roster(campaign: Campaign, realms: Sequence[Kingdom], troops: Mapping[UUID, TroopTotals]) -> Roster | Foresight:
    if sum(one.armies for one in troops.values()) > NAMED:
        return Foresight(campaign, fed=sum(one.fed for one in troops.values()))
    armies = _armies(realms)
    return Roster(map_army(army, campaign.day, but=WOUNDS) for army in armies)


def _armies(realms: Sequence[Kingdom]) -> QuerySet[PathfinderArmy]:
    """Standing armies without their wounds, which the forecast does not need."""
    standing = PathfinderArmy.objects.filter(kingdom__in=realms, status__in=PathfinderArmy.STANDING)
    return now_columns(standing, but=WOUNDS)


class Foresight(WeekRows):
    """The armies' table, read only. Nothing that depends on dice is asked of it."""

    def ill(self) -> Sequence[ArmyNow]:
        return ()

    def routed(self) -> Sequence[ArmyNow]:
        return ()

    def rally(self, ids: Sequence[str], day: int, report: Report) -> None: ...

    def settle(self, stretch: Stretch, report: Report) -> Mapping[str, int]:
        if not stretch.pays:
            return {}
        params = self._params(stretch)
        params |= list_cutoffs(bulk_update.fill(stretch, params))
        rows = {str(row[0]): row[1:] for row in fetch_rows(bulk_sql.FORETELL, {**params, "few": FEW, **ALL})}
        names = _names(one for row in rows.values() for one in row[-1] or ())
        for key, treasury in stretch.treasuries.items():
            *counts, leaving = rows.get(key, (0,) * 9 + ((),))
            week = (stretch.until, key, treasury, *counts, tuple(names[one] for one in leaving or ()))
            report.weeks.append(KingdomWeek._make(week))
        return {week.kingdom: week.spent for week in report.weeks}


ALL = {"above": LOWEST, "up_to": HIGHEST}


def _names(ids: Iterable[UUID]) -> dict[UUID, str]:
    wanted = list(ids)
    return dict(PathfinderArmy.objects.filter(pk__in=wanted).values_list("pk", "name")) if wanted else {}
