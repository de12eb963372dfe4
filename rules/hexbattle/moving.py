"""Moving over the ground: step costs by gait, reach, cheapest paths, paths given step by step, unseen enemies met.

A law says of a unit how it gets on (`Gait`), how far it can go and which hexes are closed, only passed, or end the
move (`Mover`). The same mover decides, draws the reach and explains refusals, so all three agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.ground import BattleGround, hex_of
from rules.hexes.mapfile import by_road
from rules.hexes.paths import mesh
from rules.hexes.terrain import BY_LETTER, Footing

CLOSED = 0
SEARCHES_KEPT = 64
NEVER = 1 << 30
GAITS_MOST, DISTANCES_MOST = 64, 128
"""What a ground remembers of steps and distances: each is as large as the map."""


class Gait(NamedTuple):
    """How a unit gets on: the points each footing costs, 0 for no way.

    `halts`: footings that end the move when entered, a stream or river crossed without a road included where
    "difficult" is one. `air`: over everything at `clear` points a hex, edges too. `road`: along roads only.
    """

    clear: int = 1
    difficult: int = 2
    infiltration_only: int = CLOSED
    impassable: int = CLOSED
    halts: frozenset[str] = frozenset()
    air: bool = False
    road: bool = False

    def price(self, footing: Footing) -> int:
        """The points of entering by this footing; below 0 where that ends the move."""
        points: int = self._asdict()[footing]
        return -points if footing in self.halts else points


FLYING = Gait(air=True)


class Mover(NamedTuple):
    """A unit that moves: its gait, its points, and the hexes that matter to it now. Only what its side knows (H-5).

    `closed`: it can't enter them (enemies). `held`: it may pass, not stop (friends). `halts`: entering ends its move
    (beside enemies). `entry`: where it can enter the map from the reserve; the first hex is paid like any other.
    """

    gait: Gait
    points: int
    closed: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    halts: frozenset[str] = frozenset()
    entry: frozenset[str] = frozenset()


class Way(NamedTuple):
    """A path: `hexes` from where the unit was ("" for the reserve) to its end, and the running cost at each."""

    hexes: tuple[str, ...]
    costs: tuple[int, ...]

    @property
    def cost(self) -> int:
        return self.costs[-1]

    @property
    def end(self) -> str:
        return self.hexes[-1]


class Walk(NamedTuple):
    """How far a path is walked in truth, and what came of it (H-9).

    `found`: unseen enemies met, each with the place in `way.hexes` where that happened. `stumbled`: they stopped it.
    `left`: the points it has left.
    """

    way: Way
    found: tuple[tuple[str, int], ...]
    stumbled: bool
    left: int


type PricedSteps = tuple[tuple[int, int], ...]
"""Hexes by number, each with the points of a step: below 0 it ends the move."""


@dataclass(frozen=True)
class StepCosts:
    """The points of every step of a gait over a ground, hexes by number: below 0 it ends the move, 0 is no way.

    `enter`: by the hex entered. `turned`: where it matters whence, by the hex left. `around`: the neighbours of each.
    """

    enter: Sequence[int]
    turned: Mapping[int, Mapping[int, int]]
    around: Sequence[Sequence[int]]
    _exits: dict[int, PricedSteps] = field(default_factory=dict)
    _entries: dict[int, PricedSteps] = field(default_factory=dict)

    def price(self, start: int, target: int) -> int:
        return self.turned.get(start, {}).get(target, self.enter[target])

    def exits(self, here: int) -> PricedSteps:
        """The neighbours that can be entered from a hex."""
        found = self._exits.get(here)
        if found is None:
            steps = ((there, self.price(here, there)) for there in self.around[here])
            found = self._exits[here] = tuple(step for step in steps if step[1])
        return found

    def entries(self, here: int) -> PricedSteps:
        """The neighbours from which a hex can be entered."""
        found = self._entries.get(here)
        if found is None:
            steps = ((there, self.price(there, here)) for there in self.around[here])
            found = self._entries[here] = tuple(step for step in steps if step[1])
        return found


def steps_of(ground: BattleGround, gait: Gait) -> StepCosts:
    """The points of every step, worked out once for a ground."""
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
    """Dijkstra over what a mover may enter: `free`, the cost of going on from a hex; `ends`, of ending there."""

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
        """From the cheapest hexes on, those of equal cost together."""
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
        """One may go on to these hexes: note what that costs, and which are to be gone on from."""
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
        """The hexes of the path of HX-3.2 to a hex, which comes last."""
        found, here, cost, last = [target], target, self.cost(target), True
        while here != self.first:
            before = self._before(here, cost, last)
            if before is None:
                break  # it entered the map here
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
        raise LookupError(self.ground.labels[here])  # what was reached was reached from somewhere


def _searched(ground: BattleGround, mover: Mover, start: str) -> _Search:
    """The search of a mover from a hex; the last ones are kept: who asks for a reach asks for a way next."""
    return ground.kept("searches", (mover, start), lambda: _Search(ground, mover, start), SEARCHES_KEPT)


def reach(ground: BattleGround, mover: Mover, start: str) -> dict[str, int]:
    """Every hex the unit can end its move on, with the points that costs; where it stands costs nothing.

    `start`: its hex, or "" in the reserve. In reading order.
    """
    return dict(_searched(ground, mover, start).costs)


def distances(ground: BattleGround, gait: Gait, start: str) -> Mapping[str, int]:
    """The points from a hex to every other that can be reached, whoever stands there. Remembered with the ground."""
    key = (gait, start)
    return ground.kept("distances", key, lambda: reach(ground, Mover(gait, NEVER), start), DISTANCES_MOST)


def route(ground: BattleGround, mover: Mover, start: str, target: str) -> Way | None:
    """The cheapest path, of equal ones always the same (HX-3.2); None where there is no way within its points."""
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
    """The path a command gives: step by step, or `to` for the cheapest one (H-10). Neither: it stays.

    Raises `InvalidInput` for what is no path, `IllegalCommand` for one the unit can't take.
    """
    if path:
        return walked(ground, mover, start, path)
    if not to:
        return Way((start,), (0,))
    target = ground.require_hex(to, field="/to")
    found = route(ground, mover, start, target)
    require(found, _("The unit can't reach {hex} this turn."), field="/to", hex=target)
    assert found is not None
    return found


def walked(ground: BattleGround, mover: Mover, start: str, path: Sequence[str]) -> Way:
    """A path of the player's own (HX-3.3): the hexes to enter, one after another; the start may be named first.

    Raises `InvalidInput` for a hex off the map or a jump, `IllegalCommand` for a step the unit can't take.
    """
    named = [ground.require_hex(at, field=f"/path/{place}") for place, at in enumerate(path)]
    offset = 1 if start and named[0] == start else 0
    hexes = (start, *named[offset:])
    for place, (before, after) in enumerate(pairwise(hexes), offset):
        _check_step(ground, mover, before, after, f"/path/{place}", last=place + 1 == len(named))
    way = _priced(ground, mover, hexes)
    told = {"cost": way.cost, "points": mover.points}
    require(way.cost <= mover.points, _("The path costs {cost} points; the unit has {points}."), field="/path", **told)
    require(
        way.end not in mover.held or way.end == start,
        _("The unit can't end its move on {hex}. Choose another hex."),
        field="/path", hex=way.end,
    )  # fmt: skip
    return way


def _check_step(ground: BattleGround, mover: Mover, before: str, after: str, at: str, *, last: bool) -> None:
    if not before:
        require(after in mover.entry, _("{hex} isn't a hex where units enter the map."), field=at, hex=after)
        price = steps_of(ground, mover.gait).enter[ground.numbers[after]]
    else:
        near = ground.around(before)
        told = {"start": before, "hex": after}
        demand(after in near, _("{hex} isn't next to {start}. Give every hex of the path."), field=at, **told)
        price = steps_of(ground, mover.gait).price(ground.numbers[before], ground.numbers[after])
    require(price and after not in mover.closed, _("The unit can't enter {hex}."), field=at, hex=after)
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
    """How far a unit comes along a path among enemies its side doesn't see (H-9).

    `unseen`: their ids by hex. `spotted`: those that come into sight from a hex. `halting`: the hexes of those of them
    that end the move of whoever comes beside (all, if not given). It stops before a hex that is held, and where it
    comes beside one that it found on its way, unless that hex is its last.
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
    """It ends here, or on the last hex before where it may."""
    while place and way.hexes[place] in mover.held:
        place -= 1
    kept = Way(way.hexes[: place + 1], way.costs[: place + 1])
    return Walk(kept, tuple((unit, min(at, place)) for unit, at in found.items()), True, mover.points - kept.cost)
