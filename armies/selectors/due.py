"""What the armies of a campaign cost at the end of the week (PF-7.2)."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Q, Sum

from armies.models import Army, Commander
from armies.models.commander import ACTIVE_DAYS
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import run_kingdom_ids


@dataclass(frozen=True, slots=True)
class Due:
    """What one kingdom pays this week, before and after, in BP."""

    kingdom: Kingdom
    armies: int
    leaderless: int
    consumption: int

    @property
    def after(self) -> int:
        return self.kingdom.treasury - self.consumption

    @property
    def short(self) -> bool:
        return self.after < 0

    @property
    def weeks_left(self) -> int | None:
        """Whole weeks the treasury lasts at this rate; None where nothing is due."""
        return max(0, self.kingdom.treasury) // self.consumption if self.consumption else None


def weekly_due(user: User, campaign: Campaign) -> list[Due]:
    """The kingdoms the user runs, with what their standing armies cost. Two queries."""
    kingdoms = Kingdom.objects.filter(campaign=campaign, pk__in=run_kingdom_ids(user, campaign))
    return [_due(kingdom) for kingdom in _counted(kingdoms)]


def kingdom_due(kingdom: Kingdom) -> Due:
    return _due(_counted(Kingdom.objects.filter(pk=kingdom.pk)).get())


def _counted(kingdoms):
    standing = Q(armies__status__in=Army.STANDING)
    back = Q(armies__commander__away_until=None) | Q(armies__commander__away_until__lte=F("campaign__day"))
    often = Q(armies__commander__active_days__gte=ACTIVE_DAYS)
    led = Q(armies__commander__status=Commander.Status.FREE) & back & often
    return kingdoms.annotate(
        standing=Count("armies", filter=standing),
        led=Count("armies", filter=standing & led),
        due=Sum(F("armies__consumption") + F("armies__surcharge"), filter=standing, default=0),
    ).order_by("name", "id")


def _due(kingdom) -> Due:
    return Due(kingdom, kingdom.standing, kingdom.standing - kingdom.led, kingdom.due)
