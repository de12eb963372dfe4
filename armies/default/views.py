"""Views of armies and commanders for rulesets that keep everything in the sheet document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, cast
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Model
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.default.forms import PlainArmyForm, PlainCommanderForm
from armies.default.page import army_page
from armies.forces.access import get_army_for, get_army_run_by, get_commander_for, get_commander_run_by
from armies.forces.declared_figures import CorrectionForm
from armies.forces.portraits import build_army_portraits, build_commander_portrait
from armies.forces.services import (
    assign_commander,
    correct_army,
    disband_army,
    raise_armies,
    raise_army,
    remove_army,
    remove_commander,
    reveal_army,
    update_army,
)
from armies.forces.views import go_to_raised, raise_as_asked, warn_of_namesakes
from armies.map.visibility import annotate_last_seen
from armies.marches.services import place_army
from armies.models import Army, Commander
from armies.ruleset_ui import get_army_ui
from kingdom import contributions as kingdom_slots
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_kingdom_run_by, is_gm
from kingdom.approvals.serializers import leave_of, require_offered
from kingdom.models import Campaign, Kingdom
from kingdom.rendering import get_status, render_page, submit
from rules.core.errors import InvalidInput, Refusal
from rules.core.text import Said
from rules.core.text import _ as term

if TYPE_CHECKING:
    from armies.default.ui import DefaultArmyUI


PLACES = {"commander": "army-leader", "place": "main", "reveal": "main"}
"""Ids of the sheet's parts that show the result of an order, where that is not the section itself."""


@login_required
def army(request: PageRequest, army_id: UUID) -> HttpResponse:
    return sheet(request, get_army_for(request.user, army_id))


def _own(campaign: Campaign) -> DefaultArmyUI:
    """The UI of the campaign's ruleset, a `DefaultArmyUI`."""
    ui: Any = get_army_ui(campaign)
    return cast("DefaultArmyUI", ui)


def sheet(
    request: PageRequest,
    army: Army,
    *,
    refused: Mapping[str, Refusal] | None = None,
    reckoned: object = None,
    status: int = 200,
) -> HttpResponse:
    """The sheet. `refused`: refusals by section; `reckoned`: result of a form that only computes something."""
    ui = _own(army.campaign)
    (army,) = annotate_last_seen(request.user, army)
    page = ui.army_page(request, army)
    given = request.POST if refused or reckoned else {}
    context = {"page": page, "refused": refused or {}, "given": given, "reckoned": reckoned}
    context["portraits"] = build_army_portraits(request.user, army)
    context["beneath"] = kingdom_slots.render_beneath(request, "army", army)
    return render_page(request, ui.army_template, context, partial="sheet", status=status)


def order[A: Army](
    request: PageRequest,
    army_id: UUID,
    section: str,
    action: Callable[[A], str],
    kind: type[A] = Army,  # type: ignore[assignment]
    at: str = "",
) -> HttpResponse:
    """Carries out the action and shows its message, or the sheet with the refusal in its section (422).

    `at`: the part of the sheet that shows the result, by default the section.
    """
    army = get_army_run_by(request.user, army_id, kind)
    try:
        done = action(army)
    except Refusal as refusal:
        fresh = get_army_for(request.user, army_id, kind)
        return sheet(request, fresh, refused={section: refusal}, status=422)
    messages.success(request, done)
    if getattr(request, "htmx", None) and not request.htmx.boosted:
        return sheet(request, get_army_for(request.user, army_id, kind))
    return redirect(reverse("armies:army", args=[army_id], fragment=at or PLACES.get(section, f"army-{section}")))


def named[Row: Model](rows: Iterable[Row], pk: str | None, field: str) -> Row:
    """The row that a form names. Raises `InvalidInput` for any other id."""
    found = next((row for row in rows if str(row.pk) == pk), None)
    if found is None:
        raise InvalidInput(term("Choose a commander from the list."), field)
    return found


