"""Views of approval requests: list, one request, and the GM's answer."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, is_gm
from kingdom.approvals.serializers import get_request_for, list_answered, list_request_lines, waiting_for
from kingdom.approvals.services import grant_request, refuse_request, repeat_request, withdraw_request
from kingdom.models import ApprovalRequest
from kingdom.rendering import paginate_request, render_page
from rules.core.errors import Refusal
from rules.core.text import Said

PAGE_SIZE = 20


@login_required
@require_safe
def petitions(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Waiting and answered requests, as far as the reader may see them."""
    campaign = get_campaign_for(request.user, campaign_id)
    page = paginate_request(request, list_answered(request.user, campaign), PAGE_SIZE)
    context = {
        "campaign": campaign,
        "gm": is_gm(request.user, campaign),
        "waiting": waiting_for(request.user, campaign),
        "answered": list_request_lines(request.user, list(page), campaign),
        "page_obj": page,
    }
    return render_page(request, "kingdom/approvals/petitions.html", context)


@login_required
@require_safe
def petition(request: PageRequest, petition_id: UUID) -> HttpResponse:
    """One request: its action, the changes, and the answer."""
    return _page(request, get_request_for(request.user, petition_id))


def _page(
    request: PageRequest, found: ApprovalRequest, *, refused: Said | None = None, status: int = 200
) -> HttpResponse:
    (line,) = list_request_lines(request.user, [found], found.campaign)
    context = {"campaign": found.campaign, "line": line, "refused": refused}
    return render_page(request, "kingdom/approvals/petition.html", context, status=status)


@login_required
@require_POST
def grant(request: PageRequest, petition_id: UUID) -> HttpResponse:
    return _answer(request, petition_id, grant_request, _("Request approved and carried out."))


@login_required
@require_POST
def refuse(request: PageRequest, petition_id: UUID) -> HttpResponse:
    def refusing(**given: object) -> object:
        return refuse_request(**given, reason=request.POST.get("reason", ""))  # type: ignore[arg-type]

    return _answer(request, petition_id, refusing, _("Request refused."))


@login_required
@require_POST
def withdraw(request: PageRequest, petition_id: UUID) -> HttpResponse:
    return _answer(request, petition_id, withdraw_request, _("Request withdrawn."))


@login_required
@require_POST
def repeat(request: PageRequest, petition_id: UUID) -> HttpResponse:
    """Request the same once more; the new request's page follows (`ShowApprovalRequest`)."""
    return _answer(request, petition_id, repeat_request, _("Done. This no longer needs the GM’s approval."))


def _answer(request: PageRequest, petition_id: UUID, act: Callable[..., object], done: str) -> HttpResponse:
    """Answer the request and return to the list or the campaign's page. If that is impossible now, show the reason
    there, or on the request's own page (409).
    """
    found = get_request_for(request.user, petition_id)
    board = request.POST.get("on") == "board"
    try:
        act(by=request.user, petition=found)
    except Refusal as refusal:
        if board:
            messages.error(request, say(refusal.message))
            return redirect("kingdom:campaign", found.campaign_id)
        fresh = get_request_for(request.user, petition_id)
        return _page(request, fresh, refused=refusal.message, status=409)
    messages.success(request, done)
    return redirect("kingdom:campaign" if board else "kingdom:petitions", found.campaign_id)
