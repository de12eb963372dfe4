"""Views of places and sieges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.sieges import place_services, queries, services
from armies.breaking_point.sieges import services as sieges_services
from armies.breaking_point.sieges.forms import BesiegeForm, PlaceForm, SiegeBattleForm, SiegeOrdersForm, TermsForm
from armies.forces.access import get_army_run_by
from armies.forces.views import render_busy
from armies.models import Army
from core.clean_input import parse_whole
from core.text import load_said
from core.text import render as say
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, get_kingdom_for, require_gm
from kingdom.models import Kingdom
from kingdom.rendering import get_status, render_page, submit
from rules.core.dice import DiceNeeded
from rules.core.errors import Refusal
from rules.core.text import Said

REFUSED, STALE = 422, 412


@login_required
@require_safe
def sieges(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    found = queries.siege_list(request.user, campaign)
    context = {"campaign": campaign, "found": found}
    return render_page(request, "armies/breaking_point/sieges/list.html", context)


# Places.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def place_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    kingdom = get_kingdom_for(request.user, kingdom_id)
    require_gm(request.user, kingdom.campaign)
    form = PlaceForm(request.POST or None, kingdom=kingdom)
    made = submit(form, lambda _data: place_services.fortify(by=request.user, kingdom=kingdom, **form.given()))
    if made:
        messages.success(request, _("%(place)s built.") % {"place": made})
        return redirect("armies:place", made.pk)
    return _place_form(request, form, kingdom)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def place_edit(request: PageRequest, place_id: UUID) -> HttpResponse:
    place = queries.get_place_for(request.user, place_id)
    require_gm(request.user, place.campaign)
    if request.method != "POST" and (held := queries.place_held(place)):
        return render_busy(request, held)
    form = PlaceForm(request.POST or None, kingdom=place.kingdom, place=place)
    if submit(form, lambda _data: place_services.update_place(by=request.user, place=place, **form.given())):
        messages.success(request, _("Saved."))
        return redirect("armies:place", place.pk)
    return _place_form(request, form, queries.get_place_for(request.user, place_id).kingdom, place_id)


def _place_form(request: PageRequest, form: PlaceForm, kingdom: Kingdom, place_id: UUID | None = None) -> HttpResponse:
    context = {"form": form, "kingdom": kingdom, "campaign": kingdom.campaign, "place_id": place_id}
    return render_page(request, "armies/breaking_point/sieges/place_form.html", context, status=get_status(form))


@login_required
@require_POST
def place_raze(request: PageRequest, place_id: UUID) -> HttpResponse:
    place = queries.get_place_for(request.user, place_id)
    kingdom = place.kingdom_id
    try:
        place_services.raze_place(by=request.user, place=place)
    except Refusal as refusal:
        return _place(request, queries.get_place_for(request.user, place_id), refused=refusal)
    messages.success(request, _("Fortified place razed."))
    return redirect("kingdom:kingdom", kingdom)


@login_required
@require_safe
def place(request: PageRequest, place_id: UUID) -> HttpResponse:
    return _place(request, queries.get_place_for(request.user, place_id))


def _place(
    request: PageRequest, row: FortifiedPlace, form: BesiegeForm | None = None, refused: Refusal | None = None
) -> HttpResponse:
    page = queries.place_page(request.user, row)
    if form is None and page.besieging:
        form = BesiegeForm(armies=page.besieging)
    status = REFUSED if refused or (form and form.errors) else 200
    context = {"page": page, "campaign": row.campaign, "form": form, "refused": refused and refused.message}
    return render_page(request, "armies/breaking_point/sieges/place.html", context, status=status)


@login_required
@require_POST
def place_enter(request: PageRequest, place_id: UUID) -> HttpResponse:
    row = queries.get_place_for(request.user, place_id)
    army: Army = get_army_run_by(request.user, request.POST.get("army", ""))
    try:
        place_services.enter_place(by=request.user, army=army, place=row)
    except Refusal as refusal:
        return _place(request, row, refused=refusal)
    messages.success(request, _("%(army)s garrisoned %(place)s.") % {"army": army.name, "place": row.name})
    return redirect("armies:place", row.pk)


@login_required
@require_POST
def place_leave(request: PageRequest, army_id: UUID) -> HttpResponse:
    army: Army = get_army_run_by(request.user, army_id)
    row = queries.station_of(army)
    if row is None:
        raise Http404
    try:
        place_services.leave_place(by=request.user, army=army)
    except Refusal as refusal:
        return _place(request, queries.get_place_for(request.user, row.pk), refused=refusal)
    messages.success(request, _("%(army)s left %(place)s.") % {"army": army.name, "place": row.name})
    return redirect("armies:place", row.pk)


@login_required
@require_POST
def place_besiege(request: PageRequest, place_id: UUID) -> HttpResponse:
    row = queries.get_place_for(request.user, place_id)
    page = queries.place_page(request.user, row)
    form = BesiegeForm(request.POST, armies=page.besieging)
    begun = submit(form, lambda _data: services.begin_siege(by=request.user, place=row, **form.given()))
    if begun is None:
        return _place(request, row, form)
    messages.success(request, _("The siege has begun."))
    return redirect("armies:siege", begun.pk)


# Sieges.


@login_required
@require_safe
def siege(request: PageRequest, siege_id: UUID) -> HttpResponse:
    return _siege(request, queries.get_siege_for(request.user, siege_id))


def _siege(
    request: PageRequest, row: SiegeRow, status: int = 200, *, refused: Said | None = None, **given: Any
) -> HttpResponse:
    """The siege's page. `given`: submitted forms."""
    page = queries.build_siege_page(request.user, row)
    forms: dict[str, Any] = {}
    if page.open and page.besieger.commands:
        forms["terms"] = TermsForm(types_dice=request.user.types_dice)
    if page.row.running and (only := _own_orders(page)):
        forms["orders"] = SiegeOrdersForm(state=row.state, only=only)
    if page.bodies:
        forms["battle"] = _battle_form(page)
    page = replace(page, forms={**forms, **given})
    context = {"page": page, "campaign": row.campaign, "refused": refused, **page.forms}
    return render_page(request, "armies/breaking_point/sieges/siege.html", context, partial="siege", status=status)


