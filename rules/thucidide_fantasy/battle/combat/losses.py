"""Losses of units and characters: stands off, destruction, and what becomes of who was with them (TF-1.9, 4.4)."""

from __future__ import annotations

from rules.hexbattle.common import Destroyed
from rules.thucidide_fantasy.battle.factors import heroes_with
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import Todo
from rules.thucidide_fantasy.battle.run import Run

OF_FIRE = ("light", "burn")
"""Steps that come before the flight of those whose unit died (T-23)."""


def lose(run: Run, piece: str, number: int, why: str = "combat", *, by_gm: bool = False) -> int:
    """Somebody loses stands or resistance; who has none left is destroyed. Answers the losses beyond what they had.

    Characters of a destroyed unit are dealt with by the steps that this leaves to be done.
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
    """Somebody is destroyed; false units vanish. Heroes stay in the hex, others flee (T-28, TF-4.5)."""
    state, at = run.state, run.state.at(piece)
    if piece in state.units and state.units[piece].false:
        run.emit(e.PhantomVanished(piece, at))
        return
    heroes = heroes_with(state, piece)
    people = state.people_at(at) if piece in state.units else ()
    _after_fire(run, *(Todo("flight", one) for one in people if one not in heroes))
    run.emit(Destroyed(piece, at))


def _after_fire(run: Run, *flights: Todo) -> None:
    """Those whose unit died flee once the hex is lit and has burned (T-23)."""
    fire: list[Todo] = []
    while run.todo and run.todo[-1].stage in OF_FIRE:
        fire.append(run.todo.pop())
    run.then(*fire, *flights)
