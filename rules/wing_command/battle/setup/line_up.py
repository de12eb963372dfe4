"""Line-up of wings in setup: a place for each of their units that waits, by what it is for.

Wings stand beside each other with the first in the middle. In a wing troops that fight hand to hand stand in front,
those that shoot behind them, its leader with the middle of the front, and casters alone at the back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rules.hexbattle.field import Field
from rules.hexbattle.frontage import Frontage, Wanted
from rules.wing_command.battle.record.state import HostState, Wing
from rules.wing_command.battle.standing import may_set_up
from rules.wing_command.spec import ZONE_ROWS

HEXES_A_TROOP = 2
"""How much of the front a troop gets where there is room."""
FRONT, BEHIND, BACK = 0, 1, 2


def line_up(state: HostState, wings: Collection[str]) -> Iterator[tuple[str, str]]:
    """The waiting units of these wings, each with its hex. Whoever finds no room is left out."""
    for side in dict.fromkeys(state.wings[wing].side for wing in wings):
        front, field = Frontage(state.field, side, ZONE_ROWS), state.field
        for wing, middle in _middles(state, front, state.wings_of(side)):
            if wing.id not in wings:
                continue
            for wanted in _wanted(state, wing, middle):
                at = _place(state, field, front, wanted)
                if at:
                    field = field.put(wanted.unit, at=at)
                    yield wanted.unit, at


def _place(state: HostState, field: Field, front: Frontage, wanted: Wanted) -> str:
    """The best free hex; of a character who casts nothing one where a troop of their wing stands, if there is any."""
    token, own = field.tokens[wanted.unit], state.units[wanted.unit]
    free = [at for at in front.hexes if may_set_up(state, field, token, at, own.posture)]
    if not own.character or _casts(state, wanted.unit):
        return front.nearest(wanted, [at for at in free if not field.at(at)])
    troops = [at for at in free if any(_with(state, one.id, own.wing) for one in field.at(at))]
    fewest = min((len(field.characters(at)) for at in troops), default=0)
    return front.nearest(wanted, [at for at in troops if len(field.characters(at)) == fewest] or free)


def _with(state: HostState, unit: str, wing: str) -> bool:
    own = state.units[unit]
    return own.wing == wing and not own.character


def _middles(state: HostState, front: Frontage, wings: Sequence[Wing]) -> Iterator[tuple[Wing, float]]:
    """Each wing with the middle of its part of the front, as wide as it has troops."""
    row: list[Wing] = []
    for place, wing in enumerate(wings):  # the first in the middle, the next on its left, the next on its right
        row = [wing, *row] if place % 2 else [*row, wing]
    widths = [max(1, len(_troops(state, wing, shoot=False))) for wing in row]
    a_troop = min(HEXES_A_TROOP, (front.right - front.left + 1) / sum(widths))
    at = (front.left + front.right - a_troop * sum(widths)) / 2
    for wing, width in zip(row, widths, strict=True):
        yield wing, at + a_troop * width / 2
        at += a_troop * width


def _wanted(state: HostState, wing: Wing, middle: float) -> Iterator[Wanted]:
    """Its waiting units, troops first, then its leader, each with where it would stand."""
    fighters, shooters = _troops(state, wing, shoot=False), _troops(state, wing, shoot=True)
    characters = [unit for unit in wing.members if state.units[unit].character]
    casters = [unit for unit in characters if _casts(state, unit)]
    others = sorted((unit for unit in characters if unit not in casters), key=lambda one: one != wing.leader)
    rows = ((fighters, FRONT), (shooters, BEHIND if fighters else FRONT), (casters, BACK))
    found = [Wanted(unit, along, behind) for units, behind in rows for unit, along in _spread(units, middle)]
    found += [Wanted(unit, middle, FRONT) for unit in others]
    return (wanted for wanted in found if state.token(wanted.unit).waiting)


def _spread(units: Sequence[str], middle: float) -> Iterator[tuple[str, float]]:
    return ((unit, middle + place - (len(units) - 1) / 2) for place, unit in enumerate(units))


def _troops(state: HostState, wing: Wing, *, shoot: bool) -> list[str]:
    units = state.units
    return [one for one in wing.members if not units[one].character and bool(units[one].own.shot) is shoot]


def _casts(state: HostState, unit: str) -> bool:
    own = state.units[unit]
    return bool(own.character and own.own.art)
