"""Views of the army sheet and the army's orders."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.default import views as default_views
from armies.default.views import named, sheet
from armies.pathfinder.armies.march_services import march_army, place_army, reckon_march, rest_army
from armies.pathfinder.armies.queries import receivers_of
from armies.pathfinder.armies.reserve_services import call_up_army, reserve_army
from armies.pathfinder.armies.resource_services import Share, transfer_resource
from armies.pathfinder.armies.services import forget_tactic, teach_tactic
from armies.pathfinder.armies.trade_services import (
    Disposal,
    buy_resource,
    disband_army,
    issue_from_stores,
    preview_disband,
)
from armies.pathfinder.commanders.command_services import assign_commander, promote_soldier
from armies.pathfinder.commanders.page import carries, commanders_in, stores_in
from armies.pathfinder.forces.access import get_army_for, get_army_run_by
from armies.pathfinder.forces.specs import Road, reach_of
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.weeks.week_choices import as_it_marches
from core.clean_input import read_typed_whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.approvals.serializers import leave_of, require_offered
from kingdom.length_fields import LengthField, LengthInput
from kingdom.rendering import render_page
from rules.core.errors import InvalidInput, Refusal
from rules.core.text import Said
from rules.core.text import _ as term
from rules.pathfinder.travel import March

# Rows in submitted data, before the services validate them.


def read_quantity(data: QueryDict, name: str) -> Any:
    """A number of pieces as typed, 1 if left empty. The services validate it."""
    return read_typed_whole(data.get(name) or "1")


def shares(data: QueryDict, army: PathfinderArmy, prefix: str = "") -> list[Share]:
    """The selected armies, each with its quantity. Raises `InvalidInput`."""
    receivers = receivers_of(army)
    return [
        Share(named(receivers, pk, "/to"), read_quantity(data, f"{prefix}quantity-{pk}"))
        for pk in data.getlist(f"{prefix}to")
        if pk
    ]


order = partial(default_views.order, kind=PathfinderArmy)
"""Carries an order out and shows the sheet."""


@login_required
def army(request: PageRequest, army_id: UUID) -> HttpResponse:
    return default_views.sheet(request, get_army_for(request.user, army_id))


@login_required
@require_POST
def army_resources(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Buys a resource, or takes it from the stores."""

    def buy(army: PathfinderArmy) -> str:
        if "stock" in request.POST:
            return _issue(request, army)
        buy_resource(
            by=request.user,
            army=army,
            resource=request.POST.get("resource", ""),
            quantity=read_quantity(request.POST, "quantity"),
            waive_building="waive" in request.POST,
            mount=_mount(request.POST),
        )
        return _("Purchase made.")

    return order(request, army_id, "resources", buy)


def _issue(request: PageRequest, army: PathfinderArmy) -> str:
    stock = default_views.named(stores_in(army.kingdom), request.POST.get("stock"), "/stock")
    issue_from_stores(by=request.user, army=army, stock=stock, quantity=read_quantity(request.POST, "quantity"))
    return _("Issued from the stores.")


def _mount(data: QueryDict) -> dict[str, Any] | None:
    """The kind of mount, if it was filled in: the army moves at its speed (R-3)."""
    name, cr, speed = data.get("mount_name", ""), data.get("mount_cr"), _speed(data)
    if not (name or cr or speed) or data.get("resource") != "mounts":
        return None
    return {"name": name, "cr": cr or None, "speed_m": speed}


def _speed(data: QueryDict) -> float | str | None:
    """Speed in metres, whichever unit was typed. Text that is no number is returned for the rules to refuse."""
    typed = LengthInput().value_from_datadict(data, {}, "mount_speed_m")
    try:
        metres = LengthField(in_feet="", required=False).clean(typed)
    except ValidationError:
        return str(typed)
    return None if metres is None else float(metres)


