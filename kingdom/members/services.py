"""Services for members: invitations, roles, leaving, and ownership of a campaign."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone

from core.clean_input import clean_slug, clean_whole, parse_uuid
from core.live import notify_campaign
from core.queries import find_one
from kingdom.access.decorators import gm_only, internal, lock_campaign_as_gm, unrestricted
from kingdom.access.queries import forget_seats, is_beyond, require_member
from kingdom.approvals.services import withdraw_requests
from kingdom.campaign.queries import invitation_by
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.last_changes import note_kingdoms
from kingdom.members import mail
from kingdom.members.queries import GRACE_DAYS, require_owner
from kingdom.models import (
    Campaign,
    ChronicleEntry,
    DeletedMembership,
    Invitation,
    Kingdom,
    KingdomPlayer,
    Membership,
    Role,
    ShareLink,
    User,
)
from kingdom.realms.services import add_player, assign_players
from kingdom.sharing.services import doubt_links, end_links, end_lost_links
from rules.core.errors import demand, require
from rules.core.text import _, say

INVITATION_LIFE = timedelta(days=14)
USES_MAX = 20
LEFT = (
    _("{user} has left {campaign}."),
    _("{user} has left the campaign and no longer runs {kingdoms}. Assign another player."),
)
REMOVED = (
    _("{user} was removed from {campaign}."),
    _("{user} was removed from the campaign and no longer runs {kingdoms}. Assign another player."),
)
"""Chronicle texts: without kingdoms, and with the kingdoms they ran."""


@gm_only
@transaction.atomic
def invite(
    *,
    by: User,
    campaign: Campaign,
    role: str,
    uses: int = 1,
    kingdom: Kingdom | UUID | str | None = None,
    guests: bool = False,
) -> Invitation:
    """Create an invitation link for `uses` people, valid for 14 days (GM). A GM's link seats one. Raises
    `InvalidInput`.

    Whoever joins by the link as a player runs `kingdom`. With `guests`, people may join by a name alone.
    """
    lock_campaign_as_gm(by, campaign)
    role = clean_slug(role, field="/role", among=Role.values)
    uses = clean_whole(uses, field="/uses", least=1, most=USES_MAX)
    demand(uses == 1 or role != Role.GM, _("A GM invitation is for one person only."), field="/uses")
    _check_guests(role, guests)
    given = _kingdom_given(campaign, role, kingdom)
    expires = timezone.now() + INVITATION_LIFE
    notify_campaign(campaign.pk)
    return Invitation.objects.create(
        campaign=campaign, role=role, kingdom=given, uses=uses, guests=guests, expires=expires, created_by=by
    )


def _check_guests(role: str, guests: bool) -> None:
    """Raise `InvalidInput` if guests are not possible: for a GM's seat, or on a site without sign-up."""
    demand(not guests or role != Role.GM, _("A GM needs an account. Don’t allow guests."), field="/guests")
    demand(
        not guests or settings.SIGNUP_OPEN,
        _("On this site, only the administrator creates accounts, so guests can’t join. Don’t allow guests."),
        field="/guests",
    )


def _kingdom_given(campaign: Campaign, role: str, kingdom: Kingdom | UUID | str | None) -> Kingdom | None:
    """Return the kingdom that an invitation gives; None without one. Raises `InvalidInput`."""
    if kingdom is None:
        return None
    demand(
        role == Role.PLAYER,
        _("Only a player invitation can include a kingdom. Leave the kingdom out."),
        field="/kingdom",
    )
    key = parse_uuid(str(getattr(kingdom, "pk", kingdom)))
    found = find_one(Kingdom.objects.filter(campaign=campaign, pk=key)) if key else None
    demand(found, _("Choose a kingdom of this campaign."), field="/kingdom")
    return found


