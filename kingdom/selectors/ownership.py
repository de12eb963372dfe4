"""Whose a campaign is, and what waits for its owner's word."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q

from kingdom.models import Campaign, User
from kingdom.selectors.access import is_gm, within

GRACE_DAYS = 7


def is_owner(user: User, campaign: Campaign) -> bool:
    """Whether it is his to hand over and to delete. One whose owner has no account any more is its GMs’."""
    return is_gm(user, campaign) and campaign.owner_id in (None, user.pk)


def awaiting(user: User) -> list[Campaign]:
    """Campaigns of his that he deleted and may restore, and those that are offered to him. One query."""
    bound = within(user).get("campaign")
    rows = Campaign.objects.filter(Q(owner=user, deleted_at__isnull=False) | Q(offered_to=user, deleted_at=None))
    return list((rows.filter(pk=bound) if bound else rows).select_related("owner"))


def gone_at(campaign: Campaign) -> datetime | None:
    """When a deleted campaign is removed for good."""
    return campaign.deleted_at and campaign.deleted_at + timedelta(days=GRACE_DAYS)
