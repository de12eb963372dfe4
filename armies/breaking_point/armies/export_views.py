"""What leaves the page of an army: its order of battle on paper."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.views.decorators.http import require_safe

from armies.breaking_point.armies import paper
from armies.forces.access import army_for
from armies.models import Army
from kingdom.access.request_types import PageRequest
from kingdom.rendering import render_page


@login_required
@require_safe
def order_of_battle(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The army as the document lays it out, with room to write."""
    army: Army = army_for(request.user, army_id)
    context = {"order": paper.order_of_battle(army), "states": paper.STATES}
    return render_page(request, "armies/breaking_point/order_of_battle.html", context)
