"""Players without a kingdom, as part of the query that reads their campaign."""

from __future__ import annotations

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, QuerySet

from kingdom.models import Campaign, KingdomPlayer, Membership, Role
from kingdom.models.natural import Natural

LANDLESS = "_landless"  # where a campaign in hand keeps their names


def landless_in(campaign: str) -> QuerySet[Membership]:
    """The seats of players who have no kingdom, by name, in the campaign that this column names."""
    played = KingdomPlayer.objects.filter(campaign=OuterRef("campaign"), user=OuterRef("user"))
    seats = Membership.objects.filter(~Exists(played), campaign=OuterRef(campaign), role=Role.PLAYER)
    return seats.order_by(Natural("user__username"))


def landless_names(campaign: Campaign) -> list[str]:
    """The players who have no kingdom yet, by name. Asked once per campaign object, if it was not read with it."""
    if LANDLESS not in campaign.__dict__:
        rows = Campaign.objects.filter(pk=campaign.pk).order_by()
        found = rows.values_list(ArraySubquery(landless_in("pk").values("user__username")), flat=True)
        campaign.__dict__[LANDLESS] = found[0]
    return list(campaign.__dict__[LANDLESS])
