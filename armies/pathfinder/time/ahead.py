"""What falls due: the coming days' payments, checks and recoveries, before anybody lets time pass."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from django.db.models import Count, Max, Q, QuerySet

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.time.foresight import foresee
from armies.time.due import DueLine
from kingdom.models import Campaign, Kingdom
from kingdom.models.natural import Natural
from rules.pathfinder.time.ahead import Foretold
from rules.pathfinder.time.report import KingdomWeek
from rules.text import MINUS, Said, _, say


class Falls(NamedTuple):
    """A line of a kingdom: on which day, by which rule, what, and whether it is trouble."""

    day: int
    rule: str
    text: Said
    bad: bool


def falls_due(campaign: Campaign, kingdoms: QuerySet[Kingdom]) -> Iterator[DueLine]:
    """What lies ahead of these kingdoms, one after the other. A handful of queries."""
    rows = list(_counted(kingdoms))
    foretold = foresee(campaign, rows)
    for kingdom in rows:
        yield from _of_kingdom(campaign, kingdom, foretold[str(kingdom.pk)])


def _counted(kingdoms: QuerySet[Kingdom]) -> Any:
    standing = Q(armies__status__in=PathfinderArmy.STANDING)
    return (
        kingdoms.prefetch_related("settlements")
        .annotate(
            routed=Count("armies", filter=Q(armies__status=PathfinderArmy.Status.ROUTED)),
            drained=Count("armies", filter=standing & Q(armies__pathfinderarmy__drain__gt=0)),
            ill=Count("armies", filter=standing & Q(armies__pathfinderarmy__ill=True)),
            recovering=Count(
                "armies", filter=standing & Q(armies__pathfinderarmy__ill=False, armies__pathfinderarmy__disease__gt=0)
            ),
            worst=Max(
                "armies__pathfinderarmy__disease", filter=standing & Q(armies__pathfinderarmy__ill=False), default=0
            ),
        )
        .order_by(Natural("name"), "id")
    )


def _of_kingdom(campaign: Campaign, kingdom: Any, foretold: Foretold) -> Iterator[DueLine]:
    """The kingdom's own lines."""
    for day, rule, text, bad in (*_of_week(foretold), *_of_month(campaign, kingdom), *_of_bodies(campaign, kingdom)):
        yield DueLine(day, campaign.dates.date(day), kingdom, text, rule, bad)


def _of_week(foretold: Foretold) -> Iterator[Falls]:
    """The end of the running week, as it comes if nobody decides anything more."""
    week = foretold.week
    if week.armies:
        yield Falls(week.day, "PF-7.2", _pay(week), foretold.short)
    if week.owed:
        yield Falls(week.day, "PF-7.2", say(_("{bp} BP of arrears are owed."), bp=week.owed), True)
    if week.unpaid:
        yield Falls(
            week.day, "PF-7.2", say(_("Unpaid: {count}. Morale −2 until they are paid."), count=week.unpaid), True
        )
    if week.losing:
        text = say(_("Without an active commander: {count}. Morale −1 each, unless paid double."), count=week.losing)
        yield Falls(week.day, "PF-2.7", text, True)
    if week.doubled:
        text = say(_("Without an active commander and paid double: {count}."), count=week.doubled)
        yield Falls(week.day, "PF-2.7", text, False)
    if week.deserting:
        text = say(_("Morale broken, they disband: {count} ({names})."), count=week.deserting, names=deserters(week))
        yield Falls(week.day, "PF-1.9", text, True)


def deserters(week: KingdomWeek) -> str:
    """The armies that disband, by name as far as there are few."""
    return ", ".join((*week.deserters, *["…"][: week.deserting > len(week.deserters)]))


def _of_month(campaign: Campaign, kingdom: Any) -> Iterator[Falls]:
    month = campaign.dates.next_month(campaign.day)
    yield Falls(month, "PF-8.4", _upkeep(kingdom), kingdom.unrest >= 10)
    if kingdom.routed:
        text = say(_("Routed armies: {count}. A Loyalty check for each."), count=kingdom.routed)
        yield Falls(month, "PF-6.2", text, False)


def _of_bodies(campaign: Campaign, kingdom: Any) -> Iterator[Falls]:
    tomorrow = campaign.day + 1
    if kingdom.drained:
        yield Falls(tomorrow, "PF-7.3", say(_("Energy drain ends for armies: {count}."), count=kingdom.drained), False)
    if kingdom.ill:
        text = say(_("Ill armies: {count}. −1 more each day, and a Stability check."), count=kingdom.ill)
        yield Falls(tomorrow, "PF-7.3", text, True)
    if kingdom.recovering:
        text = say(_("Recovered from disease by then: {count}."), count=kingdom.recovering)
        yield Falls(campaign.day + kingdom.worst, "PF-7.3", text, False)


def _pay(week: KingdomWeek) -> Said:
    template = _("Consumption: {bp} BP for {count} armies (treasury {before} → {after}).")
    if week.armies == 1:
        template = _("Consumption: {bp} BP for an army (treasury {before} → {after}).")
    before, after = (str(bp).replace("-", MINUS) for bp in (week.purse, week.purse - week.spent))
    return say(template, bp=week.spent, count=week.armies, before=before, after=after)


def _upkeep(kingdom: Any) -> Said:
    if not kingdom.consumption:
        return _("Upkeep phase: Stability check.")
    return say(_("Upkeep phase: Stability check, Consumption of {bp} BP."), bp=kingdom.consumption)
