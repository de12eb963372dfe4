"""Queries for the deletion of an account: what still prevents it."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q

from kingdom.campaign.queries import annotate_namesakes
from kingdom.models import Campaign, Membership, Role, User
from kingdom.models.natural import Natural


def in_the_way(user: User) -> list[Campaign]:
    """Campaigns that are theirs, or that would have no GM without them. One query."""
    gms = Membership.objects.filter(campaign=OuterRef("pk"), role=Role.GM)
    only = Exists(gms.filter(user=user)) & ~Exists(gms.exclude(user=user))
    rows = Campaign.objects.filter(Q(owner=user) | Q(only), deleted_at=None)
    return list(annotate_namesakes(user, rows).order_by(Natural("name"), "id"))
