"""Views of army cards."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from armies.forces.paper import cards_page
from kingdom.access.queries import get_kingdom_for
from kingdom.access.request_types import PageRequest
from kingdom.rendering import render_page


@login_required
@require_safe
def cards(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """The cards of a kingdom's armies, or of those named by ?army=."""
    page = cards_page(request.user, get_kingdom_for(request.user, kingdom_id), request.GET.getlist("army"))
    return render_page(request, "armies/forces/cards.html", {"page": page})
