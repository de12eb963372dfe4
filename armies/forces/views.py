"""Views of armies and commanders: the UI of the campaign's ruleset answers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import wraps
from http import HTTPStatus
from importlib import import_module
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.urls import URLPattern, path

from armies.forces.access import get_army_for, get_campaign_named, get_commander_for
from armies.forces.busy_page import busy_form
from armies.models import Army
from armies.ruleset_ui import ArmyUI, Page, get_army_ui
from kingdom.access.request_types import PageRequest
from kingdom.models import Campaign

NAMED = ("campaign_id", "kingdom_id", "army_id", "commander_id")
"""Parts of addresses by which a campaign is known."""


def page(name: str) -> Page:
    """The view of this name. Whoever may not see what the address names gets a 404 from the law's own view."""

    @login_required
    def view(request: PageRequest, **names: Any) -> HttpResponse:
        return _answered(name, get_campaign_named(**names), request, names)

    return view


def form(name: str, deed: object, *, mends: bool = False) -> Page:
    """The same of a form that changes an army, or who leads it: nobody fills in what would be refused
    (`armies.forces.busy_page`).

    `deed`: what it is for. `mends`: of an army that is none any more, too, it is the GM's.
    """

    @login_required
    def view(request: PageRequest, **names: Any) -> HttpResponse:
        campaign = get_campaign_named(**names)
        opened = request.method in ("GET", "HEAD")
        held = busy_form(request, campaign, str(deed), **names, mends=mends) if opened else None
        return held or _answered(name, campaign, request, names)

    return view


def _answered(name: str, campaign: Campaign, request: PageRequest, names: dict[str, Any]) -> HttpResponse:
    return _only_to_those_who_see_it(request, names, get_army_ui(campaign).pages[name](request, **names))


def _only_to_those_who_see_it(request: PageRequest, names: dict[str, Any], answer: HttpResponse) -> HttpResponse:
    """An address that only takes what is sent says so to nobody who may not know that there is anything behind it."""
    if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        if "army_id" in names:
            get_army_for(request.user, names["army_id"])
        if "commander_id" in names:
            get_commander_for(request.user, names["commander_id"])
    return answer


def own_addresses(ui: ArmyUI) -> Iterator[URLPattern]:
    """The addresses only this law knows; in the campaigns of others there is nothing behind them.

    A law with a model of its own finds none of its armies there, and its pages of a campaign ask for one of its family
    (`armies.forces.access.campaign_of`); of one without, the campaign has to be asked.
    """
    if ui.urls:
        for found in import_module(ui.urls).urlpatterns:
            view = _within(ui, found.callback) if ui.army is Army else found.callback
            yield path(str(found.pattern), view, name=found.name)


def _within(ui: ArmyUI, own: Page) -> Page:
    @wraps(own)
    def view(request: PageRequest, **names: Any) -> HttpResponse:
        named = {name: value for name, value in names.items() if name in NAMED}
        if request.user.is_authenticated and named and get_army_ui(get_campaign_named(**named)) is not ui:
            raise Http404
        answer = own(request, **names)
        return _only_to_those_who_see_it(request, named, answer) if request.user.is_authenticated else answer

    return view