def assigning[A: Army](
    request: PageRequest, choices: Callable[[A], Iterable[Any]], assign: Callable[..., Any]
) -> Callable[[A], str]:
    """Action that gives the army the chosen commander, or none."""

    def chosen(army: A) -> str:
        wanted = request.POST.get("commander")
        commander = named(choices(army), wanted, "/commander") if wanted else None
        assign(by=request.user, army=army, commander=commander)
        if commander is None:
            return _("The army no longer has a commander.")
        return _("%(commander)s takes command.") % {"commander": commander}

    return chosen


def revealing(request: PageRequest) -> Callable[[Army], str]:
    """Action that reveals or hides the sheet."""

    def reveal(army: Army) -> str:
        shown = request.POST.get("revealed") == "1"
        reveal_army(by=request.user, army=army, revealed=shown)
        return _("Everyone at the table can now read this sheet.") if shown else _("The sheet is hidden again.")

    return reveal


@login_required
@require_POST
def army_assign(request: PageRequest, army_id: UUID) -> HttpResponse:
    def choices(army: Army) -> Iterable[Commander]:
        page = army_page(request.user, army)
        return filter(None, (page.army.commander, *page.candidates))

    return order(request, army_id, "commander", assigning(request, choices, assign_commander))


@login_required
@require_POST
def army_place(request: PageRequest, army_id: UUID) -> HttpResponse:
    def place(army: Army) -> str:
        place_army(by=request.user, army=army, place=request.POST.get("place", ""))
        return _("Saved.")

    return order(request, army_id, "place", place)


@login_required
@require_POST
def army_reveal(request: PageRequest, army_id: UUID) -> HttpResponse:
    return order(request, army_id, "reveal", revealing(request))


