"""Services for members: invitations, roles, leaving."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils import timezone

from core.clean_input import clean_slug, clean_whole, parse_uuid
from core.live import notify_campaign
from kingdom.access.decorators import gm_only, lock_campaign_as_gm, unrestricted
from kingdom.access.queries import forget_seats, require_member
from kingdom.approvals.services import withdraw_requests
from kingdom.campaign.queries import invitation_by
from kingdom.chronicle import changes as chronicle_changes
from kingdom.members import mail
from kingdom.models import (
    Campaign,
    ChronicleEntry,
    Invitation,
    Kingdom,
    KingdomPlayer,
    Membership,
    Role,
    ShareLink,
    User,
)
from kingdom.realms.services import add_player, assign_players
from kingdom.sharing.services import end_links, end_lost_links
from rules.core.errors import demand, require
from rules.core.text import _, say

INVITATION_LIFE = timedelta(days=14)
USES_MAX = 20
LEFT = (
    _("{user} has left the table of {campaign}."),
    _("{user} has left the table and no longer runs {kingdoms}: give them to somebody else."),
)
REMOVED = (
    _("{user} no longer sits at the table of {campaign}."),
    _("{user} no longer sits at the table and no longer runs {kingdoms}: give them to somebody else."),
)
"""Without kingdoms, and with those they ran."""


@gm_only
@transaction.atomic
def invite(
    *, by: User, campaign: Campaign, role: str, uses: int = 1, kingdom: Kingdom | UUID | str | None = None
) -> Invitation:
    """A link that seats `uses` people within 14 days (GM); a GM's link seats one. Raises `InvalidInput`.

    `kingdom`: whoever joins by the link runs it. Only players run kingdoms.
    """
    lock_campaign_as_gm(by, campaign)
    role = clean_slug(role, field="/role", among=Role.values)
    uses = clean_whole(uses, field="/uses", least=1, most=USES_MAX)
    demand(uses == 1 or role != Role.GM, _("A link to a GM’s seat is for one person."), field="/uses")
    given = _kingdom_given(campaign, role, kingdom)
    expires = timezone.now() + INVITATION_LIFE
    notify_campaign(campaign.pk)
    return Invitation.objects.create(
        campaign=campaign, role=role, kingdom=given, uses=uses, expires=expires, created_by=by
    )


def _kingdom_given(campaign: Campaign, role: str, kingdom: Kingdom | UUID | str | None) -> Kingdom | None:
    """The kingdom a link gives to whoever joins by it. Raises `InvalidInput`."""
    if kingdom is None:
        return None
    demand(role == Role.PLAYER, _("Only a player’s invitation can name a kingdom."), field="/kingdom")
    key = parse_uuid(str(getattr(kingdom, "pk", kingdom)))
    found = Kingdom.objects.filter(campaign=campaign, pk=key).first() if key else None
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
    """Take the seat an open invitation offers, and the kingdom it names. Members keep their role and use nothing up.

    Raises Http404 for an unknown token, `IllegalCommand` for one that is used up, expired or revoked.
    """
    campaign = invitation_by(token).campaign
    chronicle_changes.lock(campaign)  # of two people at once, one is first
    if seat := Membership.objects.filter(campaign=campaign, user=by).first():
        return seat
    invitation = invitation_by(token)
    require(invitation.left, _("This invitation has been used. Ask the GM for a new one."))
    require(invitation.open, _("This invitation is no longer open. Ask the GM for a new one."))
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
    """Give a member another role (GM). The invitations of one who is no longer GM end with it, and their
    share links to what they may share no more.

    Raises `IllegalCommand` if nobody would be GM any more, and for its owner: they hand the campaign over first.
    """
    lock_campaign_as_gm(by, campaign)
    role = clean_slug(role, field="/role", among=Role.values)
    seat = _seat(campaign, user)
    if role != Role.GM:
        _refuse_last_gm(campaign, seat)
        _refuse_owner(campaign, seat)
        _revoke(Invitation.objects.filter(campaign=campaign, created_by=user))
    changed, seat.role = role != seat.role, role
    seat.save(update_fields=["role"])
    forget_seats(campaign)
    if role == Role.VIEWER:
        KingdomPlayer.objects.filter(campaign=campaign, user=user).delete()
        withdraw_requests(campaign=campaign, user=user)
    if changed:
        end_lost_links(campaign, ShareLink.objects.filter(created_by=user))
    notify_campaign(campaign.pk)
    return seat


@unrestricted("Anybody may leave; only the GM removes others.")
@transaction.atomic
def remove_member(*, by: User, campaign: Campaign, user: User) -> None:
    """Take a seat away (GM), or leave (anybody, for themselves). The last GM and the owner cannot go.

    The link that seated them ends, and the links they made: they come back only if they are invited anew. What they
    asked for is withdrawn. The kingdoms they ran are nobody's any more, which the chronicle tells those who read them;
    the GMs are told by mail of who leaves.
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
    """This member plays the kingdom from now on (GM); `alone`: whoever played it before does no more.

    Raises `InvalidInput` for somebody who only watches, or does not sit at this table.
    """
    before = () if alone else kingdom.players.all()
    assign_players(by=by, kingdom=kingdom, players={*before, player})


@gm_only
@transaction.atomic
def take_kingdom_from(*, by: User, kingdom: Kingdom, player: User) -> None:
    """This member plays the kingdom no more; others who do go on (GM)."""
    assign_players(by=by, kingdom=kingdom, players=set(kingdom.players.exclude(pk=player.pk)))


def _seat(campaign: Campaign, user: User) -> Membership:
    """The member's seat. The campaign is locked first, so two GMs cannot demote each other at once."""
    chronicle_changes.lock(campaign)
    seat = Membership.objects.filter(campaign=campaign, user=user).first()
    if seat is None:
        raise Http404
    return seat


def _vacate(by: User, campaign: Campaign, user: User) -> None:
    """They run nothing here any more; told to those whom it concerns."""
    ran = list(Kingdom.objects.filter(campaign=campaign, seats__user=user))
    KingdomPlayer.objects.filter(campaign=campaign, user=user).delete()
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
    require(not own, _("The owner must transfer ownership of the campaign first."), field="/role")


def _revoke(links: QuerySet[Invitation]) -> None:
    Invitation.objects.filter(pk__in=links.values("pk"), revoked_at=None).update(revoked_at=timezone.now())


def _refuse_last_gm(campaign: Campaign, seat: Membership) -> None:
    others = Membership.objects.filter(campaign=campaign, role=Role.GM).exclude(pk=seat.pk)
    require(
        seat.role != Role.GM or others.exists(),
        _("A campaign needs a GM: make somebody else GM first."),
        field="/role",
    )
