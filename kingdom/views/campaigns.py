"""The campaign board, and keeping a campaign."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kingdom import panels, selectors
from kingdom.forms import CampaignForm, DeleteCampaignForm
from kingdom.models import Campaign
from kingdom.pages import look_of, page_of, render_page, status_of, submit
from kingdom.request_types import PageRequest
from kingdom.services.campaigns import create_campaign, delete_campaign, update_campaign

REALMS = 8  # kingdoms on one page


@login_required
@require_safe
def campaign(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    found = selectors.campaign_for(request.user, campaign_id)
    query, board = look_of(request).query, selectors.board_of(found)
    realms = page_of(request, selectors.named(board, query), REALMS)
    context = {
        "page": selectors.campaign_page(request.user, found, realms),
        "page_obj": realms,
        "query": query,
        "searchable": len(board) > REALMS,
        "due_panels": panels.rendered(request, "due", found),
        "action_panels": panels.rendered(request, "campaign-actions", found),
        "realm_panels": panels.rendered_for_each(request, "realms", found, list(realms)),
        "panels": panels.rendered(request, "campaign", found),
    }
    return render_page(request, "kingdom/campaign.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_new(request: PageRequest) -> HttpResponse:
    form = CampaignForm(request.POST or None)
    if made := submit(form, lambda _data: create_campaign(by=request.user, **form.given())):
        messages.success(request, _("The campaign is open. Found its first kingdom."))
        return redirect("kingdom:campaign", made.pk)
    return render_page(request, "kingdom/campaign_form.html", {"form": form}, status=status_of(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def campaign_edit(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    found = selectors.campaign_for(request.user, campaign_id)
    selectors.require_gm(request.user, found)
    form = CampaignForm(request.POST or None, campaign=found)
    if submit(form, lambda _data: update_campaign(by=request.user, campaign=found, **form.given())):
        messages.success(request, _("Saved."))
        return redirect("kingdom:campaign", found.pk)
    return _edit_page(request, found, form=form)


@login_required
@require_POST
def campaign_delete(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    found = selectors.campaign_for(request.user, campaign_id)
    selectors.require_gm(request.user, found)
    form = DeleteCampaignForm(request.POST, campaign=found)
    submit(form, lambda _data: delete_campaign(by=request.user, campaign=found))
    if form.errors:
        return _edit_page(request, found, delete_form=form)
    messages.success(request, _("The campaign is gone."))
    return redirect("kingdom:home")


def _edit_page(request: PageRequest, found: Campaign, **forms: Any) -> HttpResponse:
    unsaved = selectors.campaign_for(request.user, found.pk)  # a refused name must not stand in the title
    context = {
        "campaign": unsaved,
        "form": forms.get("form") or CampaignForm(campaign=unsaved),
        "delete_form": forms.get("delete_form") or DeleteCampaignForm(campaign=unsaved),
    }
    status = max(map(status_of, forms.values()))
    return render_page(request, "kingdom/campaign_form.html", context, status=status)
