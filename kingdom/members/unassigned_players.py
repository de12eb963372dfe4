"""Query for players without a kingdom, usable as a subquery of the campaign's query."""

from __future__ import annotations

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, QuerySet

from kingdom.models import Campaign, KingdomPlayer, Membership, Role
from kingdom.models.base import Natural

LANDLESS = "_landless"  # attribute of a campaign object: their names


def landless_in(campaign: str) -> QuerySet[Membership]:
    """Return the seats of players without a kingdom, by name, in the campaign of this column."""
    played = KingdomPlayer.objects.filter(campaign=OuterRef("campaign"), user=OuterRef("user"))
    seats = Membership.objects.filter(~Exists(played), campaign=OuterRef(campaign), role=Role.PLAYER)
    return seats.order_by(Natural("user__username"))


def landless_names(campaign: Campaign) -> list[str]:
    """Return the names of players without a kingdom. Queried once per campaign object, unless read with the
    campaign.
    """
    if LANDLESS not in campaign.__dict__:
        rows = Campaign.objects.filter(pk=campaign.pk).order_by()
        found = rows.values_list(ArraySubquery(landless_in("pk").values("user__username")), flat=True)
        campaign.__dict__[LANDLESS] = found[0]
    return list(campaign.__dict__[LANDLESS])
