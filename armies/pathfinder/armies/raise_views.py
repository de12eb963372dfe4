"""Views that raise or change an army, with a preview that follows the form. They work without JavaScript."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.forces.declared_figures import CorrectionForm
from armies.forces.services import remove_army
from armies.forces.views import go_to_raised, raise_as_asked, warn_of_namesakes
from armies.models import Army
from armies.pathfinder.armies.forms import ArmyForm
from armies.pathfinder.armies.queries import build_sheet
from armies.pathfinder.armies.services import correct_army, raise_armies, raise_army, update_army
from armies.pathfinder.armies.unit_fields import is_only_redrawn, with_unit
from armies.pathfinder.forces.access import get_army_run_by, visible_to
from armies.pathfinder.forces.specs import build_army_spec, build_commander_spec
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.unit_types.forms import Picker, find_picked, looks_on
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_kingdom_run_by, is_gm
from kingdom.approvals.serializers import leave_of, require_offered
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import get_status, render_page, submit
from rules.core.errors import Refusal
from rules.pathfinder.documents import mount_from_json, unit_from_json
from rules.pathfinder.spec import MASS_COMBAT_FIGURES, ArmySpec

# Preview of an army's figures.


def preview_sheet(
    *,
    kingdom: Kingdom,
    name: str,
    unit: dict[str, Any],
    count: int,
    mount: dict[str, Any] | None = None,
    commander: PathfinderCommander | None = None,
    army: PathfinderArmy | None = None,
) -> Any:
    """Sheet of a new army with these values, or of `army` changed to them. Raises `InvalidInput`."""
    ruleset = get_ruleset(kingdom.campaign)
    shape, ridden = unit_from_json(unit, ruleset), mount_from_json(mount, ruleset)
    if army is not None:
        changed = replace(build_army_spec(army), name=name, unit=shape, count=count, mount=ridden, hp=None)
        return ruleset.sheet(changed)
    leader = build_commander_spec(commander) if commander else None
    return ruleset.sheet(ArmySpec("", name, shape, count, ridden, leader, kingdom=str(kingdom.pk)))


NAMES = {"name", "unit_name"}  # figures are shown without them


@login_required
def army_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Raise an army for a kingdom."""
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    require_offered(request.user, kingdom.campaign, "raise")
    if request.htmx and "list" in request.GET:
        context = {"picker": Picker(kingdom.campaign, request.POST), "request": request}
        return render(request, "armies/pathfinder/armies/parts/picker.html#found", context)
    data = _as_chosen(request, kingdom) if request.method == "POST" else None
    form = ArmyForm(data, kingdom=kingdom, unit=_chosen_unit(request, kingdom), gm=_gm(request, kingdom),
                    reader=request.user)  # fmt: skip
    if _only_redraw(request):
        return _draw(request, kingdom, form)
    armies = _raise(request, kingdom, form) if form.is_bound else None
    if armies is None:
        return _draw(request, kingdom, form, status=get_status(form))
    return go_to_raised(request, armies)


