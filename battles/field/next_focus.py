"""Next focus after a command: which army is picked then, and what has the focus."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from battles.codec import storage
from battles.field.page import BattlePage
from battles.field.table import TOGETHER, TOOLS, find_next, waits
from battles.play.battle_state import get_engine
from kingdom.models import User
from rules.law import RUNNING

ORDER, UNDO = "order", "undo"


def pick_next(page: BattlePage, kind: str, taken_back: str = "") -> BattlePage:
    """After an order the next army without one is picked, after one that was taken back its army, else the first."""
    army = find_next(page.cards, page.look.army) if kind == ORDER else taken_back
    return replace(page, look=replace(page.look, army=army))


def ordered_last(page: BattlePage) -> str:
    """The army that the last command ordered, "" where it did anything else or several were ordered with it."""
    if page.last is None or page.last.together is not None:
        return ""
    keeper = storage.get_keeper(get_engine(page.battle))
    return page.ui.army_of(keeper.load_command(page.last.command))


def find_focus(page: BattlePage, kind: str) -> str:
    """The id of what gets the focus: a control, a form (its first control then), or a place of the page."""
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


# Notices that call a reader to the battle's page: their turn, and a step that is over.


@dataclass(frozen=True)
class Call:
    """`turn`: the battle waits for the reader. `done`: how many phases are over, so that one more is news; `news`: what
    was decided last, in a sentence. `offered`: the reader is asked whether they want to be called.
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
    """Once, in the first battle that runs and in which they have a say."""
    answered = user.call_offered or user.sound or user.notices or user.seen_by is not None
    has_say = page.viewer.gm or bool(page.viewer.armies)
    return not answered and has_say and page.borrowed is None and page.summary.status == RUNNING


def _news(page: BattlePage) -> str:
    named = page.strip is not None and page.strip.news is not None
    return page.spoken if named else f"{_('Next step resolved.')} {page.spoken}"
