"""Options of units for the computer player: every action that obeys the unit's order, with a score.

A score combines the expected value of an attack and the value of the hex the unit ends on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import Any, NamedTuple

from rules.hexbattle.field import Token
from rules.hexbattle.ground import apart
from rules.hexbattle.moving import route
from rules.wing_command.battle import activation
from rules.wing_command.battle.acting import going_on, released
from rules.wing_command.battle.blows import companions
from rules.wing_command.battle.combat import Setting, chances, led_from, stands_firm, sum_of, targets
from rules.wing_command.battle.movement import (
    CHARGE_HEXES,
    clear_steps,
    gait_of,
    lands_on,
    may_charge,
    mover_of,
    pace_of,
    reach_of,
)
from rules.wing_command.battle.obedience import (
    FIGHT,
    HOME,
    LEAVE,
    NO_WAY,
    STAY,
    Duty,
    beside_now,
    costs_to,
    duty_of,
    own_reach,
    strikes,
    why_not_by_order,
)
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import EXHAUSTED, FIT, SHAKEN, HostState
from rules.wing_command.battle.situation import enemies, enemy_hexes, engaged, fit_leader, halting, stops_beside
from rules.wing_command.spec import HOLD, MELEE, MISSILE
from rules.wing_command.starter import TROOPS

WORTH = {
    MELEE: (-0.9, -0.1, 0.5, 1.3, 2.6, 4.0),
    MISSILE: (0.0, 0.5, 1.3, 2.6, 4.0),
}
"""The value of each result of an attack, in the order of its columns."""
TIRING = 0.25
RESTED, RALLIED = 0.5, 1.0
NEAR, COVER, EXPOSED = 0.08, 0.15, 0.12
CLOSE = 6
"""An advancing wing attacks once an enemy is within this many hexes."""


class Option(NamedTuple):
    """A possible action and its score. `ready` makes its command; most are never made."""

    ready: Callable[[], Any]
    score: float


@lru_cache(maxsize=256)
def worth(how: str, total: int) -> float:
    """The expected value of an attack with this total."""
    return sum(float(chance) * value for chance, value in zip(chances(how, total), WORTH[how], strict=True))


# Options


def options_of(state: HostState, unit: str) -> Iterator[Option]:
    """Every action of a unit that obeys its order, with its score."""
    state = released(state, unit)
    own, token = state.units[unit], state.token(unit)
    if token.waiting:
        yield from _entering(state, unit)
        return
    going = going_on(state, unit)
    if own.must_land:
        yield from _landing(state, unit)
        return
    hexes = own_reach(state, unit) if going is None else reach_of(state, unit, going.left)
    duty = duty_of(state, unit) if going is None else Duty()
    place = Standpoint(state, unit)
    if duty.kind == LEAVE:
        yield Option(partial(c.UnitAct, unit, exit=True), 0.0)
        return
    if going is not None and token.at in stops_beside(state, unit):
        hexes = {token.at: 0}
    if duty.kind in (HOME, STAY):
        hexes = {at: cost for at, cost in hexes.items() if at in duty.hexes}
    yield from _attacks(state, unit, hexes, place)
    if duty.kind == FIGHT:
        return
    allowed = duty.hexes or hexes.keys()
    for at in hexes:
        if at in allowed:
            to = "" if at == token.at else at
            yield Option(partial(c.UnitAct, unit, to=to), place.score(at, stays=not to))


def _entering(state: HostState, unit: str) -> Iterator[Option]:
    hexes = reach_of(state, unit, pace_of(state, unit).points)
    place = Standpoint(state, unit)
    yield from (Option(partial(c.UnitAct, unit, to=at), place.score(at)) for at in hexes)


def _landing(state: HostState, unit: str) -> Iterator[Option]:
    spots = lands_on(state, unit, pace_of(state, unit).points)
    place = Standpoint(state, unit)
    at = state.token(unit).at
    yield from (Option(partial(c.UnitAct, unit, to="" if one == at else one), place.score(one)) for one in spots)
    if not spots:
        yield Option(partial(c.UnitAct, unit), 0.0)


class Standpoint:
    """Values of hexes for a unit that only moves there."""

    def __init__(self, state: HostState, unit: str):
        self.state, self.unit = state, unit
        self.own, self.token = state.units[unit], state.token(unit)
        ground = state.field.ground
        self.ground, self.numbers = ground, ground.numbers
        foes = enemy_hexes(state, self.token.side)
        self.foes, self.costs = foes, costs_to(ground, gait_of(state, unit), foes) if foes else None
        self.close = halting(state, self.token.side)
        wing = state.wing_of(unit)
        self.home = wing.retreats
        self.drawn = not self.home and wing.order != HOLD
        self.mates = self._mates() if self.own.character else {}

    def to(self, at: str) -> str:
        """The `to` of an action that ends on a hex; "" if the unit stays."""
        return "" if at == self.token.at else at

    def score(self, at: str, *, stays: bool = False) -> float:
        if self.home:
            return -float(self.ground.from_home(self.token.side, at))
        found = self._rest(at, stays)
        if self.own.character:
            return found + self._of_character(at)
        if self.costs is not None and self.drawn and self.own.morale == FIT:
            cost = self.costs[self.numbers[at]]
            found -= NEAR * (min(cost, 40) if cost < NO_WAY else 40)
        if self.ground.terrain(at).cover:
            found += COVER
        if at in self.close:
            found -= EXPOSED * (3 if self.own.own.shot or self.own.morale == SHAKEN else 1)
        return found

    def _rest(self, at: str, stays: bool) -> float:
        """The value of rest: standing still reduces fatigue, and away from the enemy shaken units may rally."""
        found = 0.0
        if stays and self.own.fatigue and not self.own.stirred and at not in self.close:
            found += RESTED * self.own.fatigue
        if self.own.morale == SHAKEN and at not in self.close:
            found += RALLIED
        return found

    def _mates(self) -> dict[str, float]:
        """Hexes of friendly troops, with the value of joining them."""
        found = {}
        wing = self.own.wing
        for friend in self.state.field.of_side(self.token.side):
            if friend.standing and not friend.character:
                own = self.state.units[friend.id]
                found[friend.at] = (own.morale == FIT) + 0.5 * (own.wing == wing) + 0.3 * (friend.at in self.close)
        return found

    def _of_character(self, at: str) -> float:
        """The value of a hex for a character: with a fit troop of their wing, never alone beside an enemy; casters
        alone.
        """
        if self.own.own.art and not self.state.is_leader(self.unit):
            near = min((apart(at, foe) for foe in self.foes), default=CLOSE)
            return -2.0 * (at in self.close) - 1.0 * (at in self.mates) - 0.2 * abs(near - 4)
        if at in self.mates:
            return self.mates[at] - 0.02 * (apart(at, self.token.at) if self.token.at else 0)
        near = min((apart(at, mate) for mate in self.mates), default=0)
        return -3.0 * (at in self.close) - 0.2 * near


# Attacks


def _strike(unit: str, to: str, foe: str, how: str, charge: bool | None = None) -> c.UnitAct:
    return c.UnitAct(unit, to=to, attack=c.Strike(foe, how), charge=charge)


def _attacks(state: HostState, unit: str, hexes: dict[str, int], place: Standpoint) -> Iterator[Option]:
    before = beside_now(state, unit)
    if not state.units[unit].character:
        far, points = state.units[unit].own.range, max(hexes.values(), default=0)
        for foe in targets(state, unit):
            away = apart(place.token.at, foe.at) - points
            if away <= 1:
                yield from _on(state, unit, foe, MELEE, hexes, place, before)
            if away <= far and state.units[unit].own.shot:
                yield from _on(state, unit, foe, MISSILE, hexes, place, before)
        return
    at = place.token.at
    for foe, how in strikes(state, unit, at):
        if how == MISSILE and why_not_by_order(state, unit, foe.id, how, at, before) is None:
            total = sum_of(state, unit, foe.id, how, Setting(at)).total
            score = worth(how, total) * value_of(state, foe.id) + place.score(at)
            yield Option(partial(_strike, unit, "", foe.id, how), score)
    yield from _duels(state, unit, place)


def _duels(state: HostState, unit: str, place: Standpoint) -> Iterator[Option]:
    if activation.why_no_duellist(state, unit) is not None:
        return
    for foe in enemies(state, place.token.side):
        for how in (MELEE, MISSILE):
            if activation.why_not_duel(state, unit, foe, how) is None:
                blow = activation.blow_of(state, unit, foe.id, how)
                setting = Setting(place.token.at, blow.charged, blow.out, duel=True)
                total = sum_of(state, unit, foe.id, how, setting).total
                score = max(0.1, worth(how, total)) * 1.5 + place.score(place.token.at)
                yield Option(partial(c.FightDuel, unit, foe.id, how), score)


def _on(
    state: HostState, unit: str, foe: Token, how: str, hexes: dict[str, int], place: Standpoint, before: tuple[str, ...]
) -> Iterator[Option]:
    """Attacks on one enemy, from every hex that allows them."""
    own = state.units[unit]
    if how == MISSILE:
        reach = own.own.range
        near = [at for at in hexes if 0 < apart(at, foe.at) <= reach]
    else:
        near = [at for at in state.field.ground.around(foe.at) if at in hexes] if own.high == _high(state, foe) else []
    near = [at for at in near if _may(state, unit, foe, how, at, before)]
    if not near:
        return
    out = own.infiltrating
    base = sum_of(state, unit, foe.id, how, Setting(foe.at, out=out, leader=False)).total
    value = value_of(state, foe.id)
    if how == MISSILE:
        yield from (_shot(unit, foe, at, base - (2 * apart(at, foe.at) > own.own.range), value, place) for at in near)
        return
    firm, charges = stands_firm(state, foe.id), may_charge(state, unit, CHARGE_HEXES)
    for at in near:
        charged = charges and clear_to(state, unit, at, hexes[at]) >= CHARGE_HEXES
        yield _blow(state, unit, foe, at, base, value, place, charged=charged, firm=firm)


def _high(state: HostState, foe: Token) -> bool:
    return state.units[foe.id].high


def _may(state: HostState, unit: str, foe: Token, how: str, at: str, before: tuple[str, ...]) -> bool:
    if how == MISSILE:
        flying = (state.units[unit].high, _high(state, foe))
        if engaged(state, unit, at=at) or not state.field.ground.sees(at, foe.at, flying=flying):
            return False
    return why_not_by_order(state, unit, foe.id, how, at, before) is None


def _shot(unit: str, foe: Token, at: str, total: int, value: float, place: Standpoint) -> Option:
    score = worth(MISSILE, total) * value + 0.3 * place.score(at) + 0.2
    return Option(partial(_strike, unit, place.to(at), foe.id, MISSILE), score)


def _blow(
    state: HostState, unit: str, foe: Token, at: str, base: int, value: float, place: Standpoint, *,
    charged: bool, firm: bool,
) -> Option:  # fmt: skip
    total = base + leader_there(state, unit, at)
    plain, charge = worth(MELEE, total) * value, None
    if charged:
        charging = worth(MELEE, total + (not firm)) * value - TIRING
        charge = charging >= plain
        plain = max(plain, charging)
    crowd = sum(1 for one in state.field.ground.around(at) if one in place.foes) - 1
    tired = 0.2 * (state.units[unit].fatigue == EXHAUSTED)
    score = plain - EXPOSED * crowd - tired + (COVER if place.ground.terrain(at).cover else 0.0)
    return Option(partial(_strike, unit, place.to(at), foe.id, MELEE, charge), score)


def leader_there(state: HostState, unit: str, at: str) -> int:
    """1 if a fit leader would be with it on a hex, else 0."""
    start = state.token(unit).at
    if led_from(state, unit, at):
        return 1
    here = state.field.characters(start)
    if at == start or not any(fit_leader(state, one.id) for one in here):
        return 0
    return int(any(fit_leader(state, one) for one in companions(state, unit, at)))


def clear_to(state: HostState, unit: str, at: str, cost: int) -> int:
    """The number of hexes of its way there that cost one point."""
    start, going = state.token(unit).at, going_on(state, unit)
    more = going.clear if going else 0
    if at == start:
        return more
    if cost == apart(start, at):
        return cost + more
    points = max(cost, pace_of(state, unit).points)  # the same mover as for the reach shares its search
    way = route(state.field.ground, mover_of(state, unit, points), start, at)
    return (clear_steps(state, unit, way) if way else 0) + more


@lru_cache(maxsize=64)
def _worth_of_kind(kind: str) -> float:
    return TROOPS[kind].points / 3 if kind in TROOPS else 1.2


def value_of(state: HostState, unit: str) -> float:
    """The value of an enemy, where a foot troop is 1."""
    return _worth_of_kind(state.units[unit].own.kind) + 0.5 * (unit in state.leaders)
