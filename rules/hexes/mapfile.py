"""Hex maps as values and as files (HX-2.1, HX-7): terrain, edges, roads, rivers, labels and zones.

A map is a rectangle of hexes, each side 8 to 40 hexes on a battlefield, 8 to 100 on a campaign map. It is a value
(`HexMap`) or a file (`document`; JSON, UTF-8, at most 256 KB):

    {"format": "warhost-hexmap", "version": 1, "name": "Restov marches", "kind": "campaign", "columns": 16, "rows": 14,
     "terrain": ["................", "one string per row, one letter per hex, north to south"],
     "heights": {"E5": 2}, "edges": [{"between": ["C7", "C8"], "obstacle": "stream"}],
     "roads": [["C7", "D7", "E8"]], "rivers": [["C7", "C8"]],
     "labels": {"H8": "Old bridge"}, "homes": ["south", "north"],
     "zones": [["A12", "B12"], ["A1", "B1"]], "credits": ""}

- `kind` is left out for a battlefield. The letters are those of the kind's catalogue (`terrain.CATALOGUE`).
- A *road* joins the centres of two neighbours. A file lists roads as lines of adjacent hexes. `HexMap.roads` holds each
  step as an edge: `edge(a, b) in map.roads` says whether a step goes by road.
- A *river* runs along the side two neighbours share. A file lists the pairs. `edge(a, b) in map.rivers` says whether a
  step crosses it, and `geometry.side(a, b, size)` gives its end points. A road over a river is a bridge. `entering`
  gives the footing of a step.
- Who owns a hex, what stands on it and who sees it belongs to the campaign, not the map.
- Unknown keys are kept (`more`) and written back after the others.

`parse` raises `InvalidInput` with a pointer for every fault, and names row and column.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rules.core.text import _
from rules.hexes.geometry import Edge, Hex, at_place, edge, label_of, neighbours, place_of
from rules.hexes.reading import MAP_MOST_BYTES, SHOWN, TOO_LONG, Reading, loaded
from rules.hexes.terrain import (
    BY_LETTER,
    BY_SLUG,
    CLEAR,
    DIFFICULT,
    OF_A_WHILE,
    Footing,
    HexTerrain,
    MapKind,
    harder,
    plainest,
)

FORMAT, VERSION = "warhost-hexmap", 1
LEAST_SIDE, MOST_SIDE = 8, {MapKind.BATTLE: 40, MapKind.CAMPAIGN: 100}
HIGHEST = 3
OBSTACLES = ("stream", "wall")
EDGES_OF_TABLE = ("south", "north", "west", "east")
HOMES = ("south", "north")
ROADS = frozenset({"road", "bridge"})  # hexes that count as road
NAME_MOST, LABEL_MOST, CREDITS_MOST = 120, 60, 2000
KNOWN = (
    "format", "version", "name", "kind", "columns", "rows", "terrain", "legend", "heights", "edges", "roads", "rivers",
    "labels", "homes", "zones", "credits",
)  # fmt: skip


@dataclass(frozen=True)
class HexMap:
    """A map. `terrain`: one string per row, one letter per hex, from north to south. `homes`, `zones`: by side, or ().

    `heights`, `labels`: by hex. `edges`: "stream" or "wall" by edge. `more`: unknown members of the file.
    """

    name: str
    kind: MapKind
    columns: int
    rows: int
    terrain: tuple[str, ...]
    heights: Mapping[Hex, int] = field(default_factory=dict)
    edges: Mapping[Edge, str] = field(default_factory=dict)
    roads: frozenset[Edge] = frozenset()
    rivers: frozenset[Edge] = frozenset()
    labels: Mapping[Hex, str] = field(default_factory=dict)
    homes: tuple[str, ...] = ()
    zones: tuple[frozenset[Hex], ...] = ()
    credits: str = ""
    more: Mapping[str, Any] = field(default_factory=dict)

    def __contains__(self, at: Hex) -> bool:
        column, row = place_of(at)
        return 0 <= column < self.columns and 0 <= row < self.rows

    def __iter__(self) -> Iterator[Hex]:
        """Every hex in reading order."""
        return (at_place(column, row) for row in range(self.rows) for column in range(self.columns))

    def at(self, at: Hex) -> HexTerrain:
        """The terrain of a hex."""
        column, row = place_of(at)
        return BY_LETTER[self.kind][self.terrain[row][column]]

    def height(self, at: Hex) -> int:
        """The height of the ground on a hex: the map's value, or else its terrain's (HX-2.2)."""
        return self.heights.get(at, self.at(at).height)

    def around(self, at: Hex) -> tuple[Hex, ...]:
        """The neighbours on the map, in the order of HX-1.1."""
        return tuple(one for one in neighbours(at) if one in self)


def by_road(land: HexMap, start: Hex, target: Hex) -> bool:
    """Whether a step goes along a road: a drawn one, or between two hexes of road or bridge (H-1)."""
    return edge(start, target) in land.roads or (land.at(start).slug in ROADS and land.at(target).slug in ROADS)


def entering(land: HexMap, start: Hex, target: Hex, laid: HexTerrain | None = None) -> Footing:
    """The footing of a step on foot from a hex to a neighbour: that of the hex entered, changed as follows.

    A step along a road makes the hex clear unless it is impassable, and crosses streams and rivers freely. Without a
    road, a stream or river makes the hex at least difficult. A wall makes it impassable.

    `laid`: temporary terrain on the hex entered; it applies even on a road (HX-2.3, H-1). A terrain from `OF_A_WHILE`
    never makes a step easier.
    """
    if laid in OF_A_WHILE:
        return harder(entering(land, start, target), laid.footing)
    footing = (laid or land.at(target)).footing
    step = edge(start, target)
    obstacle = land.edges.get(step)
    if obstacle == "wall":
        return Footing.IMPASSABLE
    if by_road(land, start, target):
        return footing if laid or footing is Footing.IMPASSABLE else CLEAR
    crossed = obstacle == "stream" or step in land.rivers
    return DIFFICULT if crossed and footing is CLEAR else footing


def blank(name: str, kind: MapKind, columns: int, rows: int) -> HexMap:
    """A map of open ground. Raises `InvalidInput` for a size out of bounds."""
    return parse({
        "format": FORMAT, "version": VERSION, "name": name, "kind": str(kind), "columns": columns, "rows": rows,
        "terrain": [plainest(kind).letter * columns] * rows,
    })  # fmt: skip


def parse(document: object, *, kept: bool = False) -> HexMap:
    """The map in a file's document. Raises `InvalidInput` with all faults.

    `kept`: the document was written by this program, and its texts are accepted even if they break today's limits.
    """
    reading = Reading(document, kept=kept)
    reading.exactly("format", FORMAT)
    reading.exactly("version", VERSION)
    name = reading.text("name", NAME_MOST, least=1)
    kind = MapKind(reading.one_of("kind", tuple(MapKind), MapKind.BATTLE))
    columns, rows = (reading.whole(side, LEAST_SIDE, MOST_SIDE[kind]) for side in ("columns", "rows"))
    reading.settle()
    reading.sized(columns, rows)
    terrain = _terrain(reading, kind)
    parsed = HexMap(
        name, kind, columns, rows, terrain,
        heights=dict(reading.by_hex("heights", reading.height(HIGHEST))),
        edges=dict(_edges(reading)),
        roads=frozenset(reading.steps("roads", most=columns * rows)),
        rivers=frozenset(reading.steps("rivers", most=2)),
        labels=dict(reading.by_hex("labels", reading.label(LABEL_MOST))),
        homes=_homes(reading),
        zones=_zones(reading),
        credits=reading.text("credits", CREDITS_MOST, lines=True),
        more={key: value for key, value in reading.body.items() if key not in KNOWN},
    )  # fmt: skip
    if not kept and len(json.dumps(parsed.more)) > MAP_MOST_BYTES:  # everything else is bounded by the size of the map
        reading.wrong(max(parsed.more, key=lambda name: len(json.dumps(parsed.more[name])))[:SHOWN], TOO_LONG)
    reading.settle()
    return parsed


def _terrain(reading: Reading, kind: MapKind) -> tuple[str, ...]:
    """The rows in the catalogue's letters, after applying the file's legend."""
    letters = {letter: letter for letter in BY_LETTER[kind]}
    for letter, slug in reading.legend(BY_SLUG[kind]):
        letters[letter] = BY_SLUG[kind][slug].letter
    return tuple("".join(letters[letter] for letter in row) for row in reading.lines("terrain", letters))


def _homes(reading: Reading) -> tuple[str, ...]:
    """The home edge of each side: two different ones, or ()."""
    homes = reading.choices("homes", EDGES_OF_TABLE)
    known = all(home in EDGES_OF_TABLE for home in homes)  # other values are noted already
    if not homes or not known or len(set(homes)) == len(homes) == len(HOMES):
        return homes
    reading.unless_kept("homes", _("Use two different edges, one for each side."))
    return ()


def _zones(reading: Reading) -> tuple[frozenset[Hex], ...]:
    """The zone of each side, or ()."""
    zones = tuple(reading.zones())
    if len(zones) in (0, len(HOMES)):
        return zones
    reading.unless_kept("zones", _("Use two zones, one for each side."))
    return ()


def _edges(reading: Reading) -> Iterator[tuple[Edge, str]]:
    for at, one in reading.objects("edges"):
        between = reading.pair(f"{at}/between", one.get("between"))
        obstacle = one.get("obstacle")
        if obstacle not in OBSTACLES:
            reading.wrong_choice(f"{at}/obstacle", OBSTACLES)
        elif between:
            yield between, obstacle


def read(text: str | bytes) -> HexMap:
    """The map in a file. Raises `InvalidInput` if it is too long, not JSON or not a map."""
    return parse(loaded(text))


def document(field: HexMap) -> dict[str, Any]:
    """The document of a map, with its keys in order and empty ones left out (HX-7.4)."""
    known: dict[str, Any] = {
        "format": FORMAT, "version": VERSION, "name": str(field.name),  # a term if built in
        "kind": "" if field.kind is MapKind.BATTLE else str(field.kind),
        "columns": field.columns, "rows": field.rows, "terrain": list(field.terrain),
        "heights": {label_of(at): field.heights[at] for at in _in_order(field.heights)},
        "edges": [
            {"between": _labels(step), "obstacle": field.edges[step]} for step in sorted(field.edges, key=_edge_order)
        ],
        "roads": [_labels(step) for step in sorted(field.roads, key=_edge_order)],
        "rivers": [_labels(step) for step in sorted(field.rivers, key=_edge_order)],
        "labels": {label_of(at): field.labels[at] for at in _in_order(field.labels)},
        "homes": list(field.homes),
        "zones": [[label_of(at) for at in _in_order(zone)] for zone in field.zones],
        "credits": field.credits,
    }  # fmt: skip
    return {key: value for key, value in known.items() if value} | dict(field.more)


def written(field: HexMap) -> str:
    """The text of the map's file, with one line per key and per terrain row."""
    lines = []
    for key, value in document(field).items():
        text = json.dumps(value, ensure_ascii=False)
        if key == "terrain":
            text = "[\n  " + ",\n  ".join(json.dumps(row, ensure_ascii=False) for row in value) + "]"
        lines.append(f"{json.dumps(key, ensure_ascii=False)}: {text}")
    return "{" + ",\n ".join(lines) + "}\n"


def _in_order(hexes: Any) -> list[Hex]:
    return sorted(hexes, key=lambda at: (at.r, at.q))


def _edge_order(step: Edge) -> tuple[int, ...]:
    return step[0].r, step[0].q, step[1].r, step[1].q


def _labels(step: Edge) -> list[str]:
    return [label_of(at) for at in step]


__all__ = ["MAP_MOST_BYTES", "HexMap", "blank", "by_road", "document", "entering", "parse", "read", "written"]
