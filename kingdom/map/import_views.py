"""Views that import a map of another tool: the file, the proposal to correct, the confirmation."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.accounts.rate_limits import limit_page
from kingdom.map.displacement import Displaced
from kingdom.map.editor_svg import draw_terrain
from kingdom.map.import_forms import MapFileForm, TerrainsForm, seal, unseal
from kingdom.map.import_queries import demand_chosen, propose_map
from kingdom.map.import_services import import_map
from kingdom.map.queries import find_map, forget_map
from kingdom.models import Campaign
from kingdom.rendering import add_refusal, build_question, get_status, read_agreement, render_page
from rules.core.errors import Refusal, StaleProposal
from rules.hexes.imports.layout import TOOL_NAMES, ForeignMap

OK, STALE = 200, 412


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@limit_page("costly")
def map_import(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Page to import a map of another tool. Nothing is stored between the steps: the page carries the map, sealed."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    if request.method != "POST":
        return _file_page(request, campaign, MapFileForm())
    sent, agreed = read_agreement(request)
    if "sent" in sent:
        return _chosen(request, campaign, sent, agreed)
    form = MapFileForm(sent, request.FILES)
    if not form.is_valid():
        return _file_page(request, campaign, form)
    try:
        foreign = form.read()
        proposal = propose_map(campaign, foreign)
    except Refusal as refusal:
        add_refusal(form, refusal)
        return _file_page(request, campaign, form)
    return _proposal_page(request, TerrainsForm(proposal), seal(campaign, foreign))


def _chosen(request: PageRequest, campaign: Campaign, sent: QueryDict, agreed: str) -> HttpResponse:
    """Answer to the choices: the proposal with them, or the import."""
    sealed = sent.get("sent", "")
    try:
        foreign = unseal(campaign, sealed)
    except Refusal as refusal:
        messages.warning(request, say(refusal.message))
        return redirect("kingdom:map_import", campaign.pk)
    form = TerrainsForm(propose_map(campaign, foreign), sent)
    try:
        if form.is_valid():
            form = _with_choices(campaign, foreign, form, sent)
            if sent.get("do") == "confirm":
                return _confirm(request, campaign, form, sent, agreed)
    except StaleProposal as stale:
        messages.warning(request, say(stale.message))
        forget_map(campaign)
        form = _with_choices(campaign, foreign, form, sent)
        return _proposal_page(request, form, sealed, status=STALE)
    except Displaced as leaving:
        asked = build_question(leaving, form, sent=sealed, mark=sent.get("mark", ""), do="confirm")
        return _proposal_page(request, form, sealed, asked=asked)
    except Refusal as refusal:
        form.add_refusal(refusal)
    return _proposal_page(request, form, sealed)


def _confirm(
    request: PageRequest, campaign: Campaign, form: TerrainsForm, sent: QueryDict, agreed: str
) -> HttpResponse:  # fmt: skip
    demand_chosen(form.proposal)
    given = form.cleaned_data
    import_map(
        by=request.user, campaign=campaign, foreign=form.proposal.foreign, terrains=form.chosen(), empty=given["empty"],
        name=given["name"], mark=sent.get("mark", ""), agreed=agreed,
    )  # fmt: skip
    messages.success(request, _("The map is now in use."))
    return redirect("kingdom:map_paint", campaign.pk)


def _with_choices(campaign: Campaign, foreign: ForeignMap, form: TerrainsForm, sent: QueryDict) -> TerrainsForm:
    """The form over the proposal that these choices make. A name left without a choice stays without one."""
    given = form.cleaned_data
    proposal = propose_map(campaign, foreign, form.chosen(), given["empty"], given["name"])
    proposal = proposal.without(name for place, name in form.places.items() if not given.get(place))
    found = TerrainsForm(proposal, sent)
    found.is_valid()
    return found


def _file_page(request: PageRequest, campaign: Campaign, form: MapFileForm) -> HttpResponse:
    context = {"campaign": campaign, "drawn": find_map(campaign), "form": form}
    return render_page(request, "kingdom/map/import_file.html", context, status=get_status(form))


def _proposal_page(
    request: PageRequest,
    form: TerrainsForm,
    sealed: str,
    *,
    asked: dict[str, str] | None = None,
    status: int = OK,
) -> HttpResponse:
    proposal = form.proposal
    context: dict[str, Any] = {
        "campaign": proposal.campaign, "proposal": proposal, "form": form, "sent": sealed, "asked": asked,
        "tool": TOOL_NAMES[proposal.foreign.tool],
        "picture": draw_terrain(proposal.field) if proposal.field else "",
    }  # fmt: skip
    status = get_status(form) if status == OK else status
    return render_page(request, "kingdom/map/import_terrains.html", context, status=status)
