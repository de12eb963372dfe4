"""Placement of units: on which hexes a unit may end, recoil or be carried (HX-6.1, W-23, W-24)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.hexbattle.field import Field
from rules.hexbattle.law import has_room
from rules.hexbattle.moving import FLYING, Gait, steps_of
from rules.hexbattle.tokens import Token
from rules.hexes.terrain import Footing, HexTerrain
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.battle.situation import enemies
from rules.wing_command.spec import CLOSE_FLIGHT, HIGH_FLIGHT, INFILTRATING

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
