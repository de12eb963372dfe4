"""Views of the odds workshop: two armies against each other, and many at once. Nothing here changes anything."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from battles.workshop.page import get_workshop, workshop_page
from kingdom.access.request_types import PageRequest
from kingdom.accounts.request_limits import limit_page
from kingdom.rendering import get_status, render_page

SIDES = ("a", "b")


@login_required
@require_safe
@limit_page("costly")
def workshop(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """What the address asks. What is not reckoned yet the page asks for again."""
    page = workshop_page(request.user, campaign_id, request.GET)
    return render_page(request, "battles/workshop/workshop.html", {"page": page}, partial="workshop")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def written_army(request: PageRequest, campaign_id: UUID, side: str) -> HttpResponse:
    """An army in no campaign, for one side of the workshop at the same address."""
    if side not in SIDES:
        raise Http404
    campaign, ui = get_workshop(request.user, campaign_id)
    sent = request.POST if request.method == "POST" else None
    form = ui.army_form(request.user, campaign, side, request.GET, sent)
    if form.redrawn:
        form.errors.clear()
    elif form.is_bound and form.is_valid():
        return redirect(f"{reverse('battles:workshop', args=[campaign.pk])}?{form.address()}")
    context = {"campaign": campaign, "form": form, "ui": ui, "side": side, "query": request.GET.urlencode()}
    return render_page(
        request, "battles/workshop/workshop_army.html", context, partial="muster", status=get_status(form)
    )
