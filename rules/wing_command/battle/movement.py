"""Movement (WC-9.5, 9.9): moves, second effort, where a unit may end, recoil or be carried, and charges."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import NamedTuple

from rules.hexbattle.field import Field, Token
from rules.hexbattle.ground import BattleGround, on
from rules.hexbattle.law import has_room
from rules.hexbattle.moving import FLYING, Gait, Mover, StepCosts, Way, reach, steps_of
from rules.hexes.terrain import Footing, HexTerrain
from rules.wing_command.battle.record.state import EXHAUSTED, ROUTED, HostState
from rules.wing_command.battle.situation import bound, enemies, enemy_hexes, engaged, friends, halting, order_of, unseen
from rules.wing_command.spec import ADVANCE, CLOSE_FLIGHT, GROUND, HIGH_FLIGHT, HOLD, INFILTRATING, RETREAT

# Placement of units: on which hexes a unit may end, recoil or be carried (HX-6.1, W-23, W-24).

ON_FOOT, BY_STEALTH = Gait(difficult=2), Gait(difficult=2, infiltration_only=2)
FIRE = "fire"
"""The overlay of a wall of fire."""


def ground_bears(terrain: HexTerrain, posture: str) -> bool:
    """Whether a unit in this posture may be on such terrain. Flyers may be anywhere, but not low over a fire (W-56)."""
    if posture == HIGH_FLIGHT:
        return True
    if posture == CLOSE_FLIGHT:
        return terrain.slug != FIRE
    return terrain.on_foot or (terrain.footing is Footing.INFILTRATION_ONLY and posture == INFILTRATING)


def room_for(state: HostState, unit: str, at: str, *, posture: str = "", without: Iterable[str] = ()) -> bool:
    """Whether a hex has room: no enemy, one troop, all or none in high flight (W-23). `without`: units leaving it."""
    own = state.units[unit]
    high = (posture or own.posture) == HIGH_FLIGHT
    side, gone = state.side_of(unit), {unit, *without}
    for other in state.field.at(at):
        if other.id in gone:
            continue
        if other.side != side or state.units[other.id].high != high:
            return False
        if not own.character and not other.character:
            return False
    return True


def may_stand(state: HostState, unit: str, at: str, *, posture: str = "", without: Iterable[str] = ()) -> bool:
    """Whether a unit may end on a hex, in its posture or the one given."""
    terrain = state.field.ground.terrain(at)
    bears = ground_bears(terrain, posture or state.units[unit].posture)
    return bears and room_for(state, unit, at, posture=posture, without=without)


def may_set_up(state: HostState, field: Field, token: Token, at: str, posture: str) -> bool:
    """Whether a unit may be placed on a hex in setup: room, everyone at one height, terrain that bears it."""
    high = posture == HIGH_FLIGHT
    level = all(state.units[other.id].high == high for other in field.at(at) if other.id != token.id)
    return level and has_room(field, token, at) and ground_bears(field.ground.terrain(at), posture)


def gait_of(state: HostState, unit: str) -> Gait:
    """The gait of a unit in its posture (WC-9.5, 9.9)."""
    own = state.units[unit]
    if own.flying:
        return FLYING
    return BY_STEALTH if own.infiltrating else ON_FOOT


def may_be_thrown(state: HostState, unit: str, at: str) -> bool:
    """Whether a unit can recoil to a hex: on foot not through walls (HX-2.3), in high flight anywhere (W-23)."""
    ground = state.field.ground
    numbers = ground.numbers
    if not steps_of(ground, gait_of(state, unit)).price(numbers[state.token(unit).at], numbers[at]):
        return False
    return state.units[unit].high or ground.terrain(at).footing is not Footing.IMPASSABLE


def recoil_hex(state: HostState, unit: str, threat: str, *, together: Iterable[str] = ()) -> str:
    """The hex a unit recoils to, away from a threat; "" if it can't (WC-8.3, W-24)."""
    token = state.token(unit)
    foes = [foe.at for foe in enemies(state, token.side)]
    for at in state.field.ground.away(token.side, token.at, threat, foes):
        everybody = (unit, *together)
        if all(may_be_thrown(state, one, at) and may_stand(state, one, at, without=together) for one in everybody):
            return at
    return ""


# Movement (WC-9.5, 9.9): moves, second effort, where a move may end, and charges.

TAILWIND, TAILWIND_BONUS = "tailwind", 2
CHARGE_HEXES = 2
EXIT_COST = 1


class Pace(NamedTuple):
    """The move of a unit in points: `points` usually, `more` with a second effort."""

    points: int
    more: int


