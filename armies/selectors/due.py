"""What the armies of a campaign cost at the end of the week (PF-7.2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db.models import Count, F, Q, QuerySet, Sum

from armies.models import Army, Commander
from armies.models.commander import ACTIVE_DAYS
from armies.selectors.outlook import far_ahead
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import run_kingdom_ids
from rules.pathfinder.projection import HORIZON, weeks_paid
from rules.pathfinder.projection import Due as Asked


@dataclass(frozen=True, slots=True)
class Due:
    """What one kingdom pays this week, before and after, in BP. `weeks_left` as in its outlook; None: for years."""

    kingdom: Kingdom
    armies: int
    leaderless: int
    consumption: int
    weeks_left: int | None

    @property
    def after(self) -> int:
        return self.kingdom.treasury - self.consumption

    @property
    def short(self) -> bool:
        return self.after < 0


def weekly_due(user: User, campaign: Campaign) -> list[Due]:
    """The kingdoms the user runs, with what their standing armies cost. Two queries."""
    kingdoms = Kingdom.objects.filter(campaign=campaign, pk__in=run_kingdom_ids(user, campaign))
    return [_due(kingdom, campaign) for kingdom in _counted(kingdoms)]


def kingdom_due(kingdom: Kingdom) -> Due:
    return _due(_counted(Kingdom.objects.filter(pk=kingdom.pk)).get(), kingdom.campaign)


def _counted(kingdoms: QuerySet[Kingdom]) -> Any:
    standing = Q(armies__status__in=Army.STANDING)
    back = Q(armies__commander__away_until=None) | Q(armies__commander__away_until__lte=F("campaign__day"))
    often = Q(armies__commander__active_days__gte=ACTIVE_DAYS)
    led = Q(armies__commander__status=Commander.Status.FREE) & back & often
    return kingdoms.annotate(
        standing=Count("armies", filter=standing),
        led=Count("armies", filter=standing & led),
        weekly=Sum("armies__consumption", filter=standing, default=0),
        potions=Sum("armies__surcharge", filter=standing, default=0),
        owing=Sum("armies__owed", filter=standing, default=0),
    ).order_by("name", "id")


def _due(kingdom: Any, campaign: Campaign) -> Due:
    asked = Asked(kingdom.weekly, kingdom.consumption, kingdom.potions + kingdom.owing)
    lasts = weeks_paid(far_ahead(kingdom, campaign, asked))
    return Due(
        kingdom,
        kingdom.standing,
        kingdom.standing - kingdom.led,
        kingdom.weekly + kingdom.potions,
        lasts if lasts < HORIZON else None,
    )
