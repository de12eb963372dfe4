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
from armies.weeks.treasury_outlook import TreasuryOutlook, far_ahead, list_past_weeks
from kingdom.models import Campaign, Kingdom
from rules.core.text import Term
from rules.pathfinder.kingdom_checks import ATTRIBUTES
from rules.pathfinder.spec import Size, size_of
from rules.pathfinder.weeks import ArmyNow, Report, TimePlan
from rules.pathfinder.weeks.ahead import Foretold, Loss, foretell, loss_of, total_loss
from rules.pathfinder.weeks.passage import Stretch
from rules.pathfinder.weeks.week import FEW, Roster
from rules.pathfinder.weeks.week_state import Choices, KingdomWeek, rests_all_week
from rules.treasury_projection import Outgoings


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
class Outlook(TreasuryOutlook):
    """Past and expected payments of a kingdom, and its losses if armies are defeated. `coming`: the end of the running
    week.
    """

    coming: Foretold
    losses: tuple[LossLine, ...]

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
    far = far_ahead(kingdom, later, first=coming.asked)
    losses = tuple(_loss(army, free=free) for army in armies)
    return Outlook(kingdom, due, list_past_weeks(kingdom), far, coming, losses)


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


def _loss(army: PathfinderArmy, *, free: bool) -> LossLine:
    """Cost of its defeat. `free`: without a treasury, which pays neither ransom nor Consumption."""
    leader = army.leader if army.leader and army.leader.present else None
    size = size_of(army.count)
    loss = loss_of(size, consumption=0 if free else army.consumption, led=leader is not None)
    return LossLine(army, size, loss, leader.name if leader else "")


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
