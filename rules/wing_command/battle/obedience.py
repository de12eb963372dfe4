"""Obedience (WC-9.4, W-8, W-16, W-30, W-46, W-58): the demands of a standing order on a bound unit's action."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.core.frozen_copy import remembered
from rules.core.text import Said, _
from rules.hexbattle.field import Token
from rules.hexbattle.ground import BattleGround, apart
from rules.hexbattle.moving import Gait, steps_of
from rules.wing_command.battle.combat import targets, why_not_strike
from rules.wing_command.battle.movement import gait_of, pace_of, reach_of, why_it_stays
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.battle.situation import beside, enemies, enemy_hexes, engaged, order_of
from rules.wing_command.spec import ADVANCE, ATTACK, MELEE, MISSILE, RETREAT

NO_WAY = 1 << 30
FREE, FIGHT, NEARER, HOME, LEAVE, STAY = "free", "fight", "nearer", "home", "leave", "stay"


class Duty(NamedTuple):
    """A unit's duty under its standing order. `hexes`: where its move may end, if that is restricted."""

    kind: str = FREE
    hexes: frozenset[str] = frozenset()

    @property
    def compels(self) -> bool:
        """Whether the unit must act before its wing's activation can end (W-16)."""
        return self.kind in (FIGHT, NEARER, HOME, LEAVE)


NO_DUTY = Duty()
DUTY_WORDS = {
    FIGHT: _("Order to attack: an enemy is in reach, so the unit has to fight or shoot."),
    NEARER: _("Order to attack: the unit has to end closer to the nearest enemy."),
    HOME: _("Order to retreat: the unit has to end closer to its home edge."),
    LEAVE: _("Order to retreat: the unit has to leave the map."),
    STAY: _("The unit can’t follow its order and has to stay where it is."),
}
NEARNESSES_MOST = 256
"""Number of target sets for which a ground caches distances; each entry is as large as the map."""


# Nearness


def costs_to(ground: BattleGround, gait: Gait, targets_: frozenset[str]) -> list[int]:
    """The cost of the cheapest way to any of these hexes, considering terrain only, indexed by hex number."""
    return ground.kept("nearness", (gait, targets_), lambda: _backward(ground, gait, targets_), NEARNESSES_MOST)


def _backward(ground: BattleGround, gait: Gait, targets_: frozenset[str]) -> list[int]:
    steps, found = steps_of(ground, gait), [NO_WAY] * len(ground.labels)
    waiting = {0: [ground.numbers[at] for at in targets_]}
    for here in waiting[0]:
        found[here] = 0
    cost = 0
    while waiting:
        for here in waiting.pop(cost, ()):
            if found[here] < cost:
                continue
            for there, price in steps.entries(here):
                total = cost + price
                if total < found[there]:
                    found[there] = total
                    waiting.setdefault(total, []).append(there)
        cost += 1
    return found


class Nearness:
    """Distance of a unit from the nearest visible enemy, for its posture before its action (W-58)."""

    def __init__(self, state: HostState, unit: str):
        token = state.token(unit)
        self.foes = enemy_hexes(state, token.side)
        self.ground = state.field.ground
        self.costs = costs_to(self.ground, gait_of(state, unit), self.foes)
        self.by_distance = self.costs[self.ground.numbers[token.at]] == NO_WAY
        self.start = self.of(token.at)

    def of(self, at: str) -> int:
        if self.by_distance:
            return min((apart(at, foe) for foe in self.foes), default=NO_WAY)
        return self.costs[self.ground.numbers[at]]


# Strikes


def strikes(state: HostState, unit: str, at: str) -> Iterator[tuple[Token, str]]:
    """The attacks a unit can make from a hex, as target and kind; its order isn't considered."""
    far = state.units[unit].own.range
    for target in targets(state, unit):
        distance = apart(at, target.at)
        if distance == 1 and why_not_strike(state, unit, target, MELEE, at) is None:
            yield target, MELEE
        if 0 < distance <= far and why_not_strike(state, unit, target, MISSILE, at) is None:
            yield target, MISSILE


