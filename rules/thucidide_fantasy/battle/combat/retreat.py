"""Retreat, losses and fire (TF-1.9, 1.10, 1.14): which flags count, where a unit retreats to, the stands it loses, and
burning hexes.
"""

from __future__ import annotations

from typing import NamedTuple

from rules.hexbattle.common import Destroyed, EffectBegan
from rules.hexbattle.ground import Timer
from rules.hexbattle.moving import steps_of
from rules.thucidide_fantasy.battle.factors import FIRE_PROOF, FLAMMABLE, heroes_with
from rules.thucidide_fantasy.battle.paces import FREE_FOOT, IN_THE_AIR, closed_hexes, footing_ground, gait_of
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState, Todo
from rules.thucidide_fantasy.battle.run import Run, after_shift
from rules.thucidide_fantasy.battle.situation import (
    DOUBLE_FLAGS,
    LIT,
    NO_FLAGS,
    aura_near,
    backed,
    bears,
    effects,
    flies,
    flies_itself,
    foes_beside,
    gifts,
    is_led,
    is_undead,
    terrain_at,
    under,
    within_leash,
)
from rules.thucidide_fantasy.battle.throws import ADVANTAGE, COLOURS
from rules.thucidide_fantasy.grimoire import FLAGS, LEASH, LONG_FIRE
from rules.thucidide_fantasy.spec import FANATIC, FLEEING, HESITANT, TENACIOUS
from rules.thucidide_fantasy.starter import KINDS

# Losses of units and characters: stands lost, destruction, and the fate of characters with a unit (TF-1.9, 4.4).

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


# Flags and retreat (TF-1.10): which flags count, where a unit retreats to, and the losses if it can't.

MORALE, THREAT, GREAT_THREAT = "morale", "threat", "great-threat"
MORALE_REACH, THREAT_REACH = 1, 2


class FlagCount(NamedTuple):
    """Flags on a unit, shown and added, and the number of them it ignores."""

    flags: int
    ignored: int

    @property
    def left(self) -> int:
        return max(0, self.flags - self.ignored)


# Counting


def flags_of(state: FantasyState, unit: str, shown: int, *, support: bool = True) -> FlagCount:
    """The flags on a unit. `support`: whether support ignores one; not for morale attacks (TF-6.4)."""
    if not shown:
        return FlagCount(0, 0)
    doubled, none = divine_favour(state, unit)
    flags = shown * (1 + doubled)
    if is_fanatic(state, unit) or is_undead(state, unit) or none:
        return FlagCount(flags, flags)
    return FlagCount(flags + worse_temper(state, unit), ignored_by(state, unit, support=support))


def is_fanatic(state: FantasyState, unit: str) -> bool:
    """Whether a unit is fanatic, by temper or by a spell (fanaticism, hatred: T-14)."""
    return has_temper(state, unit, FANATIC)


def has_temper(state: FantasyState, unit: str, temper: str) -> bool:
    """Whether a unit has a temper, of its own or from a spell."""
    return state.units[unit].own.temper == temper or (bool(state.field.timers) and temper in gifts(state, unit))


def divine_favour(state: FantasyState, unit: str) -> tuple[bool, bool]:
    """Whether a god's answer doubles the flags on this unit now, and whether it cancels them (TF-7)."""
    side, foe = state.side_of(unit), 1 - state.side_of(unit)
    found = {(timer.effect, timer.side) for timer in state.field.timers if timer.left == 1}
    return (DOUBLE_FLAGS, foe) in found and state.side == foe, (NO_FLAGS, side) in found and state.side == foe


def worse_temper(state: FantasyState, unit: str) -> int:
    """Extra flags: one if the unit is or counts as hesitant, two if fleeing (T-49)."""
    token = state.token(unit)
    if has_temper(state, unit, FLEEING) or aura_near(state, token.at, 1 - token.side, GREAT_THREAT, THREAT_REACH):
        return 2
    threat = aura_near(state, token.at, 1 - token.side, THREAT, THREAT_REACH)
    return int(threat or has_temper(state, unit, HESITANT))


def ignored_by(state: FantasyState, unit: str, *, support: bool) -> int:
    """The number of flags a unit ignores: by support, a tenacious temper, a morale aura and spells."""
    token = state.token(unit)
    found = int(support and backed(state, unit)) + has_temper(state, unit, TENACIOUS)
    found += aura_near(state, token.at, token.side, MORALE, MORALE_REACH, but=unit)
    if state.field.timers:
        spells = (state.options.spells.get(timer.effect) for timer in effects(state).get(unit, ()))
        found += sum(spell.dice for spell in spells if spell and spell.effect == FLAGS)
    return found


# Retreating


