"""What the end of the running week brings to kingdoms (PF-7.2, PF-2.7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, Sum

from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.time.ahead import deserters
from armies.pathfinder.time.foresight import foresee
from armies.pathfinder.time.outlook import far_ahead
from kingdom.models import Campaign, Kingdom, User
from kingdom.models.natural import Natural
from kingdom.selectors import kingdoms_read_by
from rules.pathfinder.projection import HORIZON, Outgoings, weeks_paid
from rules.pathfinder.time.ahead import Foretold
from rules.pathfinder.time.report import KingdomWeek


@dataclass(frozen=True, slots=True)
class Due:
    """A kingdom's week as it comes if nobody decides anything more. `weeks_left` as in its outlook; None: for years."""

    kingdom: Kingdom
    foretold: Foretold
    weeks_left: int | None

    @property
    def week(self) -> KingdomWeek:
        return self.foretold.week

    @property
    def deserters(self) -> str:
        """The armies that disband, by name as far as there are few."""
        return deserters(self.week)


def weekly_due(user: User, campaign: Campaign) -> list[Due]:
    """The kingdoms the user reads, with what their standing armies cost."""
    return _dues(campaign, kingdoms_read_by(user, campaign).prefetch_related("settlements"))


def kingdom_due(kingdom: Kingdom) -> Due:
    return _dues(kingdom.campaign, Kingdom.objects.filter(pk=kingdom.pk))[0]


def _dues(campaign: Campaign, kingdoms: Any) -> list[Due]:
    rows = list(_counted(kingdoms))
    foretold = foresee(campaign, rows)
    return [_due(row, campaign, foretold[str(row.pk)]) for row in rows]


def _counted(kingdoms: Any) -> Iterable[Any]:
    standing = Q(armies__status__in=PathfinderArmy.STANDING)
    return kingdoms.annotate(
        weekly=Sum("armies__upkeep", filter=standing, default=0),
    ).order_by(Natural("name"), "id")


def _due(kingdom: Any, campaign: Campaign, foretold: Foretold) -> Due:
    lasts = weeks_paid(far_ahead(kingdom, campaign, Outgoings(kingdom.weekly, kingdom.consumption), foretold))
    return Due(kingdom, foretold, lasts if lasts < HORIZON else None)
