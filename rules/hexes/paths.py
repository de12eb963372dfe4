"""Path finding over hexes, line of sight between them, and rivers along their sides."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple, Protocol

from rules.core.errors import demand
from rules.core.text import _
from rules.hexes.geometry import Edge, Hex, at_place, distance, edge, label_of, place_of, touch
from rules.hexes.mapfile import HexMap, entering
from rules.hexes.terrain import BY_LETTER, Footing, HexTerrain

# Path finding over hexes, and line of sight between them.

type Cost = Callable[[Hex, Hex], int | None]  # cost of a step to a neighbour: at least 1, or None if impossible
type Predicate = Callable[[Hex], bool]

NO_WAY = 0
# Column and row offsets of the neighbours in the order of HX-1.1, for rows with an even and with an odd index.
AROUND = (
    ((1, 0), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1)),
    ((1, 0), (1, -1), (0, -1), (-1, 0), (0, 1), (1, 1)),
)
FAR = 1 << 40


@dataclass(frozen=True)
class Costs:
    """Step costs on a map, with hexes numbered in reading order.

    `enter`: by the hex entered. `steps`: by start then target, where the cost depends on the edge. 0 means impossible.
    """

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
        """The cost of a step between neighbours; 0 if impossible."""
        return self.steps.get(start, {}).get(target, self.enter[target])

    def paved(self, edges: Iterable[Edge], price: int) -> Costs:
        """A copy with this cost for these edges, in both directions."""
        steps = {start: dict(prices) for start, prices in self.steps.items()}
        for a, b in edges:
            for start, target in ((self.number(a), self.number(b)), (self.number(b), self.number(a))):
                steps.setdefault(start, {})[target] = price
        return Costs(self.columns, self.rows, self.enter, steps)


@dataclass(frozen=True, slots=True)
class Path:
    """A path. `hexes`: from start to target, both included. `cost`: the sum over the hexes entered."""

    cost: int
    hexes: tuple[Hex, ...]


@lru_cache(maxsize=16)
def mesh(columns: int, rows: int) -> tuple[tuple[int, ...], ...]:
    """The numbers of each hex's neighbours, in reading order and the order of HX-1.1."""
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
    """The step costs on foot, given the cost of each footing (`entering`). A footing not listed is impassable."""
    letters = {letter: by_footing.get(terrain.footing, NO_WAY) for letter, terrain in BY_LETTER[land.kind].items()}
    enter = [letters[letter] for row in land.terrain for letter in row]
    costs, steps = Costs(land.columns, land.rows, enter), dict[int, dict[int, int]]()
    for a, b in land.roads | land.rivers | land.edges.keys():
        for start, target in ((a, b), (b, a)):
            price = by_footing.get(entering(land, start, target), NO_WAY)
            steps.setdefault(costs.number(start), {})[costs.number(target)] = price
    return Costs(land.columns, land.rows, enter, steps)


