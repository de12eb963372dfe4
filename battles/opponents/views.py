"""Views of the sides that the computer plays: the GM assigns them, reads its proposed orders and gives them."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from battles.field.next_focus import find_focus, pick_next
from battles.field.page import build_battle_page, load_battle_page
from battles.field.table import TOGETHER
from battles.models import Battle
from battles.opponents.page import build_opponents_page
from battles.opponents.services import GivenByEngine, give_proposed, pause_engine, set_head
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn
from battles.play.views import REFUSED, STALE, drawn, go_on, look_of_command
from core.clean_input import parse_whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.rendering import render_page
from rules.core.errors import Refusal

PAUSE = "engine-pause"
HEADS = "do-heads"  # HTML id of the <details> with the forms that assign sides to the computer


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def opponents(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Page of the commanders of each side; with ?side= the computer's proposals for that one."""
    if request.method == "POST":
        return _set(request, battle_id)
    side = parse_whole(request.GET.get("side"), most=99)
    try:
        page = build_opponents_page(request.user, battle_id, side)
    except Refusal as refusal:
        messages.info(request, render(refusal.message))
        return redirect("battles:battle", battle_id)
    alone = not request.htmx or "alone" in request.GET
    context = {"page": page, "counsel": page.shown[0] if page.shown else None, "alone": alone}
    return render_page(request, "battles/opponents/opponents.html", context, partial="counsel")


def _set(request: PageRequest, battle_id: UUID) -> HttpResponse:
    sent = request.POST
    side = parse_whole(sent.get("side"), most=99)
    status = 200
    try:
        battle = set_head(
            by=request.user,
            battle_id=battle_id,
            side=-1 if side is None else side,
            leaning=sent.get("leaning", ""),
            left="left" in sent,
        )
        messages.success(request, _told(battle, side or 0))
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        status = REFUSED
    if not request.htmx:
        return redirect("battles:opponents", battle_id)
    page = load_battle_page(request.user, battle_id, look_of_command(request))
    return go_on(request, page, HEADS) if status == 200 else drawn(request, page, status=status)


def _told(battle: Battle, side: int) -> str:
    name = play_battle_state.summarize(battle, play_battle_state.load_state(battle)).sides[side].name
    if str(side) in battle.opponents:
        return _("The computer commands %(side)s.") % {"side": name}
    return _("Players command %(side)s.") % {"side": name}


@login_required
@require_POST
def give(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Gives a side the computer's proposals."""
    side, version = parse_whole(request.POST.get("side"), most=99), parse_whole(request.POST.get("version"))
    try:
        done = give_proposed(
            by=request.user, battle_id=battle_id, version=version or 0, side=-1 if side is None else side
        )
    except BattleMovedOn:
        messages.warning(request, _("Someone else acted first. This is the current state."))
        return drawn(request, load_battle_page(request.user, battle_id, look_of_command(request)), status=STALE)
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return drawn(request, load_battle_page(request.user, battle_id, look_of_command(request)), status=REFUSED)
    page = build_battle_page(request.user, done.battle, done.state, look_of_command(request))
    _tell(request, page.names, done)
    after = pick_next(page, TOGETHER)
    return go_on(request, after, find_focus(after, TOGETHER))


@login_required
@require_POST
def pause(request: PageRequest, battle_id: UUID) -> HttpResponse:
    """Pauses the sides that the computer plays by turns, or lets them go on."""
    try:
        pause_engine(by=request.user, battle_id=battle_id, paused=bool(request.POST.get("paused")))
    except Refusal as refusal:
        messages.error(request, render(refusal.message))
        return drawn(request, load_battle_page(request.user, battle_id, look_of_command(request)), status=REFUSED)
    return go_on(request, load_battle_page(request.user, battle_id, look_of_command(request)), PAUSE)


def _tell(request: PageRequest, names: dict[str, str], done: GivenByEngine) -> None:
    if given := len(done.given):
        said = ngettext("%(count)s army has its orders.", "%(count)s armies have their orders.", given)
        messages.success(request, said % {"count": given})
    elif not done.refused:
        messages.info(request, _("All armies already have orders."))
    for army, why in done.refused.items():
        said = _("Orders of %(army)s unchanged: %(why)s") % {"army": names[army], "why": render(why)}
        messages.warning(request, said)
