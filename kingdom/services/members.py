"""Who sits at the table: invitations, roles, leaving."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.db import transaction
from django.http import Http404
from django.utils import timezone

from kingdom import selectors
from kingdom.inputs import clean_slug
from kingdom.models import Campaign, Invitation, KingdomPlayer, Membership, Role, User
from rules.errors import require
from rules.text import _

INVITATION_LIFE = timedelta(days=14)


def invite(*, by: User, campaign: Campaign, role: str) -> Invitation:
    """A link that seats whoever opens it within 14 days (GM). Raises `InvalidInput` on an unknown role."""
    selectors.require_gm(by, campaign)
    return Invitation.objects.create(
        campaign=campaign,
        role=clean_slug(role, field="/role", among=Role.values),
        token=secrets.token_urlsafe(24),
        expires=timezone.now() + INVITATION_LIFE,
        created_by=by,
    )


def revoke_invitation(*, by: User, invitation: Invitation) -> None:
    """Make the link useless (GM). Revoking twice changes nothing."""
    selectors.require_gm(by, invitation.campaign)
    Invitation.objects.filter(pk=invitation.pk, revoked_at=None).update(revoked_at=timezone.now())


@transaction.atomic
def accept_invitation(*, by: User, token: str) -> Membership:
    """Take the seat an open invitation offers. Who already sits there keeps his role.

    Raises Http404 for an unknown token, `IllegalCommand` for one that expired or was revoked.
    """
    invitation = selectors.invitation_by(token)
    seat = Membership.objects.filter(campaign=invitation.campaign, user=by).first()
    if seat:
        return seat
    require(invitation.open, _("This invitation is no longer open. Ask the GM for a new one."))
    seat, _created = Membership.objects.get_or_create(
        campaign=invitation.campaign, user=by, defaults={"role": invitation.role}
    )
    return seat


@transaction.atomic
def set_role(*, by: User, campaign: Campaign, user: User, role: str) -> Membership:
    """Give a member another role (GM). Raises `IllegalCommand` if nobody would be GM any more."""
    selectors.require_gm(by, campaign)
    role = clean_slug(role, field="/role", among=Role.values)
    seat = _seat(campaign, user)
    if role != Role.GM:
        _refuse_last_gm(campaign, seat)
    seat.role = role
    seat.save(update_fields=["role"])
    selectors.forget_seats(campaign)
    if role == Role.VIEWER:
        KingdomPlayer.objects.filter(campaign=campaign, user=user).delete()
    return seat


@transaction.atomic
def remove_member(*, by: User, campaign: Campaign, user: User) -> None:
    """Take a seat away (GM), or leave (anybody, for himself). The last GM cannot go."""
    selectors.require_member(by, campaign)
    if by != user:
        selectors.require_gm(by, campaign)
    seat = _seat(campaign, user)
    _refuse_last_gm(campaign, seat)
    KingdomPlayer.objects.filter(campaign=campaign, user=user).delete()
    seat.delete()
    selectors.forget_seats(campaign)


def _seat(campaign: Campaign, user: User) -> Membership:
    """The member's seat. The campaign is locked first, so two GMs cannot demote each other at once."""
    Campaign.objects.select_for_update().get(pk=campaign.pk)
    seat = Membership.objects.filter(campaign=campaign, user=user).first()
    if seat is None:
        raise Http404
    return seat


def _refuse_last_gm(campaign: Campaign, seat: Membership) -> None:
    others = Membership.objects.filter(campaign=campaign, role=Role.GM).exclude(pk=seat.pk)
    require(
        seat.role != Role.GM or others.exists(),
        _("A campaign needs a GM: make somebody else GM first."),
        field="/role",
    )
