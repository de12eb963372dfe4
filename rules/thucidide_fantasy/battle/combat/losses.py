"""Losses of units and characters: stands lost, destruction, and the fate of characters with a unit (TF-1.9, 4.4)."""

from __future__ import annotations

from rules.hexbattle.common import Destroyed
from rules.thucidide_fantasy.battle.factors import heroes_with
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import Todo
from rules.thucidide_fantasy.battle.run import Run

OF_FIRE = ("light", "burn")
"""Steps done before the characters of a destroyed unit flee (T-23)."""


def lose(run: Run, piece: str, number: int, why: str = "combat", *, by_gm: bool = False) -> int:
    """Take stands or resistance from a unit or character, destroying it at 0. Returns the losses beyond what it had.

    Characters of a destroyed unit are handled by further steps.
    """
    state = run.state
    had = state.units[piece].stands if piece in state.units else state.people[piece].left
    lost = min(number, had)
    if lost:
        run.emit(e.StandsLost(piece, lost, why, by_gm))
    left = run.state.units[piece].stands if piece in state.units else run.state.people[piece].left
    if left:
        return 0
    fall(run, piece)
    return number - lost


def fall(run: Run, piece: str) -> None:
    """Destroy a unit or character; a phantom vanishes. Heroes stay on the hex, other characters flee (T-28, TF-4.5)."""
    state, at = run.state, run.state.at(piece)
    if piece in state.units and state.units[piece].false:
        run.emit(e.PhantomVanished(piece, at))
        return
    heroes = heroes_with(state, piece)
    people = state.people_at(at) if piece in state.units else ()
    _after_fire(run, *(Todo("flight", one) for one in people if one not in heroes))
    run.emit(Destroyed(piece, at))


def _after_fire(run: Run, *flights: Todo) -> None:
    """Schedule the flight of characters after the hex has been lit and has burned (T-23)."""
    fire: list[Todo] = []
    while run.todo and run.todo[-1].stage in OF_FIRE:
        fire.append(run.todo.pop())
    run.then(*fire, *flights)
