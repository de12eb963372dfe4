"""Labels of a battle's page that change with what happens: what was decided, the window's title, the undo button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.text import render
from rules.core.text import Said, _, say

if TYPE_CHECKING:
    from battles.field.page import BattlePage


def news_of(page: BattlePage) -> Said | None:
    """What was decided last: how it ended, what the law calls it, else the phase."""
    if page.outcome or page.strip is None:
        return page.outcome
    return page.strip.news or say(_("{phase} resolved"), phase=page.strip.title)


def title_of(page: BattlePage) -> str:
    """Of the window: whose turn it is where sides take turns, what was decided last, then the battle's name."""
    turn = page.ui.by_turns and page.your_turn and not page.borrowed
    told = [_("Your turn") if turn else "", page.news or "", page.battle.name]
    return " · ".join(render(one) for one in told if one)


def undo_label_of(page: BattlePage) -> Said:
    """A phase is named, and what a law names; anything else is just the last that was done, or those that were ordered
    in one go.
    """
    if page.last is not None and page.last.by_engine and page.ui.by_turns:
        return _("Undo the computer’s turn")
    if page.strip is not None and page.strip.fresh:
        return page.strip.undo or say(_("Undo {phase}"), phase=page.strip.title)
    together = page.last is not None and page.last.together is not None
    return _("Undo these orders") if together else _("Undo")
