"""Views that start and end impersonation."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from kingdom.access.impersonation import WORN
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.access.request_types import PageRequest
from kingdom.campaign.forms import GuiseForm
from kingdom.rendering import go


@login_required
@require_POST
def view_as(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """From now on they read this campaign as the chosen person does."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    form = GuiseForm(request.POST, campaign=campaign)
    if not form.is_valid():
        messages.error(request, _("Choose one of those who sit at this table now."))
        return go(request, "kingdom:members", campaign.pk)
    request.session[WORN] = {"campaign": str(campaign.pk), "who": form.cleaned_data["who"]}
    return go(request, "kingdom:campaign", campaign.pk)


@login_required
@require_POST
def view_as_stop(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """They read it as the GM again, where they were (`next`)."""
    campaign = get_campaign_for(request.user, campaign_id)
    request.session.pop(WORN, None)
    onward = request.POST.get("next", "")
    if url_has_allowed_host_and_scheme(onward, allowed_hosts=None):
        return redirect(onward)
    return redirect("kingdom:members", campaign.pk)