def _own_orders(page: queries.SiegePage) -> list[str]:
    """Standing orders that this reader may give."""
    return [
        *(["bombards"] if page.besieger.commands else []),
        *(["answers", "hears"] if page.garrison.commands else []),
    ]


def _battle_form(page: queries.SiegePage, data: Any = None) -> SiegeBattleForm:
    names = {str(line.pk): line.name for side in page.sides for line in side.armies}
    return SiegeBattleForm(data, bodies=page.bodies, names=names)


def _command(request: PageRequest, siege_id: UUID, command: Callable[[SiegeRow, int | None], SiegeRow]) -> HttpResponse:
    """Carries the command out and shows the result, or the siege with the refusal."""
    row = queries.get_siege_for(request.user, siege_id)
    try:
        done = command(row, parse_whole(request.POST.get("version")))
    except sieges_services.SiegeMovedOn as stale:
        messages.warning(request, say(stale.message))
        return _siege(request, queries.get_siege_for(request.user, siege_id), STALE)
    except Refusal as refusal:
        return _siege(request, queries.get_siege_for(request.user, siege_id), REFUSED, refused=refusal.message)
    for line in done.state["told"]:
        messages.success(request, say(load_said(line["text"])))
    return redirect("armies:siege", siege_id)


PLAIN = {
    "assault": sieges_services.begin_assault,
    "sortie": sieges_services.begin_sortie,
    "lift": sieges_services.lift_siege,
    "surrender": sieges_services.surrender_place,
    "relief": sieges_services.begin_relief,
}


@login_required
@require_POST
def siege_command(request: PageRequest, siege_id: UUID, name: str) -> HttpResponse:
    if name not in PLAIN:
        raise Http404
    service = PLAIN[name]
    return _command(request, siege_id, lambda row, version: service(by=request.user, siege=row, version=version))


@login_required
@require_POST
def siege_terms(request: PageRequest, siege_id: UUID) -> HttpResponse:
    """Offers terms, with the die rolled here or typed."""
    form = TermsForm(request.POST)
    row = queries.get_siege_for(request.user, siege_id)
    if not form.is_valid():
        return _siege(request, row, REFUSED, terms=form)
    dice: dict[str, Any] = {"typed": form.typed(), "ask": form.ask, "money": form.cleaned_data["money"] or 0}
    try:
        return _command(
            request, siege_id,
            lambda row, version: sieges_services.offer_terms(by=request.user, siege=row, version=version, **dice),
        )  # fmt: skip
    except DiceNeeded as needed:
        form.ask_for(needed)
        page = queries.build_siege_page(request.user, row)
        form.introduce({str(line.pk): line.name for line in page.besieger.armies})
        return _siege(request, row, terms=form)


@login_required
@require_POST
def siege_orders(request: PageRequest, siege_id: UUID) -> HttpResponse:
    row = queries.get_siege_for(request.user, siege_id)
    page = queries.build_siege_page(request.user, row)
    form = SiegeOrdersForm(request.POST, state=row.state, only=_own_orders(page))
    form.is_valid()
    given = {name: value for name, value in form.given().items() if value != row.state[name]}
    if not given:
        return redirect("armies:siege", siege_id)
    return _command(
        request, siege_id,
        lambda row, version: sieges_services.order_siege(by=request.user, siege=row, version=version, **given),
    )  # fmt: skip


@login_required
@require_POST
def siege_battle(request: PageRequest, siege_id: UUID) -> HttpResponse:
    """The GM enters how an assault or a sortie ended."""
    row = queries.get_siege_for(request.user, siege_id)
    require_gm(request.user, row.campaign)
    form = _battle_form(queries.build_siege_page(request.user, row), request.POST)
    if not form.is_valid():
        return _siege(request, row, REFUSED, battle=form)
    return _command(
        request, siege_id,
        lambda row, version: sieges_services.end_siege_battle(
            by=request.user, siege=row, version=version, **form.given()
        ),
    )  # fmt: skip


@login_required
@require_POST
def siege_join(request: PageRequest, siege_id: UUID) -> HttpResponse:
    army: Army = get_army_run_by(request.user, request.POST.get("army", ""))
    return _command(request, siege_id, lambda row, _version: services.join_siege(by=request.user, siege=row, army=army))
