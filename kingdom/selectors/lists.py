"""Lists, as querysets that cost the same for one row and for fifty."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http import Http404

from kingdom.models import Campaign, Invitation, Kingdom, LedgerEntry, Membership, Settlement, User
from kingdom.selectors.access import campaigns_of, readable_by


def kingdoms_of(user: User) -> QuerySet[Kingdom]:
    """Every kingdom of the user's campaigns, with what its figures need. Not all are readable: ask."""
    kingdoms = Kingdom.objects.filter(campaign__in=campaigns_of(user))
    return kingdoms.select_related("campaign").prefetch_related("settlements", "players")


def settlements_of(user: User) -> QuerySet[Settlement]:
    """Settlements of the kingdoms the user may read."""
    return Settlement.objects.filter(readable_by(user, "kingdom")).select_related("kingdom__campaign")


def ledger_of(kingdom: Kingdom) -> QuerySet[LedgerEntry]:
    """The kingdom's entries, newest first."""
    return LedgerEntry.objects.filter(kingdom=kingdom).select_related("by").order_by("-seq")


def members_of(campaign: Campaign) -> QuerySet[Membership]:
    return Membership.objects.filter(campaign=campaign).select_related("user").order_by("id")


def invitations_of(campaign: Campaign) -> QuerySet[Invitation]:
    """The links that were made, newest first, open or not."""
    return Invitation.objects.filter(campaign=campaign).select_related("created_by").order_by("-id")


def invitation_by(token: str) -> Invitation:
    """The invitation a link names. Raises Http404."""
    invitation = Invitation.objects.select_related("campaign").filter(token=token[:64]).first()
    if invitation is None or "\0" in token:
        raise Http404
    return invitation
