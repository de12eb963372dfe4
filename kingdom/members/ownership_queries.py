"""Queries for ownership: whose a campaign is, and what waits for its owner."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.core.exceptions import PermissionDenied
from django.db.models import Q

from kingdom.access.queries import build_token_condition, is_gm, require_member
from kingdom.campaign.queries import annotate_namesakes
from kingdom.models import Campaign, User
from kingdom.models.natural import Natural

GRACE_DAYS = 7


def is_owner(user: User, campaign: Campaign) -> bool:
    """Whether it is theirs to hand over and to delete. One whose owner has no account any more is its GMs’."""
    return is_gm(user, campaign) and campaign.owner_id in (None, user.pk)


def require_owner(user: User, campaign: Campaign) -> None:
    """Raise Http404 for strangers, `PermissionDenied` for members who do not own it."""
    require_member(user, campaign)
    if not is_owner(user, campaign):
        raise PermissionDenied


def heirs_in(campaign: Campaign) -> list[User]:
    """Members to whom its owner may hand it over, by name. One query."""
    others = User.objects.filter(memberships__campaign=campaign).exclude(campaigns_owned=campaign)
    return list(others.order_by(Natural("username")))


def awaiting(user: User) -> list[Campaign]:
    """Campaigns of theirs that they deleted and may restore, and those that are offered to them. One query."""
    his = Q(owner=user, deleted_at__isnull=False) | Q(offered_to=user, deleted_at=None)
    rows = Campaign.objects.filter(his, **build_token_condition(user, "pk")).select_related("owner")
    return list(annotate_namesakes(user, rows))


def gone_at(campaign: Campaign) -> datetime | None:
    """When a deleted campaign is removed for good."""
    return campaign.deleted_at and campaign.deleted_at + timedelta(days=GRACE_DAYS)
