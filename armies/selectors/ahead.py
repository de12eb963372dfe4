"""What falls due: the coming days' payments, checks, recoveries and returns, before anybody lets time pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Max, Q, Sum

from armies.models import Army, Commander
from armies.models.commander import ACTIVE_DAYS
from kingdom.calendar import Date
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import readable_kingdom_ids
from kingdom.text import MINUS
from rules.text import Said, _, say

MOST_RETURNS = 50


@dataclass(frozen=True, slots=True)
class DueLine:
    """One thing that falls due, on which day, by which rule; `bad` where it will go wrong."""

    day: int
    date: Date
    kingdom: Kingdom | None
    text: Said
    rule: str
    bad: bool = False


def falls_due(user: User, campaign: Campaign) -> list[DueLine]:
    """What lies ahead of the kingdoms the user may read, soonest first. Four queries at most."""
    kingdoms = list(_counted(campaign, readable_kingdom_ids(user, campaign)))
    found = [line for kingdom in kingdoms for line in _of_kingdom(campaign, kingdom)]
    found += _returns(campaign, {kingdom.pk: kingdom for kingdom in kingdoms})
    return sorted(found, key=lambda line: line.day)


def _counted(campaign: Campaign, ids: set[Any]) -> Any:
    standing = Q(armies__status__in=Army.STANDING)
    week = campaign.day + campaign.days_to_upkeep
    back = Q(armies__commander__away_until=None) | Q(armies__commander__away_until__lte=week - ACTIVE_DAYS)
    led = Q(armies__commander__status=Commander.Status.FREE, armies__commander__active_days__gte=ACTIVE_DAYS) & back
    return (
        Kingdom.objects.filter(campaign=campaign, pk__in=ids)
        .annotate(
            standing=Count("armies", filter=standing),
            led=Count("armies", filter=standing & led),
            due=Sum(F("armies__consumption") + F("armies__surcharge"), filter=standing, default=0),
            owing=Sum("armies__owed", filter=standing, default=0),
            routed=Count("armies", filter=Q(armies__status=Army.Status.ROUTED)),
            drained=Count("armies", filter=standing & Q(armies__drain__gt=0)),
            ill=Count("armies", filter=standing & Q(armies__ill=True)),
            recovering=Count("armies", filter=standing & Q(armies__ill=False, armies__disease__gt=0)),
            worst=Max("armies__disease", filter=standing & Q(armies__ill=False), default=0),
        )
        .order_by("name", "id")
    )


def _of_kingdom(campaign: Campaign, kingdom: Any) -> Iterator[DueLine]:
    """The kingdom's own lines."""
    dates = campaign.dates
    week, month, tomorrow = campaign.day + campaign.days_to_upkeep, dates.next_month(campaign.day), campaign.day + 1

    def line(day: int, rule: str, text: Said, *, bad: bool = False) -> DueLine:
        return DueLine(day, dates.date(day), kingdom, text, rule, bad)

    if kingdom.standing:
        yield line(week, "PF-7.2", _pay(kingdom), bad=kingdom.treasury < kingdom.due)
    if kingdom.owing:
        yield line(week, "PF-7.2", say(_("{bp} BP of arrears are owed."), bp=kingdom.owing), bad=True)
    if leaderless := kingdom.standing - kingdom.led:
        text = say(_("Without an active commander: {count}. Morale −1 each, unless paid double."), count=leaderless)
        yield line(week, "PF-2.7", text, bad=True)
    yield line(month, "PF-8.4", _upkeep(kingdom), bad=kingdom.unrest >= 10)
    if kingdom.routed:
        text = say(_("Routed armies: {count}. A Loyalty check for each."), count=kingdom.routed)
        yield line(month, "PF-6.2", text)
    if kingdom.drained:
        yield line(tomorrow, "PF-7.3", say(_("Energy drain ends for armies: {count}."), count=kingdom.drained))
    if kingdom.ill:
        text = say(_("Ill armies: {count}. −1 more each day, and a Stability check."), count=kingdom.ill)
        yield line(tomorrow, "PF-7.3", text, bad=True)
    if kingdom.recovering:
        text = say(_("Recovered from disease by then: {count}."), count=kingdom.recovering)
        yield line(campaign.day + kingdom.worst, "PF-7.3", text)


def _pay(kingdom: Any) -> Said:
    template = _("Consumption: {bp} BP for {count} armies (treasury {before} → {after}).")
    if kingdom.standing == 1:
        template = _("Consumption: {bp} BP for an army (treasury {before} → {after}).")
    before, after = (str(bp).replace("-", MINUS) for bp in (kingdom.treasury, kingdom.treasury - kingdom.due))
    return say(template, bp=kingdom.due, count=kingdom.standing, before=before, after=after)


def _upkeep(kingdom: Any) -> Said:
    if not kingdom.consumption:
        return _("Upkeep phase: Stability check.")
    return say(_("Upkeep phase: Stability check, Consumption of {bp} BP."), bp=kingdom.consumption)


def _returns(campaign: Campaign, kingdoms: dict[Any, Any]) -> Iterator[DueLine]:
    """Commanders who come back, and armies that arrive."""
    dates = campaign.dates
    people = Commander.objects.filter(campaign=campaign, kingdom__in=kingdoms, away_until__gt=campaign.day)
    for one in people.exclude(status=Commander.Status.KILLED).order_by("away_until", "id")[:MOST_RETURNS]:
        text = say(_("{commander} is back."), commander=one.name)
        yield DueLine(one.away_until or 0, dates.date(one.away_until or 0), kingdoms[one.kingdom_id], text, "PF-2.5")
    marching = Army.objects.filter(campaign=campaign, kingdom__in=kingdoms, marching_until__gt=campaign.day)
    for army in marching.filter(status__in=Army.STANDING).order_by("marching_until", "id")[:MOST_RETURNS]:
        day = army.marching_until or 0
        text = say(_("{army} reaches {place}."), army=army.name, place=army.place or _("an unknown place"))
        yield DueLine(day, dates.date(day), kingdoms[army.kingdom_id], text, "PF-1.8")