def pace_of(state: HostState, unit: str) -> Pace:
    """The move of a unit in points: its own and a tailwind's; a second effort adds half of it, unless exhausted."""
    own = state.units[unit]
    windy = state.field.timers and any(timer.effect == TAILWIND for timer in on(state.field.timers, unit))
    points = own.own.move + (TAILWIND_BONUS if windy else 0)
    more = 0 if own.fatigue == EXHAUSTED else max(1, points // 2)
    return Pace(points, points + more)


def in_posture(state: HostState, unit: str, posture: str) -> HostState:
    """The state with the unit in another posture, as at the start of its action."""
    if not posture or state.units[unit].posture == posture:
        return state
    return state.with_unit(unit, posture=posture)


def mover_of(state: HostState, unit: str, points: int) -> Mover:
    """The mover of a unit, from what its side knows, in the posture of this state.

    Under the order to hold, a bound troop can move one hex (W-20): every hex it enters ends its move.
    """
    token, own = state.token(unit), state.units[unit]
    foes = enemy_hexes(state, token.side)
    held = _held(state, unit) | thickets(state, unit)
    halts = halting(state, token.side)
    advances = order_of(state, unit) == ADVANCE and not own.character
    shunned = halts if advances else frozenset[str]()  # not beside enemies, even from there (WC-9.4)
    one_hex = frozenset(state.field.ground.around(token.at)) if holds(state, unit) and token.at else frozenset[str]()
    halts |= one_hex
    entry = frozenset(state.field.ground.home_edge(token.side)) if token.waiting else frozenset[str]()
    if own.high:
        return Mover(gait_of(state, unit), points, held=held | foes | shunned, halts=one_hex, entry=entry)
    closed = foes | shunned
    if own.posture == CLOSE_FLIGHT and state.field.timers:
        ground = state.field.ground
        closed |= frozenset(at for at in ground.overlays if ground.terrain(at).slug == FIRE)
    return Mover(gait_of(state, unit), points, closed, held, halts, entry)


def _held(state: HostState, unit: str) -> frozenset[str]:
    """Hexes of friends that it may pass but not end on."""
    own, side = state.units[unit], state.side_of(unit)
    return frozenset(
        friend.at
        for friend in friends(state, side)
        if friend.id != unit and (state.units[friend.id].high != own.high or not (own.character or friend.character))
    )


def thickets(state: HostState, unit: str) -> frozenset[str]:
    """Hexes where only infiltrators may be; a road leads others through, but they can't stop there (W-56)."""
    if state.units[unit].posture != GROUND:
        return frozenset()
    ground = state.field.ground
    return ground.kept("thickets", (), lambda: frozenset(filter(lambda at: _thick(ground, at), ground.labels)))


def _thick(ground: BattleGround, at: str) -> bool:
    return ground.terrain(at).footing is Footing.INFILTRATION_ONLY


def reach_of(state: HostState, unit: str, points: int) -> dict[str, int]:
    """Every hex where it can end its move with this many points, with the cost; its own hex costs 0."""
    token = state.token(unit)
    if not token.at and not token.waiting:
        return {}
    return reach(state.field.ground, mover_of(state, unit, points), token.at)


def holds(state: HostState, unit: str) -> bool:
    """Whether a unit is a troop bound by the order to hold."""
    return not state.units[unit].character and order_of(state, unit) == HOLD


def was_carried(state: HostState, unit: str) -> bool:
    """Whether the unit is a character whom a troop has carried along, which uses up their move (W-54)."""
    own, going = state.units[unit], state.going
    goes_on = going is not None and going.unit == unit and not going.done
    return own.character and own.moved and not own.acted and not goes_on


def why_it_stays(state: HostState, unit: str) -> bool:
    """Whether the unit can't move: it was carried, or is engaged and neither retreats nor is freed (WC-9.5)."""
    if was_carried(state, unit):
        return True
    if not engaged(state, unit):
        return False
    own = state.units[unit]
    if own.freed or own.special:
        return False
    return not (state.wing_of(unit).order == RETREAT and bound(state, unit))


def steps_clear(steps: StepCosts, state: HostState, hexes: tuple[str, ...]) -> int:
    """The number of hexes of a path that cost one point."""
    numbers = state.field.ground.numbers
    count = 0
    for before, after in itertools.pairwise(hexes):
        price = steps.price(numbers[before], numbers[after]) if before else steps.enter[numbers[after]]
        count += abs(price) == 1
    return count


def clear_steps(state: HostState, unit: str, way: Way) -> int:
    """The number of hexes of a unit's way that cost one point."""
    return steps_clear(steps_of(state.field.ground, gait_of(state, unit)), state, way.hexes)


def may_charge(state: HostState, unit: str, clear: int) -> bool:
    """Whether a melee after this many clear hexes is a charge (W-21)."""
    own = state.units[unit]
    if clear < CHARGE_HEXES or own.fatigue == EXHAUSTED or own.posture not in (GROUND, CLOSE_FLIGHT):
        return False
    return order_of(state, unit) not in (HOLD, ADVANCE)


# Postures (WC-9.9)


def postures_of(state: HostState, unit: str) -> tuple[str, ...]:
    """The postures a unit may take at the start of its action, its current one first."""
    own = state.units[unit]
    if own.must_land:
        return (GROUND,)
    found = [own.posture]
    ground, at = state.field.ground, state.token(unit).at
    if not engaged(state, unit):
        found += [GROUND]
        found += [INFILTRATING] if own.own.infiltrate else []
        found = [one for one in found if one == own.posture or not at or ground_bears(ground.terrain(at), one)]
        found += [CLOSE_FLIGHT, HIGH_FLIGHT] if own.own.fly else []
    return tuple(dict.fromkeys(found))


def may_take(state: HostState, unit: str, posture: str, at: str) -> bool:
    """Whether the unit can be in a posture on a hex at the end of its move, as far as its side knows."""
    return may_stand(state, unit, at, posture=posture, without=unseen(state, state.side_of(unit)))


def lands_on(state: HostState, unit: str, points: int) -> dict[str, int]:
    """The hexes in flying range where a unit that must land can do so, with their costs (W-23)."""
    found = reach(state.field.ground, mover_of(state, unit, points), state.token(unit).at)
    ground = state.field.ground
    return {
        at: cost
        for at, cost in found.items()
        if ground_bears(ground.terrain(at), GROUND) and may_take(state, unit, GROUND, at)
    }


def can_leave(state: HostState, unit: str) -> bool:
    """Whether a unit can leave the map: its wing has the order *retreat* (W-46) and it isn't routed."""
    return state.wing_of(unit).order == RETREAT and state.units[unit].morale != ROUTED
