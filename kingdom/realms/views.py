"""Views of a kingdom: its sheet, treasury, checks and settlements."""

from __future__ import annotations

import secrets
from typing import Any, NamedTuple
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.forms.form_fields import list_choices
from core.text import render
from kingdom import contributions as kingdom_slots
from kingdom.access.permissions import Leave, PageRequest
from kingdom.access.queries import (
    get_campaign_for,
    get_kingdom_for,
    get_kingdom_run_by,
    get_settlement_for,
    is_gm,
    reads_kingdom,
    require_gm,
    require_runs,
)
from kingdom.approvals.serializers import leave_of, require_offered
from kingdom.campaign.page import KingdomPage, kingdom_brief, kingdom_sheet
from kingdom.campaign.queries import arms_in, is_town_name_taken, roll_of_arms
from kingdom.models import Campaign, Kingdom, Settlement
from kingdom.models.heraldry import KNOWN, PARTS, Arms, clean_arms, draw_arms, fitted, list_tinctures
from kingdom.pictures.queries import build_banner
from kingdom.realms.check_services import CheckResult, roll_check
from kingdom.realms.figures import get_realm_law, load_history
from kingdom.realms.forms import CheckForm, DissolveForm, KingdomForm, LedgerForm, SettlementForm
from kingdom.realms.services import (
    dissolve_kingdom,
    found_kingdom,
    found_settlement,
    raze_settlement,
    update_kingdom,
    update_settlement,
)
from kingdom.realms.treasury_services import record_entry
from kingdom.rendering import get_status, look_of, render_page, submit
from rules.core.errors import InvalidInput


