"""Movement on a battle map: step costs by gait, reach, cheapest paths, given paths, and unseen enemies met.

A law describes how a unit moves (`Gait`), how far it can go, and which hexes are closed, can only be passed, or end its
move (`Mover`). Commands, the reach on the board and refusals all use the same mover, so they agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from rules.core.errors import demand, require
from rules.core.text import _, by_number
from rules.hexbattle.ground import BattleGround, hex_of
from rules.hexes.mapfile import by_road
from rules.hexes.paths import mesh
from rules.hexes.terrain import BY_LETTER, Footing

TOO_FAR = by_number("The path costs {cost} point; the unit has {points}.",
                    "The path costs {cost} points; the unit has {points}.", "cost")  # fmt: skip
CLOSED = 0
SEARCHES_KEPT = 64
NEVER = 1 << 30
GAITS_MOST, DISTANCES_MOST = 64, 128
"""Cache sizes of a ground for step costs and distances; each entry is as large as the map."""


class Gait(NamedTuple):
    """How a unit moves: the points each footing costs, 0 if it can't enter.

    `halts`: footings that end the move when entered; "difficult" includes crossing a stream or river without a road.
    `air`: flies over everything at `clear` points a hex. `road`: moves along roads only.
    """

    clear: int = 1
    difficult: int = 2
    infiltration_only: int = CLOSED
    impassable: int = CLOSED
    halts: frozenset[str] = frozenset()
    air: bool = False
    road: bool = False

    def price(self, footing: Footing) -> int:
        """The points to enter a hex of this footing; negative if that ends the move."""
        points: int = self._asdict()[footing]
        return -points if footing in self.halts else points


FLYING = Gait(air=True)


class Mover(NamedTuple):
    """A moving unit: its gait, its points, and the hexes that matter now, from what its side knows (H-5).

    `closed`: it can't enter them (enemies). `held`: it may pass through, not stop (friends). `halts`: entering them
    ends its move (beside enemies). `entry`: where it can enter the map from the reserve; the first hex costs as usual.
    """

    gait: Gait
    points: int
    closed: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    halts: frozenset[str] = frozenset()
    entry: frozenset[str] = frozenset()


class Way(NamedTuple):
    """A path: `hexes` from the unit's hex ("" for the reserve) to the end, and the running cost at each."""

    hexes: tuple[str, ...]
    costs: tuple[int, ...]

    @property
    def cost(self) -> int:
        return self.costs[-1]

    @property
    def end(self) -> str:
        return self.hexes[-1]


class Walk(NamedTuple):
    """The part of a path that a unit really walks, and what it met (H-9).

    `found`: unseen enemies met, each with the index in `way.hexes` where it was met. `stumbled`: they stopped the unit.
    `left`: its remaining points.
    """

    way: Way
    found: tuple[tuple[str, int], ...]
    stumbled: bool
    left: int


type PricedSteps = tuple[tuple[int, int], ...]
"""Hexes by number, each with the points of the step; negative if the step ends the move."""


@dataclass(frozen=True)
class StepCosts:
    """Step costs of a gait on a ground, with hexes by number: negative if the step ends the move, 0 if it is
    impossible.

    `enter`: the cost by the hex entered. `turned`: by start then target hex, costs that differ because of the edge
    crossed. `around`: the neighbours of each hex.
    """

    enter: Sequence[int]
    turned: Mapping[int, Mapping[int, int]]
    around: Sequence[Sequence[int]]
    _exits: dict[int, PricedSteps] = field(default_factory=dict)
    _entries: dict[int, PricedSteps] = field(default_factory=dict)

    def price(self, start: int, target: int) -> int:
        return self.turned.get(start, {}).get(target, self.enter[target])

    def exits(self, here: int) -> PricedSteps:
        """The neighbours that can be entered from a hex, with the costs."""
        found = self._exits.get(here)
        if found is None:
            steps = ((there, self.price(here, there)) for there in self.around[here])
            found = self._exits[here] = tuple(step for step in steps if step[1])
        return found

    def entries(self, here: int) -> PricedSteps:
        """The neighbours from which a hex can be entered, with the costs."""
        found = self._entries.get(here)
        if found is None:
            steps = ((there, self.price(there, here)) for there in self.around[here])
            found = self._entries[here] = tuple(step for step in steps if step[1])
        return found