def count_flags(run: Run, todo: Todo) -> None:
    """Count the flags on a unit and make it retreat. `todo.flag`: support ignores none."""
    unit = todo.unit
    if unit not in run.state.units or not run.state.standing(unit) or not todo.number:
        return
    found = flags_of(run.state, unit, todo.number, support=not todo.flag)
    run.emit(e.FlagsCounted(unit, found.flags, min(found.ignored, found.flags), found.left))
    if found.left:
        walk_back(run, unit, found.left)


def walk_back(run: Run, unit: str, flags: int) -> None:
    """Retreat one hex per flag, two if mounted.

    A blocked hex costs a stand; on the base line each flag costs one (T-5, T-63).
    """
    go_back(run, unit, *way_back(run.state, unit, flags))


def way_back(state: FantasyState, unit: str, flags: int) -> tuple[tuple[str, ...], int]:
    """The hexes that a unit retreats over, and the number of blocked ones."""
    hexes = KINDS[state.units[unit].own.kind].retreat
    steps: list[str] = []
    blocked = 0
    for _flag in range(flags):
        at = steps[-1] if steps else state.at(unit)
        if not state.field.ground.from_home(state.side_of(unit), at):
            blocked += 1
            continue
        for _hex in range(hexes):
            at = steps[-1] if steps else state.at(unit)
            target = step_home(state, unit, at)
            if target:
                steps.append(target)
            else:
                blocked += 1
    return tuple(steps), blocked


def walk_hexes(run: Run, unit: str, hexes: int) -> None:
    """Retreat as many hexes as the GM reported (T-40)."""
    steps: list[str] = []
    blocked = 0
    for _hex in range(hexes):
        target = step_home(run.state, unit, steps[-1] if steps else run.state.at(unit))
        if target:
            steps.append(target)
        else:
            blocked += 1
    go_back(run, unit, tuple(steps), blocked)


def go_back(run: Run, unit: str, steps: tuple[str, ...], blocked: int = 0) -> None:
    """Move a unit back along these hexes, and take a stand for each blocked one."""
    if steps:
        run.emit(e.Retreated(unit, (run.state.at(unit), *steps)))
    lost = min(blocked, run.state.units[unit].stands)
    for _hex in range(lost):
        run.emit(e.RetreatBlocked(unit))
    if lost and not run.state.units[unit].stands:
        lose(run, unit, 0, "retreat")
    if steps:
        after_shift(run, unit)


def step_home(state: FantasyState, unit: str, at: str) -> str:
    """The next hex of a retreat (T-24): homeward and free, with the fewest enemies beside it; "" if there is none."""
    token = state.token(unit)
    ground = footing_ground(state, token.side)
    steps, numbers = steps_of(ground, gait_of(state, unit)), ground.numbers
    closed = closed_hexes(state, token.side, flies(state, unit))
    leashed = is_led(state, unit) and not _is_with_master(state, unit)
    found = ""
    fewest = 1 << 10
    for near in ground.homeward(token.side, at):
        if not steps.price(numbers[at], numbers[near]) or near in closed or not is_free(state, unit, near):
            continue
        if leashed and not within_leash(state, unit, near, LEASH):
            continue
        crowd = foes_beside(state, near, token.side)
        if crowd < fewest:
            found, fewest = near, crowd
    return found


def _is_with_master(state: FantasyState, unit: str) -> bool:
    """Whether the master of an undead unit is in its hex, and so retreats with it (T-5)."""
    return within_leash(state, unit, state.at(unit), 0)


def is_free(state: FantasyState, unit: str, at: str) -> bool:
    """Whether a hex has no other unit and no enemy character."""
    side = state.side_of(unit)
    return all(other.character and other.side == side for other in state.field.at(at) if other.id != unit)


# Fire (TF-1.14, T-19, T-46): burning hexes, and damage to those on them.

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
    people = [one for one in run.state.people_at(at) if not flies(run.state, one)]
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
        after_shift(run, piece)
    elif piece in run.state.units and not _spared(run, piece):
        lose(run, piece, run.state.units[piece].stands, FIRE)
    else:
        run.emit(e.HexBurned(piece, (at,)))


def way_out(state: FantasyState, piece: str, at: str) -> str:
    """A free adjacent hex, preferably homeward (T-19); "" if there is none."""
    side = state.side_of(piece)
    ground = footing_ground(state, side)
    high = flies_itself(state, piece)
    steps, numbers = steps_of(ground, IN_THE_AIR if high else FREE_FOOT), ground.numbers
    closed = closed_hexes(state, side, high)
    home = ground.homeward(side, at)
    for near in (*home, *(one for one in ground.around(at) if one not in home)):
        enters = steps.price(numbers[at], numbers[near]) != 0 and near not in closed
        leashed = is_led(state, piece) and not within_leash(state, piece, near, LEASH)
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
