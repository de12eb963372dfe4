"""Views of commanders: page, form, boons."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.forces.portraits import build_commander_portrait
from armies.pathfinder.commanders.command_services import ransom_commander
from armies.pathfinder.commanders.forms import CommanderForm
from armies.pathfinder.commanders.page import commander_page
from armies.pathfinder.commanders.services import (
    appoint_commander,
    forget_boon,
    learn_boon,
    remove_commander,
    update_commander,
)
from armies.pathfinder.forces.access import get_commander_for, get_commander_run_by
from armies.pathfinder.models import PathfinderCommander
from kingdom import contributions as kingdom_slots
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_kingdom_run_by, is_gm
from kingdom.approvals.serializers import require_offered
from kingdom.models import Kingdom
from kingdom.rendering import get_status, render_page, submit
from rules.core.errors import Refusal
from rules.core.text import Said


@login_required
def commander(request: PageRequest, commander_id: UUID) -> HttpResponse:
    """The commander's page: figures, Leadership with its breakdown, boons."""
    return _draw(request, get_commander_for(request.user, commander_id))


def _draw(
    request: PageRequest,
    commander: PathfinderCommander,
    *,
    refused: Said | None = None,
    unpaid: Said | None = None,
    status: int = 200,
) -> HttpResponse:
    page = commander_page(request.user, commander)
    context = {
        "page": page,
        "refused": refused,
        "unpaid": unpaid,
        "portrait": build_commander_portrait(request.user, commander),
        "histories": kingdom_slots.render_place(request, "commander", commander),
        "beneath": kingdom_slots.render_beneath(request, "commander", commander),
    }
    return render_page(request, "armies/pathfinder/commanders/commander.html", context, partial="sheet", status=status)


@login_required
def commander_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Appoint a commander."""
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    require_offered(request.user, kingdom.campaign, "appoint")
    form = CommanderForm(_data(request), kingdom=kingdom, user=request.user)
    made = _submit(form, lambda: appoint_commander(by=request.user, kingdom=kingdom, **form.values()))
    if made is None:
        return _draw_form(request, kingdom, form)
    messages.success(request, _("%(name)s appointed.") % {"name": made.name})
    return redirect("armies:commander", made.pk)


@login_required
def commander_edit(request: PageRequest, commander_id: UUID) -> HttpResponse:
    """Change a commander's figures."""
    found = get_commander_run_by(request.user, commander_id)
    form = CommanderForm(_data(request), kingdom=found.kingdom, commander=found, user=request.user)
    saved = _submit(form, lambda: update_commander(by=request.user, commander=found, **form.values()))
    if saved is None:
        return _draw_form(request, found.kingdom, form, found)
    messages.success(request, _("Saved."))
    return redirect("armies:commander", found.pk)


def _data(request: PageRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _submit(form: CommanderForm, action: Any) -> PathfinderCommander | None:
    return submit(form, lambda _given: action()) if form.is_bound else None


def _draw_form(
    request: PageRequest, kingdom: Kingdom, form: CommanderForm, commander: PathfinderCommander | None = None
) -> HttpResponse:
    context = {"form": form, "kingdom": kingdom, "campaign": kingdom.campaign, "commander": commander}
    context["gm"] = is_gm(request.user, kingdom.campaign)
    return render_page(
        request, "armies/pathfinder/commanders/commander_form.html", context, partial="form", status=get_status(form)
    )


@login_required
@require_POST
def commander_boons(request: PageRequest, commander_id: UUID) -> HttpResponse:
    """Learns a boon, or removes one."""
    found = get_commander_run_by(request.user, commander_id)
    boon, tactic = request.POST.get("boon", ""), request.POST.get("tactic") or None
    change = forget_boon if "forget" in request.POST else learn_boon
    try:
        change(by=request.user, commander=found, boon=boon, tactic=tactic)
    except Refusal as refusal:
        fresh = get_commander_for(request.user, commander_id)
        return _draw(request, fresh, refused=refusal.message, status=422)
    messages.success(request, _("Saved."))
    if getattr(request, "htmx", None) and not request.htmx.boosted:
        return _draw(request, get_commander_for(request.user, commander_id))
    return redirect("armies:commander", commander_id)


@login_required
@require_POST
def commander_ransom(request: PageRequest, commander_id: UUID) -> HttpResponse:
    """Pays a captive's ransom."""
    found = get_commander_run_by(request.user, commander_id)
    try:
        ransom_commander(by=request.user, commander=found)
    except Refusal as refusal:
        fresh = get_commander_for(request.user, commander_id)
        return _draw(request, fresh, unpaid=refusal.message, status=422)
    messages.success(request, _("%(name)s is free.") % {"name": found.name})
    if getattr(request, "htmx", None) and not request.htmx.boosted:
        return _draw(request, get_commander_for(request.user, commander_id))
    return redirect("armies:commander", commander_id)


@login_required
@require_POST
def commander_remove(request: PageRequest, commander_id: UUID) -> HttpResponse:
    """Deletes a commander."""
    found = get_commander_run_by(request.user, commander_id)
    try:
        remove_commander(by=request.user, commander=found)
    except Refusal as refusal:
        return _draw(request, found, refused=refusal.message, status=422)
    messages.success(request, _("%(name)s deleted.") % {"name": found.name})
    return redirect("kingdom:kingdom", found.kingdom_id)
