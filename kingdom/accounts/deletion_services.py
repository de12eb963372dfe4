"""Services that delete an account: its owner leaves every table, and what they wrote stays as a former member's."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet
from psycopg.errors import SerializationFailure

from kingdom.access.decorators import unrestricted
from kingdom.accounts.deletion_queries import in_the_way
from kingdom.members.services import remove_member
from kingdom.models import Campaign, DeletedMembership, Membership, User
from rules.core.errors import require
from rules.core.text import _


@unrestricted("It is his own account.")
@transaction.atomic
def delete_account(*, by: User) -> None:
    """Delete it for good, with its sessions' right, tokens, second factors, settings and security log. They leave every
    table as `remove_member` has it. Campaigns they have deleted are removed in their time, and nobody restores them.

    Raises `IllegalCommand` while a campaign is theirs, or would be left without a GM; what the database raises of
    changes that met where they were seated at another table at this very moment.
    """
    held = list(_his(by).select_for_update(no_key=True).order_by("pk"))
    user = User.objects.select_for_update().get(pk=by.pk)  # from here on nobody seats them anywhere
    if _his(user).exclude(pk__in=[campaign.pk for campaign in held]).exists():
        raise SerializationFailure("He was seated at another table meanwhile.")
    blocking = in_the_way(user)
    names = ", ".join(campaign.name for campaign in blocking)
    require(not blocking, _("First hand over or delete what is yours alone: {campaigns}."), campaigns=names)
    seated = set(Membership.objects.filter(user=user).values_list("campaign", flat=True))
    for campaign in held:
        if campaign.pk in seated:
            remove_member(by=user, campaign=campaign, user=user)
    user.delete()


def _his(user: User) -> QuerySet[Campaign]:
    """Campaigns whose row or seats name them, deleted ones too. They are locked before the account is, in the order of
    their ids: whoever has a campaign in hand and names a user in it waits for that user's row, never the other way
    round.
    """
    seats = Q(pk__in=Membership.objects.filter(user=user).values("campaign"))
    vacated = Q(pk__in=DeletedMembership.objects.filter(user=user).values("campaign"))
    return Campaign.objects.filter(seats | vacated | Q(owner=user) | Q(offered_to=user))
