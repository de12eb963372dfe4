"""Queries about an account for its owner."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from django.contrib.auth import HASH_SESSION_KEY
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from kingdom.campaign.queries import annotate_namesakes
from kingdom.models import Campaign, Membership, Role, SignIn, User
from kingdom.models.natural import Natural


class SignedIn(NamedTuple):
    """A session that is still signed in. `here`: the present one."""

    id: UUID
    device: str
    address: str
    since: datetime
    seen: datetime
    here: bool


SIGN_INS_MOST = 100


def sign_ins_of(user: User, *, here: str) -> list[SignedIn]:
    """Return the user's sessions, the present one (key `here`) first, then by last use; the newest hundred."""
    now, mark = timezone.now(), user.get_session_auth_hash()
    rows = SignIn.objects.filter(user=user, session__expire_date__gt=now).select_related("session")
    kept = [row for row in rows[:SIGN_INS_MOST] if row.session.get_decoded().get(HASH_SESSION_KEY) == mark]
    told = [SignedIn(r.pk, r.device, r.address, r.since, r.seen, r.session_id == here) for r in kept]
    return sorted(told, key=lambda row: not row.here)


# Queries for the deletion of an account: what still prevents it.


def in_the_way(user: User) -> list[Campaign]:
    """Return the campaigns that the user owns, or that would have no GM without them. One query."""
    gms = Membership.objects.filter(campaign=OuterRef("pk"), role=Role.GM)
    only = Exists(gms.filter(user=user)) & ~Exists(gms.exclude(user=user))
    rows = Campaign.objects.filter(Q(owner=user) | Q(only), deleted_at=None)
    return list(annotate_namesakes(user, rows).order_by(Natural("name"), "id"))
