"""Services for ownership: transfer, deletion with a week of grace, restoring."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.http import Http404
from django.utils import timezone

from core.live import notify_campaign
from kingdom.access.decorators import internal, unrestricted
from kingdom.access.queries import forget_seats, is_beyond, require_member
from kingdom.chronicle import changes
from kingdom.members import mail
from kingdom.members.ownership_queries import GRACE_DAYS, require_owner
from kingdom.models import Campaign, DeletedMembership, Membership, Role, ShareLink, User
from kingdom.sharing.services import doubt_links
from rules.core.errors import demand, require
from rules.core.text import _, say

GRACE = timedelta(days=GRACE_DAYS)
PIECE = 20  # campaigns that go in one run of the housekeeping


@unrestricted("It is his own campaign.")
@transaction.atomic
def offer_campaign(*, by: User, campaign: Campaign, user: User) -> None:
    """Offer the campaign to another member, who has to accept it; an earlier offer ends (its owner).

    Raises Http404 for strangers, `PermissionDenied` for members who do not own it, `InvalidInput` for who cannot have
    it.
    """
    held = _of_owner(by, campaign)
    seated = Membership.objects.filter(campaign=held, user=user).exists()
    demand(seated, _("{user} does not sit at this table."), field="/user", user=str(user))
    demand(user.pk != held.owner_id, _("The campaign is {user}’s already."), field="/user", user=str(user))
    held.offered_to = user
    _settle(held, campaign, "offered_to")
    subject = say(_("{campaign} is offered to you"), campaign=held.name)
    text = _("{owner} would hand “{campaign}” over to you. Sign in and accept or decline it on its page of members.")
    mail.send([user], subject, say(text, owner=str(by), campaign=held.name))


@unrestricted("The owner, and whom it was offered to.")
@transaction.atomic
def end_offer(*, by: User, campaign: Campaign) -> None:
    """Take the offer back, or decline it. Without any it changes nothing. Raises as `offer_campaign`."""
    require_member(by, campaign)
    held = changes.lock(campaign)
    if held.offered_to_id != by.pk:
        require_owner(by, held)
    held.offered_to = None
    _settle(held, campaign, "offered_to")


@unrestricted("It was offered to him.")
@transaction.atomic
def accept_campaign(*, by: User, campaign: Campaign) -> None:
    """Whom it was offered to owns the campaign from now on, as one of its GMs. Who owned it goes on as a GM.

    Raises Http404 for strangers, `IllegalCommand` where it is not offered to them (any more).
    """
    require_member(by, campaign)
    held = changes.lock(campaign)
    require(held.offered_to_id == by.pk, _("This campaign is not offered to you (any more)."))
    before = held.owner
    held.owner, held.offered_to = by, None
    Membership.objects.filter(campaign=held, user=by).update(role=Role.GM)
    _settle(held, campaign, "owner", "offered_to")
    if before:
        subject = say(_("{campaign} has a new owner"), campaign=held.name)
        mail.send([before], subject, say(_("{user} owns “{campaign}” now."), user=str(by), campaign=held.name))


@unrestricted("It is his own campaign.")
@transaction.atomic
def delete_campaign(*, by: User, campaign: Campaign) -> None:
    """Put the campaign away (its owner): at once it is there for nobody. After a week it is removed for good; until
    then they may restore it. Its GMs are told by mail.

    Raises Http404 for strangers, `PermissionDenied` for members who do not own it.
    """
    held = _of_owner(by, campaign)
    told = mail.gms_of(held)
    seats = list(Membership.objects.filter(campaign=held))
    DeletedMembership.objects.bulk_create(
        [DeletedMembership(campaign=held, user_id=s.user_id, role=s.role, invitation_id=s.invitation_id) for s in seats]
    )
    Membership.objects.filter(campaign=held).delete()
    held.deleted_at, held.offered_to = timezone.now(), None
    held.owner_id = held.owner_id or by.pk
    _settle(held, campaign, "deleted_at", "offered_to", "owner")
    doubt_links(ShareLink.objects.filter(ShareLink.opens(), campaign=held).values_list("pk", flat=True))
    subject = say(_("{campaign} is deleted"), campaign=held.name)
    text = _(
        "{owner} has deleted “{campaign}”. It is removed for good in seven days; until then {owner} can restore it."
    )
    mail.send(told, subject, say(text, owner=str(by), campaign=held.name))


@unrestricted("It is his own campaign.")
@transaction.atomic
def bring_campaign_back(*, by: User, campaign_id: UUID) -> Campaign:
    """Bring a deleted campaign back as it was, with everybody who sat there (its owner). Raises Http404."""
    found = Campaign.objects.select_for_update(no_key=True).filter(pk=campaign_id, owner=by).first()
    if found is None or found.deleted_at is None or is_beyond(by, campaign_id):
        raise Http404
    seats = list(DeletedMembership.objects.filter(campaign=found))
    Membership.objects.bulk_create(
        [Membership(campaign=found, user_id=s.user_id, role=s.role, invitation_id=s.invitation_id) for s in seats],
        ignore_conflicts=True,
    )
    DeletedMembership.objects.filter(campaign=found).delete()
    found.deleted_at = None
    _settle(found, found, "deleted_at")
    return found


@internal
def remove_deleted(now: datetime | None = None) -> int:
    """Remove campaigns whose week of grace is over. Answers how many. One restored meanwhile stays."""
    over = (now or timezone.now()) - GRACE
    removed = 0
    for pk in Campaign.objects.filter(deleted_at__lte=over).order_by("deleted_at").values_list("pk", flat=True)[:PIECE]:
        with transaction.atomic():
            row = Campaign.objects.select_for_update().filter(pk=pk, deleted_at__lte=over).first()
            if row is not None:
                row.delete()
                removed += 1
    return removed


def _of_owner(by: User, campaign: Campaign) -> Campaign:
    """The campaign, locked, for its owner."""
    require_member(by, campaign)
    held = changes.lock(campaign)
    require_owner(by, held)
    return held


def _settle(held: Campaign, campaign: Campaign, *fields: str) -> None:
    """Keep these, on the caller's object too, and tell the open pages."""
    held.save(update_fields=fields)
    for field in fields:
        setattr(campaign, field, getattr(held, field))
    forget_seats(campaign)
    notify_campaign(held.pk)
