"""Map painter (HX-9.1): each command turns a map into a new one and says which hexes look different.

Maps are values, so keeping the previous map is enough to undo a command.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, assert_never

from rules.core.errors import demand
from rules.core.text import _
from rules.hexes.field import ZONE_ROWS, zone
from rules.hexes.generate import generate
from rules.hexes.geometry import Edge, Hex, edge, label_of, place_of, touch
from rules.hexes.mapfile import HOMES, HexMap, document, parse
from rules.hexes.paths import NUDGES, corners_of, course, line, on_map
from rules.hexes.terrain import BY_SLUG, MapChoices, plainest

SIZES = ("1", "3", "fill")


@dataclass(frozen=True, slots=True)
class Paint:
    """Set the terrain of hexes, by slug."""

    hexes: frozenset[Hex]
    terrain: str


@dataclass(frozen=True, slots=True)
class Raise:
    """`height`: None for the terrain's own."""

    hexes: frozenset[Hex]
    height: int | None


@dataclass(frozen=True, slots=True)
class Obstruct:
    """Put an obstacle ("stream", "wall") on an edge; None removes it."""

    between: Edge
    obstacle: str | None


@dataclass(frozen=True, slots=True)
class Trace:
    """Add a road along adjacent hexes, or a river along hex sides; with `there` False, remove it."""

    what: Literal["road", "river"]
    edges: frozenset[Edge]
    there: bool = True


@dataclass(frozen=True, slots=True)
class Name:
    """Label a hex; None removes the label."""

    hex: Hex
    text: str | None


@dataclass(frozen=True, slots=True)
class Zone:
    """Add hexes to a side's zone, or remove them."""

    side: int
    hexes: frozenset[Hex]
    add: bool


@dataclass(frozen=True, slots=True)
class Home:
    """Set a side's home edge."""

    side: int
    edge: str


@dataclass(frozen=True, slots=True)
class Load:
    """Replace the map."""

    land: HexMap


@dataclass(frozen=True, slots=True)
class Generate:
    """Replace the map by a generated one."""

    choices: MapChoices


@dataclass(frozen=True, slots=True)
class Resize:
    """Change the size of the map."""

    columns: int
    rows: int


type Command = Paint | Raise | Obstruct | Trace | Name | Zone | Home | Load | Generate | Resize


@dataclass(frozen=True, slots=True)
class Painted:
    """The map after a command. `hexes`: those that look different. `whole`: the whole map was replaced."""

    land: HexMap
    hexes: frozenset[Hex]
    whole: bool = False


def paint(land: HexMap, command: Command, *, zone_rows: int = ZONE_ROWS, margin: int = 0) -> Painted:
    """The map after this command. Raises `InvalidInput` if it doesn't fit the map.

    `zone_rows` and `margin` apply to a generated map (see `generate`).
    """
    match command:
        case Load(other):
            demand(other.kind is land.kind, _("This map doesn’t fit here. Choose a battle map of this ruleset."))
            return Painted(other, frozenset(other), whole=True)
        case Generate(choices):
            demand(choices.of is land.kind, _("This map doesn’t fit here. Choose a battle map of this ruleset."))
            made = replace(generate(choices, zone_rows=zone_rows, margin=margin), name=land.name)
            return Painted(made, frozenset(made), whole=True)
        case Resize(columns, rows):
            sized = _resized(land, columns, rows)
            return Painted(sized, frozenset(sized), whole=True)
        case _:
            return _stroke(land, command, zone_rows)


def _stroke(
    land: HexMap, command: Paint | Raise | Obstruct | Trace | Name | Zone | Home, zone_rows: int = ZONE_ROWS
) -> Painted:
    match command:
        case Paint(hexes, terrain):
            return _terrain(land, hexes, BY_SLUG[land.kind][terrain].letter)
        case Raise(hexes, height):
            heights = _with(land.heights, dict.fromkeys(hexes, height))
            return Painted(replace(land, heights=heights), _unlike(land.heights, heights))
        case Obstruct(between, obstacle):
            edges = _with(land.edges, {between: obstacle})
            return Painted(replace(land, edges=edges), _ends(_unlike(land.edges, edges)))
        case Trace():
            return _traced(land, command)
        case Name(at, text):
            labels = _with(land.labels, {at: text or None})
            return Painted(replace(land, labels=labels), _unlike(land.labels, labels))
        case Zone():
            return _zoned(land, command, zone_rows)
        case Home(side, edge_of_table):
            return Painted(replace(land, homes=_homes(land, side, edge_of_table)), frozenset())
        case _:
            assert_never(command)


def _homes(land: HexMap, side: int, edge_of_table: str) -> tuple[str, ...]:
    """The home edges after changing one side's. If the other side has that edge, the two swap."""
    homes = list(land.homes or HOMES)
    if homes[1 - side] == edge_of_table:
        homes[1 - side] = homes[side]
    homes[side] = edge_of_table
    return tuple(homes)


