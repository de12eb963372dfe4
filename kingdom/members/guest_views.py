"""Views of guests: joining by a name, and creating the account that keeps the seat."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.campaign.queries import invitation_by
from kingdom.members.guest_forms import GuestForm, KeepSeatForm
from kingdom.members.guest_services import NO_GUESTS, join_as_guest, keep_seat
from kingdom.members.views import invitation_page
from kingdom.rendering import get_status, go_onward, render_page, submit

BACKEND = "django.contrib.auth.backends.ModelBackend"


@never_cache  # the address is a secret, so no referrer
@require_POST
def join(request: PageRequest, token: str) -> HttpResponse:
    """Join as a guest under the given name, and sign them in."""
    found = invitation_by(token)
    if request.user.is_authenticated:
        return redirect("kingdom:invitation", token)
    if not found.guests or not settings.SIGNUP_OPEN:
        messages.error(request, render(NO_GUESTS))
        return redirect("kingdom:invitation", token)
    form = GuestForm(request.POST)
    guest = submit(form, lambda data: join_as_guest(token=token, name=data["name"]))
    if guest is None:
        return invitation_page(request, found, form)
    login(request, guest, backend=BACKEND)
    messages.success(
        request,
        _("Welcome to {campaign}. You’re playing as a guest in this browser.").format(campaign=found.campaign.name),
    )
    return redirect("kingdom:campaign", found.campaign_id)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def keep(request: PageRequest) -> HttpResponse:
    """Page on which a guest creates an account, and from which they go on to `next`."""
    if not request.user.guest:
        return redirect("kingdom:account")
    if not settings.SIGNUP_OPEN:
        return render_page(request, "kingdom/members/keep_seat.html", {"form": None})
    form = KeepSeatForm(request.POST or None, user=request.user)
    kept = submit(form, lambda data: keep_seat(by=request.user, name=data["name"], password=data["password1"]))
    if kept is None:
        return render_page(request, "kingdom/members/keep_seat.html", {"form": form}, status=get_status(form))
    update_session_auth_hash(request, kept)
    messages.success(request, _("Account created. You keep your seats and kingdoms."))
    return go_onward(request.GET.get("next", ""), "kingdom:home")
