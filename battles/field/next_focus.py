"""Selection and keyboard focus of the battle page after a command, and the notices (sound, notification) for its
reader.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from battles.field.page import BattlePage
from battles.field.table import TOGETHER, TOOLS, find_next, waits
from kingdom.models import User
from rules.law import RUNNING

ORDER, UNDO = "order", "undo"


def pick_next(page: BattlePage, kind: str, taken_back: str = "") -> BattlePage:
    """The page with the army selected that comes next: after an order the next army without one, after an undo
    `taken_back`, the army whose order was undone.
    """
    army = find_next(page.cards, page.look.army) if kind == ORDER else taken_back
    return replace(page, look=replace(page.look, army=army))


def find_focus(page: BattlePage, kind: str) -> str:
    """Id of the element that gets the focus: a control, a form (then its first control), or a part of the page."""
    if page.pending:
        return "turn"
    if page.ui.focus:
        return page.ui.focus
    if kind not in (ORDER, UNDO, TOGETHER):
        if page.strip and page.strip.fresh:
            return "verdict"
        if page.rail == TOOLS:
            return "tray"
    resolving = page.tray is not None and page.tray.onward
    if resolving and kind in (ORDER, TOGETHER) and not any(waits(card) for card in page.cards):
        return "go"
    if page.picked and page.picked.orderable:
        return f"orders-{page.picked.id}"
    if page.ui.by_turns:
        return "turn"
    return "go" if resolving else "battle"


# Orders from an outdated page.

LATE_ORDER = gettext_lazy("The battle has moved on. Your orders weren’t used. This is the current state.")


def warn_of_late_order(request: HttpRequest, page: BattlePage) -> bool:
    """Whether this is an order for an army that its reader commands, sent from an outdated page, and no longer due.
    A message then says so.
    """
    sent = request.POST
    if sent.get("type") != ORDER or sent.get("version") == str(page.battle.version):
        return False
    card = next((card for card in page.cards if card.id == sent.get("army")), None)
    late = card is not None and card.choices is None and page.viewer.commands(card.id)
    if late:
        messages.warning(request, LATE_ORDER)
    return late


# Notices that call a reader to the battle page: their turn, and resolved phases.


@dataclass(frozen=True)
class Call:
    """State behind the notices of a page.

    `turn`: whether the battle waits for the reader. `done`: number of resolved phases; it grows when there is news.
    `news`: the last decision in a sentence. `offered`: whether to ask the reader if they want notices.
    """

    turn: bool
    done: int
    news: str
    offered: bool


def call_of(page: BattlePage, user: User) -> Call:
    over = sum(when == "done" for _stage, when in page.summary.stages) + (page.outcome is not None)
    return Call(
        turn=page.borrowed is None and page.your_turn, done=over, news=_news(page), offered=_is_offered(page, user)
    )


def _is_offered(page: BattlePage, user: User) -> bool:
    """Whether to offer notices: once, in the first running battle in which the user has armies or is the GM."""
    answered = user.call_offered or user.sound or user.notices or user.seen_by is not None
    has_say = page.viewer.gm or bool(page.viewer.armies)
    return not answered and has_say and page.borrowed is None and page.summary.status == RUNNING


def _news(page: BattlePage) -> str:
    named = page.strip is not None and page.strip.news is not None
    return page.spoken if named else f"{_('Next step resolved.')} {page.spoken}"
