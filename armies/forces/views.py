"""Views of armies and commanders, which dispatch to the UI of the campaign's ruleset; the page of a busy army, printed
cards, and the raising of several copies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from http import HTTPStatus
from importlib import import_module
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Q
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from armies.forces.access import (
    find_names_taken,
    get_army_for,
    get_army_run_by,
    get_campaign_named,
    get_commander_for,
    get_commander_run_by,
    list_army_names,
)
from armies.forces.busy import explain_no_army, find_hold, list_busy
from armies.forces.page import BusyNotice, cards_page
from armies.models import Army, Commander
from armies.ruleset_ui import ArmyUI, Page, get_army_ui
from kingdom.access.permissions import PageRequest
from kingdom.access.queries import get_kingdom_for, is_gm
from kingdom.models import Campaign, Kingdom
from kingdom.onboarding import checklist
from kingdom.rendering import render_page

# Page in place of a busy army's form, with a link to what holds the army.


def render_busy(request: PageRequest, held: BusyNotice) -> HttpResponse:
    return render_page(request, "armies/forces/held.html", {"held": held, "campaign": held.campaign})


def busy_form(
    request: PageRequest,
    campaign: Campaign,
    deed: str,
    army_id: UUID | None = None,
    commander_id: UUID | None = None,
    *,
    mends: bool = False,
) -> HttpResponse | None:
    """The notice in place of this form of an army or commander, if the form would be refused; None otherwise.

    `deed`: the purpose of the form. `mends`: the GM may use it for an army that no longer stands. One query if the army
    is free.
    """
    if commander_id:
        return _of_commander(request, campaign, deed, commander_id)
    found = list_busy(campaign, Q(pk=army_id), ~Q(status__in=Army.STANDING)).first()
    if found is None or (mends and not found.standing and is_gm(request.user, campaign)):
        return None
    army: Army = get_army_run_by(request.user, found.pk)
    return render_busy(request, _held(army, deed, army.name, reverse("armies:army", args=[army.pk])))


def _of_commander(request: PageRequest, campaign: Campaign, deed: str, commander_id: UUID) -> HttpResponse | None:
    army: Army | None = list_busy(campaign, Q(commander=commander_id)).first()
    if army is None:
        return None
    one: Commander = get_commander_run_by(request.user, commander_id)
    return render_busy(request, _held(army, deed, one.name, reverse("armies:commander", args=[one.pk]), army.name))


def _held(army: Army, deed: str, title: str, back: str, leads: str = "") -> BusyNotice:
    reason, engaged = find_hold(army)
    kept = BusyNotice(deed % {"name": title}, title, army.kingdom, back, reason or explain_no_army(army), leads=leads)
    return kept._replace(icon=engaged.icon, url=engaged.url) if engaged else kept


# Views of armies and commanders, which dispatch to the UI of the campaign's ruleset.

NAMED = ("campaign_id", "kingdom_id", "army_id", "commander_id")
"""URL arguments that determine the campaign."""


def page(name: str) -> Page:
    """View that calls the ruleset's view of this name. The ruleset's view raises 404 where the user may not see the
    page.
    """

    @login_required
    def view(request: PageRequest, **names: Any) -> HttpResponse:
        return _answered(name, get_campaign_named(request.user, **names), request, names)

    return view


def form(name: str, deed: object, *, mends: bool = False) -> Page:
    """View of a form that changes an army or its commander. A busy army's form is replaced by a notice
    (`armies.forces.views`).

    `deed`: the purpose of the form. `mends`: the GM may use it for an army that no longer stands.
    """

    @login_required
    def view(request: PageRequest, **names: Any) -> HttpResponse:
        campaign = get_campaign_named(request.user, **names)
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
        if request.user.is_authenticated and named and get_army_ui(get_campaign_named(request.user, **named)) is not ui:
            raise Http404
        answer = own(request, **names)
        return _only_to_those_who_see_it(request, named, answer) if request.user.is_authenticated else answer

    return view


# View of printed army cards.


@login_required
@require_safe
def cards(request: PageRequest, kingdom_id: UUID) -> HttpResponse:
    """Cards of the kingdom's armies, or of those named by ?army=."""
    page = cards_page(request.user, get_kingdom_for(request.user, kingdom_id), request.GET.getlist("army"))
    return render_page(request, "armies/forces/cards.html", {"page": page})


# Helpers of forms that raise one army or several copies, under any ruleset.


def raise_as_asked(
    kingdom: Kingdom,
    given: dict[str, Any],
    copies: int | None,
    one: Callable[..., Army],
    several: Callable[..., Sequence[Army]],
    **told: Any,
) -> Sequence[Army]:
    """Raises one army with the ruleset's service `one`, or several with `several`; then `name` is the first of the
    names.
    """
    if copies in (None, 1):
        return [one(kingdom=kingdom, **given, **told)]
    rest = {key: value for key, value in given.items() if key != "name"}
    names = checklist.number_names(given["name"], copies or 1, list_army_names(kingdom))
    return several(kingdom=kingdom, names=names, **rest, **told)


def warn_of_namesakes(request: PageRequest, armies: Sequence[Army]) -> None:
    """Warns that another standing army of the kingdom has the name of one of these, without regard to case and accents.

    It is allowed, because imports and tables may bring two of one name.
    """
    for name in find_names_taken(armies):
        text = _("This kingdom has another army named %(army)s. Rename one to tell them apart.")
        messages.warning(request, text % {"army": name})


def go_to_raised(request: PageRequest, armies: Sequence[Army]) -> HttpResponse:
    """Redirects to the army's page, or to the kingdom's for several armies."""
    warn_of_namesakes(request, armies)
    if len(armies) == 1:
        messages.success(request, _("%(army)s raised.") % {"army": armies[0].name})
        return redirect("armies:army", armies[0].pk)
    names = ", ".join(army.name for army in armies)
    messages.success(request, _("Armies raised: %(armies)s.") % {"armies": names})
    return redirect("kingdom:kingdom", armies[0].kingdom_id)
