"""Views that disband an army: choose, preview, confirm (PF-5.2)."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from armies.pathfinder.armies import posted_rows
from armies.pathfinder.armies.disband_services import Disposal, disband_army, preview_disband
from armies.pathfinder.armies.page import receivers_of
from armies.pathfinder.armies.transfer_services import Share
from armies.pathfinder.forces.access import get_army_for, get_army_run_by
from armies.pathfinder.models import PathfinderArmy
from kingdom.access.request_types import PageRequest
from kingdom.approvals.queries import leave_of, require_offered
from kingdom.rendering import render_page
from rules.core.errors import Refusal
from rules.core.text import Said


@login_required
def army_disband(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The choices with their preview; `confirm` does it."""
    army = get_army_run_by(request.user, army_id)
    require_offered(request.user, army.campaign, "disband")
    try:
        choices = choices_from(request.POST, army) if request.method == "POST" else {}
        if "confirm" in request.POST:
            return _disband(request, army, choices)
        return _draw(request, army, choices)
    except Refusal as refusal:
        return _draw(request, get_army_for(request.user, army_id), {}, refused=refusal.message, status=422)


def _disband(request: PageRequest, army: PathfinderArmy, choices: dict[str, Disposal]) -> HttpResponse:
    disband_army(by=request.user, army=army, choices=choices)
    messages.success(request, _("%(army)s is disbanded.") % {"army": army.name})
    return redirect("armies:army", army.pk)


def choices_from(data: QueryDict, army: PathfinderArmy) -> dict[str, Disposal]:
    """What the form chose for each resource."""
    return {
        row.resource: _disposal(data, army, row.resource, row.quantity)
        for row in army.resources.all()
        if f"choice-{row.resource}" in data
    }


def _disposal(data: QueryDict, army: PathfinderArmy, slug: str, quantity: int) -> Disposal:
    choice = data.get(f"choice-{slug}", "store")
    if choice != "give":
        return Disposal(choice)
    shares = [Share(share.army, quantity) for share in posted_rows.shares(data, army, f"{slug}-")]
    return Disposal(choice, tuple(shares))


def _draw(
    request: PageRequest,
    army: PathfinderArmy,
    choices: dict[str, Disposal],
    *,
    refused: Said | None = None,
    status: int = 200,
) -> HttpResponse:
    plan = preview_disband(army=army, choices=choices)
    context = {
        "army": army,
        "campaign": army.campaign,
        "kingdom": army.kingdom,
        "leave": leave_of(request.user, army.campaign)["disband"],
        "plan": plan,
        "after": army.kingdom.treasury + plan.bp,
        "receivers": receivers_of(army),
        "refused": refused,
        "given": {slug: str(disposal.shares[0].army.pk) for slug, disposal in choices.items() if disposal.shares},
    }
    return render_page(request, "armies/pathfinder/armies/disband.html", context, partial="plan", status=status)