def near_enough(state: HostState, unit: str, hexes: dict[str, int]) -> bool:
    """Whether the unit can attack from any of these hexes. Enemies out of reach of all of them are skipped early."""
    reach = max(1, state.units[unit].own.range)
    start, farthest = state.token(unit).at, max(hexes.values(), default=0) + reach
    foes = [target.at for target in targets(state, unit) if apart(start, target.at) <= farthest]
    near = frozenset[str]().union(*(state.field.ground.within(foe, reach) for foe in foes))
    return any(next(strikes(state, unit, at), None) is not None for at in hexes if at in near)


def why_not_by_order(
    state: HostState, unit: str, target: str, how: str, at: str, before: tuple[str, ...]
) -> Said | None:
    """Why its order forbids a bound unit this attack; None if not. `before`: enemies next to it before its move."""
    order = order_of(state, unit)
    if order == RETREAT:
        if how == MISSILE:
            return _("A unit ordered to retreat can’t shoot.")
        if not engaged(state, unit, at=at):
            return _("A unit ordered to retreat can only fight while engaged.")
    if order == ADVANCE and how == MELEE and target not in before:
        return _("A unit ordered to advance can only fight enemies that were already next to it.")
    return None


def beside_now(state: HostState, unit: str) -> tuple[str, ...]:
    """The ids of the visible enemies beside a unit now."""
    token = state.token(unit)
    return tuple(foe.id for foe in beside(state, token.at, token.side))


# Duties


@remembered
def duty_of(state: HostState, unit: str) -> Duty:
    """The duty that the order gives a unit that hasn't acted. Characters are bound only in attacking (W-60)."""
    own = state.units[unit]
    if own.character or own.must_land:
        return NO_DUTY
    order = order_of(state, unit)
    if order == ATTACK:
        return _to_attack(state, unit)
    return _to_retreat(state, unit) if order == RETREAT else NO_DUTY


@remembered
def own_reach(state: HostState, unit: str) -> dict[str, int]:
    """The hexes where it can end without a second effort, in its current posture."""
    if why_it_stays(state, unit):
        return {state.token(unit).at: 0}
    return reach_of(state, unit, pace_of(state, unit).points)


def _to_attack(state: HostState, unit: str) -> Duty:
    token = state.token(unit)
    hexes = own_reach(state, unit)
    if not enemies(state, token.side):
        return NO_DUTY
    if near_enough(state, unit, hexes):
        return Duty(FIGHT)
    near = Nearness(state, unit)
    close = frozenset(
        at for at in hexes if at != token.at and (near.of(at) < near.start or beside(state, at, token.side))
    )
    if beside(state, token.at, token.side):
        return Duty(FREE, close | {token.at})
    return Duty(NEARER, close) if close else Duty(STAY, frozenset({token.at}))


def _to_retreat(state: HostState, unit: str) -> Duty:
    token, ground = state.token(unit), state.field.ground
    home = ground.from_home(token.side, token.at)
    if home == 0:
        return Duty(LEAVE)
    hexes = frozenset(at for at in own_reach(state, unit) if ground.from_home(token.side, at) < home)
    return Duty(HOME, hexes) if hexes else Duty(STAY, frozenset({token.at}))


def why_disobeys(state: HostState, unit: str, end: str, *, moves: bool, attacks: bool, leaves: bool) -> Said | None:
    """Why this action would disobey the unit's order; None if it obeys. Walking away and back counts as moving."""
    duty, token = duty_of(state, unit), state.token(unit)
    match duty.kind:
        case "fight":
            return None if attacks else DUTY_WORDS[FIGHT]
        case "leave":
            return None if leaves else DUTY_WORDS[LEAVE]
        case "home":
            nearer = state.field.ground.from_home(token.side, end) < state.field.ground.from_home(token.side, token.at)
            return None if leaves or nearer else DUTY_WORDS[HOME]
        case "stay":
            return DUTY_WORDS[STAY] if moves or leaves else None
    if not duty.hexes or attacks or end in duty.hexes:
        return None
    near = Nearness(state, unit)
    return None if near.of(end) < near.start else DUTY_WORDS[NEARER]