@gm_only
@transaction.atomic
def revoke_invitation(*, by: User, invitation: Invitation) -> None:
    """Make the link useless (GM). Revoking twice changes nothing."""
    lock_campaign_as_gm(by, invitation.campaign)
    _revoke(Invitation.objects.filter(pk=invitation.pk))
    notify_campaign(invitation.campaign_id)


@unrestricted("He takes the seat he was invited to.")
@transaction.atomic
def accept_invitation(*, by: User, token: str) -> Membership:
    """Take the seat and the kingdom of an open invitation. A member keeps their role and uses nothing up.

    Raises Http404 for an unknown token, `IllegalCommand` for one that is used up, expired or revoked.
    """
    campaign = invitation_by(token).campaign
    chronicle_changes.lock(campaign)  # the lock orders two people who join at once
    if seat := find_one(Membership.objects.filter(campaign=campaign, user=by)):
        return seat
    invitation = invitation_by(token)
    require(invitation.left, _("This invitation has been used. Ask the GM for a new one."))
    require(invitation.open, _("This invitation is no longer valid. Ask the GM for a new one."))
    require(invitation.guests or not by.guest, _("This invitation needs an account. Create one first."))
    invitation.used += 1
    invitation.save(update_fields=["used"])
    forget_seats(invitation.campaign)
    notify_campaign(campaign.pk)
    seat = Membership.objects.create(campaign=campaign, user=by, role=invitation.role, invitation=invitation)
    if invitation.kingdom:
        add_player(kingdom=invitation.kingdom, player=by)
    return seat


@gm_only
@transaction.atomic
def set_role(*, by: User, campaign: Campaign, user: User, role: str) -> Membership:
    """Change the role of a member (GM). A former GM's invitations end. A viewer loses their kingdoms and waiting
    requests. Share links to objects that the member may no longer share end.

    Raises `IllegalCommand` for the last GM, for a guest who would be GM, and for the owner, who transfers the campaign
    first.
    """
    lock_campaign_as_gm(by, campaign)
    role = clean_slug(role, field="/role", among=Role.values)
    seat = _seat(campaign, user)
    require(
        role != Role.GM or not user.guest,
        _("{user} is a guest. A GM needs an account."),
        field="/role",
        user=str(user),
    )
    if role != Role.GM:
        _refuse_last_gm(campaign, seat)
        _refuse_owner(campaign, seat)
        _revoke(Invitation.objects.filter(campaign=campaign, created_by=user))
    changed, seat.role = role != seat.role, role
    seat.save(update_fields=["role"])
    forget_seats(campaign)
    if role == Role.VIEWER:
        note_kingdoms(campaign, user.kingdoms.filter(campaign=campaign).values_list("pk", flat=True))
        KingdomPlayer.objects.filter(campaign=campaign, user=user).delete()
        withdraw_requests(campaign=campaign, user=user)
    if changed:
        end_lost_links(campaign, ShareLink.objects.filter(created_by=user))
    notify_campaign(campaign.pk)
    return seat


@unrestricted("Anybody may leave; only the GM removes others.")
@transaction.atomic
def remove_member(*, by: User, campaign: Campaign, user: User) -> None:
    """Remove a member (GM), or leave (any member). The last GM and the owner cannot go.

    The invitation that seated them and their own links end; they return only by a new invitation. Their waiting
    requests are withdrawn. They no longer run their kingdoms; the chronicle records this for readers of those. The GMs
    get a mail when somebody leaves.
    """
    require_member(by, campaign)
    if by != user:
        lock_campaign_as_gm(by, campaign)
    seat = _seat(campaign, user)
    _refuse_last_gm(campaign, seat)
    _refuse_owner(campaign, seat)
    _vacate(by, campaign, user)
    withdraw_requests(campaign=campaign, user=user)
    _revoke(Invitation.objects.filter(Q(seated=seat) | Q(created_by=user), campaign=campaign))
    end_links(ShareLink.objects.filter(campaign=campaign, created_by=user))
    Campaign.objects.filter(pk=campaign.pk, offered_to=user).update(offered_to=None)
    seat.delete()
    forget_seats(campaign)
    notify_campaign(campaign.pk)