def steps_of(ground: BattleGround, gait: Gait) -> StepCosts:
    """The step costs of a gait, cached with the ground."""
    return ground.kept("steps", gait, lambda: _steps(ground, gait), GAITS_MOST)


def _steps(ground: BattleGround, gait: Gait) -> StepCosts:
    land, numbers, around = ground.land, ground.numbers, mesh(ground.columns, ground.rows)
    if gait.air:
        return StepCosts([gait.clear] * len(ground.labels), {}, around)
    by_letter = {letter: gait.price(terrain.footing) for letter, terrain in BY_LETTER[land.kind].items()}
    enter = [by_letter[letter] for row in land.terrain for letter in row]
    for at in ground.overlays:
        enter[numbers[at]] = gait.price(ground.terrain(at).footing)
    if gait.road:
        return StepCosts([CLOSED] * len(enter), dict(_along_roads(ground, gait)), around)
    turned: dict[int, dict[int, int]] = {}
    for a, b in land.roads | land.rivers | land.edges.keys():
        for start, target in ((a, b), (b, a)):
            turned.setdefault(_number(ground, start), {})[_number(ground, target)] = gait.price(
                ground.field.entering(start, target)
            )
    return StepCosts(enter, turned, around)


def _along_roads(ground: BattleGround, gait: Gait) -> Iterator[tuple[int, dict[int, int]]]:
    for start in ground.labels:
        here = hex_of(start)
        steps = {
            ground.numbers[target]: gait.price(ground.field.entering(here, hex_of(target)))
            for target in ground.around(start)
            if by_road(ground.land, here, hex_of(target))
        }
        if steps:
            yield ground.numbers[start], steps


def _number(ground: BattleGround, at: tuple[int, int]) -> int:
    q, r = at
    return r * ground.columns + q + r // 2


class _Search:
    """Dijkstra search over the hexes a mover may enter.

    `free`: the cost to reach a hex from which the move can go on. `ends`: the cost to reach a hex and end the move
    there.
    """

    def __init__(self, ground: BattleGround, mover: Mover, start: str):
        self.ground, self.steps = ground, steps_of(ground, mover.gait)
        numbers = ground.numbers
        self.closed, self.halts, self.held = (
            frozenset(numbers[at] for at in some if at in numbers) for some in (mover.closed, mover.halts, mover.held)
        )
        self.points, self.mover = mover.points, mover
        self.free: dict[int, int] = {}
        self.ends: dict[int, int] = {}
        self.first = numbers[start] if start else None
        self._spread()

    def _spread(self) -> None:
        """Expand hexes in order of cost, bucket by bucket."""
        waiting: dict[int, list[int]] = {}
        if self.first is not None:
            self.free[self.first] = 0
            waiting[0] = [self.first]
        else:
            enter, numbers = self.steps.enter, self.ground.numbers
            self._enter(waiting, 0, [(numbers[at], enter[numbers[at]]) for at in self.mover.entry])
        cost = 0
        while waiting:
            for here in waiting.pop(cost, ()):
                if self.free[here] == cost < self.points:
                    self._enter(waiting, cost, self.steps.exits(here))
            cost += 1

    def _enter(self, waiting: dict[int, list[int]], cost: int, steps: Iterable[tuple[int, int]]) -> None:
        """Record the cost of these neighbours, and queue those from which the move can go on."""
        free, ends, halts, closed, points = self.free, self.ends, self.halts, self.closed, self.points
        for there, price in steps:
            total = cost + abs(price)
            if total > points or there in closed or not price:
                continue
            if price < 0 or there in halts:
                if total < ends.get(there, NEVER):
                    ends[there] = total
            elif total < free.get(there, NEVER):
                free[there] = total
                waiting.setdefault(total, []).append(there)

    @cached_property
    def costs(self) -> dict[str, int]:
        """Every hex the move can end on, with its cost, in reading order."""
        found = self.free | {at: cost for at, cost in self.ends.items() if cost < self.free.get(at, NEVER)}
        labels, first, held = self.ground.labels, self.first, self.held
        return {labels[at]: found[at] for at in sorted(found) if at not in held or at == first}

    def cost(self, at: int) -> int:
        return min(self.free.get(at, NEVER), self.ends.get(at, NEVER))

    def may_end(self, at: int) -> bool:
        return at == self.first or (at not in self.held and self.cost(at) < NEVER)

    def back(self, target: int) -> list[int]:
        """The hexes of the path to a target (HX-3.2), in walking order."""
        found, here, cost, last = [target], target, self.cost(target), True
        while here != self.first:
            before = self._before(here, cost, last)
            if before is None:
                break  # The unit entered the map here.
            cost, here, last = self.free[before], before, False
            found.append(here)
        return found[::-1]

    def _before(self, here: int, cost: int, last: bool) -> int | None:
        if self.first is None and cost == abs(self.steps.enter[here]) and self.ground.labels[here] in self.mover.entry:
            return None
        for there, price in self.steps.entries(here):
            goes_on = price > 0 and here not in self.halts
            if (last or goes_on) and self.free.get(there, NEVER) + abs(price) == cost:
                return there
        raise LookupError(self.ground.labels[here])  # Can't happen: every reached hex has a predecessor.


