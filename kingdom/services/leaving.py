"""An account that ends: its owner leaves every table, and what he wrote stays as somebody's who left."""

from __future__ import annotations

from django.db import transaction

from kingdom.models import Campaign, Membership, User
from kingdom.selectors.leaving import in_the_way
from kingdom.services.members import remove_member
from kingdom.warrants import freely
from rules.errors import require
from rules.text import _


@freely("It is his own account.")
@transaction.atomic
def delete_account(*, by: User) -> None:
    """Delete it for good, with its sessions' right, tokens, second factors, settings and security log. He leaves every
    table as `remove_member` has it. Campaigns he has deleted are removed in their time, and nobody restores them.

    Raises `IllegalCommand` while a campaign is his, or would be left without a GM.
    """
    user = User.objects.select_for_update().get(pk=by.pk)
    seats = Membership.objects.filter(user=user).order_by("campaign")
    held = list(Campaign.objects.select_for_update(no_key=True).filter(memberships__in=seats).order_by("pk"))
    blocking = in_the_way(user)
    names = ", ".join(campaign.name for campaign in blocking)
    require(not blocking, _("First hand over or delete what is yours alone: {campaigns}."), campaigns=names)
    for campaign in held:
        remove_member(by=user, campaign=campaign, user=user)
    user.delete()