def costs_by(land: HexMap, cost: Cost) -> Costs:
    """The step costs by a law's own function, which is called once for every step on the map."""
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
    """The cheapest path, or None if there is none. A hex for which `halts` is true can be entered but not left.

    Among equal paths the choice is fixed (HX-3.2): from the target back, each step goes to the first neighbour in the
    order of HX-1.1 that lies on a cheapest path.
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
    """Every hex where a move of at most `points` can stop, with its cost; the start is included (HX-3.4).

    `may_pass`: whether the move can go on from a hex. `may_stop`: whether it can end there. `halts`: hexes that end it.
    """
    if start not in costs:
        return {}

    def ends(at: Hex) -> bool:
        return halts(at) or not may_pass(at)

    far = _search(costs, costs.number(start), ends, most=points)
    near = ((costs.hex(number), cost) for number, cost in enumerate(far) if cost <= min(points, FAR - 1))
    return {at: cost for at, cost in near if at == start or may_stop(at)}


def walked(costs: Costs, hexes: Sequence[Hex]) -> int:
    """The cost of a path given step by step (HX-3.3). Raises `InvalidInput` for an impossible step."""
    total = 0
    for place, (start, target) in enumerate(pairwise(hexes), 1):
        named = {"start": label_of(start), "target": label_of(target)}
        pointer = f"/{place}"
        demand(target in costs, _("{target}: off the map."), field=pointer, **named)
        demand(touch(start, target), _("{start} and {target} aren’t neighbors."), field=pointer, **named)
        price = costs.step(costs.number(start), costs.number(target))
        demand(price, _("No path leads from {start} to {target}."), field=pointer, **named)
        total += price
    return total


def tranches(cost: int, of: int) -> int:
    """The number of full tranches of `of` points in a cost (HX-4)."""
    return cost // of


def _search(costs: Costs, start: int, halts: Predicate, *, last: int = -1, most: int = FAR) -> list[int]:
    """The cost to each hex, computed until `last` is reached or costs exceed `most`; `FAR` where unknown."""
    around, enter, steps, size = mesh(costs.columns, costs.rows), costs.enter, costs.steps, len(costs.enter)
    far = [FAR] * size
    far[start] = 0
    waiting = [start]  # cost and hex as one number: cost * size + hex
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
    """The previous hex on a cheapest path."""
    for there in mesh(costs.columns, costs.rows)[here]:
        price = costs.step(there, here)
        ends = there != first and halts is not nowhere and halts(costs.hex(there))
        if price and far[there] + price == far[here] and not ends:
            return there
    raise LookupError(here)  # can't happen: every reached hex has a predecessor


# Line of sight (HX-5)


HIGH_FLIGHT = 3
NUDGE = 1e-6
NUDGES = ((NUDGE, -3 * NUDGE), (-NUDGE, 3 * NUDGE))  # nudges of q and r; the third coordinate takes the rest


class Relief(Protocol):
    """Heights and terrain for sight: a map, or a field with temporary terrain."""

    def at(self, at: Hex) -> HexTerrain: ...
    def height(self, at: Hex) -> int: ...
    def __contains__(self, at: Hex) -> bool: ...


def top(ground: Relief, at: Hex) -> int:
    """The height of the ground and what stands on it (HX-5.1)."""
    return ground.height(at) + ground.at(at).cover


def line(start: Hex, target: Hex, nudge: tuple[float, float]) -> tuple[Hex, ...]:
    """The hexes strictly between two hexes, sampled from centre to centre with both ends nudged (HX-5.2)."""
    far = distance(start, target)
    east, south = nudge
    q, r = start.q + east, start.r + south
    return tuple(
        _rounded(q + (target.q - start.q) * step / far, r + (target.r - start.r) * step / far) for step in range(1, far)
    )


def _rounded(q: float, r: float) -> Hex:
    """The hex that contains a point, by cube rounding."""
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
    """Whether at least one of two lines between two hexes is free of anything higher than the higher end (HX-5.3).

    `flying`: which of the two ends is in high flight. `blocks`: hexes that the law lets block sight, such as magical
    darkness. A line may leave the map along its western or eastern edge; nothing blocks it there.
    """
    eyes = max(HIGH_FLIGHT if high else ground.height(end) for end, high in zip((start, target), flying, strict=True))
    ways = ([at for at in line(start, target, nudge) if at in ground] for nudge in NUDGES)
    return any(not any(top(ground, at) > eyes or blocks(at) for at in way) for way in ways)


# Rivers along the sides of hexes, from corner to corner.


class Corner(NamedTuple):
    """A corner of hexes, stored as the top or bottom corner of one hex; every corner is exactly one of these."""

    q: int
    r: int
    top: bool

    @property
    def hexes(self) -> tuple[Hex, Hex, Hex]:
        """The three hexes that meet at this corner."""
        q, r, top = self
        return (Hex(q, r), Hex(q, r - 1), Hex(q + 1, r - 1)) if top else (Hex(q, r), Hex(q - 1, r + 1), Hex(q, r + 1))

    def onward(self) -> Iterator[tuple[Corner, Edge]]:
        """The three adjacent corners, each with the hex side that leads there."""
        own, left, right = self.hexes
        yield Corner(left.q, left.r, not self.top), edge(own, left)
        yield Corner(right.q, right.r, not self.top), edge(own, right)
        beyond = Hex(left.q + right.q - own.q, left.r + right.r - own.r)
        yield Corner(beyond.q, beyond.r, not self.top), edge(left, right)


type EdgePrice = Callable[[Corner, Edge], float | None]


def corners_of(at: Hex) -> tuple[Corner, ...]:
    """The six corners of a hex, clockwise from the top."""
    q, r = at
    return (
        Corner(q, r, True), Corner(q + 1, r - 1, False), Corner(q, r + 1, True),
        Corner(q, r, False), Corner(q - 1, r + 1, True), Corner(q, r - 1, False),
    )  # fmt: skip


def ends_of(step: Edge) -> frozenset[Corner]:
    """The two corners at the ends of a hex side."""
    return frozenset(corners_of(step[0])) & frozenset(corners_of(step[1]))


def on_map(land: HexMap, step: Edge) -> bool:
    """Whether both hexes of an edge are on the map."""
    return step[0] in land and step[1] in land


def course(sources: Iterable[Corner], ends: Callable[[Corner], bool], price: EdgePrice) -> frozenset[Edge]:
    """The hex sides along the cheapest way from one of the sources to a corner where `ends` is true; empty if there is
    none.

    `price`: the cost of going along a side to a corner; None if impossible.
    """
    came: dict[Corner, tuple[Corner, Edge] | None] = dict.fromkeys(sources)
    waiting = [(0.0, corner) for corner in came]
    settled: set[Corner] = set()
    best = dict.fromkeys(came, 0.0)
    while waiting:
        spent, here = heappop(waiting)
        if ends(here):
            return frozenset(_edges_back(came, here))
        if here in settled:
            continue
        settled.add(here)
        for there, step in here.onward():
            asked = price(there, step)
            if asked is not None and spent + asked < best.get(there, float("inf")):
                best[there], came[there] = spent + asked, (here, step)
                heappush(waiting, (spent + asked, there))
    return frozenset()


def _edges_back(came: dict[Corner, tuple[Corner, Edge] | None], here: Corner) -> Iterator[Edge]:
    while (before := came[here]) is not None:
        here, step = before
        yield step
