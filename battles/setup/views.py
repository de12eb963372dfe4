"""Views of the campaign's battles, and of the setup of a new one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from armies.marches.queries import list_encounters
from armies.models import Army
from battles.hexes.ui import fights_on_maps
from battles.models import Battle
from battles.opponents.queries import list_leanings
from battles.setup.page import NewBattle, battle_list_page, new_battle
from battles.setup.queries import find_free_name, reserves_like
from battles.setup.seating import Seating, StandingArmies, get_seating, is_complete
from battles.setup.seats import (
    ADD,
    BENCH,
    SEAT,
    SeatMove,
    SideOfArmy,
    move_seats,
    read_move,
    read_seats,
    seat_two_kingdoms,
    turn_to,
    write_seats,
)
from battles.setup.services import open_battle
from battles.setup.setup_odds import ODDS, foretell_setup
from core.clean_input import NAME_MAX
from core.forms.form_fields import read_sent
from kingdom.access.permissions import PageRequest
from kingdom.rendering import get_status, go, look_of, render_page
from rules.core.errors import Refusal

# Initial data of the setup form, its address, and the focus after an army was moved.

PICKED = "picked"
"""Value of `add` in an address that begins a setup."""
ADDRESS_MOST = 4000
"""Most characters of an address."""
UNKEPT = ("csrfmiddlewaretoken", "do", "map", "map-file", "find")
"""Form fields that no address keeps: files, buttons and searches."""


def begin_setup(new: NewBattle, roster: StandingArmies) -> QueryDict:
    """Initial data: the armies of the first encounter on the map, else two kingdoms face to face; with a name."""
    data = QueryDict(mutable=True)
    data[ADD] = PICKED
    if new.own and (meeting := next(iter(list_encounters(new.campaign)), None)):
        for name, value in new.ui.setup_at(meeting).items():
            data.setlist(name, [value] if isinstance(value, str) else [*value])
        data["name"] = find_free_name(new.campaign, _("Battle at %(hex)s") % {"hex": meeting.town or meeting.hex})
        return data
    seats, name = _face_to_face(roster.free)
    data["name"] = find_free_name(new.campaign, name)
    return write_seats(data, seats, new.ui.seats)


def _face_to_face(armies: Sequence[Army]) -> tuple[SideOfArmy, str]:
    seats = seat_two_kingdoms(armies)
    seated = sorted((army for army in armies if str(army.pk) in seats), key=lambda army: seats[str(army.pk)])
    names = list(dict.fromkeys(army.kingdom.name for army in seated))
    if len(names) < 2:
        return seats, ""
    return seats, (_("%(one)s against %(other)s") % {"one": names[0], "other": names[1]})[:NAME_MAX]


def build_address(path: str, data: QueryDict) -> str:
    """Address that reopens the setup with this data; `path` alone where it would be longer than `ADDRESS_MOST`."""
    kept = data.copy()
    for name in (*UNKEPT, "map-how") if data.get("map") else UNKEPT:
        kept.pop(name, None)
    for name, values in list(kept.lists()):
        kept.setlist(name, [value for value in values if value])
    kept[ADD] = PICKED
    query = kept.urlencode()
    return f"{path}?{query}" if len(query) <= ADDRESS_MOST else path


def find_focus(seating: Seating, move: SeatMove) -> str:
    """Id of the control that gets the focus after an army was moved: the next army on the bench, else its side."""
    if move.kind == BENCH:
        return f"seat-0-{move.whom}"
    if move.kind != SEAT:
        return ""
    waiting = next((seat.id for seat in seating.bench if not seat.why), "")
    return f"seat-{move.side}-{waiting}" if waiting else f"bench-{move.whom}"


# Views of the campaign's battles, and of the setup of a new one.

TWO = 2
RULESET = "ruleset"


@login_required
@require_safe
def battle_list(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    page = battle_list_page(request.user, campaign_id, look_of(request))
    context = {"page": page, "maps": fights_on_maps(page.campaign)}
    return render_page(request, "battles/setup/battle_list.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def battle_new(request: PageRequest, campaign_id: UUID) -> HttpResponse:
    """The setup form. The "add" buttons change the form without opening a battle; an address may bring initial data."""
    new = new_battle(request.user, campaign_id, (request.POST or request.GET).get(RULESET, ""))
    ui = new.ui
    page = ui.setup_page(request.user, new.campaign)
    roster = StandingArmies(new.campaign, page.musters)
    data = _sent(request, new, roster)
    move, seats = read_move(data), read_seats(data)
    if move.kind:
        seats = move_seats(new.campaign, seats, move)
        data = turn_to(data, move)
    data = write_seats(data, seats, ui.seats)
    form = ui.setup_form(page, data)
    seating = get_seating(roster, ui, form, data, seats)
    if form.is_bound and is_complete(form, seating) and (battle := _open(request, new, form)):
        return go(request, "battles:battle", battle.pk)
    asker = f"setup {request.user.pk} {campaign_id}" if request.method == "POST" else ""
    odds = foretell_setup(new, form, seating, asker=asker)
    context = {"page": page, "form": form, "ui": ui, "new": new, "seating": seating, "odds": odds, "first": not asker}
    if data.get(ADD) == ODDS and request.htmx:
        return _at_its_address(request, data, render(request, "battles/setup/odds_alone.html", context))
    law = new.law.battle
    context |= {"heads": _offered(request, new), "offered": list_leanings(law), "by_turns": law.forecast.by_turns}
    context["possible"] = page.enough or bool(seats) or request.method == "POST"
    context["fighting"] = len(roster.all) >= TWO
    context["focus"] = find_focus(seating, move)
    response = render_page(request, "battles/setup/battle_new.html", context, partial="setup", status=get_status(form))
    return _at_its_address(request, data, response)


def _at_its_address(request: PageRequest, data: QueryDict, response: HttpResponse) -> HttpResponse:
    """Updates the address in the browser, so that a reload keeps the form."""
    if request.htmx and request.method == "POST":
        response["HX-Replace-Url"] = build_address(request.path, data)
    return response


def _sent(request: PageRequest, new: NewBattle, roster: StandingArmies) -> QueryDict:
    """Data of the form: submitted, from the address, or two kingdoms face to face."""
    if request.method == "POST":
        return read_sent(request)
    return request.GET if ADD in request.GET else begin_setup(new, roster)


def _open(request: PageRequest, new: NewBattle, form: Any) -> Battle | None:
    law, heads = new.law.slug, _heads(request)
    try:
        return open_battle(by=request.user, campaign=new.campaign, ruleset=law, opponents=heads, **form.to_json())
    except Refusal as refusal:
        form.refused(refusal)
    except Http404:
        form.add_error(None, _("An army is no longer available. Check the list again."))
    return None


def _offered(request: PageRequest, new: NewBattle) -> list[tuple[int, str, bool]]:
    """Commander (people or the computer) that the GM chose for each of the two sides; empty where the computer can
    command none.
    """
    if not new.law.battle.forecast.commands:
        return []
    return [(side, request.POST.get(f"leaning-{side}", ""), f"left-{side}" in request.POST) for side in range(TWO)]


def _heads(request: PageRequest) -> list[dict[str, Any]]:
    sent = [(side, request.POST.get(f"leaning-{side}", "")) for side in range(TWO)]
    return [
        {"side": side, "leaning": leaning, "left": f"left-{side}" in request.POST} for side, leaning in sent if leaning
    ]


# Autocomplete of armies that could join a battle.


@login_required
@require_safe
def reserves(request: PageRequest, battle_id: UUID) -> HttpResponse:
    names = reserves_like(request.user, battle_id, request.GET.get("army", "")[:NAME_MAX])
    return render(request, "kingdom/chronicle/parts/names.html", {"names": names})
