"""Line-up of wings in setup: a place for each of their units that waits, by what it is for.

Wings stand beside each other with the first in the middle. In a wing troops that fight hand to hand stand in front,
those that shoot behind them, its leader with the middle of the front, and casters alone at the back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from rules.hexbattle.field import Field
from rules.hexbattle.ground import hex_of
from rules.hexes.field import home
from rules.hexes.geometry import place_of
from rules.wing_command.battle.record.state import HostState, Wing
from rules.wing_command.battle.standing import may_set_up

ROWS = 3
"""How deep a zone is where the map doesn't say (H-2)."""
HEXES_A_TROOP = 2
"""How much of the front a troop gets where there is room."""
DEEPER = 1.5
"""How much farther a hex of another row counts than one beside."""
FRONT, BEHIND, BACK = 0, 1, 2
FACING_SOUTH_OR_WEST = ("north", "east")


class Wanted(NamedTuple):
    """Where a unit would stand best: how far along the front, how many rows behind it."""

    unit: str
    along: float
    behind: int


class Zone:
    """A side's zone as it stands there: each hex by how far along the front it is and how many rows behind it."""

    def __init__(self, state: HostState, side: int):
        ground = state.field.ground
        edge = home(ground.land, side)
        upright = edge in ("west", "east")
        sign = -1 if edge in FACING_SOUTH_OR_WEST else 1
        found = {}
        for at in ground.zone(side, ROWS):
            column, row = place_of(hex_of(at))
            along = float(row) if upright else column + row % 2 / 2
            found[at] = (sign * along, ground.from_home(side, at))
        deepest = max((depth for _along, depth in found.values()), default=0)
        self.hexes = {at: (along, deepest - depth) for at, (along, depth) in found.items()}
        front = [along for along, behind in self.hexes.values() if not behind]
        self.left, self.right = min(front, default=0.0), max(front, default=0.0)

    def nearest(self, wanted: Wanted, free: Collection[str]) -> str:
        """The free hex that is most like the one wanted; "" where none is free."""
        return min(free, key=lambda at: (self._far(wanted, at), at), default="")

    def _far(self, wanted: Wanted, at: str) -> float:
        along, behind = self.hexes[at]
        return abs(along - wanted.along) + DEEPER * abs(behind - wanted.behind)


def line_up(state: HostState, wings: Collection[str]) -> Iterator[tuple[str, str]]:
    """The waiting units of these wings, each with its hex. Whoever finds no room is left out."""
    for side in dict.fromkeys(state.wings[wing].side for wing in wings):
        zone, field = Zone(state, side), state.field
        for wing, middle in _middles(state, zone, state.wings_of(side)):
            if wing.id not in wings:
                continue
            for wanted in _wanted(state, wing, middle):
                at = zone.nearest(wanted, _free(state, field, zone, wanted.unit))
                if at:
                    field = field.put(wanted.unit, at=at)
                    yield wanted.unit, at


def _free(state: HostState, field: Field, zone: Zone, unit: str) -> list[str]:
    token, posture = field.tokens[unit], state.units[unit].posture
    return [at for at in zone.hexes if may_set_up(state, field, token, at, posture) and _alone(state, field, unit, at)]


def _alone(state: HostState, field: Field, unit: str, at: str) -> bool:
    """Nobody joins a caster, who works alone; a caster joins nobody."""
    others = [one.id for one in field.at(at)]
    return not others or not any(_casts(state, one) for one in (unit, *others))


def _middles(state: HostState, zone: Zone, wings: Sequence[Wing]) -> Iterator[tuple[Wing, float]]:
    """Each wing with the middle of its part of the front, as wide as it has troops."""
    row: list[Wing] = []
    for place, wing in enumerate(wings):  # the first in the middle, the next on its left, the next on its right
        row = [wing, *row] if place % 2 else [*row, wing]
    widths = [max(1, len(_front(state, wing))) for wing in row]
    whole = zone.right - zone.left
    a_troop = min(HEXES_A_TROOP, (whole + 1) / sum(widths))
    at = (zone.left + zone.right - a_troop * sum(widths)) / 2
    for wing, width in zip(row, widths, strict=True):
        yield wing, at + a_troop * width / 2
        at += a_troop * width


def _wanted(state: HostState, wing: Wing, middle: float) -> Iterator[Wanted]:
    """Its waiting units, troops first, each with where it would stand."""
    front, shooters = _front(state, wing), _troops(state, wing, shoot=True)
    characters = [unit for unit in wing.members if state.units[unit].character]
    with_troops = sorted((unit for unit in characters if not _casts(state, unit)), key=lambda one: one != wing.leader)
    casters = [unit for unit in characters if _casts(state, unit)]
    places = [(front, FRONT), (shooters, BEHIND if front else FRONT), (with_troops, FRONT), (casters, BACK)]
    for units, behind in places:
        for unit, along in zip(units, _spread(middle, len(units)), strict=True):
            if state.token(unit).waiting:
                yield Wanted(unit, middle if unit == wing.leader and behind == FRONT else along, behind)


def _spread(middle: float, count: int) -> list[float]:
    return [middle + place - (count - 1) / 2 for place in range(count)]


def _front(state: HostState, wing: Wing) -> list[str]:
    return _troops(state, wing, shoot=False)


def _troops(state: HostState, wing: Wing, *, shoot: bool) -> list[str]:
    units = state.units
    return [one for one in wing.members if not units[one].character and bool(units[one].own.shot) is shoot]


def _casts(state: HostState, unit: str) -> bool:
    own = state.units[unit]
    return bool(own.character and own.own.art)
