"""Views that raise or change an army of many units. Both recompute as one types, with or without JavaScript."""

from __future__ import annotations

from typing import Any, TypedDict
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armies.breaking_point.armies.builder_choices import list_starter_units, read_query
from armies.breaking_point.armies.draft_rows import is_only_redrawn, pressed
from armies.breaking_point.armies.forms import BuilderForm
from armies.breaking_point.armies.preview import NOTHING_YET, preview_of
from armies.breaking_point.armies.veteran_forms import CorrectionForm
from armies.forces.access import get_army_run_by
from armies.forces.raise_form import go_to_raised, raise_as_asked
from armies.forces.services import correct_army, raise_armies, raise_army, update_army
from armies.models import Army
from core.csv_tables import NO_CSV, SPREADSHEET
from kingdom.access.queries import get_kingdom_run_by, is_gm
from kingdom.access.request_types import PageRequest
from kingdom.approvals.queries import leave_of, require_offered
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import get_status, render_page, submit
from rules.core.errors import Refusal, demand

TEMPLATE = "armies/breaking_point/armies/army_form.html"
TABLE_BYTES = 240_000


class HostTold(TypedDict):
    """What a builder is told of where it stands."""

    kingdom: Kingdom
    army: Army | None
    gm: bool


@login_required
def army_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Raise an army for a kingdom."""
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    require_offered(request.user, kingdom.campaign, "raise")
    if request.method != "POST":
        return _draw(request, kingdom, BuilderForm(kingdom=kingdom, gm=_gm(request, kingdom)))
    if _only_redraw(request):
        return _drawn_anew(request, kingdom)
    form = BuilderForm(kingdom=kingdom, gm=_gm(request, kingdom), sent=request.POST)
    armies = _done(form, lambda given: raise_as_asked(
        kingdom, given, form.cleaned_data["copies"], raise_army, raise_armies, by=request.user
    ))  # fmt: skip
    if armies is None:
        return _draw(request, kingdom, form)
    return go_to_raised(request, armies)


@login_required
def army_edit(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Change what an army is; who is wounded stays so."""
    army: Army = get_army_run_by(request.user, army_id)
    require_offered(request.user, army.campaign, "raise")
    if request.method != "POST":
        return _draw(request, army.kingdom, BuilderForm(kingdom=army.kingdom, army=army), army)
    if _only_redraw(request):
        return _drawn_anew(request, army.kingdom, army)
    form = BuilderForm(kingdom=army.kingdom, army=army, sent=request.POST)
    if _done(form, lambda given: update_army(by=request.user, army=army, **given)) is None:
        return _draw(request, army.kingdom, form, army)
    messages.success(request, _("Saved."))
    return redirect("armies:army", army.pk)


@login_required
@require_POST
def army_preview(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """The figures the form would give, as a partial. `?army=` names the army being changed."""
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    army = _edited(request, kingdom)
    form = BuilderForm(kingdom=kingdom, army=army, gm=_gm(request, kingdom), sent=request.POST)
    return render(request, f"{TEMPLATE}#preview", {"preview": preview_of(kingdom, form.document())})


@login_required
@require_POST
def army_correct(request: PageRequest, army_id: UUID) -> HttpResponse:
    """The GM sets an army's state outright."""
    army: Army = get_army_run_by(request.user, army_id)
    correction = CorrectionForm(request.POST, army=army)
    if submit(correction, lambda given: correct_army(by=request.user, army=army, **given)) is None:
        form = BuilderForm(kingdom=army.kingdom, army=army)
        return _draw(request, army.kingdom, form, army, correction=correction)
    messages.success(request, _("Saved."))
    return redirect("armies:army", army.pk)


def _gm(request: PageRequest, kingdom: Kingdom) -> bool:
    return is_gm(request.user, kingdom.campaign)


def _edited(request: PageRequest, kingdom: Kingdom) -> Army | None:
    wanted = request.GET.get("army")
    if not wanted:
        return None
    army: Army = get_army_run_by(request.user, wanted)
    if army.kingdom_id != kingdom.pk:
        raise Http404
    return army


def _only_redraw(request: PageRequest) -> bool:
    return is_only_redrawn(request.POST)


def _drawn_anew(request: PageRequest, kingdom: Kingdom, army: Army | None = None) -> HttpResponse:
    """The form after one of its buttons; nothing is judged but a table that cannot be read."""
    data, told = request.POST.copy(), HostTold(kingdom=kingdom, army=army, gm=_gm(request, kingdom))
    try:
        if file := request.FILES.get("file"):
            sent = file.read(TABLE_BYTES)
            demand(not sent.startswith(SPREADSHEET), NO_CSV, field="/table")
            data["table"] = sent.decode("utf-8", "replace")
        draft = pressed(data, get_ruleset(kingdom.campaign))
    except Refusal as refusal:
        form = BuilderForm(sent=data, **told)
        form.refuse_alone(refusal)
        return _draw(request, kingdom, form, army)
    return _draw(request, kingdom, BuilderForm(draft=draft, **told), army)


def _done(form: BuilderForm, action: Any) -> Any:
    """What the service made of the form, or None with the refusal in it."""
    if not form.is_valid():
        return None
    head: dict[str, Any] = {
        name: form.cleaned_data[name] for name in ("name", "commander", "revealed") if name in form.fields
    }
    try:
        return action({**head, "sheet": form.document()})
    except Refusal as refusal:
        form.add_refusal(refusal)
        return None


def _draw(
    request: PageRequest,
    kingdom: Kingdom,
    form: BuilderForm,
    army: Army | None = None,
    correction: CorrectionForm | None = None,
) -> HttpResponse:
    status = max(get_status(form), get_status(correction) if correction else 200)
    if army and correction is None and _gm(request, kingdom):
        correction = CorrectionForm(army=army)
    context = {
        "form": form,
        "kingdom": kingdom,
        "campaign": kingdom.campaign,
        "army": army,
        "leave": leave_of(request.user, kingdom.campaign)["raise"],
        "preview": preview_of(kingdom, form.document()) if form.units else NOTHING_YET,
        "correction": correction,
        "starters": list_starter_units(form.law, read_query(request.POST)),
        "sought": read_query(request.POST),
        "starter": request.POST.get("starter", ""),
    }
    return render_page(request, TEMPLATE, context, partial="form", status=status)