@gm_only
@transaction.atomic
def hand_over(*, by: User, kingdom: Kingdom, player: User, alone: bool = True) -> None:
    """Give a member a kingdom to play (GM). With `alone`, its other players no longer play it.

    Raises `InvalidInput` for a viewer or somebody who is not a member.
    """
    before = () if alone else kingdom.players.all()
    assign_players(by=by, kingdom=kingdom, players={*before, player})


@gm_only
@transaction.atomic
def take_kingdom_from(*, by: User, kingdom: Kingdom, player: User) -> None:
    """Take a kingdom from a member; its other players keep it (GM)."""
    assign_players(by=by, kingdom=kingdom, players=set(kingdom.players.exclude(pk=player.pk)))


def _seat(campaign: Campaign, user: User) -> Membership:
    """Lock the campaign and return the member's seat. The lock keeps two GMs from demoting each other at once. Raises
    Http404.
    """
    chronicle_changes.lock(campaign)
    return get_object_or_404(Membership, campaign=campaign, user=user)


def _vacate(by: User, campaign: Campaign, user: User) -> None:
    """Take all kingdoms from the user, with a chronicle entry for their readers."""
    ran = list(Kingdom.objects.filter(campaign=campaign, seats__user=user))
    KingdomPlayer.objects.filter(campaign=campaign, user=user).delete()
    note_kingdoms(campaign, [kingdom.pk for kingdom in ran])
    told = {"user": str(user), "campaign": campaign.name, "kingdoms": ", ".join(kingdom.name for kingdom in ran)}
    text = say((LEFT if by == user else REMOVED)[bool(ran)], **told)
    if ran:
        chronicle_changes.write_entry(
            campaign=campaign, day=chronicle_changes.lock(campaign).day, by=by,
            kind=ChronicleEntry.Kind.OTHER, text=text,
            changes=(), kingdoms=[kingdom.pk for kingdom in ran], private=True,
        )  # fmt: skip
    if by == user:
        mail.send(mail.gms_of(campaign, but=[user.pk]), say(_("{user} has left {campaign}"), **told), text)


def _refuse_owner(campaign: Campaign, seat: Membership) -> None:
    own = Campaign.objects.filter(pk=campaign.pk, owner=seat.user_id).exists()
    require(not own, _("You own this campaign. Transfer ownership before you leave."), field="/role")


def _revoke(links: QuerySet[Invitation]) -> None:
    Invitation.objects.filter(pk__in=links.values("pk"), revoked_at=None).update(revoked_at=timezone.now())


def _refuse_last_gm(campaign: Campaign, seat: Membership) -> None:
    others = Membership.objects.filter(campaign=campaign, role=Role.GM).exclude(pk=seat.pk)
    require(
        seat.role != Role.GM or others.exists(),
        _("A campaign needs a GM. Make someone else GM first."),
        field="/role",
    )


# Services for ownership: transfer, deletion with a week of grace, restoring.


GRACE = timedelta(days=GRACE_DAYS)
PIECE = 20  # campaigns removed in one housekeeping run


@unrestricted("It is his own campaign.")
@transaction.atomic
def offer_campaign(*, by: User, campaign: Campaign, user: User) -> None:
    """Offer the campaign to another member, who has to accept it (owner). An earlier offer ends.

    Raises Http404 for strangers, `PermissionDenied` for members who do not own it, `InvalidInput` for a member who
    cannot own it.
    """
    held = _of_owner(by, campaign)
    seated = Membership.objects.filter(campaign=held, user=user).exists()
    demand(seated, _("{user} isn’t a member of this campaign."), field="/user", user=str(user))
    demand(user.pk != held.owner_id, _("{user} already owns this campaign."), field="/user", user=str(user))
    demand(not user.guest, _("{user} is a guest. An owner needs an account."), field="/user", user=str(user))
    held.offered_to = user
    _settle(held, campaign, "offered_to")
    subject = say(_("You’ve been offered {campaign}"), campaign=held.name)
    text = _("{owner} wants to transfer “{campaign}” to you. Sign in to accept or decline on its members page.")
    mail.send([user], subject, say(text, owner=str(by), campaign=held.name))