@login_required
@require_POST
def army_transfer(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Transfers a resource to other armies of the kingdom."""

    def give(army: PathfinderArmy) -> str:
        given_to = shares(request.POST, army)
        transfer_resource(by=request.user, army=army, resource=request.POST.get("resource", ""), to=given_to)
        return _("Equipment given; the army lost 1 Morale.")

    held = carries(army_id, request.POST.get("resource", ""))
    return order(request, army_id, "transfer" if held else "resources", give, at="army-resources")


@login_required
@require_POST
def army_assign(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Gives the army a commander, takes them away, or promotes a soldier."""

    def promote(army: PathfinderArmy) -> str:
        promote_soldier(by=request.user, army=army, name=request.POST.get("name", ""))
        return _("A soldier took command.")

    def choices(army: PathfinderArmy) -> Iterable[PathfinderCommander]:
        return commanders_in(army.kingdom)

    given = promote if "promote" in request.POST else default_views.assigning(request, choices, assign_commander)
    return order(request, army_id, "commander", given)


@login_required
@require_POST
def army_tactics(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Teaches or grants a tactic, or gives one up."""

    def change(army: PathfinderArmy) -> str:
        tactic = request.POST.get("tactic", "")
        if "forget" in request.POST:
            forget_tactic(by=request.user, army=army, tactic=request.POST["forget"])
            return _("Tactic given up.")
        teach_tactic(by=request.user, army=army, tactic=tactic, granted="grant" in request.POST)
        return _("The army can now use this tactic.")

    return order(request, army_id, "tactics", change)


@login_required
@require_POST
def army_rest(request: PageRequest, army_id: UUID) -> HttpResponse:
    """A day of rest, with the kingdom's Loyalty check if wanted; or the way into the reserve and back."""

    def rest(army: PathfinderArmy) -> str:
        die = request.POST.get("die")
        rested = rest_army(
            by=request.user, army=army, rally="rally" in request.POST, dice=[read_typed_whole(die)] if die else None
        )
        return render(rested.text)

    def keep(army: PathfinderArmy) -> str:
        if request.POST["reserve"] == "1":
            reserve_army(by=request.user, army=army)
            return _("The army is in reserve.")
        called = call_up_army(by=request.user, army=army)
        return _("The army was called up and will be ready on day %(day)s.") % {"day": called.called_up}

    return order(request, army_id, "rest", keep if "reserve" in request.POST else rest)


@login_required
@require_POST
def army_reveal(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Reveals or hides the sheet."""
    return order(request, army_id, "reveal", default_views.revealing(request))


# Marches: compute a road, set out, set an army's place (PF-1.8).


class RoadReckoned(NamedTuple):
    """A computed road. `far`, `hard`: open and difficult hexes that the army covers in the given days."""

    march: March | None
    far: int | None
    hard: int | None


@login_required
@require_POST
def army_march(request: PageRequest, army_id: UUID) -> HttpResponse:
    """`go` sets out; otherwise the road is only computed."""
    if "go" not in request.POST:
        return _reckon(request, get_army_run_by(request.user, army_id))

    def go(army: PathfinderArmy) -> str:
        march_army(by=request.user, army=army, place=request.POST.get("place", ""), road=_road(request))
        return _("The army is on its way.")

    return order(request, army_id, "march", go)


def _reckon(request: PageRequest, army: PathfinderArmy) -> HttpResponse:
    """Days of the road, and how far the army gets in the given days."""
    try:
        road = _road(request)
        found = reckon_march(army=army, road=road) if road.hexes or road.difficult_hexes else None
        days = _whole(request, "days")
        land = days > 0 and as_it_marches(army, road).land
        far = reach_of(army, days=days, land=land) if days else None
        hard = reach_of(army, days=days, difficult=True, land=land) if days else None
    except Refusal as refusal:
        return sheet(request, army, refused={"march": refusal}, status=422)
    return sheet(request, army, reckoned=RoadReckoned(found, far, hard))


def _road(request: PageRequest) -> Road:
    return Road(_whole(request, "hexes"), _whole(request, "difficult_hexes"), "land" in request.POST)


def _whole(request: PageRequest, name: str) -> int:
    """A whole number, 0 for an empty field. Raises `InvalidInput`."""
    given = read_typed_whole(request.POST.get(name, "").strip() or "0")
    if not isinstance(given, int):
        raise InvalidInput(term("Enter a whole number."), f"/{name}")
    return given


@login_required
@require_POST
def army_place(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Sets the army's place in words."""

    def note(army: PathfinderArmy) -> str:
        place_army(by=request.user, army=army, place=request.POST.get("place", ""))
        return _("Location saved.")

    return order(request, army_id, "march", note)


# Disbanding: choose, preview, confirm (PF-5.2).


@login_required
def army_disband(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The choices with their preview; `confirm` disbands the army."""
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
    messages.success(request, _("%(army)s disbanded.") % {"army": army.name})
    return redirect("armies:army", army.pk)


def choices_from(data: QueryDict, army: PathfinderArmy) -> dict[str, Disposal]:
    """Choice of the form for each resource."""
    return {
        row.resource: _disposal(data, army, row.resource, row.quantity)
        for row in army.resources.all()
        if f"choice-{row.resource}" in data
    }


def _disposal(data: QueryDict, army: PathfinderArmy, slug: str, quantity: int) -> Disposal:
    choice = data.get(f"choice-{slug}", "store")
    if choice != "give":
        return Disposal(choice)
    given_to = [Share(share.army, quantity) for share in shares(data, army, f"{slug}-")]
    return Disposal(choice, tuple(given_to))


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
