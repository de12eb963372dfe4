"""Board choices for moving and attacking: where the chosen unit can go, the path there, and whom it can attack.

A reader may lay the path hex by hex (HX-3.3). Then one pick is its slug, `way:C7.C8`, with the hexes to enter so far.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from rules.core.text import _
from rules.hexbattle.board import Act, BoardLegal, Picks, Step, Target
from rules.hexbattle.field import Field
from rules.hexbattle.ground import BattleGround
from rules.hexbattle.moving import Mover, Way, reach, route, steps_of
from rules.hexbattle.tokens import Token

WAY, BETWEEN = "way:", "."

type ReachCosts = Mapping[str, int]
"""Hexes where a unit can end its move, with their costs in movement points."""


def offered(
    legal: BoardLegal,
    field: Field,
    mover: Mover,
    unit: Token,
    picks: Picks,
    targets: Callable[[ReachCosts], Iterable[Target]],
) -> tuple[BoardLegal, Target | None]:
    """`legal` with the unit's steps, path and targets filled in, and the target picked (None if none is).

    `targets`: the law's function; it gets the hexes to attack from with their costs (every reachable hex, or only the
    picked one). A target picked without a hex is attacked from its `source`.
    """
    costs = reach(field.ground, mover, unit.at)
    own = own_way(picks.more)
    laid = lay(field.ground, (mover,), unit.at, own) if own is not None else None
    if laid:
        picks = picks._replace(to=laid.way.end if laid.hexes else "")
        stands = laid.way.end in costs
        found = tuple(targets({laid.way.end: laid.way.cost} if stands else {}))
    else:
        picks = picks._replace(to=picks.to if picks.to in costs else "")
        found = tuple(targets({picks.to: costs[picks.to]} if picks.to else costs))
    target = next((one for one in found if picks.target in (one.target, one.at) and not one.why_not), None)
    end = target.source if target else picks.to
    way = laid.way if laid else route(field.ground, mover, unit.at, end) if end else None
    way = way if way and len(way.hexes) > 1 else None
    open_ = laid.steps if laid else costs
    steps = (Step(at, cost, "halt" if at in mover.halts else "reach") for at, cost in open_.items() if at != unit.at)
    more = (one for one in picks.more if not one.startswith(WAY))
    return legal._replace(
        picked=(unit.id, end, target.target if target else "", *more, *((laid.slug,) if laid else ())),
        steps=tuple(steps),
        way=way.hexes if way else (),
        way_costs=way.costs if way else (),
        targets=found,
        acts=(way_act(way, laid is not None),) if len(costs) > 1 else (),
    ), target


# A path laid hex by hex


class LaidWay(NamedTuple):
    """The valid part of a path laid hex by hex. `steps`: its hexes and possible next ones, with running costs."""

    way: Way
    steps: Mapping[str, int]

    @property
    def hexes(self) -> tuple[str, ...]:
        """The hexes to enter, without the start."""
        return self.way.hexes[1:]

    @property
    def slug(self) -> str:
        return slug_of_way(self.hexes)


def slug_of_way(hexes: Sequence[str]) -> str:
    """The slug of a path laid by hand, such as "way:C7.C8"."""
    return WAY + BETWEEN.join(hexes)


def own_way(picks: Iterable[str]) -> tuple[str, ...] | None:
    """The hexes of the reader's own path so far; None if they aren't laying one."""
    slug = next((pick for pick in picks if pick.startswith(WAY)), None)
    return None if slug is None else tuple(filter(None, slug.removeprefix(WAY).upper().split(BETWEEN)))


def longer_way(slug: str, at: str) -> str:
    """The slug of the path extended by a hex. If the path already contains it, the path is cut there."""
    hexes = own_way((slug,)) or ()
    return slug_of_way(hexes[: hexes.index(at) + 1] if at in hexes else (*hexes, at))


def way_act(way: Way | None, on: bool) -> Act:
    """The act that switches to laying the path by hand, starting from the path shown; if `on`, it switches back."""
    note = _("hexes in order; click one again to shorten the path") if on else ""
    slug = slug_of_way(way.hexes[1:] if way else ())
    return Act(slug, _("Choose the path yourself"), "g-move", note, beside=True)


def lay(ground: BattleGround, movers: Sequence[Mover], start: str, hexes: Sequence[str]) -> LaidWay:
    """The longest part of a path that one of the movers can follow, and where it can continue (HX-3.3)."""
    found = [_along(ground, mover, start, hexes) for mover in movers]
    most = max(len(way.hexes) for way, _onward in found)
    best = [(way, onward) for way, onward in found if len(way.hexes) == most]
    way = min((way for way, _onward in best), key=lambda one: one.cost)
    steps = dict(zip(way.hexes[1:], way.costs[1:], strict=True))
    for _way, onward in best:
        for at, cost in onward.items():
            if at not in way.hexes:
                steps[at] = min(cost, steps.get(at, cost))
    return LaidWay(way, steps)


def _along(ground: BattleGround, mover: Mover, start: str, hexes: Sequence[str]) -> tuple[Way, dict[str, int]]:
    """The part of a path that a mover can follow, and the hexes it can enter next."""
    gone, costs, onward = [start], [0], _onward(ground, mover, start, 0)
    for at in hexes:
        if at not in onward or at in gone:
            break
        gone.append(at)
        costs.append(onward[at])
        onward = _onward(ground, mover, at, costs[-1], gone[-2])
    return Way(tuple(gone), tuple(costs)), onward


def _onward(ground: BattleGround, mover: Mover, here: str, cost: int, before: str | None = None) -> dict[str, int]:
    """The hexes that can be entered from a hex, with the running cost; empty if the move ends there."""
    steps, numbers = steps_of(ground, mover.gait), ground.numbers
    if not here:
        prices = [(numbers[at], steps.enter[numbers[at]]) for at in mover.entry]
    elif before is not None and _ends(ground, mover, before, here):
        prices = []
    else:
        prices = list(steps.exits(numbers[here]))
    found = {ground.labels[there]: cost + abs(price) for there, price in prices if price}
    return {at: total for at, total in found.items() if total <= mover.points and at not in mover.closed}


def _ends(ground: BattleGround, mover: Mover, before: str, here: str) -> bool:
    steps, at = steps_of(ground, mover.gait), ground.numbers[here]
    price = steps.price(ground.numbers[before], at) if before else steps.enter[at]
    return price < 0 or here in mover.halts


def best_source(field: Field, costs: ReachCosts, foe: Token, enemies: Iterable[Token]) -> str | None:
    """The hex to attack an enemy from: the cheapest, then the one with fewest enemies beside it; None if none."""
    near = [at for at in field.ground.around(foe.at) if at in costs]
    return min(near, key=lambda at: (costs[at], len(field.beside(at, enemies))), default=None)
