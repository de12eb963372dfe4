"""Paths over hexes, and sight between them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import Protocol

from rules.core.errors import demand
from rules.core.text import _
from rules.hexes.geometry import Edge, Hex, at_place, distance, label_of, place_of, touch
from rules.hexes.mapfile import HexMap, entering
from rules.hexes.terrain import BY_LETTER, Footing, HexTerrain

type Cost = Callable[[Hex, Hex], int | None]  # of a step to a neighbour: at least 1, or None for no way
type Predicate = Callable[[Hex], bool]

NO_WAY = 0
# Columns and rows to the neighbours in the order of HX-1.1, from an even row (counted from 0) and from an odd one.
AROUND = (
    ((1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)),
    ((1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1)),
)
FAR = 1 << 40


@dataclass(frozen=True)
class Costs:
    """What steps over a map cost: `enter` by the hex entered, `steps` where it matters whence; 0 is no way."""

    columns: int
    rows: int
    enter: Sequence[int]
    steps: Mapping[int, Mapping[int, int]] = field(default_factory=dict)

    def __contains__(self, at: Hex) -> bool:
        column, row = place_of(at)
        return 0 <= column < self.columns and 0 <= row < self.rows

    def number(self, at: Hex) -> int:
        column, row = place_of(at)
        return row * self.columns + column

    def hex(self, number: int) -> Hex:
        row, column = divmod(number, self.columns)
        return at_place(column, row)

    def step(self, start: int, target: int) -> int:
        """Of a step between neighbours; 0 is no way."""
        return self.steps.get(start, {}).get(target, self.enter[target])

    def paved(self, edges: Iterable[Edge], price: int) -> Costs:
        """The same with these steps at this price, both ways."""
        steps = {start: dict(prices) for start, prices in self.steps.items()}
        for a, b in edges:
            for start, target in ((self.number(a), self.number(b)), (self.number(b), self.number(a))):
                steps.setdefault(start, {})[target] = price
        return Costs(self.columns, self.rows, self.enter, steps)


@dataclass(frozen=True, slots=True)
class Path:
    """`hexes` from the start to the target, both included; `cost` is of those entered."""

    cost: int
    hexes: tuple[Hex, ...]


@lru_cache(maxsize=16)
def mesh(columns: int, rows: int) -> tuple[tuple[int, ...], ...]:
    """For each hex in reading order the numbers of its neighbours, in the order of HX-1.1."""
    return tuple(
        tuple(
            (row + south) * columns + column + east
            for east, south in AROUND[row % 2]
            if 0 <= column + east < columns and 0 <= row + south < rows
        )
        for row in range(rows)
        for column in range(columns)
    )


def costs_on_foot(land: HexMap, by_footing: Mapping[Footing, int]) -> Costs:
    """What steps cost by how one gets on (`entering`); a footing that is not named is no way."""
    letters = {letter: by_footing.get(terrain.footing, NO_WAY) for letter, terrain in BY_LETTER[land.kind].items()}
    enter = [letters[letter] for row in land.terrain for letter in row]
    costs, steps = Costs(land.columns, land.rows, enter), dict[int, dict[int, int]]()
    for a, b in land.roads | land.rivers | land.edges.keys():
        for start, target in ((a, b), (b, a)):
            price = by_footing.get(entering(land, start, target), NO_WAY)
            steps.setdefault(costs.number(start), {})[costs.number(target)] = price
    return Costs(land.columns, land.rows, enter, steps)


def costs_by(land: HexMap, cost: Cost) -> Costs:
    """What steps cost by a law's own function; it is asked once for every step of the map."""
    bare = Costs(land.columns, land.rows, [NO_WAY] * (land.columns * land.rows))
    hexes = tuple(land)
    steps = {
        number: {there: cost(hexes[number], hexes[there]) or NO_WAY for there in around}
        for number, around in enumerate(mesh(land.columns, land.rows))
    }
    return Costs(land.columns, land.rows, bare.enter, steps)


def nowhere(at: Hex) -> bool:
    return False


def anywhere(at: Hex) -> bool:
    return True


def path(costs: Costs, start: Hex, target: Hex, *, halts: Predicate = nowhere) -> Path | None:
    """A cheapest path, or None where there is no way. One may enter what `halts`, but not go on from it.

    Of equal ones it is rebuilt from the target, each step back to the first neighbour in the order of HX-1.1 that
    lies on a cheapest path (HX-3.2).
    """
    if start not in costs or target not in costs:
        return None
    first, last = costs.number(start), costs.number(target)
    far = _search(costs, first, halts, last=last)
    if far[last] == FAR:
        return None
    numbers = [last]
    while numbers[-1] != first:
        numbers.append(_back(costs, far, numbers[-1], first, halts))
    return Path(far[last], tuple(costs.hex(number) for number in reversed(numbers)))