@login_required
@require_safe
def kingdom(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    return _page(request, get_kingdom_for(request.user, kingdom_id))


@login_required
@require_safe
def kingdom_people(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Page of a kingdom's commanders and of its stores, if the ruleset has any."""
    found = get_kingdom_for(request.user, kingdom_id)
    stores = get_realm_law(found.campaign).market_rule
    return _part(request, found, "people", _("Commanders and stores") if stores else _("Commanders"))


@login_required
@require_safe
def kingdom_outlook(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Page of a kingdom's outlook and history."""
    found = get_kingdom_for(request.user, kingdom_id)
    history = load_history(found) if get_realm_law(found.campaign).sheet else None
    return _part(request, found, "outlook", _("Outlook"), history=history)


def _part(request: PageRequest, found: Kingdom, place: str, title: str, **more: Any) -> HttpResponse:
    page = kingdom_brief(request.user, found)
    if not reads_kingdom(request.user, found):
        return _closed(request, page)
    drawn = kingdom_slots.render_place(request, place, found, look_of(request))
    context = {"page": page, "title": title, "active": place, "panels": drawn, **more}
    return render_page(request, "kingdom/realms/kingdom_part.html", context)


@login_required
@require_POST
def kingdom_check(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Roll a check and show it on the kingdom's page; nothing is stored."""
    found = get_kingdom_run_by(request.user, kingdom_id)
    form = CheckForm(request.POST, kingdom=found)
    result = submit(form, lambda data: _rolled(request, found, data))
    return _page(request, found, partial="check", check_form=form, check=result)


def _rolled(request: PageRequest, found: Kingdom, data: dict[str, Any]) -> CheckResult:
    dice = None if data["dice"] is None else [data["dice"]]
    return roll_check(by=request.user, kingdom=found, attribute=data["attribute"], dc=data["dc"], dice=dice)


@login_required
@require_POST
def kingdom_entry(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Add a ledger entry on the kingdom's page."""
    found = get_kingdom_run_by(request.user, kingdom_id)
    form = LedgerForm(request.POST, kingdom=found)
    entry = submit(form, lambda data: record_entry(by=request.user, kingdom=found, **data))
    if entry and request.htmx:
        return _page(request, found, partial="treasury")
    if entry:
        return redirect("kingdom:kingdom", found.pk)
    return _page(request, found, partial="treasury", ledger_form=form)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def kingdom_new(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    form = KingdomForm(request.POST or None, campaign=campaign, user=request.user)
    if made := submit(form, lambda data: found_kingdom(by=request.user, campaign=campaign, **data)):
        messages.success(request, _("{kingdom} was founded.").format(kingdom=made.name))
        return redirect("kingdom:kingdom", made.pk)
    context = {"form": form, "campaign": campaign}
    return render_page(request, "kingdom/realms/kingdom_form.html", context, status=get_status(form))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def kingdom_edit(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    found = get_kingdom_run_by(request.user, kingdom_id)
    campaign = found.campaign
    form = KingdomForm(request.POST or None, campaign=campaign, user=request.user, kingdom=found)
    if submit(form, lambda data: update_kingdom(by=request.user, kingdom=found, **data)):
        messages.success(request, _("Saved."))
        return redirect("kingdom:kingdom", found.pk)
    return _edit_page(request, campaign, kingdom_id, form, get_status(form))


@login_required
@require_POST
def kingdom_dissolve(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    found = get_kingdom_for(request.user, kingdom_id)
    require_gm(request.user, found.campaign)
    typed = DissolveForm(request.POST, kingdom=found)
    submit(typed, lambda _data: dissolve_kingdom(by=request.user, kingdom=found))
    if typed.errors:
        form = KingdomForm(campaign=found.campaign, user=request.user, kingdom=found)
        return _edit_page(request, found.campaign, kingdom_id, form, get_status(typed), typed)
    messages.success(request, _("{kingdom} deleted.").format(kingdom=found.name))
    return redirect("kingdom:campaign", found.campaign_id)


def _edit_page(
    request: PageRequest,
    campaign: Campaign,
    kingdom_id: UUID,
    form: KingdomForm,
    status: int,
    dissolve: DissolveForm | None = None,
) -> HttpResponse:
    unsaved = get_kingdom_for(request.user, kingdom_id)  # the form has set a refused name on its own object
    dissolve = dissolve or DissolveForm(kingdom=unsaved)
    context = {"form": form, "campaign": campaign, "kingdom": unsaved, "dissolve": dissolve}
    return render_page(request, "kingdom/realms/kingdom_form.html", context, status=status)


def _closed(request: PageRequest, page: KingdomPage) -> HttpResponse:
    """Page for members who may not read the kingdom: its name, banner and public notes."""
    context = {"page": page, "banner": build_banner(request.user, page.kingdom)}
    context["beneath"] = kingdom_slots.render_beneath(request, "kingdom", page.kingdom)
    return render_page(request, "kingdom/realms/kingdom_closed.html", context)


def _page(
    request: PageRequest,
    found: Kingdom,
    *,
    partial: str | None = None,
    check_form: CheckForm | None = None,
    check: CheckResult | None = None,
    ledger_form: LedgerForm | None = None,
) -> HttpResponse:
    page = kingdom_brief(request.user, found)
    if not reads_kingdom(request.user, found):
        return _closed(request, page)
    context: dict[str, Any] = {
        "page": page,
        "banner": build_banner(request.user, found),
        "sheet": kingdom_sheet(found),
        "check_form": check_form or CheckForm(kingdom=found),
        "check": check,
        "ledger_form": ledger_form or LedgerForm(kingdom=found),
        "action_panels": kingdom_slots.render_place(request, "kingdom-actions", found),
        "treasury_panels": kingdom_slots.render_place(request, "treasury", found),
        "panels": kingdom_slots.render_place(request, "kingdom", found, look_of(request)),
        "beneath": kingdom_slots.render_beneath(request, "kingdom", found),
    }
    status = max((get_status(form) for form in (check_form, ledger_form) if form), default=200)
    return render_page(request, "kingdom/realms/kingdom.html", context, partial=partial, status=status)


# Views of settlements.


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settlement_new(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    kingdom = get_kingdom_run_by(request.user, kingdom_id)
    require_offered(request.user, kingdom.campaign, "found")
    realm, gm = get_realm_law(kingdom.campaign), is_gm(request.user, kingdom.campaign)
    form = SettlementForm(request.POST or None, realm=realm, gm=gm)
    if made := submit(form, lambda _data: found_settlement(by=request.user, kingdom=kingdom, **form.given())):
        messages.success(request, _("{settlement} founded.").format(settlement=made.name))
        _warn_of_namesakes(request, made)
        return redirect("kingdom:kingdom", kingdom.pk)
    context = {"form": form, "kingdom": kingdom, "campaign": kingdom.campaign, "leave": _leave(request, kingdom)}
    return render_page(request, "kingdom/realms/settlement_form.html", context, status=get_status(form))


def _warn_of_namesakes(request: PageRequest, settlement: Settlement) -> None:
    """Warn that another settlement of the kingdom has this name. Imports may bring two of one name, so it is
    allowed.
    """
    if is_town_name_taken(settlement):
        text = _("This kingdom has another settlement named {settlement}. Rename one to tell them apart.")
        messages.warning(request, text.format(settlement=settlement.name))


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settlement_edit(request: PageRequest, settlement_id: UUID) -> HttpResponse:
    settlement = get_settlement_for(request.user, settlement_id)
    kingdom, name = settlement.kingdom, settlement.name
    require_runs(request.user, kingdom)
    realm, gm = get_realm_law(kingdom.campaign), is_gm(request.user, kingdom.campaign)
    leave = _leave(request, kingdom)
    form = SettlementForm(request.POST or None, realm=realm, gm=gm, settlement=settlement, builds=leave.offered)
    change = lambda _data: update_settlement(by=request.user, settlement=settlement, **form.given())  # noqa: E731
    if submit(form, change):
        messages.success(request, _("Saved."))
        if settlement.name != name:
            _warn_of_namesakes(request, settlement)
        return redirect("kingdom:kingdom", kingdom.pk)
    context = {"form": form, "kingdom": kingdom, "campaign": kingdom.campaign, "settlement": settlement, "name": name}
    context["leave"] = leave
    context["beneath"] = kingdom_slots.render_beneath(request, "settlement", settlement)
    return render_page(request, "kingdom/realms/settlement_form.html", context, status=get_status(form))


def _leave(request: PageRequest, kingdom: Kingdom) -> Leave:
    return leave_of(request.user, kingdom.campaign)["found"]


@login_required
@require_POST
def settlement_raze(request: PageRequest, settlement_id: UUID) -> HttpResponse:
    settlement = get_settlement_for(request.user, settlement_id)
    raze_settlement(by=request.user, settlement=settlement)
    messages.success(request, _("{settlement} deleted.").format(settlement=settlement.name))
    return redirect("kingdom:kingdom", settlement.kingdom_id)


# View and form of a kingdom's arms.

LOT = 8  # bytes


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def arms(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Page of the arms. POST saves them, or shows them as picked so far (`preview`), drawn by `lots` or from the
    `name`.
    """
    found = get_kingdom_run_by(request.user, kingdom_id)
    if request.method != "POST" or request.POST.keys() & {"preview", "lots", "name"}:
        return _arms_page(request, found, _picked(request, found))
    form = ArmsForm(request.POST, now=found.arms_borne)
    if submit(form, lambda data: update_kingdom(by=request.user, kingdom=found, arms=data)):
        messages.success(request, _("Arms of {kingdom} saved.").format(kingdom=found.name))
        return redirect("kingdom:kingdom", found.pk)
    return _arms_page(request, found, form)


def _picked(request: PageRequest, found: Kingdom) -> ArmsForm:
    """Return the form as filled in so far; nothing is stored."""
    others = arms_in(found.campaign, but=found)
    if "lots" in request.POST:
        return ArmsForm(now=draw_arms(secrets.token_hex(LOT), others))
    if "name" in request.POST:
        return ArmsForm(now=draw_arms(found.name, others))
    return ArmsForm(now=ArmsForm(request.POST, now=found.arms_borne).chosen)


def _arms_page(request: PageRequest, found: Kingdom, form: ArmsForm) -> HttpResponse:
    context = {"kingdom": found, "campaign": found.campaign, "form": form, "roll": roll_of_arms(found)}
    return render_page(request, "kingdom/realms/arms.html", context, partial="blazon", status=get_status(form))


# Form of a kingdom's arms: every choice is drawn as the arms it would make.


class Pick(NamedTuple):
    """A choice for one part, with the arms it would make of the parts chosen so far."""

    slug: str
    label: str
    arms: Arms
    chosen: bool


class ArmsPart(NamedTuple):
    field: forms.BoundField
    picks: tuple[Pick, ...]


class ArmsForm(forms.Form):
    """Form of a kingdom's arms. `now`: the arms to begin with. `chosen`: those picked so far, made to fit."""

    def __init__(self, data: Any = None, *, now: Arms, **options: Any):
        super().__init__(data, initial=now._asdict(), **options)
        self.chosen = fitted(data or {}, now)
        for part, known in KNOWN.items():
            choices = list_choices({slug: known[slug] for slug in known})
            self.fields[part] = forms.ChoiceField(label=render(PARTS[part]), choices=choices)

    def clean(self) -> dict[str, Any]:
        """Refuse two tinctures of one kind, with the error at the faulty field."""
        given = super().clean() or {}
        try:
            clean_arms(given, at="", now=self.chosen)
        except InvalidInput as refusal:
            self.add_error(refusal.field.strip("/"), render(refusal.message))
        return given

    @property
    def parts(self) -> list[ArmsPart]:
        return [ArmsPart(self[part], tuple(self._picks(part))) for part in KNOWN]

    def _picks(self, part: str) -> list[Pick]:
        now = getattr(self.chosen, part)
        offered = list_tinctures(self.chosen.field) if part == "tincture" else KNOWN[part]
        labels = dict(self.fields[part].choices)  # type: ignore[attr-defined]
        return [Pick(slug, labels[slug], fitted({part: slug}, self.chosen), slug == now) for slug in offered]
