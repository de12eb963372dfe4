"""Views of the home page: a person's campaigns, or what Warhost is."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from core.text import render
from kingdom.access.request_types import PageRequest
from kingdom.campaign.queries import campaign_cards
from kingdom.campaign.views import begin_form
from kingdom.members.ownership_queries import awaiting, gone_at
from kingdom.onboarding import demo_makers
from kingdom.rendering import paginate_request, render_page
from rules.core.errors import Refusal


@require_safe
def home(request: PageRequest) -> HttpResponse:
    if not request.user.is_authenticated:
        return render_page(request, "kingdom/campaign/landing.html", {"signup_open": settings.SIGNUP_OPEN})
    cards = paginate_request(request, campaign_cards(request.user))
    context: dict[str, Any] = {
        "cards": cards,
        "demo": demo_makers.list_demos(),
        "begin": None if cards else begin_form(request),
        "awaiting": [(campaign, gone_at(campaign)) for campaign in awaiting(request.user)],
    }
    return render_page(request, "kingdom/campaign/home.html", context)


@login_required
@require_POST
def load_demo(request: PageRequest) -> HttpResponse:
    try:
        campaign = demo_makers.load(owner=request.user, law=request.POST.get("law", ""))
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return redirect("kingdom:home")
    messages.success(request, _("The demo campaign is yours: you are its GM. Try anything."))
    return redirect("kingdom:campaign", campaign.pk)
