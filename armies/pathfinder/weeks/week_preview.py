"""Preview of the end of the running week, without writing anything (`rules.pathfinder.weeks.ahead`).

Armies in memory up to a number, their tables beyond it: pages ask for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from uuid import UUID

from django.db.models import QuerySet

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks import bulk_sql, bulk_update
from armies.pathfinder.weeks.bulk_update import HIGHEST, LOWEST, WeekRows, fetch_rows, list_cutoffs
from armies.pathfinder.weeks.mapping import WOUNDS, TroopTotals, kingdom_now, load_troop_totals, map_army, now_columns
from armies.pathfinder.weeks.week_choices import Choosers, ChosenNames, load_choices, merge_running_choices
from core.db.compiled_queries import CompiledQuery
from kingdom.models import Campaign, Kingdom
from rules.pathfinder.weeks import ArmyNow, Report, TimePlan
from rules.pathfinder.weeks.ahead import Foretold, foretell
from rules.pathfinder.weeks.armies import FEW, Roster
from rules.pathfinder.weeks.passage import Stretch
from rules.pathfinder.weeks.proposal_report import KingdomWeek
from rules.pathfinder.weeks.week_state import Choices

NAMED = 500  # armies; beyond, their tables count


def foresee(
    campaign: Campaign,
    kingdoms: Iterable[Kingdom],
    chosen: ChosenNames | None = None,
    troops: Mapping[UUID, TroopTotals] | None = None,
) -> dict[str, Foretold]:
    """By kingdom id, if nobody chooses anything more: a handful of queries, whatever the number of armies.

    `chosen`: what was chosen for the running week, `troops`: what is counted of these kingdoms' armies, where they
    have been read.
    """
    realms = list(kingdoms)
    if not realms:
        return {}
    until = campaign.day + campaign.days_to_upkeep
    months = frozenset(campaign.dates.month_starts(campaign.day, until))
    running = merge_running_choices(
        Choosers(campaign), {}, load_choices(campaign, realms) if chosen is None else chosen
    )
    plan = TimePlan(campaign.day, until, months, Choices(), running)
    found = _roster(campaign, realms, load_troop_totals(realms) if troops is None else troops)
    return foretell(map(kingdom_now, realms), found, plan)


def _roster(campaign: Campaign, realms: Sequence[Kingdom], troops: Mapping[UUID, TroopTotals]) -> Roster | Foresight:
    if sum(one.armies for one in troops.values()) > NAMED:
        return Foresight(campaign, fed=sum(one.fed for one in troops.values()))
    armies = _ask_armies([realm.pk for realm in realms])
    return Roster(map_army(army, campaign.day, but=WOUNDS) for army in armies)


def _armies(realms: list[UUID]) -> QuerySet[PathfinderArmy]:
    """How hurt they are is no part of what is foretold, nor of pages that tell only that."""
    standing = PathfinderArmy.objects.filter(kingdom__id__among=realms, status__in=PathfinderArmy.STANDING)
    return now_columns(standing, but=WOUNDS)


_ask_armies = CompiledQuery(_armies, list)


class Foresight(WeekRows):
    """The armies in their table, which is read and left as it is. Nothing that hinges on a die is asked of it."""

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
