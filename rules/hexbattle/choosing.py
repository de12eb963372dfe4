"""Choosing on a board: steps of the unit that was picked, the way to a hex, and whom it can attack from where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from rules.hexbattle.board import BoardLegal, Picks, Step, Target
from rules.hexbattle.field import Field
from rules.hexbattle.moving import Mover, reach, route
from rules.hexbattle.tokens import Token

type ReachCosts = Mapping[str, int]
"""Hexes a unit can end its move on, with their cost."""


def offered(
    legal: BoardLegal,
    field: Field,
    mover: Mover,
    unit: Token,
    picks: Picks,
    targets: Callable[[ReachCosts], Iterable[Target]],
) -> tuple[BoardLegal, Target | None]:
    """What a viewer may do with steps, way and targets of the unit, and the target that is picked.

    `targets`: the law's, from these hexes: all that can be reached, or the one that is picked. A target picked without
    a hex is attacked from its `source`.
    """
    costs = reach(field.ground, mover, unit.at)
    to = picks.to if picks.to in costs else ""
    found = tuple(targets({to: costs[to]} if to else costs))
    target = next((one for one in found if picks.target in (one.target, one.at) and not one.why_not), None)
    end = target.source if target else to
    way = route(field.ground, mover, unit.at, end) if end not in ("", unit.at) else None
    steps = (Step(at, cost, "halt" if at in mover.halts else "reach") for at, cost in costs.items() if at != unit.at)
    picked = (unit.id, end, target.target if target else "", *picks.more)
    return legal._replace(
        picked=picked,
        steps=tuple(steps),
        way=way.hexes if way else (),
        way_costs=way.costs if way else (),
        targets=found,
    ), target


def best_source(field: Field, costs: ReachCosts, foe: Token, enemies: Iterable[Token]) -> str | None:
    """The hex beside an enemy to attack it from: the cheapest, then that with the fewest enemies beside it."""
    near = [at for at in field.ground.around(foe.at) if at in costs]
    return min(near, key=lambda at: (costs[at], len(field.beside(at, enemies))), default=None)
