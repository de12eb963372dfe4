"""Places in setup: who may stand where, and a line-up of whoever waits of an army, by what it is for.

Troops that fight hand to hand stand in front, those that shoot behind them. Leaders and heroes join the unit in the
middle, casters a unit behind, and undead stand near their master.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rules.hexbattle.field import Field
from rules.hexbattle.frontage import Frontage, Wanted
from rules.thucidide_fantasy.battle.paces import may_stand
from rules.thucidide_fantasy.battle.record.state import FantasyState

ZONE_ROWS = 2
FRONT, BEHIND = 0, 1


def line_up(state: FantasyState, armies: Collection[str]) -> Iterator[tuple[str, str]]:
    """Whoever waits of these armies, each with a hex. Who finds no room is left out."""
    for side in sorted({state.field.armies[army] for army in armies}):
        front, field = Frontage(state.field, side, ZONE_ROWS), state.field
        waiting = [token.id for token in field.of_side(side) if token.waiting and token.army in armies]
        for wanted in _wanted(state, front, waiting):
            at = _place(state, field, front, wanted)
            if at:
                field = field.put(wanted.unit, at=at)
                yield wanted.unit, at


def _wanted(state: FantasyState, front: Frontage, waiting: Collection[str]) -> Iterator[Wanted]:
    """Units first, then who may join them."""
    units = [unit for unit in state.units if unit in waiting]
    near = sorted(units, key=lambda unit: not state.units[unit].master)  # the undead in the middle, near their master
    fighters = [unit for unit in near if not state.units[unit].own.shot]
    shooters = [unit for unit in near if state.units[unit].own.shot]
    rows = ((fighters, FRONT), (shooters, BEHIND if fighters else FRONT))
    for row, behind in rows:
        yield from (Wanted(unit, along, behind) for unit, along in _spread(row, front.middle))
    for person, own in state.people.items():
        if person in waiting:
            yield Wanted(person, front.middle, BEHIND if own.own.casts and not own.own.hero else FRONT)


def _spread(units: Sequence[str], middle: float) -> Iterator[tuple[str, float]]:
    """The first in the middle, the next on its left, the next on its right."""
    for place, unit in enumerate(units):
        yield unit, middle + (place + 1) // 2 * (-1 if place % 2 else 1)


def _place(state: FantasyState, field: Field, front: Frontage, wanted: Wanted) -> str:
    """The best free hex; of a character one where a unit of their army stands, if there is any."""
    token, now = field.tokens[wanted.unit], state.but(field=field)
    free = [at for at in front.hexes if may_stand(now, wanted.unit, at)]
    if wanted.unit in state.units:
        return front.nearest(wanted, [at for at in free if not field.at(at)])
    joined = [at for at in free if any(one.id in state.units and one.army == token.army for one in field.at(at))]
    fewest = min((len(field.characters(at)) for at in joined), default=0)
    return front.nearest(wanted, [at for at in joined if len(field.characters(at)) == fewest] or free)
