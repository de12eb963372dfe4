"""Views of the campaign's map: every member sees it, the GM changes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from armies.forces.access import get_army_run_by
from armies.map.forms import ClaimForm, MakeMapForm, MapRulesForm, StandForm, TownForm
from armies.map.page import MapPage, map_page
from armies.marches.services import halt_army, march_along, put_army
from armies.models import Army
from armies.ruleset_ui import find_row
from kingdom import contributions as kingdom_slots
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_campaign_for, require_gm
from kingdom.map.displacement import Displaced
from kingdom.map.queries import find_map, forget_map, get_extent_figure, map_put_away
from kingdom.map.services import claim_hexes, configure_map, make_map, put_map_away, put_settlement
from kingdom.models import Campaign, User
from kingdom.rendering import build_question, get_status, read_agreement, render_page, submit
from rules.core.errors import Refusal
from rules.core.text import Said

SHOWN_SO = ("zoom", "layers")
LEFT_HANGING = (*SHOWN_SO, "hex", "army", "via", "own", "manner")


@login_required
@require_safe
def campaign_map(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    return _draw(request, get_campaign_for(request.user, campaign_id))


@login_required
@require_POST
def map_away(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    campaign = _of_gm(request, campaign_id)
    away = request.POST.get("away") != "0"
    put_map_away(by=request.user, campaign=campaign, away=away)
    messages.success(request, _("The map was archived.") if away else _("The map is in use again."))
    return redirect("armies:map", campaign.pk)


def _of_form(
    name: str,
    asked: Callable[[PageRequest, Campaign], forms.Form],
    do: Callable[[User, Campaign, dict[str, Any]], object],
    said: object,
) -> Callable[..., HttpResponse]:
    """Return a view that handles one of the GM's forms. `name`: of the form in the page's context."""

    @login_required
    @require_POST
    def ordered(request: PageRequest, campaign_id: UUID) -> HttpResponse:
        campaign = _of_gm(request, campaign_id)
        form = asked(request, campaign)

        def act(given: dict[str, Any]) -> bool:
            do(request.user, campaign, given)
            return True

        return _done(request, campaign, form, act, str(said), **{name: form})

    return ordered


@login_required
@require_POST
def map_make(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """Creates the campaign's first map, or another one after an earlier map was archived. It asks first if armies or
    towns would leave the earlier map.
    """
    campaign = _of_gm(request, campaign_id)
    if find_map(campaign):
        messages.warning(request, _("This campaign already has a map in use."))
        return redirect("armies:map", campaign.pk)
    sent, agreed = read_agreement(request)
    form = MakeMapForm(sent, campaign=campaign)
    act = lambda given: make_map(by=request.user, campaign=campaign, agreed=agreed, **given)  # noqa: E731
    try:
        return _done(request, campaign, form, act, _("Map created. You can draw on it now."), make=form)
    except Displaced as leaving:
        return _draw(request, campaign, None, build_question(leaving, form), make=form)


map_rules = _of_form(
    "rules",
    lambda request, campaign: MapRulesForm(request.POST, drawn=None, extent=bool(get_extent_figure(campaign))),
    lambda by, campaign, given: configure_map(by=by, campaign=campaign, **given),
    gettext_lazy("Saved."),
)
map_claim = _of_form(
    "claim",
    lambda request, campaign: ClaimForm(request.POST, campaign=campaign),
    lambda by, campaign, given: claim_hexes(by=by, campaign=campaign, **given),
    gettext_lazy("Border saved."),
)
map_stand = _of_form(
    "stand",
    lambda request, campaign: StandForm(request.POST, campaign=campaign),
    lambda by, _campaign, given: put_army(by=by, **given),
    gettext_lazy("Location saved."),
)
map_town = _of_form(
    "town",
    lambda request, campaign: TownForm(request.POST, campaign=campaign),
    lambda by, _campaign, given: put_settlement(by=by, settlement=given.pop("town"), **given),
    gettext_lazy("Location saved."),
)


@login_required
@require_POST
def army_way(request: PageRequest, army_id: UUID) -> HttpResponse:
    """Sends the army along the submitted hexes, or halts it."""
    army = get_army_run_by(request.user, army_id, Army)
    campaign = army.campaign
    own = find_row(Army, campaign, str(army.pk))
    assert isinstance(own, Army)
    try:
        done = _ordered(request, own)
    except Refusal as refusal:
        return _draw(request, campaign, refusal.message)
    messages.success(request, done)
    return redirect(
        f"{reverse('armies:map', args=[campaign.pk])}?{urlencode(_left(request, SHOWN_SO) | {'army': army.pk})}"
    )


def _ordered(request: PageRequest, army: Army) -> str:
    if request.POST.get("do") == "halt":
        halt_army(by=request.user, army=army)
        return _("The army halted.")
    path, manner = (request.POST.get(name, "").split(",") for name in ("path", "manner"))
    march_along(by=request.user, army=army, path=[*filter(None, path)], manner=[*filter(None, manner)])
    return _("The army is on its way.")


def _of_gm(request: PageRequest, campaign_id: UUID) -> Campaign:
    campaign = get_campaign_for(request.user, campaign_id)
    require_gm(request.user, campaign)
    return campaign


def _done(
    request: PageRequest,
    campaign: Campaign,
    form: forms.Form,
    action: Callable[[dict[str, Any]], Any],
    said: str,
    **forms_shown: forms.Form,
) -> HttpResponse:
    """Carries the action out and shows the map as before; a refused form shows why."""
    if submit(form, action) is None:
        return _draw(request, campaign, None, **forms_shown)
    messages.success(request, said)
    asked = _left(request)
    return redirect(f"{reverse('armies:map', args=[campaign.pk])}{'?' + urlencode(asked) if asked else ''}")


def _draw(
    request: PageRequest,
    campaign: Campaign,
    refused: Said | None = None,
    asked: Mapping[str, str] | None = None,
    /,
    **given: forms.Form,
) -> HttpResponse:
    """Draws the page. `refused`: why a march is impossible. `asked`: who would leave the map if it is archived."""
    forget_map(campaign)
    page = map_page(request.user, campaign, _left(request) or request.GET)
    offered = _forms(page) | given
    context = {
        "page": page,
        "campaign": campaign,
        "at": _looked_at(page),
        "march_refused": refused,
        "asked": asked,
        "met_panels": kingdom_slots.render_place(request, "met", campaign) if page.seen and page.seen.met else [],
        "offered": offered,
        "put_away": page.gm and page.seen is None and map_put_away(campaign),
    }
    status = max([422 if refused else 200, *map(get_status, given.values())])
    return render_page(request, "armies/map/map.html", context, partial="atlas", status=status)


def _left(request: PageRequest, names: Iterable[str] = LEFT_HANGING) -> dict[str, str]:
    """Parameters of the map page from which the form was sent."""
    return {name: request.POST[f"at-{name}"] for name in names if request.POST.get(f"at-{name}")}


def _looked_at(page: MapPage) -> list[tuple[str, str]]:
    """Hidden fields with the page's parameters, so that the map looks the same afterwards."""
    return [(f"at-{name}", value) for name, value in {**page.shown_so, **page.held}.items() if value]


def _forms(page: MapPage) -> dict[str, forms.Form]:
    """Forms for what the GM selected, and for the map."""
    campaign, seen = page.campaign, page.seen
    if not page.gm:
        return {}
    if seen is None:
        return {"make": MakeMapForm(campaign=campaign)}
    rules = MapRulesForm(drawn=seen.drawn, extent=bool(get_extent_figure(campaign)))
    if page.picked is None:
        return {"rules": rules}
    at, army = page.picked.hex, page.army
    claim = ClaimForm(campaign=campaign, initial={"hexes": at, "kingdom": page.picked.realm and page.picked.realm.id})
    claim.offer(seen.realms.values())
    return {
        "rules": rules,
        "claim": claim,
        "stand": StandForm(campaign=campaign, initial={"hex": at, "army": army and army.id}),
        "town": TownForm(campaign=campaign, initial={"hex": at}),
    }