@login_required
def army_disband(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Confirmation page, then the disbanding."""
    army: Army = get_army_run_by(request.user, army_id)
    require_offered(request.user, army.campaign, "disband")
    refused = None
    if "confirm" in request.POST:
        try:
            disband_army(by=request.user, army=army)
        except Refusal as refusal:
            refused = refusal.message
        else:
            messages.success(request, _("%(army)s disbanded.") % {"army": army.name})
            return redirect("armies:army", army.pk)
    context = {"army": army, "kingdom": army.kingdom, "campaign": army.campaign, "refused": refused}
    return render_page(request, "armies/forces/disband.html", context, partial="plan", status=422 if refused else 200)


@login_required
def army_reform(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The ruleset lets nobody divide or combine armies. Raises `Http404`."""
    get_army_run_by(request.user, army_id)
    raise Http404


@login_required
def army_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    require_offered(request.user, kingdom.campaign, "raise")
    form = PlainArmyForm(_data(request), kingdom=kingdom, gm=is_gm(request.user, kingdom.campaign))
    if form.is_bound:
        armies = submit(form, lambda sent: raise_as_asked(
            kingdom, form.given(), sent["copies"], raise_army, raise_armies, by=request.user
        ))  # fmt: skip
        if armies is not None:
            return go_to_raised(request, armies)
    return _form(request, kingdom, form)


@login_required
@require_POST
def army_preview(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """The form with what was typed so far: such a ruleset has no other preview."""
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    return _form(request, kingdom, PlainArmyForm(request.POST, kingdom=kingdom))


@login_required
def army_edit(request: PageRequest, army_id: UUID) -> HttpResponse:
    army: Army = get_army_run_by(request.user, army_id)
    require_offered(request.user, army.campaign, "raise")
    form = PlainArmyForm(_data(request), kingdom=army.kingdom, army=army)
    if (
        form.is_bound
        and submit(form, lambda _given: update_army(by=request.user, army=army, **form.given())) is not None
    ):
        messages.success(request, _("Saved."))
        warn_of_namesakes(request, [army])
        return redirect("armies:army", army.pk)
    return _form(request, army.kingdom, form, army=army)


@login_required
@require_POST
def army_correct(request: PageRequest, army_id: UUID) -> HttpResponse:
    army: Army = get_army_run_by(request.user, army_id)
    correction = CorrectionForm(request.POST, army=army)
    if submit(correction, lambda given: correct_army(by=request.user, army=army, **given)):
        messages.success(request, _("Saved."))
        return redirect("armies:army", army.pk)
    return _form(
        request, army.kingdom, PlainArmyForm(kingdom=army.kingdom, army=army), army=army, correction=correction
    )


@login_required
@require_POST
def army_remove(request: PageRequest, army_id: UUID) -> HttpResponse:
    army: Army = get_army_run_by(request.user, army_id)
    try:
        remove_army(by=request.user, army=army)
    except Refusal as refusal:
        return sheet(request, get_army_for(request.user, army_id), refused={"main": refusal}, status=422)
    messages.success(request, _("%(army)s deleted.") % {"army": army.name})
    return redirect("kingdom:kingdom", army.kingdom_id)


def _data(request: PageRequest) -> Any:
    return request.POST if request.method == "POST" else None


def _form(
    request: PageRequest,
    kingdom: Kingdom,
    form: PlainArmyForm,
    army: Army | None = None,
    correction: CorrectionForm | None = None,
) -> HttpResponse:
    gm = is_gm(request.user, kingdom.campaign)
    status = max(get_status(form), get_status(correction) if correction else 200)
    if army and gm and correction is None:
        correction = CorrectionForm(army=army)
    context = {
        "form": form,
        "kingdom": kingdom,
        "campaign": kingdom.campaign,
        "army": army,
        "correction": correction,
        "leave": leave_of(request.user, kingdom.campaign)["raise"],
    }
    return render_page(request, "armies/forces/army_form.html", context, partial="form", status=status)


@login_required
def commander(request: PageRequest, commander_id: UUID) -> HttpResponse:
    found: Commander = get_commander_for(request.user, commander_id)
    ui = _own(found.campaign)
    context = {"page": ui.commander_page(request, found)}
    context["portrait"] = build_commander_portrait(request.user, found)
    context["histories"] = kingdom_slots.render_place(request, "commander", found)
    context["beneath"] = kingdom_slots.render_beneath(request, "commander", found)
    return render_page(request, ui.commander_template, context, partial="sheet")


@login_required
def commander_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    require_offered(request.user, kingdom.campaign, "appoint")
    ui = _own(kingdom.campaign)
    form = ui.build_commander_form(kingdom.campaign, _data(request))
    if form.is_bound:
        found = submit(form, lambda given: ui.appoint_commander(by=request.user, kingdom=kingdom, **given))
        if found is not None:
            messages.success(request, _("Saved."))
            return redirect("armies:commander", found.pk)
    return _commander_form(request, kingdom, form)


@login_required
def commander_edit(request: PageRequest, commander_id: UUID) -> HttpResponse:
    found: Commander = get_commander_run_by(request.user, commander_id)
    ui = _own(found.campaign)
    gm = is_gm(request.user, found.campaign)
    form = ui.build_commander_form(found.campaign, _data(request), commander=found, gm=gm)
    if (
        form.is_bound
        and submit(form, lambda given: ui.update_commander(by=request.user, commander=found, **given)) is not None
    ):
        messages.success(request, _("Saved."))
        return redirect("armies:commander", found.pk)
    return _commander_form(request, found.kingdom, form, found)


@login_required
@require_POST
def commander_remove(request: PageRequest, commander_id: UUID) -> HttpResponse:
    found: Commander = get_commander_run_by(request.user, commander_id)
    try:
        remove_commander(by=request.user, commander=found)
    except Refusal as refusal:
        form = _own(found.campaign).build_commander_form(found.campaign, commander=found, gm=True)
        return _commander_form(request, found.kingdom, form, found, refusal.message)
    messages.success(request, _("%(name)s deleted.") % {"name": found.name})
    return redirect("kingdom:kingdom", found.kingdom_id)


def _commander_form(
    request: PageRequest,
    kingdom: Kingdom,
    form: PlainCommanderForm,
    commander: Commander | None = None,
    refused: Said | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "kingdom": kingdom,
        "campaign": kingdom.campaign,
        "commander": commander,
        "gm": is_gm(request.user, kingdom.campaign),
        "refused": refused,
    }
    status = 422 if refused else get_status(form)
    return render_page(request, "armies/forces/commander_form.html", context, partial="form", status=status)
