"""Turn notice that calls a reader to the battle's page: their turn, and a phase that is over."""

from __future__ import annotations

from dataclasses import dataclass

from battles.field.page import BattlePage


@dataclass(frozen=True)
class Call:
    """`turn`: the battle waits for them. `done`: how many phases are over, so that one more is news."""

    turn: bool
    done: int


def call_of(page: BattlePage) -> Call:
    over = sum(when == "done" for _stage, when in page.summary.stages) + (page.outcome is not None)
    return Call(turn=page.borrowed is None and _his_turn(page), done=over)


def _his_turn(page: BattlePage) -> bool:
    """An army of theirs is waited for, or they have to answer; a GM's turn is when they can go on and wait for
    nobody.
    """
    if page.pending:
        return True
    awaited = {awaited.army for awaited in page.summary.waiting_for}
    if page.gm:
        return page.tray is not None and bool(page.tray.onward) and not awaited
    return any(card.choices is not None and card.id in awaited for card in page.cards)
