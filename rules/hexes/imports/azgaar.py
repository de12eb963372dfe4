"""Cells of Azgaar's Fantasy Map Generator: GeoJSON with a polygon a cell, in degrees, with its biome, height and type.

Each hex takes the cell that its centre lies in. Cells have heights instead of mountains, in the map's own unit: those
that are high compared with the highest cell of the file become hills or mountains on their biome.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from math import ceil, floor, isfinite, sqrt
from typing import Any, NamedTuple

import ijson

from rules.core.errors import DEPTH_MOST, TOO_DEEP, InvalidInput, demand
from rules.core.text import Term, _, by_number, say
from rules.hexes.imports.layout import SIDE_MOST, FileNote, FlatTops, ForeignMap, Grid, Stack, Tool, lay_out
from rules.hexes.imports.packed import DAMAGED, FIELD, TOO_LARGE
from rules.hexes.mapfile import LEAST_SIDE

BIOMES = (
    "Marine", "Hot desert", "Cold desert", "Savanna", "Grassland", "Tropical seasonal forest",
    "Temperate deciduous forest", "Tropical rainforest", "Temperate rainforest", "Taiga", "Tundra", "Glacier",
    "Wetland",
)  # fmt: skip
"""The generator's own biomes, by number; a map may have more."""
WATER = {"ocean": "Ocean", "lake": "Lake"}
HIGH, HIGHEST = 0.23, 0.6
"""From which part of the file's greatest height on there are hills and mountains: as the generator draws them."""
HILLS, MOUNTAINS = _("Hills by height"), _("Mountains by height")
OWN_NAMES: Mapping[str, Term] = {HILLS: HILLS, MOUNTAINS: MOUNTAINS}
"""Names that are ours, which readers read in their language."""
CELLS_MOST, POINTS_MOST, TESTS_MOST = 80_000, 1_000_000, 2_000_000
FARTHEST, NEAREST = 1_000_000, 1e-6  # degrees of a place, and from edge to edge of a map
STARTS, ENDS = frozenset({"start_map", "start_array"}), frozenset({"end_map", "end_array"})

NO_CELLS = _("This file has no cells. In Azgaar’s generator, choose “cells” under “Export to GeoJSON”.")
NO_JSON = _("This file isn’t valid JSON.")
WIDTH = _("Enter a whole number from {low} to {high}.")
TOO_HIGH = _("With {columns} columns the map would have {rows} rows; the limit is {most}. Choose fewer columns.")
OVERLAP = _("The cells of this file overlap. Export it again.")
READ = by_number("{count} cell read.", "{count} cells read.")
HEIGHTS = _("Hills from height {high}, mountains from {highest}; the highest cell has {most}.")
UNREAD = by_number(
    "{count} cell couldn’t be read and was left out.", "{count} cells couldn’t be read and were left out."
)
REST = _("States, provinces, cultures, religions and population were left out.")

type CellRing = list[tuple[float, float]]


class _Cell(NamedTuple):
    ring: CellRing
    name: str
    height: float
    water: bool


class _Frame(NamedTuple):
    """The hexes over the map: `west` and `north` are its edges, `size` is from centre to corner."""

    west: float
    north: float
    size: float
    columns: int
    rows: int

    def centre(self, column: int, row: int) -> tuple[float, float]:
        across = sqrt(3) * self.size
        return self.west + across * (column + 0.5 + (row % 2) / 2), self.north - self.size * (1 + 1.5 * row)


def read_cells(raw: bytes, name: str, columns: int) -> ForeignMap:
    """The map, so many hexes wide. Raises `InvalidInput`."""
    demand(LEAST_SIDE <= columns <= SIDE_MOST, WIDTH, field="/columns", low=LEAST_SIDE, high=SIDE_MOST)
    cells, unread = [], 0
    for feature in _features(raw):
        cell = _read_cell(feature)
        unread += cell is None
        cells += [cell] if cell else []
        demand(len(cells) + unread <= CELLS_MOST, TOO_LARGE, field=FIELD)
    demand(cells, NO_CELLS, field=FIELD)
    demand(sum(len(cell.ring) for cell in cells) <= POINTS_MOST, TOO_LARGE, field=FIELD)
    notes = [FileNote(True, say(READ, count=len(cells)))]
    most = max((cell.height for cell in cells if not cell.water), default=0)
    if most > 0:
        told = {"high": ceil(most * HIGH), "highest": ceil(most * HIGHEST), "most": floor(most)}
        notes.append(FileNote(True, say(HEIGHTS, **told)))
    notes += [FileNote(False, say(UNREAD, count=unread))] if unread else []
    notes.append(FileNote(False, REST))
    return lay_out(Tool.AZGAAR, name, Grid(_lay(cells, _frame(cells, columns), most)), FlatTops.TURN, notes)


