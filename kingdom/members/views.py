"""Views of members, invitations and ownership."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, resolve_url
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.text import build_absolute_url
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, get_kingdom_for, get_role, is_gm, require_gm, runs_kingdom
from kingdom.campaign.forms import GuiseForm, HandOverForm, InviteForm, OfferForm, RoleForm
from kingdom.campaign.queries import invitation_by, invitation_of, members_of, open_invitations, seat_of
from kingdom.members import services as member_services
from kingdom.members.guest_forms import GuestForm
from kingdom.members.queries import is_owner, require_owner, seat_lines
from kingdom.members.services import (
    accept_campaign,
    accept_invitation,
    end_offer,
    hand_over,
    offer_campaign,
    remove_member,
    revoke_invitation,
    set_role,
    take_kingdom_from,
)
from kingdom.models import Campaign, Invitation, Membership, Role
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import get_status, paginate_request, render_page, submit
from rules.core.errors import Refusal


@login_required
@require_safe
def members(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    return _page(request, get_campaign_for(request.user, campaign_id))


@login_required
@require_POST
def invite(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    form = InviteForm(request.POST, campaign=campaign)
    if made := submit(form, lambda data: member_services.invite(by=request.user, campaign=campaign, **data)):
        messages.success(request, _("Invitation created. Copy its link and send it."))
        return redirect(f"{resolve_url('kingdom:members', campaign.pk)}?made={made.pk}#made")
    return _page(request, campaign, form)


@login_required
@require_POST
def invitation_revoke(request: PageRequest, campaign_id: UUID, invitation_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    revoke_invitation(by=request.user, invitation=invitation_of(campaign, invitation_id))
    messages.success(request, _("Invitation revoked."))
    return redirect("kingdom:members", campaign.pk)


@login_required
@require_POST
def member_role(request: PageRequest, campaign_id: UUID, member_id: UUID) -> HttpResponse:
    campaign, seat = _seat(request, campaign_id, member_id)
    require_gm(request.user, campaign)
    form = RoleForm(request.POST)
    change = lambda data: set_role(by=request.user, campaign=campaign, user=seat.user, role=data["role"])  # noqa: E731
    if not submit(form, change):
        return _refused(request, campaign, form)
    messages.success(request, _("{user}’s new role: {role}.").format(user=seat.user, role=_role_name(campaign, seat)))
    return redirect("kingdom:members", campaign.pk)


@login_required
@require_POST
def member_kingdom(request: PageRequest, campaign_id: UUID, member_id: UUID) -> HttpResponse:
    """Give a member a kingdom to play."""
    campaign, seat = _seat(request, campaign_id, member_id)
    require_gm(request.user, campaign)
    form = HandOverForm(request.POST, campaign=campaign)
    submit(form, lambda data: hand_over(by=request.user, player=seat.user, **data))
    if form.errors:
        return _refused(request, campaign, form)
    told = _("{user} now plays {kingdom}.")
    messages.success(request, told.format(user=seat.user, kingdom=form.cleaned_data["kingdom"].name))
    return redirect("kingdom:members", campaign.pk)


@login_required
@require_POST
def member_kingdom_take(request: PageRequest, campaign_id: UUID, member_id: UUID, kingdom_id: UUID) -> HttpResponse:
    """Take a kingdom from a member."""
    campaign, seat = _seat(request, campaign_id, member_id)
    kingdom = get_kingdom_for(request.user, kingdom_id)
    if kingdom.campaign_id != campaign.pk:
        raise Http404
    take_kingdom_from(by=request.user, kingdom=kingdom, player=seat.user)
    told = _("{user} no longer plays {kingdom}.")
    messages.success(request, told.format(user=seat.user, kingdom=kingdom.name))
    return redirect("kingdom:members", campaign.pk)


@login_required
@require_POST
def member_remove(request: PageRequest, campaign_id: UUID, member_id: UUID) -> HttpResponse:
    campaign, seat = _seat(request, campaign_id, member_id)
    try:
        remove_member(by=request.user, campaign=campaign, user=seat.user)
    except Refusal as refusal:
        messages.error(request, say(refusal.message))
        return _page(request, campaign, status=409)
    if seat.user == request.user:
        messages.success(request, _("You have left {campaign}.").format(campaign=campaign.name))
        return redirect("kingdom:home")
    messages.success(request, _("{user} was removed from the campaign.").format(user=seat.user))
    return redirect("kingdom:members", campaign.pk)


@login_required
@require_POST
def campaign_offer(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Offer the campaign to a member."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_owner(request.user, campaign)
    form = OfferForm(request.POST, campaign=campaign)
    submit(form, lambda data: offer_campaign(by=request.user, campaign=campaign, user=data["member"]))
    if form.errors:
        return _refused(request, campaign, form)
    told = _("Ownership offered to {user}. The campaign is yours until they accept.")
    messages.success(request, told.format(user=form.cleaned_data["member"]))
    return redirect("kingdom:members", campaign.pk)


@login_required
@require_POST
def campaign_offer_end(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Withdraw the offer, or decline it."""
    campaign = get_campaign_for(request.user, campaign_id)
    end_offer(by=request.user, campaign=campaign)
    messages.success(request, _("Offer declined or withdrawn. The owner keeps the campaign."))
    return redirect("kingdom:members", campaign.pk)


