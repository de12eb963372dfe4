"""Views of an army: its printed order of battle, and units that have fought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from armies.breaking_point.armies import paper
from armies.breaking_point.armies.forms import GrantForm, OneUnitForm, RecruitsForm, WoundedForm
from armies.breaking_point.armies.page import army_page
from armies.breaking_point.armies.services import (
    grant_experience,
    part_with,
    take_in_recruits,
    tend_wounded,
    train_unit,
)
from armies.default.views import order
from armies.forces.access import get_army_for, get_army_run_by
from armies.models import Army
from core.clean_input import parse_whole, read_typed_whole
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import require_gm
from kingdom.rendering import render_page, submit

# Exports: units as CSV, the order of battle in print.


@login_required
@require_safe
def order_of_battle(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The printed order of battle, with room to write."""
    army: Army = get_army_for(request.user, army_id)
    context = {"order": paper.order_of_battle(army), "states": paper.STATES}
    return render_page(request, "armies/breaking_point/armies/order_of_battle.html", context)


# Units that have fought: training, recruits, granted experience, wounded.

TEMPLATE = "armies/breaking_point/armies/army.html"


@login_required
@require_POST
def unit_train(request: PageRequest, army_id: UUID) -> HttpResponse:
    def train(army: Army) -> str:
        place = parse_whole(request.POST.get("unit", ""))
        train_unit(by=request.user, army=army, unit=-1 if place is None else place, to=_to(request))
        return _("Unit trained.")

    return order(request, army_id, "figures", train)


def _to(request: PageRequest) -> int | None:
    """Combat shown on the button when it was pressed."""
    found: int | None = typed if isinstance(typed := read_typed_whole(request.POST.get("to", "")), int) else None
    return found


@login_required
@require_POST
def unit_recruits(request: PageRequest, army_id: UUID) -> HttpResponse:
    army: Army = get_army_run_by(request.user, army_id)
    return _sent(request, army, "recruits", RecruitsForm(request.POST, army=army), take_in_recruits)


@login_required
@require_POST
def unit_grant(request: PageRequest, army_id: UUID) -> HttpResponse:
    army: Army = get_army_run_by(request.user, army_id)
    require_gm(request.user, army.campaign)
    return _sent(request, army, "grant", GrantForm(request.POST, army=army), grant_experience)


@login_required
@require_POST
def unit_wounded(request: PageRequest, army_id: UUID) -> HttpResponse:
    army: Army = get_army_run_by(request.user, army_id)
    require_gm(request.user, army.campaign)
    return _sent(request, army, "wounded", WoundedForm(request.POST, army=army), tend_wounded)


@login_required
@require_POST
def spoils_drop(request: PageRequest, army_id: UUID) -> HttpResponse:
    def drop(army: Army) -> str:
        place = parse_whole(request.POST.get("spoil", ""))
        part_with(by=request.user, army=army, spoil=-1 if place is None else place)
        return _("Removed from the spoils.")

    return order(request, army_id, "spoils", drop)


def _sent(
    request: PageRequest, army: Army, name: str, form: OneUnitForm, service: Callable[..., Any]
) -> HttpResponse:  # fmt: skip
    """Carries the form out and goes back to the sheet, or shows the sheet with the refused form (422)."""
    if submit(form, lambda given: service(by=request.user, army=army, **given)) is None:
        page = army_page(request.user, army, sent={name: form})
        context = {"page": page, "refused": {}, "given": {}}
        return render_page(request, TEMPLATE, context, partial="sheet", status=422)
    messages.success(request, _("Saved."))
    return redirect("armies:army", army.pk)