def _searched(ground: BattleGround, mover: Mover, start: str) -> _Search:
    """The search of a mover from a hex, cached: a request for the reach is usually followed by one for a path."""
    return ground.kept("searches", (mover, start), lambda: _Search(ground, mover, start), SEARCHES_KEPT)


def reach(ground: BattleGround, mover: Mover, start: str) -> dict[str, int]:
    """Every hex the unit can end its move on, with its cost in points, in reading order; its own hex costs 0.

    `start`: its hex, or "" in the reserve.
    """
    return dict(_searched(ground, mover, start).costs)


def distances(ground: BattleGround, gait: Gait, start: str) -> Mapping[str, int]:
    """The cost in points from a hex to every reachable one, ignoring all units. Cached with the ground."""
    key = (gait, start)
    return ground.kept("distances", key, lambda: reach(ground, Mover(gait, NEVER), start), DISTANCES_MOST)


def route(ground: BattleGround, mover: Mover, start: str, target: str) -> Way | None:
    """The cheapest path to a hex, with a fixed choice among equals (HX-3.2); None if it is out of reach."""
    search = _searched(ground, mover, start)
    at = ground.numbers.get(target)
    if at is None or not search.may_end(at):
        return None
    hexes = tuple(ground.labels[one] for one in search.back(at))
    return _priced(ground, mover, hexes if start else ("", *hexes))


def _priced(ground: BattleGround, mover: Mover, hexes: Sequence[str]) -> Way:
    steps, numbers = steps_of(ground, mover.gait), ground.numbers
    costs = [0]
    for before, after in pairwise(hexes):
        price = steps.price(numbers[before], numbers[after]) if before else steps.enter[numbers[after]]
        costs.append(costs[-1] + abs(price))
    return Way(tuple(hexes), tuple(costs))


def way_of(ground: BattleGround, mover: Mover, start: str, *, path: Sequence[str] = (), to: str = "") -> Way:
    """The path a command gives: step by step in `path`, or the cheapest one to `to` (H-10). With neither the unit
    stays.

    Raises `InvalidInput` for an invalid path and `IllegalCommand` for one the unit can't take.
    """
    if path:
        return walked(ground, mover, start, path)
    if not to:
        return Way((start,), (0,))
    target = ground.require_hex(to, field="/to")
    found = route(ground, mover, start, target)
    require(found, _("The unit can’t reach {hex} this turn."), field="/to", hex=target)
    assert found is not None
    return found


