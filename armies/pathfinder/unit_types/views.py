"""Views of a campaign's unit types."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from armies.forces.portraits import list_unit_pictures
from armies.pathfinder.armies.unit_fields import is_only_redrawn
from armies.pathfinder.forces.access import get_campaign_here
from armies.pathfinder.models import UnitType
from armies.pathfinder.unit_types import unit_files as unit_types_unit_files
from armies.pathfinder.unit_types.api import as_file
from armies.pathfinder.unit_types.forms import FilterForm, ImportForm, MonsterForm, UnitTypeForm
from armies.pathfinder.unit_types.queries import UnitEntry, group_by_family, load_unit_types, search_unit_types
from armies.pathfinder.unit_types.services import import_unit_types, remove_unit_type, save_unit_type
from armies.pathfinder.unit_types.unit_files import read_monster
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import is_gm, require_gm
from kingdom.accounts.rate_limits import limit_page
from kingdom.campaign.queries import run_kingdoms
from kingdom.models import Campaign, Kingdom
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import get_status, look_of, paginate_request, render_page
from rules.core.errors import Refusal
from rules.pathfinder.catalogue.units import FAMILIES

LISTED = 12


@login_required
@require_safe
def unit_types(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """All unit types by family, with a search."""
    return _list(request, get_campaign_here(request.user, campaign_id), ImportForm())


@login_required
@require_safe
@limit_page("costly")
def unit_types_export(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    return as_file(get_campaign_here(request.user, campaign_id), request.GET.get("as", "json"))


@login_required
@require_POST
def unit_types_import(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Imports a JSON or CSV file, all of it or nothing."""
    campaign = get_campaign_here(request.user, campaign_id)
    require_gm(request.user, campaign)
    form = ImportForm(request.POST, request.FILES)
    try:
        if not form.is_valid():
            return _list(request, campaign, form, 422)
        written = import_unit_types(by=request.user, campaign=campaign, rows=unit_types_unit_files.read(form.text()))
    except Refusal as refusal:
        form.add_refusal(refusal)
        return _list(request, campaign, form, 422)
    said = ngettext("%(count)s unit type imported.", "%(count)s unit types imported.", len(written))
    messages.success(request, said % {"count": len(written)})
    return redirect("armies:unit_types", campaign.pk)


@login_required
def unit_type_edit(request: PageRequest, campaign_id: UUID, slug: str = "") -> HttpResponse:
    """Form of a new unit type, or of an existing one. A changed library type becomes the campaign's own."""
    campaign = get_campaign_here(request.user, campaign_id)
    require_gm(request.user, campaign)
    entry = load_unit_types(campaign).get(slug)
    if slug and entry is None:
        raise Http404
    if "read" in request.POST and not slug:
        return _read_monster(request, campaign)
    data = request.POST if request.method == "POST" else None
    form = UnitTypeForm(data, ruleset=get_ruleset(campaign), entry=entry, reader=request.user)
    redraw = data is not None and is_only_redrawn(data)
    if data is not None and not redraw and _save(request, campaign, form, slug):
        messages.success(request, _("Saved."))
        return redirect("armies:unit_types", campaign.pk)
    status = 200 if redraw else get_status(form)
    if redraw:
        form.errors.clear()
    return _edit(request, campaign, form, {"entry": entry}, status)


def _read_monster(request: PageRequest, campaign: Campaign) -> HttpResponse:
    """The form of a new unit type, filled in from a creature, with what was used of each line. Nothing is stored."""
    sent, law = MonsterForm(request.POST, request.FILES), get_ruleset(campaign)
    form, found = UnitTypeForm(ruleset=law, reader=request.user), None
    try:
        if sent.is_valid():
            found = read_monster(sent.text(), law)
            read = UnitEntry("", found.unit["name"], found.family, found.unit)
            form = UnitTypeForm(ruleset=law, entry=read, reader=request.user)
    except Refusal as refusal:
        sent.add_refusal(refusal)
    return _edit(request, campaign, form, {"monster": sent, "found": found}, 200 if found else 422)


def _edit(
    request: PageRequest, campaign: Campaign, form: UnitTypeForm, more: dict[str, Any], status: int
) -> HttpResponse:
    units = [form[name] for name in UnitTypeForm.GROUPS["unit"]]
    context = {"campaign": campaign, "form": form, "units": units, "monster": MonsterForm(), **more}
    return render_page(
        request, "armies/pathfinder/unit_types/unit_type_form.html", context, partial="form", status=status
    )


@login_required
@require_POST
def unit_type_remove(request: PageRequest, campaign_id: UUID, slug: str) -> HttpResponse:
    campaign = get_campaign_here(request.user, campaign_id)
    row = get_object_or_404(UnitType, campaign=campaign, slug=slug)
    remove_unit_type(by=request.user, unit_type=row)
    messages.success(request, _("%(name)s deleted.") % {"name": row.name})
    return redirect("armies:unit_types", campaign.pk)


def _save(request: PageRequest, campaign: Campaign, form: UnitTypeForm, slug: str) -> UnitType | None:
    if not form.is_valid():
        return None
    try:
        family = form.cleaned_data["family"]
        return save_unit_type(by=request.user, campaign=campaign, unit=form.unit(), family=family, slug=slug)
    except Refusal as refusal:
        form.add_refusal(refusal)
        return None


def _list(request: PageRequest, campaign: Campaign, form: ImportForm, status: int = 200) -> HttpResponse:
    query, family = look_of(request).query, request.GET.get("family", "")
    filters = FilterForm(campaign, request.GET)
    sought = filters.sought._replace(query=query, family=family if family in FAMILIES else "")
    page = paginate_request(request, search_unit_types(filters.entries, sought), LISTED)
    kingdoms = list(run_kingdoms(request.user, campaign))
    context: dict[str, Any] = {
        "campaign": campaign,
        "page_obj": page,
        "families": group_by_family(page),
        "portraits": list_unit_pictures(campaign, [entry.slug for entry in page]),
        "choices": FAMILIES.items(),
        "query": query,
        "family": family,
        "filters": filters,
        "form": form,
        "gm": is_gm(request.user, campaign),
        "kingdoms": kingdoms,
        "raising": _raising(kingdoms, request.GET.get("for", "")),
    }
    return render_page(request, "armies/pathfinder/unit_types/unit_types.html", context, partial="list", status=status)


def _raising(kingdoms: list[Kingdom], asked: str) -> Kingdom | None:
    """The requested kingdom, else the first that the reader runs; None for none."""
    return next((kingdom for kingdom in kingdoms if str(kingdom.pk) == asked), kingdoms[0] if kingdoms else None)
