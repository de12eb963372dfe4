"""Views of a campaign's armies, and of an order for the selected ones."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armies.bulk.forms import EachForm, ManyForm
from armies.bulk.many_deeds import ManyProposal, list_deeds, propose
from armies.bulk.page import army_list, meant_by
from armies.bulk.services import ManyDone, order_armies
from armies.forces.access import get_army_run_by, get_campaign_named, list_army_names
from armies.ruleset_ui import get_army_ui
from core.text import load_said, render
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for
from kingdom.approvals.serializers import leave_of, require_offered
from kingdom.models import Campaign
from kingdom.onboarding import checklist
from kingdom.rendering import render_page
from rules.core.errors import Refusal, StaleProposal

OK, STALE, REFUSED = 200, 412, 422


@login_required
@require_safe
def armies(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    page = army_list(request, campaign)
    context = {"page": page, "campaign": campaign, "query": page.query, "page_obj": page.page_obj}
    return render_page(request, "armies/bulk/list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def together(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Choice of a deed, its options and its preview; then it is done. Nothing is stored between these steps."""
    campaign = get_campaign_for(request.user, campaign_id)
    ids = meant_by(request.user, campaign, request.POST)
    if not ids:
        if request.method == "POST":
            nobody = _("This kingdom has no army that can do this.")
            messages.warning(request, nobody if "kingdom" in request.POST else _("Choose at least one army."))
        return redirect("armies:list", campaign.pk)
    offered = {deed.slug: deed for deed in list_deeds(request.user, campaign)}
    if not offered:
        raise PermissionDenied
    form = ManyForm(offered.get(request.POST.get("deed", ""), next(iter(offered.values()))), request.POST)
    if request.POST.get("do") == "confirm" and form.is_bound and form.is_valid():
        return _confirm(request, campaign, form, ids)
    return _draw(request, campaign, form, ids)


def _confirm(request: PageRequest, campaign: Campaign, form: ManyForm, ids: list[str]) -> HttpResponse:
    asked: dict[str, Any] = {"deed": form.deed.slug, "armies": ids, "options": form.options()}
    try:
        done = order_armies(by=request.user, campaign=campaign, mark=request.POST.get("mark", ""), **asked)
    except StaleProposal as stale:
        messages.warning(request, say(stale.message))
        return _draw(request, campaign, form, ids, status=STALE)
    except Refusal as refusal:
        form.refused(refusal)
        return _draw(request, campaign, form, ids)
    _tell(request, done)
    return redirect("armies:list", campaign.pk)


def _tell(request: PageRequest, done: ManyDone) -> None:
    """Message with a link to the chronicle entry."""
    address = reverse("kingdom:entry", args=[done.entry.campaign_id, done.entry.pk])
    messages.success(request, format_html('<a href="{}">{}</a>', address, say(load_said(done.entry.text))))
    if left := done.proposal.refused:
        said = ngettext("%(count)s army was left unchanged.", "%(count)s armies were left unchanged.", left)
        messages.warning(request, said % {"count": left})


def _draw(
    request: PageRequest, campaign: Campaign, form: ManyForm, ids: list[str], status: int = OK
) -> HttpResponse:  # fmt: skip
    proposal = _proposed(request, campaign, form, ids)
    deeds = list_deeds(request.user, campaign)
    context = {
        "campaign": campaign,
        "ids": ids,
        "deeds": deeds,
        "deed": form.deed,
        "form": form,
        "proposal": proposal,
        "each": EachForm(proposal.deed, proposal.deed.able) if proposal else None,
        "leave": leave_of(request.user, campaign).get(form.deed.kind),
    }
    if form.errors:
        status = REFUSED
    return render_page(request, "armies/bulk/together.html", context, status=status)


def _proposed(request: PageRequest, campaign: Campaign, form: ManyForm, ids: list[str]) -> ManyProposal | None:
    """Preview of the deed; None until its required options are valid."""
    if form.errors or not form.ready:
        return None
    try:
        return propose(request.user, campaign, form.deed, ids, form.options())
    except Refusal as refusal:
        form.refused(refusal)
        return None


# View that duplicates an army, under any ruleset.


@login_required
@require_POST
def army_duplicate(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Raises a copy of the army: the same sheet under a new name, unharmed and without experience."""
    ui = get_army_ui(get_campaign_named(request.user, army_id=army_id))
    army = get_army_run_by(request.user, army_id, ui.army)
    require_offered(request.user, army.campaign, "raise")
    names = checklist.number_names(army.name, 1, list_army_names(army.kingdom))
    try:
        made = ui.api.raise_armies(request.user, army.kingdom, names, ui.api.alike(army))[0]
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return redirect("armies:army", army_id)
    messages.success(request, _("%(army)s raised as a copy of %(other)s.") % {"army": made.name, "other": army.name})
    return redirect("armies:army", made.pk)