def walked(ground: BattleGround, mover: Mover, start: str, path: Sequence[str]) -> Way:
    """The way along a path the player gives (HX-3.3): the hexes to enter in order; the start may come first.

    Raises `InvalidInput` for a hex off the map or a gap, and `IllegalCommand` for a step the unit can't take.
    """
    named = [ground.require_hex(at, field=f"/path/{place}") for place, at in enumerate(path)]
    offset = 1 if start and named[0] == start else 0
    hexes = (start, *named[offset:])
    for place, (before, after) in enumerate(pairwise(hexes), offset):
        _check_step(ground, mover, before, after, f"/path/{place}", last=place + 1 == len(named))
    way = _priced(ground, mover, hexes)
    require(way.cost <= mover.points, TOO_FAR, field="/path", cost=way.cost, points=mover.points)
    require(
        way.end not in mover.held or way.end == start,
        _("The unit can’t end its move on {hex}. Choose another hex."),
        field="/path", hex=way.end,
    )  # fmt: skip
    return way


def _check_step(ground: BattleGround, mover: Mover, before: str, after: str, at: str, *, last: bool) -> None:
    if not before:
        require(
            after in mover.entry,
            _("Units can’t enter the map at {hex}. Choose one of the unit’s entry hexes."),
            field=at,
            hex=after,
        )
        price = steps_of(ground, mover.gait).enter[ground.numbers[after]]
    else:
        near = ground.around(before)
        told = {"start": before, "hex": after}
        demand(after in near, _("{hex} isn’t next to {start}. Enter every hex of the path."), field=at, **told)
        price = steps_of(ground, mover.gait).price(ground.numbers[before], ground.numbers[after])
    require(price and after not in mover.closed, _("The unit can’t enter {hex}."), field=at, hex=after)
    ends = price < 0 or after in mover.halts
    require(last or not ends, _("The unit has to end its move on {hex}."), field=at, hex=after)


def nothing_new(at: str) -> Collection[str]:
    return ()


def walk(
    ground: BattleGround,
    mover: Mover,
    way: Way,
    *,
    unseen: Mapping[str, str],
    spotted: Callable[[str], Collection[str]] = nothing_new,
    halting: Mapping[str, str] | None = None,
) -> Walk:
    """How far a unit gets along a path among enemies its side doesn't see (H-9).

    `unseen`: their ids by hex. `spotted`: the ids of those that come into sight from a hex. `halting`: the hexes, by
    id, of those that end the move of a unit beside them (all by default).

    The unit stops in front of a hex held by an unseen enemy, and beside a halting enemy it found on the way, unless
    that is the last hex of its path.
    """
    halting = {unit: at for at, unit in unseen.items()} if halting is None else halting
    found: dict[str, int] = {}
    for place, at in enumerate(way.hexes):
        if place:
            for unit in sorted(spotted(at)):
                found.setdefault(unit, place)
        last = place == len(way.hexes) - 1
        if last:
            break
        if blocker := unseen.get(way.hexes[place + 1]):
            found.setdefault(blocker, place)
            return _stopped(mover, way, place, found)
        if place and any(halting.get(unit) in ground.around(at) for unit in found):
            return _stopped(mover, way, place, found)
    return Walk(way, tuple(found.items()), False, mover.points - way.cost)


def _stopped(mover: Mover, way: Way, place: int, found: Mapping[str, int]) -> Walk:
    """The walk cut at this index, or at the last earlier hex where the unit may stop."""
    while place and way.hexes[place] in mover.held:
        place -= 1
    kept = Way(way.hexes[: place + 1], way.costs[: place + 1])
    return Walk(kept, tuple((unit, min(at, place)) for unit, at in found.items()), True, mover.points - kept.cost)
