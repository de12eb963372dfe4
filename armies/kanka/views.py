"""Views that import a Kanka export, with a preview."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from armies.kanka.forms import KankaForm
from armies.kanka.services import bring_in_kanka, propose_kanka
from armies.tables.imports import Bringing
from core.text import load_said
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.accounts.rate_limits import limit_page
from kingdom.campaign.queries import run_kingdoms
from kingdom.models import Campaign
from kingdom.rendering import render_page
from rules.core.errors import Refusal, StaleProposal

OK, STALE, REFUSED = 200, 412, 422


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_page("costly")
def kanka_in(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Preview of the submitted export, then the import. Nothing is stored between these steps."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    sent = (request.POST, request.FILES) if request.method == "POST" else ()
    form = KankaForm(*sent, kingdoms=run_kingdoms(request.user, campaign))
    if not form.is_bound or not form.is_valid():
        return _draw(request, campaign, form, status=REFUSED if form.is_bound else OK)
    try:
        asked: dict[str, Any] = {"text": form.text(), "kingdom": form.cleaned_data["kingdom"]}
        if request.POST.get("do") == "confirm":
            return _confirm(request, campaign, form, asked)
        return _draw(request, campaign, form, asked, propose_kanka(by=request.user, campaign=campaign, **asked))
    except Refusal as refusal:
        form.add_refusal(refusal)
        return _draw(request, campaign, form, status=REFUSED)


def _confirm(request: PageRequest, campaign: Campaign, form: KankaForm, asked: dict[str, Any]) -> HttpResponse:
    try:
        done = bring_in_kanka(by=request.user, campaign=campaign, mark=request.POST.get("mark", ""), **asked)
    except StaleProposal as stale:
        messages.warning(request, say(stale.message))
        found = propose_kanka(by=request.user, campaign=campaign, **asked)
        return _draw(request, campaign, form, asked, found, STALE)
    messages.success(request, say(load_said(done.entry.text)))
    return redirect("kingdom:entry", campaign.pk, done.entry.pk)


def _draw(
    request: PageRequest,
    campaign: Campaign,
    form: KankaForm,
    asked: dict[str, Any] | None = None,
    found: Bringing | None = None,
    status: int = OK,
) -> HttpResponse:
    told = asked or {"text": "", "kingdom": None}
    context = {"campaign": campaign, "form": form, "found": found, **told}
    return render_page(request, "armies/kanka/kanka.html", context, status=status)