@login_required
@require_POST
def campaign_accept(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    try:
        accept_campaign(by=request.user, campaign=campaign)
    except Refusal as refusal:
        messages.error(request, say(refusal.message))
        return _page(request, campaign, status=409)
    messages.success(request, _("You are now the owner of this campaign."))
    return redirect("kingdom:members", campaign.pk)


@never_cache  # the address is a secret, so no referrer
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: PageRequest, token: str) -> HttpResponse:
    """Page of an invitation link. An anonymous user signs in first and comes back."""
    try:
        found = invitation_by(token)
    except Http404:
        return render_page(request, "kingdom/members/invitation_unknown.html", {}, status=404)
    if request.method == "POST" and request.user.is_authenticated:
        return _join(request, token)
    return invitation_page(request, found)


def invitation_page(request: PageRequest, found: Invitation, guest_form: GuestForm | None = None) -> HttpResponse:
    """Render the invitation page. `guest_form` is the refused form, if any."""
    context = {
        "invitation": found,
        "seat": get_role(request.user, found.campaign),
        "signup_open": settings.SIGNUP_OPEN,
        "guest_form": guest_form or GuestForm() if found.guests and settings.SIGNUP_OPEN else None,
        "rules": get_ruleset(found.campaign).name,
    }
    status = (get_status(guest_form) if guest_form else 200) if found.open else 410
    return render_page(request, "kingdom/members/invitation.html", context, status=status)


def _join(request: PageRequest, token: str) -> HttpResponse:
    try:
        seat = accept_invitation(by=request.user, token=token)
    except Refusal as refusal:
        messages.error(request, say(refusal.message))
        return redirect("kingdom:home")
    messages.success(request, _welcome(seat))
    return redirect("kingdom:campaign", seat.campaign_id)


def _welcome(seat: Membership) -> str:
    campaign, kingdom = seat.campaign.name, seat.invitation.kingdom if seat.invitation else None
    if kingdom and seat.role == Role.PLAYER and runs_kingdom(seat.user, kingdom):
        return _("Welcome to {campaign}. You run {kingdom}.").format(campaign=campaign, kingdom=kingdom.name)
    return _("Welcome to {campaign}.").format(campaign=campaign)


def _seat(request: PageRequest, campaign_id: UUID, member_id: UUID) -> tuple[Campaign, Membership]:
    campaign = get_campaign_for(request.user, campaign_id)
    return campaign, seat_of(campaign, member_id)


def _role_name(campaign: Campaign, seat: Membership) -> str:
    seat.refresh_from_db()
    return seat.get_role_display()


def _refused(request: PageRequest, campaign: Campaign, form: BaseForm) -> HttpResponse:
    for errors in form.errors.values():
        for error in errors:
            messages.error(request, str(error))
    return _page(request, campaign, status=422)


def _page(
    request: PageRequest, campaign: Campaign, form: InviteForm | None = None, status: int | None = None
) -> HttpResponse:
    gm, owner = is_gm(request.user, campaign), is_owner(request.user, campaign)
    form = form or InviteForm(campaign=campaign)
    seats = paginate_request(request, members_of(campaign))
    invitations = [_linked(request, found) for found in open_invitations(campaign)] if gm else []
    context = {
        "campaign": campaign,
        "gm": gm,
        "seats": seats,
        "lines": seat_lines(campaign, seats),
        "invitations": invitations,
        "made": next((found for found in invitations if str(found.pk) == request.GET.get("made")), None),
        "form": form,
        "role_form": RoleForm(),
        "guise_form": GuiseForm(campaign=campaign) if gm else None,
        "owner": owner,
        "offer": OfferForm(campaign=campaign) if owner and campaign.offered_to_id is None else None,
    }
    return render_page(request, "kingdom/members/members.html", context, status=status or get_status(form))


def _linked(request: PageRequest, found: Any) -> Any:
    found.url = build_absolute_url(request, reverse("kingdom:invitation", args=[found.token]))
    return found
