"""Flags and retreat (TF-1.10): which flags count, where a unit retreats to, and the losses if it can't."""

from __future__ import annotations

from typing import NamedTuple

from rules.hexbattle.moving import steps_of
from rules.thucidide_fantasy.battle.combat.losses import lose
from rules.thucidide_fantasy.battle.contact import after_shift
from rules.thucidide_fantasy.battle.paces import closed_hexes, footing_ground, gait_of
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import FantasyState, Todo
from rules.thucidide_fantasy.battle.run import Run
from rules.thucidide_fantasy.battle.situation import (
    DOUBLE_FLAGS,
    NO_FLAGS,
    aura_near,
    backed,
    effects,
    flies,
    foes_beside,
    gifts,
    is_undead,
    within_leash,
)
from rules.thucidide_fantasy.gods import LEASH
from rules.thucidide_fantasy.grimoire import FLAGS
from rules.thucidide_fantasy.spec import FANATIC, FLEEING, HESITANT, TENACIOUS
from rules.thucidide_fantasy.starter import KINDS

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
    own = state.units[unit].own
    return own.temper == FANATIC or (bool(state.field.timers) and FANATIC in gifts(state, unit))


def divine_favour(state: FantasyState, unit: str) -> tuple[bool, bool]:
    """Whether a god's answer doubles the flags on this unit now, and whether it cancels them (TF-7)."""
    side, foe = state.side_of(unit), 1 - state.side_of(unit)
    found = {(timer.effect, timer.side) for timer in state.field.timers if timer.left == 1}
    return (DOUBLE_FLAGS, foe) in found and state.side == foe, (NO_FLAGS, side) in found and state.side == foe


def worse_temper(state: FantasyState, unit: str) -> int:
    """Extra flags: one if the unit is or counts as hesitant, two if fleeing (T-49)."""
    own, token = state.units[unit].own, state.token(unit)
    if own.temper == FLEEING or aura_near(state, token.at, 1 - token.side, GREAT_THREAT, THREAT_REACH):
        return 2
    hesitant = own.temper == HESITANT or aura_near(state, token.at, 1 - token.side, THREAT, THREAT_REACH)
    return int(hesitant)


def ignored_by(state: FantasyState, unit: str, *, support: bool) -> int:
    """The number of flags a unit ignores: by support, a tenacious temper, a morale aura and spells."""
    token = state.token(unit)
    found = int(support and backed(state, unit)) + (state.units[unit].own.temper == TENACIOUS)
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
    hexes = KINDS[run.state.units[unit].own.kind].retreat
    steps: list[str] = []
    blocked = 0
    for _flag in range(flags):
        at = steps[-1] if steps else run.state.at(unit)
        if not run.state.field.ground.from_home(run.state.side_of(unit), at):
            blocked += 1
            continue
        for _hex in range(hexes):
            at = steps[-1] if steps else run.state.at(unit)
            target = step_home(run.state, unit, at)
            if target:
                steps.append(target)
            else:
                blocked += 1
    go_back(run, unit, tuple(steps), blocked)


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
    leashed = is_undead(state, unit)
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


def is_free(state: FantasyState, unit: str, at: str) -> bool:
    """Whether a hex has no other unit and no enemy character."""
    side = state.side_of(unit)
    return all(other.character and other.side == side for other in state.field.at(at) if other.id != unit)
