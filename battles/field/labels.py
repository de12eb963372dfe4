"""Labels of the battle page that change with its state: the latest news, the window's title, the undo button."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.text import render
from rules.core.text import Said, _, say

if TYPE_CHECKING:
    from battles.field.page import BattlePage


def news_of(page: BattlePage) -> Said | None:
    """The latest news: how the battle ended, else the ruleset's headline of the last decision, else its phase."""
    if page.outcome or page.strip is None:
        return page.outcome
    return page.strip.news or say(_("{phase} resolved"), phase=page.strip.title)


def title_of(page: BattlePage) -> str:
    """Title of the window: "Your turn" where sides take turns, the latest news, and the battle's name."""
    turn = page.ui.by_turns and page.your_turn and not page.borrowed
    told = [_("Your turn") if turn else "", page.news or "", page.battle.name]
    return " · ".join(render(one) for one in told if one)


def undo_label_of(page: BattlePage) -> Said:
    """Label of the undo button. It names a phase, or what the ruleset names; else it only says "Undo", or "Undo these
    orders" for orders given together.
    """
    if page.last is not None and page.last.by_engine and page.ui.by_turns:
        return _("Undo the computer’s turn")
    if page.strip is not None and page.strip.fresh:
        return page.strip.undo or say(_("Undo {phase}"), phase=page.strip.title)
    together = page.last is not None and page.last.together is not None
    return _("Undo these orders") if together else _("Undo")
