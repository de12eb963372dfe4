"""What happened, and taking it back."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from kingdom import selectors, services
from kingdom.models import Campaign
from kingdom.pages import page_of, render_page
from kingdom.requests import PageRequest
from kingdom.text import from_json
from kingdom.text import render as say
from rules.errors import Refusal


@login_required
@require_safe
def chronicle(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    return _page(request, selectors.campaign_for(request.user, campaign_id))


@login_required
@require_POST
def undo(request: PageRequest, campaign_id: UUID, entry_id: UUID) -> HttpResponse:
    campaign = selectors.campaign_for(request.user, campaign_id)
    selectors.require_gm(request.user, campaign)
    entry = selectors.chronicle_of(campaign).filter(pk=entry_id).first()
    if entry is None:
        raise Http404
    try:
        services.undo_entry(by=request.user, entry=entry)
    except Refusal as refusal:
        messages.error(request, say(refusal.message))
        return _page(request, campaign, status=409)
    messages.success(request, _("Undone: {what}").format(what=say(from_json(entry.text))))
    return redirect("kingdom:chronicle", campaign.pk)


def _page(request: PageRequest, campaign: Campaign, status: int = 200) -> HttpResponse:
    page = page_of(request, selectors.chronicle_of(campaign), size=25)
    changes = selectors.visible_changes(request.user, campaign, page)
    last = selectors.last_standing_entry(campaign)
    context = {
        "campaign": campaign,
        "gm": selectors.is_gm(request.user, campaign),
        "page_obj": page,
        "lines": [(entry, from_json(entry.text), changes[entry.pk]) for entry in page],
        "last": last,
    }
    return render_page(request, "kingdom/chronicle.html", context, status=status)