def _features(raw: bytes) -> Iterator[Any]:
    try:
        events = ijson.parse(_shallow(ijson.basic_parse(io.BytesIO(raw), use_float=True)))
        yield from ijson.items(events, "features.item")
    except (ijson.JSONError, UnicodeDecodeError, ValueError, OverflowError):
        raise InvalidInput(NO_JSON, FIELD) from None


def _shallow(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Pass parser events on. Raises `InvalidInput` for too deep nesting, before any object is built."""
    depth = 0
    for event in events:
        if event[0] in STARTS:
            depth += 1
            demand(depth <= DEPTH_MOST, TOO_DEEP, field=FIELD)
        elif event[0] in ENDS:
            depth -= 1
        yield event


def _read_cell(feature: object) -> _Cell | None:
    """The cell; None if it can't be read."""
    told = feature if isinstance(feature, Mapping) else {}
    shape, properties = told.get("geometry"), told.get("properties")
    if not (isinstance(shape, Mapping) and shape.get("type") == "Polygon" and isinstance(properties, Mapping)):
        return None
    ring, biome, height = _read_ring(shape.get("coordinates")), properties.get("biome"), properties.get("height")
    if ring is None or not isinstance(biome, int) or isinstance(biome, bool) or not 0 <= biome < 1000:
        return None
    kind = properties.get("type")
    water = WATER.get(kind) if isinstance(kind, str) else None
    name = water or (BIOMES[biome] if biome < len(BIOMES) else f"Biome {biome}")
    high = float(height) if isinstance(height, int | float) and abs(height) <= FARTHEST else 0.0
    return _Cell(ring, name, high, bool(water))


def _read_ring(coordinates: object) -> CellRing | None:
    """The outer line of a polygon."""
    outer = coordinates[0] if isinstance(coordinates, list) and coordinates else None
    if not isinstance(outer, list) or len(outer) < 4:
        return None
    found = [(point[0], point[1]) for point in outer if isinstance(point, list) and len(point) >= 2]
    if len(found) < len(outer) or not all(_is_place(x) and _is_place(y) for x, y in found):
        return None
    return found


def _is_place(value: object) -> bool:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and isfinite(value) and abs(value) <= FARTHEST  # type: ignore[arg-type]  # it is a number


def _frame(cells: list[_Cell], columns: int) -> _Frame:
    """Raises `InvalidInput` if there would be too many rows."""
    across = [x for cell in cells for x, _y in cell.ring]
    along = [y for cell in cells for _x, y in cell.ring]
    wide, high = max(across) - min(across), max(along) - min(along)
    demand(wide >= NEAREST and high >= NEAREST, DAMAGED, field=FIELD)
    size = wide / (columns + 0.5) / sqrt(3)
    rows = max(1, round((high / size - 0.5) / 1.5))
    demand(rows <= SIDE_MOST, TOO_HIGH, field="/columns", columns=columns, rows=rows, most=SIDE_MOST)
    return _Frame(min(across), max(along), size, columns, rows)


def _lay(cells: list[_Cell], frame: _Frame, most: float) -> list[list[Stack]]:
    """Terrain names of each hex. The first of overlapping cells counts."""
    found: list[list[Stack]] = [[()] * frame.columns for _row in range(frame.rows)]
    tests = 0
    for cell in cells:
        for column, row in _beside(cell.ring, frame):
            tests += len(cell.ring)
            demand(tests <= TESTS_MOST, OVERLAP, field=FIELD)
            if not found[row][column] and _is_inside(cell.ring, *frame.centre(column, row)):
                found[row][column] = _stack(cell, most)
    return found


def _beside(ring: CellRing, frame: _Frame) -> Iterator[tuple[int, int]]:
    """Hexes whose centre may lie in the ring, by the rectangle around it."""
    across, along = [x for x, _y in ring], [y for _x, y in ring]
    step = sqrt(3) * frame.size
    first = max(0, ceil(((frame.north - max(along)) / frame.size - 1) / 1.5))
    last = min(frame.rows - 1, floor(((frame.north - min(along)) / frame.size - 1) / 1.5))
    for row in range(first, last + 1):
        shift = 0.5 + (row % 2) / 2
        left = max(0, ceil((min(across) - frame.west) / step - shift))
        right = min(frame.columns - 1, floor((max(across) - frame.west) / step - shift))
        yield from ((column, row) for column in range(left, right + 1))


def _is_inside(ring: CellRing, x: float, y: float) -> bool:
    """Whether a line from the point to the east crosses the ring an odd number of times."""
    inside = False
    for (x1, y1), (x2, y2) in pairwise([*ring, ring[0]]):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
            inside = not inside
    return inside


def _stack(cell: _Cell, most: float) -> Stack:
    if cell.water or most <= 0 or cell.height < most * HIGH:
        return (cell.name,)
    return (str(MOUNTAINS if cell.height >= most * HIGHEST else HILLS), cell.name)
