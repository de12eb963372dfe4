"""Where the work goes on once a command is carried out: which army is picked then, and what has the focus."""

from __future__ import annotations

from dataclasses import replace

from battles.codec import storage
from battles.field.page import BattlePage
from battles.field.table import TOGETHER, TOOLS, next_after, waits
from battles.play.state import engine_of

ORDER, UNDO = "order", "undo"


def onward(page: BattlePage, kind: str, taken_back: str = "") -> BattlePage:
    """After an order the next army without one is picked, after one that was taken back its army, else the first."""
    army = next_after(page.cards, page.look.army) if kind == ORDER else taken_back
    return replace(page, look=replace(page.look, army=army))


def ordered_last(page: BattlePage) -> str:
    """The army that the last command ordered, "" where it did anything else or several were ordered with it."""
    if page.last is None or page.last.together is not None:
        return ""
    keeper = storage.keeper_of(engine_of(page.battle))
    return page.face.army_of(keeper.load_command(page.last.command))


def focus_of(page: BattlePage, kind: str) -> str:
    """The id of what gets the focus: a control, a form (its first control then), or a place of the page."""
    if page.pending:
        return "turn"
    if page.face.focus:
        return page.face.focus
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
    if page.face.by_turns:
        return "turn"
    return "go" if resolving else "battle"