@login_required
def army_edit(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Changes an army; its damage stays."""
    army = get_army_run_by(request.user, army_id)
    require_offered(request.user, army.campaign, "raise")
    form = ArmyForm(request.POST if request.method == "POST" else None, kingdom=army.kingdom, army=army,
                    reader=request.user)  # fmt: skip
    if _only_redraw(request):
        return _draw(request, army.kingdom, form, army=army)
    if form.is_bound and _update(request, army, form):
        messages.success(request, _("Saved."))
        warn_of_namesakes(request, [army])
        return redirect("armies:army", army.pk)
    return _draw(request, army.kingdom, form, army=army, status=get_status(form))


@login_required
@require_POST
def army_preview(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Partial with the figures that the form would give. `?army=` names the army being changed."""
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    army = _edited(request, kingdom)
    form = ArmyForm(request.POST, kingdom=kingdom, army=army, gm=_gm(request, kingdom), reader=request.user)
    context = {"preview": figures(kingdom, form, army), "kingdom": kingdom, "army": army}
    return render(request, "armies/pathfinder/armies/army_form.html#preview", context)


@login_required
@require_POST
def army_correct(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Sets an army's figures and status outright (GM)."""
    army = get_army_run_by(request.user, army_id)
    correction = CorrectionForm(request.POST, army=army, shape=MASS_COMBAT_FIGURES)
    done = submit(correction, lambda given: correct_army(by=request.user, army=army, **given))
    if done is None:
        form = ArmyForm(kingdom=army.kingdom, army=army, reader=request.user)
        return _draw(request, army.kingdom, form, army=army, correction=correction, status=422)
    messages.success(request, _("Saved."))
    return redirect("armies:army", army.pk)


@login_required
@require_POST
def army_remove(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Deletes an army that no battle refers to."""
    army = get_army_run_by(request.user, army_id)
    try:
        remove_army(by=request.user, army=army)
    except Refusal as refusal:
        form = ArmyForm(kingdom=army.kingdom, army=army, reader=request.user)
        return _draw(request, army.kingdom, form, army=army, refused=refusal.message, status=422)
    messages.success(request, _("%(army)s deleted.") % {"army": army.name})
    return redirect("kingdom:kingdom", army.kingdom_id)


def _gm(request: PageRequest, kingdom: Kingdom) -> bool:
    return is_gm(request.user, kingdom.campaign)


def _chosen_unit(request: PageRequest, kingdom: Kingdom) -> Mapping[str, Any] | None:
    """The unit type that `?unit=` names, to start from."""
    return find_picked(kingdom.campaign, request.GET.get("unit", ""))


def _as_chosen(request: PageRequest, kingdom: Kingdom) -> QueryDict:
    """The submitted data, with the unit type that was chosen from the list."""
    unit = find_picked(kingdom.campaign, request.POST.get("use", ""))
    return with_unit(request.POST, unit, get_ruleset(kingdom.campaign)) if unit else request.POST


def _chosen(request: PageRequest) -> str:
    return request.POST.get("use", "") or request.GET.get("unit", "")


def _edited(request: PageRequest, kingdom: Kingdom) -> PathfinderArmy | None:
    wanted = request.GET.get("army")
    if not wanted:
        return None
    army = get_army_run_by(request.user, wanted)
    return get_object_or_404(visible_to(request.user), pk=army.pk, kingdom=kingdom)


def _only_redraw(request: PageRequest) -> bool:
    return request.method == "POST" and (is_only_redrawn(request.POST) or looks_on(request.POST))


def _raise(request: PageRequest, kingdom: Kingdom, form: ArmyForm) -> Sequence[Army] | None:
    """The new armies, or None with the refusal in the form."""
    if not form.is_valid():
        return None
    sent = form.cleaned_data
    given = {"name": sent["name"], "unit": form.unit(), "count": sent["count"], "mount": form.mount(),
             "commander": sent["commander"], **{name: sent[name] for name in form.figures}}  # fmt: skip
    try:
        return raise_as_asked(kingdom, given, sent["copies"], raise_army, raise_armies, by=request.user)
    except Refusal as refusal:
        form.add_refusal(refusal)
        return None


def _update(request: PageRequest, army: PathfinderArmy, form: ArmyForm) -> PathfinderArmy | None:
    if not form.is_valid():
        return None
    given = form.cleaned_data
    try:
        return update_army(
            by=request.user, army=army, name=given["name"], unit=form.unit(), count=given["count"], mount=form.mount()
        )
    except Refusal as refusal:
        form.add_refusal(refusal)
        return None


def figures(kingdom: Kingdom, form: ArmyForm, army: PathfinderArmy | None = None) -> dict[str, Any]:
    """Context of the preview: the sheet, or why there is none."""
    if not form.is_bound:
        return {"sheet": build_sheet(army) if army else None}
    if not form.is_valid() and not set(form.errors) <= NAMES:
        return {"waiting": form.awaited()}
    given = form.cleaned_data
    try:
        sheet = preview_sheet(
            kingdom=kingdom,
            name=given.get("name", ""),
            unit=form.unit(),
            count=given["count"],
            mount=form.mount(),
            commander=given.get("commander"),
            army=army,
        )
    except Refusal as refusal:
        return {"refusal": form.told(refusal)}
    copies = given.get("copies") or 1
    return {"sheet": sheet, "copies": copies, "together": copies * sheet.consumption.total}


def _draw(
    request: PageRequest,
    kingdom: Kingdom,
    form: ArmyForm,
    *,
    army: PathfinderArmy | None = None,
    correction: CorrectionForm | None = None,
    refused: Any = None,
    status: int = 200,
) -> HttpResponse:
    preview = figures(kingdom, form, army)
    if _only_redraw(request):
        form.errors.clear()
    if army and correction is None and _gm(request, kingdom):
        correction = CorrectionForm(army=army, shape=MASS_COMBAT_FIGURES)
    context = {
        "form": form,
        "kingdom": kingdom,
        "campaign": kingdom.campaign,
        "army": army,
        "leave": leave_of(request.user, kingdom.campaign)["raise"],
        "preview": preview,
        "correction": correction,
        "refused": refused,
        "picker": None if army else Picker(kingdom.campaign, request.POST, _chosen(request)),
        "units": [form[name] for name in ArmyForm.GROUPS["unit"]],
        "riding": [form[name] for name in ArmyForm.GROUPS["mount"]],
    }
    return render_page(request, "armies/pathfinder/armies/army_form.html", context, partial="form", status=status)
