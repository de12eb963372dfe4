"""Views of the campaign's calendar."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.campaign.calendar_forms import READY, CalendarForm, ready_calendar
from kingdom.campaign.services import update_campaign
from kingdom.rendering import get_status, render_page
from rules.core.errors import Refusal


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Set months, weekdays, leap day, seasons, moons and the date of day 0 (GM). `preset` fills in a ready calendar."""
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    slug = request.GET.get("preset", "")
    form = CalendarForm(request.POST or None, calendar=ready_calendar(slug, campaign.dates))
    if form.is_valid():
        try:
            update_campaign(by=request.user, campaign=campaign, calendar=form.given())
        except Refusal as refusal:
            form.refused(refusal)
        else:
            messages.success(request, _("Saved."))
            return redirect("kingdom:campaign", campaign.pk)
    context = {"campaign": get_campaign_for(request.user, campaign_id), "form": form, "ready": _list_ready(slug)}
    return render_page(request, "kingdom/campaign/calendar.html", context, status=get_status(form))


def _list_ready(slug: str) -> list[tuple[str, Promise | str, bool]]:
    """Slug and name of each ready calendar, and whether it is filled in."""
    return [(one, name, one == slug) for one, (name, _calendar) in READY.items()]