@unrestricted("The owner, and whom it was offered to.")
@transaction.atomic
def end_offer(*, by: User, campaign: Campaign) -> None:
    """Withdraw the offer (owner) or decline it (the member it was made to). Without an offer nothing changes. Raises as
    `offer_campaign`.
    """
    require_member(by, campaign)
    held = chronicle_changes.lock(campaign)
    if held.offered_to_id != by.pk:
        require_owner(by, held)
    held.offered_to = None
    _settle(held, campaign, "offered_to")


@unrestricted("It was offered to him.")
@transaction.atomic
def accept_campaign(*, by: User, campaign: Campaign) -> None:
    """Accept an offered campaign: the user becomes its owner and a GM. The former owner stays a GM.

    Raises Http404 for strangers, `IllegalCommand` where it is not, or no longer, offered to them.
    """
    require_member(by, campaign)
    held = chronicle_changes.lock(campaign)
    require(held.offered_to_id == by.pk, _("This campaign is no longer offered to you."))
    before = held.owner
    held.owner, held.offered_to = by, None
    Membership.objects.filter(campaign=held, user=by).update(role=Role.GM)
    _settle(held, campaign, "owner", "offered_to")
    if before:
        subject = say(_("{campaign} has a new owner"), campaign=held.name)
        mail.send(
            [before], subject, say(_("{user} is now the owner of “{campaign}”."), user=str(by), campaign=held.name)
        )


@unrestricted("It is his own campaign.")
@transaction.atomic
def delete_campaign(*, by: User, campaign: Campaign) -> None:
    """Delete the campaign (owner). Nobody can open it any more. The owner may restore it for a week; then it is removed
    for good. Its GMs get a mail.

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
    subject = say(_("{campaign} was deleted"), campaign=held.name)
    text = _(
        "{owner} deleted “{campaign}”. It will be removed for good in seven days. Until then, {owner} can restore it."
    )
    mail.send(told, subject, say(text, owner=str(by), campaign=held.name))


@unrestricted("It is his own campaign.")
@transaction.atomic
def bring_campaign_back(*, by: User, campaign_id: UUID) -> Campaign:
    """Restore a deleted campaign with all its members (owner). Raises Http404."""
    found = find_one(Campaign.objects.select_for_update(no_key=True).filter(pk=campaign_id, owner=by))
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
    """Remove campaigns whose week of grace is over, and return how many. One restored meanwhile stays."""
    over = (now or timezone.now()) - GRACE
    removed = 0
    for pk in Campaign.objects.filter(deleted_at__lte=over).order_by("deleted_at").values_list("pk", flat=True)[:PIECE]:
        with transaction.atomic():
            row = find_one(Campaign.objects.select_for_update().filter(pk=pk, deleted_at__lte=over))
            if row is not None:
                row.delete()
                removed += 1
    return removed


def _of_owner(by: User, campaign: Campaign) -> Campaign:
    """Lock the campaign for its owner and return it. Raises Http404 or `PermissionDenied` as `require_owner`."""
    require_member(by, campaign)
    held = chronicle_changes.lock(campaign)
    require_owner(by, held)
    return held


def _settle(held: Campaign, campaign: Campaign, *fields: str) -> None:
    """Save these fields, copy them to the caller's object and notify open pages."""
    held.save(update_fields=fields)
    for field in fields:
        setattr(campaign, field, getattr(held, field))
    forget_seats(campaign)
    notify_campaign(held.pk)
