"""Views of the army sheet and its orders."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.default import views as default_views
from armies.pathfinder.armies import posted_rows
from armies.pathfinder.armies.purchase_services import buy_resource, issue_from_stores
from armies.pathfinder.armies.rest_services import rest_army
from armies.pathfinder.armies.tactic_services import forget_tactic, teach_tactic
from armies.pathfinder.armies.transfer_services import transfer_resource
from armies.pathfinder.commanders.command_services import assign_commander, promote_soldier
from armies.pathfinder.commanders.queries import carries, commanders_in, stores_in
from armies.pathfinder.forces.access import get_army_for
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from core.shapes.typed import read_typed_whole
from core.text import render
from kingdom.access.request_types import PageRequest
from kingdom.length_fields import LengthField, LengthInput

order = partial(default_views.order, kind=PathfinderArmy)
"""An order is given, and answered by the sheet."""


@login_required
def army(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The sheet. What no wound changes on it is drawn before anybody asks how hurt the army is."""
    return default_views.sheet(request, get_army_for(request.user, army_id, but=("health",)))


@login_required
@require_POST
def army_resources(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Buy, or take from the stores."""

    def buy(army: PathfinderArmy) -> str:
        if "stock" in request.POST:
            return _issue(request, army)
        buy_resource(
            by=request.user,
            army=army,
            resource=request.POST.get("resource", ""),
            quantity=posted_rows.read_quantity(request.POST, "quantity"),
            waive_building="waive" in request.POST,
            mount=_mount(request.POST),
        )
        return _("Bought.")

    return order(request, army_id, "resources", buy)


def _issue(request: PageRequest, army: PathfinderArmy) -> str:
    stock = default_views.named(stores_in(army.kingdom), request.POST.get("stock"), "/stock")
    issue_from_stores(
        by=request.user, army=army, stock=stock, quantity=posted_rows.read_quantity(request.POST, "quantity")
    )
    return _("Issued from the stores.")


def _mount(data: QueryDict) -> dict[str, Any] | None:
    """What the mounts are, where the form was filled in: the army moves at their speed (R-3)."""
    name, cr, speed = data.get("mount_name", ""), data.get("mount_cr"), _speed(data)
    if not (name or cr or speed) or data.get("resource") != "mounts":
        return None
    return {"name": name, "cr": cr or None, "speed_m": speed}


def _speed(data: QueryDict) -> float | str | None:
    """In metres, whichever was typed; what is no number the law refuses."""
    typed = LengthInput().value_from_datadict(data, {}, "mount_speed_m")
    try:
        metres = LengthField(in_feet="", required=False).clean(typed)
    except ValidationError:
        return str(typed)
    return None if metres is None else float(metres)


@login_required
@require_POST
def army_transfer(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Hand a resource to other armies of the kingdom."""

    def give(army: PathfinderArmy) -> str:
        shares = posted_rows.shares(request.POST, army)
        transfer_resource(by=request.user, army=army, resource=request.POST.get("resource", ""), to=shares)
        return _("Handed over; the army’s morale fell by 1.")

    held = carries(army_id, request.POST.get("resource", ""))
    return order(request, army_id, "transfer" if held else "resources", give, at="army-resources")


@login_required
@require_POST
def army_assign(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Give the army a commander, take them away, or promote a soldier."""

    def promote(army: PathfinderArmy) -> str:
        promote_soldier(by=request.user, army=army, name=request.POST.get("name", ""))
        return _("A soldier takes command.")

    def choices(army: PathfinderArmy) -> Iterable[PathfinderCommander]:
        return commanders_in(army.kingdom)

    given = promote if "promote" in request.POST else default_views.assigning(request, choices, assign_commander)
    return order(request, army_id, "commander", given)


@login_required
@require_POST
def army_tactics(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Learn, be granted, or forget a tactic."""

    def change(army: PathfinderArmy) -> str:
        tactic = request.POST.get("tactic", "")
        if "forget" in request.POST:
            forget_tactic(by=request.user, army=army, tactic=request.POST["forget"])
            return _("Forgotten.")
        teach_tactic(by=request.user, army=army, tactic=tactic, granted="grant" in request.POST)
        return _("The army may use this tactic now.")

    return order(request, army_id, "tactics", change)


@login_required
@require_POST
def army_rest(request: PageRequest, army_id: UUID) -> HttpResponse:
    """A day of rest, with the kingdom's Loyalty check if wanted."""

    def rest(army: PathfinderArmy) -> str:
        die = request.POST.get("die")
        rested = rest_army(
            by=request.user, army=army, rally="rally" in request.POST, dice=[read_typed_whole(die)] if die else None
        )
        return render(rested.text)

    return order(request, army_id, "rest", rest)


@login_required
@require_POST
def army_reveal(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Show or hide the sheet."""
    return order(request, army_id, "reveal", default_views.revealing(request))
