"""Fire (TF-1.14, T-19, T-46): burning hexes, and damage to those on them."""

from __future__ import annotations

from rules.hexbattle.common import EffectBegan
from rules.hexbattle.moving import steps_of
from rules.hexbattle.timers import Timer
from rules.thucidide_fantasy.battle.combat.losses import lose
from rules.thucidide_fantasy.battle.combat.retreat import is_free
from rules.thucidide_fantasy.battle.contact import after_shift
from rules.thucidide_fantasy.battle.factors import FIRE_PROOF, FLAMMABLE
from rules.thucidide_fantasy.battle.paces import FREE_FOOT, closed_hexes, footing_ground
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState, Todo
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import LIT, bears, flies, is_undead, terrain_at, under, within_leash
from rules.thucidide_fantasy.battle.throws import ADVANTAGE, COLOURS
from rules.thucidide_fantasy.gods import LEASH
from rules.thucidide_fantasy.grimoire import LONG_FIRE

FIRE = "fire"
FIRE_ROLL = "fire"


def lights(state: FantasyState, target: str, place: str, shown: tuple[int, ...]) -> bool:
    """Whether a fire shot lights the target's hex: an advantage on flammable ground, not at a flyer (T-80)."""
    flyer = target in state.field.tokens and state.standing(target) and flies(state, target)
    return ADVANTAGE in shown and not flyer and is_flammable(state, place)


def is_flammable(state: FantasyState, at: str) -> bool:
    """Whether a hex can be lit: flammable terrain that isn't burning."""
    return terrain_at(state, at) in FLAMMABLE and under(state, at, LIT) is None


def light(run: Run, todo: Todo) -> None:
    """Light a hex for two turns of the side that did it; everybody on it suffers and leaves."""
    (at,) = todo.hexes
    if not is_flammable(run.state, at):
        return
    side = run.state.side_of(todo.unit)
    run.emit(EffectBegan(Timer(LIT, (at,), todo.unit, side, CASTING, LONG_FIRE + 1, ((at, FIRE),))))
    unit = run.state.unit_at(at)
    people = run.state.people_at(at)
    if unit and not flies(run.state, unit):
        run.then(Todo("burn", unit, hexes=(at,)), *(Todo("burn", one, hexes=(at,)) for one in people))
    elif not unit:
        run.then(*(Todo("burn", one, hexes=(at,)) for one in people))


def burn(run: Run, todo: Todo) -> None:
    """Apply fire to a unit or lone hero: it loses a stand or resistance (T-68), then leaves the hex or dies."""
    piece, (at,) = todo.unit, todo.hexes
    state = run.state
    if not state.standing(piece) or state.at(piece) != at:
        return
    pays = piece in state.units or state.people[piece].own.hero
    if pays and not _spared(run, piece):
        lose(run, piece, 1, FIRE)
    if run.state.standing(piece):
        _leave(run, piece, at)


def _spared(run: Run, piece: str) -> bool:
    """Whether fire protection saves it: it rolls a die itself, and a color means the loss (T-46)."""
    if not bears(run.state, piece, FIRE_PROOF):
        return False
    rolls = run.roll(piece, FIRE_ROLL, 1)
    run.emit(e.DiceThrown(FIRE_ROLL, piece, piece, rolls))
    return rolls[0].value not in COLOURS


def _leave(run: Run, piece: str, at: str) -> None:
    target = way_out(run.state, piece, at)
    if target:
        run.emit(e.HexBurned(piece, (at, target)))
        if piece in run.state.units:
            after_shift(run, piece)
    elif piece in run.state.units and not _spared(run, piece):
        lose(run, piece, run.state.units[piece].stands, FIRE)
    else:
        run.emit(e.HexBurned(piece, (at,)))


def way_out(state: FantasyState, piece: str, at: str) -> str:
    """A free adjacent hex, preferably homeward (T-19); "" if there is none."""
    side = state.side_of(piece)
    ground = footing_ground(state, side)
    steps, numbers = steps_of(ground, FREE_FOOT), ground.numbers
    closed = closed_hexes(state, side, False)
    home = ground.homeward(side, at)
    for near in (*home, *(one for one in ground.around(at) if one not in home)):
        enters = steps.price(numbers[at], numbers[near]) != 0 and near not in closed
        leashed = is_undead(state, piece) and not within_leash(state, piece, near, LEASH)
        if (
            enters
            and not leashed
            and (is_free(state, piece, near) if piece in state.units else room(state, piece, near))
        ):
            return near
    return ""


def room(state: FantasyState, person: str, at: str) -> bool:
    """Whether a character may stand on a hex: no enemy is there."""
    side = state.side_of(person)
    return all(other.side == side for other in state.field.at(at))
