"""Due dates: the coming days' payments, checks and recoveries, before anybody lets time pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from armies.pathfinder.weeks.aggregates import TroopTotals, load_troop_totals
from armies.pathfinder.weeks.week_preview import foresee
from armies.weeks.due import DueLine
from kingdom.models import Campaign, Kingdom
from rules.core.text import Said, _, say
from rules.pathfinder.weeks.ahead import Foretold
from rules.pathfinder.weeks.proposal_report import KingdomWeek


class DuePayments(NamedTuple):
    """A line of a kingdom: on which day, by which rule, what, and whether it is trouble."""

    day: int
    rule: str
    text: Said
    bad: bool


def falls_due(campaign: Campaign, kingdoms: Sequence[Kingdom]) -> Iterator[DueLine]:
    """What lies ahead of these kingdoms, which have their towns at hand, one after the other. A handful of queries."""
    troops = load_troop_totals(kingdoms)
    foretold = foresee(campaign, kingdoms, troops=troops)
    for kingdom in kingdoms:
        yield from _of_kingdom(campaign, kingdom, foretold[str(kingdom.pk)], troops[kingdom.pk])


def _of_kingdom(campaign: Campaign, kingdom: Kingdom, foretold: Foretold, bodies: TroopTotals) -> Iterator[DueLine]:
    """The kingdom's own lines."""
    month = _of_month(campaign, kingdom, bodies)
    for day, rule, text, bad in (*_of_week(foretold), *month, *_of_bodies(campaign, bodies)):
        yield DueLine(day, campaign.dates.date(day), kingdom, text, rule, bad)


def _of_week(foretold: Foretold) -> Iterator[DuePayments]:
    """The end of the running week, as it comes if nobody decides anything more."""
    week = foretold.week
    if week.armies:
        yield DuePayments(week.day, "PF-7.2", _pay(week), foretold.short)
    if week.owed:
        yield DuePayments(week.day, "PF-7.2", say(_("{bp} BP of arrears are owed."), bp=week.owed), True)
    if week.unpaid:
        yield DuePayments(
            week.day, "PF-7.2", say(_("Unpaid: {count}. Morale −2 until they are paid."), count=week.unpaid), True
        )
    if week.losing:
        text = say(_("Without an active commander: {count}. Morale −1 each, unless paid double."), count=week.losing)
        yield DuePayments(week.day, "PF-2.7", text, True)
    if week.doubled:
        text = say(_("Without an active commander and paid double: {count}."), count=week.doubled)
        yield DuePayments(week.day, "PF-2.7", text, False)
    if week.deserting:
        text = say(_("Morale broken, they disband: {count} ({names})."), count=week.deserting, names=deserters(week))
        yield DuePayments(week.day, "PF-1.9", text, True)


def deserters(week: KingdomWeek) -> str:
    """The armies that disband, by name as far as there are few."""
    return ", ".join((*week.deserters, *["…"][: week.deserting > len(week.deserters)]))


def _of_month(campaign: Campaign, kingdom: Kingdom, bodies: TroopTotals) -> Iterator[DuePayments]:
    month = campaign.dates.next_month(campaign.day)
    yield DuePayments(month, "PF-8.4", _upkeep(kingdom), kingdom.unrest >= 10)
    if bodies.routed:
        text = say(_("Routed armies: {count}. A Loyalty check for each."), count=bodies.routed)
        yield DuePayments(month, "PF-6.2", text, False)


def _of_bodies(campaign: Campaign, bodies: TroopTotals) -> Iterator[DuePayments]:
    tomorrow = campaign.day + 1
    if bodies.drained:
        yield DuePayments(
            tomorrow, "PF-7.3", say(_("Energy drain ends for armies: {count}."), count=bodies.drained), False
        )
    if bodies.ill:
        text = say(_("Ill armies: {count}. −1 more each day, and a Stability check."), count=bodies.ill)
        yield DuePayments(tomorrow, "PF-7.3", text, True)
    if bodies.recovering:
        text = say(_("Recovered from disease by then: {count}."), count=bodies.recovering)
        yield DuePayments(campaign.day + bodies.worst, "PF-7.3", text, False)


def _pay(week: KingdomWeek) -> Said:
    template = _("Consumption: {bp} BP for {count} armies (treasury {before} → {after}).")
    if week.armies == 1:
        template = _("Consumption: {bp} BP for an army (treasury {before} → {after}).")
    return say(template, bp=week.spent, count=week.armies, before=week.purse, after=week.purse - week.spent)


def _upkeep(kingdom: Kingdom) -> Said:
    if not kingdom.consumption:
        return _("Upkeep phase: Stability check.")
    return say(_("Upkeep phase: Stability check, Consumption of {bp} BP."), bp=kingdom.consumption)
