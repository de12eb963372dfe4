"""Views of a campaign's first steps."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, resolve_url
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.campaign.services import update_campaign
from kingdom.campaign.views import board
from kingdom.onboarding.checklist import step_named
from kingdom.onboarding.tour import find_first_stop
from kingdom.onboarding.tour_services import end_tour
from kingdom.rendering import go_onward, submit

PLACE = "?step=next#first-steps"  # address of the checklist, opened at the next step


@login_required
@require_POST
def first_step(request: PageRequest, campaign_id: UUID, step: str) -> HttpResponse:
    """Run a first step. A refused one is shown again with its errors."""
    found = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, found)
    named = step_named(step)
    form = named.form(found, request.POST)
    onward = submit(form, lambda given: named.do(request.user, found, given))
    if onward is None:
        return board(request, found, refused=(step, form))
    return redirect(onward or f"{resolve_url('kingdom:campaign', found.pk)}{PLACE}")


@login_required
@require_POST
def first_steps_away(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Hide the checklist for every GM of the campaign."""
    found = get_campaign_for(request.user, campaign_id)
    update_campaign(by=request.user, campaign=found, first_steps=False)
    messages.success(request, _("First steps hidden. You can show them again in the campaign settings."))
    return redirect("kingdom:campaign", found.pk)


# Views that start and end the tour. Its stops are pages of the campaign.


@login_required
@require_safe
def tour(request: PageRequest) -> HttpResponse:
    """Redirect to the first stop, in the user's campaign with the most stops."""
    if first := find_first_stop(request.user):
        return redirect(first.address)
    messages.info(request, _("The tour needs a campaign. Create a demo campaign first."))
    return redirect("kingdom:home")


@login_required
@require_POST
def tour_end(request: PageRequest) -> HttpResponse:
    """End the tour, taken or skipped; the user stays on their page (`next`)."""
    end_tour(by=request.user)
    messages.success(request, _("You can take the tour again from Help."))
    return go_onward(request.POST.get("next", ""), "kingdom:home")
