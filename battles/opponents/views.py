"""Views and page object of computer-played sides: the GM assigns them, reads their proposed orders and gives them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from battles.field.next_focus import find_focus, pick_next
from battles.field.page import build_battle_page, load_battle_page
from battles.field.table import TOGETHER
from battles.forecast.single_flight import Unanswered
from battles.models import Battle
from battles.opponents.queries import (
    NOT_HERE,
    SideHead,
    counsel,
    is_over,
    list_engine_sides,
    list_leanings,
    list_sides,
    proposes,
)
from battles.opponents.services import GivenByEngine, give_proposed, pause_engine, set_head
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn
from battles.play.views import REFUSED, STALE, drawn, go_on, look_of_command
from battles.queries import get_battle_for, get_viewer
from core.clean_input import parse_whole
from core.text import render
from kingdom.access.permissions import PageRequest
from kingdom.models import Campaign, User
from kingdom.rendering import render_page
from rules.core.errors import Refusal, require
from rules.core.text import Said
from rules.odds.opponents import LEANINGS

# Page object of the sides that the computer plays, for the GM: their settings, and the orders it proposes.


@dataclass(frozen=True, slots=True)
class Advised:
    """An order that the computer proposes for an army, and why."""

    army: str
    name: str
    why: Said


@dataclass(frozen=True, slots=True)
class CounselShown:
    """Orders that the computer proposes for a side. `orders` is None while they are being calculated."""

    battle: Battle
    head: SideHead
    leaning: Said
    orders: tuple[Advised, ...] | None

    @property
    def url(self) -> str:
        return f"{reverse('battles:opponents', args=[self.battle.pk])}?side={self.head.side}"


@dataclass(frozen=True, slots=True)
class OpponentsPage:
    battle: Battle
    campaign: Campaign
    heads: tuple[SideHead, ...]
    shown: tuple[CounselShown, ...]
    over: bool
    by_turns: bool = False
    """Whether the computer plays a side command by command."""

    @property
    def offered(self) -> tuple[tuple[str, Said, Said], ...]:
        return list_leanings(play_battle_state.get_engine(self.battle))


def build_opponents_page(user: User, battle_id: UUID | str, side: int | None = None) -> OpponentsPage:
    """The page for the GM: every side, or one with its proposals. Raises `Http404`, `PermissionDenied`,
    `IllegalCommand` where the ruleset has no computer player.
    """
    battle = get_battle_for(user, battle_id)
    state = play_battle_state.load_state(battle)
    if not get_viewer(user, battle, state).gm:
        raise PermissionDenied
    require(play_battle_state.get_engine(battle).forecast.commands, NOT_HERE)
    heads = list_sides(battle, state)
    by_turns = play_battle_state.get_engine(battle).forecast.by_turns
    asked = [head for head in list_engine_sides(battle, state) if side in (None, head.side)]
    wanted = [head for head in asked if proposes(head, by_turns=by_turns)]
    over = is_over(battle, state)
    shown = () if over else tuple(_counsel(battle, state, head) for head in wanted)
    return OpponentsPage(battle, battle.campaign, heads, shown, over, by_turns)


def _counsel(battle: Battle, state: object, head: SideHead) -> CounselShown:
    try:
        found = counsel(battle, state, [head])
    except Unanswered:
        found = None
    armies = play_battle_state.summarize(battle, state).armies
    orders = (
        None
        if found is None
        else tuple(Advised(proposal.army, armies[proposal.army].name, proposal.why) for proposal in found[head.side])
    )
    return CounselShown(battle, head, LEANINGS[head.leaning], orders)  # type: ignore[index]


# Views of the sides that the computer plays: the GM assigns them, reads its proposals and gives them.

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
