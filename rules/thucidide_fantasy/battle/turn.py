"""Turns of a battle (TF-1.2): the draw of lots, player turns and their phases, and the effects that end with each."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.core.errors import require
from rules.core.text import Term, _
from rules.hexbattle import ending
from rules.hexbattle.common import ALL, EffectEnded, PhaseEnded
from rules.hexbattle.field import Ended
from rules.hexbattle.ground import ending as timers_ending
from rules.thucidide_fantasy.battle.activation import bracket_of, counters_of
from rules.thucidide_fantasy.battle.combat.engagement import must_fight
from rules.thucidide_fantasy.battle.marching_orders import must_move
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import (
    CASTING,
    COMMANDING,
    FIGHTING_PHASE,
    MOVING,
    PHASES,
    FantasyState,
)
from rules.thucidide_fantasy.battle.run import Run, expose_phantoms
from rules.thucidide_fantasy.battle.situation import who_sees
from rules.thucidide_fantasy.battle.undead import crumble, dust, prey_of, turned_of

LOT = "lot"
PHASE_NAMES: dict[str, Term] = {
    COMMANDING: _("Command"),
    MOVING: _("Movement"),
    FIGHTING_PHASE: _("Combat"),
    CASTING: _("Spells"),
}
STILL = _("{unit} must act first.")


def draw_lot(run: Run) -> None:
    """Draw lots for the first turn: the higher die begins, ties roll again (T-85). Generals receive their counters."""
    armies = [next(army.id for army in run.state.opening.contingents if army.side == side) for side in (0, 1)]
    rolls = tuple(roll for army in armies for roll in run.roll(army, LOT, 1))
    while rolls[-2].value == rolls[-1].value:
        rolls = (*rolls, *(roll for army in armies for roll in run.roll(army, LOT, 1)))
    first = 0 if rolls[-2].value > rolls[-1].value else 1
    run.emit(e.LotDrawn(rolls, first))
    for side in (0, 1):
        general = run.state.generals[side]
        if general:
            run.emit(e.CountersChanged(side, counters_of(run.state, general), "start"))
    begin(run, first, 1)


def begin(run: Run, side: int, turn: int) -> None:
    """Begin a player turn; activations follow from the units now on the table (T-20)."""
    allowed, share = bracket_of(run.state, side)
    run.emit(e.TurnBegan(side, turn, share, allowed))


# Ending phases


def forced(state: FantasyState) -> Iterator[str]:
    """The units that must move or attack before the phase can end (T-29)."""
    if state.phase == MOVING:
        yield from (unit for unit in state.units_of(state.side) if must_move(state, unit))
    elif state.phase == FIGHTING_PHASE:
        yield from (unit for unit in state.units_of(state.side) if must_fight(state, unit))
    elif state.phase == CASTING:
        for unit in turned_of(state, state.side):
            if not state.doing(unit).fought and prey_of(state, unit, state.side):
                yield unit


def end_phase(run: Run) -> None:
    """End the current phase and begin the next one, or the next turn.

    Raises `IllegalCommand` while a unit must still act.
    """
    state = run.state
    waiting = next(forced(state), "")
    if waiting:
        require(False, STILL, unit=state.name(waiting))
    phase, side = state.phase, state.side
    end_effects(run, side, phase)
    place = PHASES.index(phase)
    if phase == FIGHTING_PHASE and not has_spells(run.state, side):
        end_effects(run, side, CASTING)
        end_turn(run, side)
    elif phase == CASTING:
        end_turn(run, side)
    else:
        run.emit(e.PhaseBegan(side, PHASES[place + 1]))


def has_spells(state: FantasyState, side: int) -> bool:
    """Whether the side has a spell phase: a spell is announced, or turned undead have to attack."""
    if turned_of(state, side):
        return True
    return any(state.doing(one).announced and not state.doing(one).cast for one in state.people_of(side))


def end_effects(run: Run, side: int, phase: str) -> None:
    """End the effects that last until this phase, which is over or was skipped."""
    if phase == CASTING:
        dust(run, side)
    for timer in timers_ending(run.state.field.timers, side, phase):
        seen = who_sees(run.state, timer.on[0]) if timer.on else ALL
        run.emit(EffectEnded(timer, seen))
    run.emit(PhaseEnded(side, phase))


def end_turn(run: Run, side: int) -> None:
    """End a player turn: the other side's begins, or the battle ends at the turn limit (TF-1.16)."""
    crumble(run, side)
    expose_phantoms(run)
    state = run.state
    last = side != state.first
    if last and state.turn >= state.options.turn_limit:
        run.emit(at_the_limit(state))
        return
    begin(run, 1 - side, state.turn + last)


def at_the_limit(state: FantasyState) -> Ended:
    """The end at the turn limit: the side with the smaller share of losses wins; equal shares are a draw."""
    shares = [share_lost(state, side) for side in (0, 1)]
    return Ended(ending.by_shares((shares[0], shares[1])), ending.TURN_LIMIT)


def share_lost(state: FantasyState, side: int) -> Fraction:
    """The share of a side's units that count as destroyed, of all it had, 0 to 1."""
    own = [unit for unit, figures in state.units.items() if not figures.summoned and _army_side(state, unit) == side]
    return Fraction(len(state.fallen[side]), len(own)) if own else ending.NOTHING


def _army_side(state: FantasyState, unit: str) -> int:
    return state.field.armies[unit.rpartition(":")[0]]