def reach(
    costs: Costs,
    start: Hex,
    points: int,
    *,
    may_stop: Predicate = anywhere,
    may_pass: Predicate = anywhere,
    halts: Predicate = nowhere,
) -> dict[Hex, int]:
    """Every hex one may stop in with a path of at most so many points, with its cost (HX-3.4); the start is one.

    What one may not stop in may be passed if `may_pass` says so; what one may stop in but not pass ends the way.
    """
    if start not in costs:
        return {}

    def ends(at: Hex) -> bool:
        return halts(at) or not may_pass(at)

    far = _search(costs, costs.number(start), ends, most=points)
    near = ((costs.hex(number), cost) for number, cost in enumerate(far) if cost <= min(points, FAR - 1))
    return {at: cost for at, cost in near if at == start or may_stop(at)}


def walked(costs: Costs, hexes: Sequence[Hex]) -> int:
    """The cost of a path of one's own, step by step (HX-3.3). Raises `InvalidInput` for a step that cannot be done."""
    total = 0
    for place, (start, target) in enumerate(pairwise(hexes), 1):
        named = {"start": label_of(start), "target": label_of(target)}
        pointer = f"/{place}"
        demand(target in costs, _("{target} is off the map."), field=pointer, **named)
        demand(touch(start, target), _("{start} and {target} aren’t neighbors."), field=pointer, **named)
        price = costs.step(costs.number(start), costs.number(target))
        demand(price, _("No path leads from {start} to {target}."), field=pointer, **named)
        total += price
    return total


def tranches(cost: int, of: int) -> int:
    """How many full tranches of so many points a cost holds (HX-4)."""
    return cost // of


def _search(costs: Costs, start: int, halts: Predicate, *, last: int = -1, most: int = FAR) -> list[int]:
    """How far each hex is, as far as needed: until `last` is settled, or `most` is spent."""
    around, enter, steps, size = mesh(costs.columns, costs.rows), costs.enter, costs.steps, len(costs.enter)
    far = [FAR] * size
    far[start] = 0
    waiting = [start]  # cost and hex in one number: cost * size + hex
    while waiting:
        cost, here = divmod(heappop(waiting), size)
        if here == last:
            break
        if cost > far[here] or (here != start and halts is not nowhere and halts(costs.hex(here))):
            continue
        turned = steps.get(here)
        for there in around[here]:
            price = enter[there] if turned is None or there not in turned else turned[there]
            total = cost + price
            if price and total < far[there] and total <= most:
                far[there] = total
                heappush(waiting, total * size + there)
    return far


def _back(costs: Costs, far: Sequence[int], here: int, first: int, halts: Predicate) -> int:
    """The neighbour one came from on a cheapest path."""
    for there in mesh(costs.columns, costs.rows)[here]:
        price = costs.step(there, here)
        ends = there != first and halts is not nowhere and halts(costs.hex(there))
        if price and far[there] + price == far[here] and not ends:
            return there
    raise LookupError(here)  # a hex that was reached was reached from somewhere


# Sight (HX-5): lines from hex to hex, and what stands in their way.


HIGH_FLIGHT = 3
NUDGE = 1e-6
NUDGES = ((NUDGE, -3 * NUDGE), (-NUDGE, 3 * NUDGE))  # of q and r; the third coordinate takes the rest


class Relief(Protocol):
    """A map, or a field with what lies over it for now."""

    def at(self, at: Hex) -> HexTerrain: ...
    def height(self, at: Hex) -> int: ...
    def __contains__(self, at: Hex) -> bool: ...


def top(ground: Relief, at: Hex) -> int:
    """The height of what stands on a hex (HX-5.1)."""
    return ground.height(at) + ground.at(at).cover


def line(start: Hex, target: Hex, nudge: tuple[float, float]) -> tuple[Hex, ...]:
    """The hexes strictly between, sampled from middle to middle with both ends moved a little (HX-5.2)."""
    far = distance(start, target)
    east, south = nudge
    q, r = start.q + east, start.r + south
    return tuple(
        _rounded(q + (target.q - start.q) * step / far, r + (target.r - start.r) * step / far) for step in range(1, far)
    )


def _rounded(q: float, r: float) -> Hex:
    """The hex a point lies in: all three coordinates rounded, the one with the largest error put right."""
    s = -q - r
    whole_q, whole_r, whole_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(whole_q - q), abs(whole_r - r), abs(whole_s - s)
    if off_q > off_r and off_q > off_s:
        return Hex(-whole_r - whole_s, whole_r)
    if off_r > off_s:
        return Hex(whole_q, -whole_q - whole_s)
    return Hex(whole_q, whole_r)


def sees(
    ground: Relief, start: Hex, target: Hex, *, flying: tuple[bool, bool] = (False, False), blocks: Predicate = nowhere
) -> bool:
    """Whether one of two lines between two hexes is free of what stands higher than the higher end (HX-5.3).

    `flying`: who of the two is in high flight. `blocks`: what else a law lets block, a magic grove, black night. A line
    may leave the map for a hex, along its western and eastern edge: nothing stands there.
    """
    eyes = max(HIGH_FLIGHT if high else ground.height(end) for end, high in zip((start, target), flying, strict=True))
    ways = ([at for at in line(start, target, nudge) if at in ground] for nudge in NUDGES)
    return any(not any(top(ground, at) > eyes or blocks(at) for at in way) for way in ways)
