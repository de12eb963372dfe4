"""Views of armies and commanders, which dispatch to the UI of the campaign's ruleset."""

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
"""URL arguments that determine the campaign."""


def page(name: str) -> Page:
    """View that calls the ruleset's view of this name. The ruleset's view raises 404 where the user may not see the
    page.
    """

    @login_required
    def view(request: PageRequest, **names: Any) -> HttpResponse:
        return _answered(name, get_campaign_named(**names), request, names)

    return view


def form(name: str, deed: object, *, mends: bool = False) -> Page:
    """View of a form that changes an army or its commander. A busy army's form is replaced by a notice
    (`armies.forces.busy_page`).

    `deed`: what the form is for. `mends`: the GM may use it for an army that no longer stands.
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
    """A 405 only for users who may see the object; others get 404, so that the address does not reveal it."""
    if answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        if "army_id" in names:
            get_army_for(request.user, names["army_id"])
        if "commander_id" in names:
            get_commander_for(request.user, names["commander_id"])
    return answer


def own_addresses(ui: ArmyUI) -> Iterator[URLPattern]:
    """URLs of this ruleset only. In campaigns of other rulesets they raise 404.

    A ruleset with its own model finds no other armies, and its campaign pages check the family
    (`armies.forces.access.campaign_of`); for one without, the view is wrapped in that check.
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
