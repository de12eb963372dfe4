"""Pauses of a combat (T-34): it waits for an answer and continues from there."""

from __future__ import annotations

from rules.core.errors import require
from rules.core.text import _
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import FantasyState, Fight, Todo
from rules.thucidide_fantasy.battle.run import Run

REROLL, FLEE, PURSUE, REPORT, GOD = "reroll", "flee", "pursue", "report", "god"
OF_GM = -1


class Paused(Exception):
    """Raised when the combat waits for an answer; what has happened so far is kept."""


def pause(run: Run, asks: str, side: int, todo: Todo, options: tuple[str, ...] = ()) -> None:
    """Pause the combat before this step until somebody answers. Raises `Paused`."""
    run.then(todo)
    run.emit(e.FightPaused(Fight(todo.unit, todo.foe, asks, side, tuple(reversed(run.todo)), options)))
    raise Paused


def resumed(run: Run, asks: str) -> tuple[Fight, Todo]:
    """The fight and step that waited for this answer; the later steps are scheduled again.

    Raises `IllegalCommand` if this answer isn't waited for.
    """
    fight = run.state.fight
    require(fight is not None and fight.asks == asks, _("This answer isn’t needed now."))
    assert fight is not None
    run.todo = list(reversed(fight.todo[1:]))
    run.emit(e.FightResumed(fight.side))
    return fight, fight.todo[0]


def asked(state: FantasyState) -> str:
    """The kind of answer the battle waits for; "" if none."""
    return state.fight.asks if state.fight else ""