def _traced(land: HexMap, command: Trace) -> Painted:
    steps, there = command.edges, command.there
    match command.what:
        case "road":
            roads = land.roads | steps if there else land.roads - steps
            return Painted(replace(land, roads=roads), _ends(roads ^ land.roads))
        case "river":
            rivers = land.rivers | steps if there else land.rivers - steps
            return Painted(replace(land, rivers=rivers), _ends(rivers ^ land.rivers))
        case _:
            assert_never(command.what)


def _terrain(land: HexMap, hexes: Collection[Hex], letter: str) -> Painted:
    rows = [list(row) for row in land.terrain]
    changed = set()
    for at in hexes:
        column, row = place_of(at)
        if rows[row][column] != letter:
            rows[row][column] = letter
            changed.add(at)
    return Painted(replace(land, terrain=tuple("".join(row) for row in rows)), frozenset(changed))


def _with[Place, Value](known: Mapping[Place, Value], told: Mapping[Place, Value | None]) -> dict[Place, Value]:
    """A mapping with these values changed; None removes a value."""
    others = {place: value for place, value in known.items() if place not in told}
    return others | {place: value for place, value in told.items() if value is not None}


def _unlike[Place, Value](had: Mapping[Place, Value], has: Mapping[Place, Value]) -> frozenset[Place]:
    return frozenset(place for place in had.keys() | has.keys() if had.get(place) != has.get(place))


def _ends(edges: Collection[Edge]) -> frozenset[Hex]:
    return frozenset(at for step in edges for at in step)


def _zoned(land: HexMap, command: Zone, rows: int) -> Painted:
    """The map after changing a side's zone. A hex added to one zone is removed from the other."""
    side, hexes, add = command.side, command.hexes, command.add
    before = [zone(land, number, rows) for number in range(len(HOMES))]
    after = [_in_zone(own, hexes, add, number == side) for number, own in enumerate(before)]
    changed = frozenset(at for own, then in zip(before, after, strict=True) for at in own ^ then)
    return Painted(replace(land, zones=tuple(after)) if changed else land, changed)


def _in_zone(own: frozenset[Hex], hexes: frozenset[Hex], add: bool, here: bool) -> frozenset[Hex]:
    if here:
        return own | hexes if add else own - hexes
    return own - hexes if add else own


def _resized(land: HexMap, columns: int, rows: int) -> HexMap:
    """The map cut, or extended with open ground, in the south and east. Raises `InvalidInput` if out of bounds."""
    open_ground = plainest(land.kind).letter
    terrain = [row[:columns].ljust(columns, open_ground) for row in land.terrain[:rows]]
    terrain += [open_ground * columns] * (rows - len(terrain))
    known = document(replace(land, heights={}, edges={}, roads=frozenset(), rivers=frozenset(), labels={}, zones=()))
    sized = parse(known | {"columns": columns, "rows": rows, "terrain": terrain})

    def holds(edge_: Edge) -> bool:
        return edge_[0] in sized and edge_[1] in sized

    return replace(
        sized,
        heights={at: height for at, height in land.heights.items() if at in sized},
        edges={step: obstacle for step, obstacle in land.edges.items() if holds(step)},
        roads=frozenset(filter(holds, land.roads)),
        rivers=frozenset(filter(holds, land.rivers)),
        labels={at: text for at, text in land.labels.items() if at in sized},
        zones=tuple(frozenset(at for at in own if at in sized) for own in land.zones),
    )


def touched(land: HexMap, at: Hex, size: str) -> frozenset[Hex]:
    """The hexes a brush covers: "1" the hex, "3" it and its neighbours, "fill" its patch of equal terrain."""
    if size == "fill":
        return patch(land, at, lambda one: land.at(one) is land.at(at))
    return frozenset({at, *land.around(at)} if size == "3" else {at})


def patch(land: HexMap, at: Hex, alike: Callable[[Hex], bool]) -> frozenset[Hex]:
    """The connected hexes around this one for which `alike` is true, itself included."""
    found, waiting = {at}, [at]
    while waiting:
        for one in land.around(waiting.pop()):
            if one not in found and alike(one):
                found.add(one)
                waiting.append(one)
    return frozenset(found)


def road(hexes: Sequence[Hex]) -> frozenset[Edge]:
    """The edges along a line of hexes. Raises `InvalidInput` for two that aren't adjacent."""
    for start, target in pairwise(hexes):
        named = {"start": label_of(start), "target": label_of(target)}
        demand(start != target, _("Choose another hex next to {start}."), **named)
        demand(touch(start, target), _("{start} and {target} aren’t neighbors."), **named)
    return frozenset(edge(start, target) for start, target in pairwise(hexes))


def between(land: HexMap, what: Literal["road", "river"], start: Hex, target: Hex) -> frozenset[Edge]:
    """The edges of a line from one hex to another: a road goes straight.

    A river runs along the side they share, or else the shortest way along hex sides between them.
    """
    if start == target:
        return frozenset()
    if what == "road":
        return road((start, *line(start, target, NUDGES[0]), target))
    if touch(start, target):
        return frozenset({edge(start, target)})
    ends = frozenset(corners_of(target))
    return course(corners_of(start), ends.__contains__, lambda _corner, step: 1 if on_map(land, step) else None)
