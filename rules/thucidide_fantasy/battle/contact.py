"""Consequences of moving or appearing: phantoms are exposed, groves end (T-15, T-70)."""

from __future__ import annotations

from rules.hexbattle.common import EffectEnded, Revealed
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import GROVE, foes_beside, hidden_from, under


def after_shift(run: Run, unit: str) -> None:
    """Apply the consequences of any move or retreat: phantoms beside an enemy are exposed, a grove that moved ends."""
    leave_grove(run, unit)
    expose_phantoms(run)


def expose_phantoms(run: Run) -> None:
    """Expose all phantoms with an enemy beside them."""
    for unit, own in tuple(run.state.units.items()):
        if own.false and run.state.standing(unit):
            token = run.state.token(unit)
            if foes_beside(run.state, token.at, token.side):
                run.emit(e.PhantomVanished(unit, token.at))


def finds_room(run: Run, side: int, at: str) -> bool:
    """Whether there is room on a hex that looks free to a side.

    If an enemy in a grove holds it there is none, and the grove ends (T-70).
    """
    hidden = [token.id for token in run.state.field.at(at) if token.id in hidden_from(run.state, side)]
    for one in hidden:
        leave_grove(run, one)
    return not hidden


def leave_grove(run: Run, unit: str) -> None:
    """End the grove around a unit, which everybody sees from now on."""
    timer = under(run.state, unit, GROVE)
    if timer is not None:
        run.emit(EffectEnded(timer))
        token = run.state.token(unit)
        if token.standing:
            run.emit(Revealed(unit, token.at, out=True))
