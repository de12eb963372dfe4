"""Layout of another tool's map on our hexes: the terrain of each hex, under the tool's own names.

Our hexes have pointed tops, and of their rows, counted from 0, the odd ones lie half a hex to the east. A map with flat
tops is turned by a quarter, which keeps every hex beside its neighbors, or redrawn, which keeps north on top.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import sqrt
from typing import NamedTuple

from rules.core.errors import demand, has_visible_text
from rules.core.text import Said, _, by_number, say
from rules.hexes.imports.packed import FIELD
from rules.hexes.mapfile import LEAST_SIDE, MOST_SIDE, NAME_MOST, HexMap
from rules.hexes.terrain import BY_SLUG, MapKind

SIDE_MOST = MOST_SIDE[MapKind.CAMPAIGN]
KINDS_MOST, NAME_SHOWN = 300, 60
NOTHING = ""
"""Choice for a name that stands for no terrain: what lies below it counts."""
ROOT = sqrt(3)

type Stack = tuple[str, ...]
"""Names of what lies on a hex, the uppermost first; () where there is nothing."""


class Tool(StrEnum):
    TILED = "tiled"
    WORLDOGRAPHER = "worldographer"
    AZGAAR = "azgaar"


TOOL_NAMES: Mapping[Tool, str] = {
    Tool.TILED: "Tiled", Tool.WORLDOGRAPHER: "Worldographer", Tool.AZGAAR: "Azgaar’s Fantasy Map Generator",
}  # fmt: skip


class FlatTops(StrEnum):
    """Treatment of a map whose hexes have flat tops."""

    TURN = "turn"
    REDRAW = "redraw"


TURNED = _("Its hexes have flat tops; ours have pointed ones. The map is turned: north is on the left.")
REDRAWN = _("Its hexes have flat tops; ours have pointed ones. The map is redrawn: some hexes and neighbors change.")
ROW_ADDED = _("Its rows are shifted the other way. An empty row was added in the north.")
FILLED = by_number(
    "The map was smaller than 8 by 8: {count} empty hex was added.",
    "The map was smaller than 8 by 8: {count} empty hexes were added.",
)
TOO_WIDE = _("This map has {columns} by {rows} hexes; the limit is {most} by {most}. Crop it first.")
TOO_MANY_KINDS = _("This map has {found} kinds of terrain; the limit is {most}.")


class FileNote(NamedTuple):
    """A line about the file. `understood`: whether it was taken over."""

    understood: bool
    told: Said


@dataclass(frozen=True, slots=True)
class Grid:
    """A map as its tool draws it, row by row from north to south.

    `flat`: whether its hexes have flat tops. `odd`: whether the odd rows, counted from 0, are shifted half a hex to the
    east (with flat tops: the odd columns to the south); otherwise the even ones are.
    """

    cells: Sequence[Sequence[Stack]]
    flat: bool = False
    odd: bool = True


@dataclass(frozen=True)
class ForeignMap:
    """A map of another tool on our hexes. `stacks`: the distinct stacks of terrain names; `rows`: for each hex the
    index of its stack.
    """

    tool: Tool
    name: str
    stacks: tuple[Stack, ...]
    rows: tuple[tuple[int, ...], ...]
    notes: tuple[FileNote, ...] = ()

    @property
    def columns(self) -> int:
        return len(self.rows[0])

    def counts(self) -> Counter[str]:
        """On how many hexes each name lies, the most frequent first."""
        used = Counter(number for row in self.rows for number in row)
        found: Counter[str] = Counter()
        for number, times in used.items():
            found.update(dict.fromkeys(self.stacks[number], times))
        return Counter(dict(sorted(found.items(), key=lambda one: (-one[1], one[0]))))

    def drawn(self, terrains: Mapping[str, str], empty: str, name: str) -> HexMap:
        """The campaign map. `terrains`: slug or `NOTHING` by name; `empty`: slug of hexes without any."""
        letters = {slug: terrain.letter for slug, terrain in BY_SLUG[MapKind.CAMPAIGN].items()}
        by_stack = [
            letters[next((slug for one in stack if (slug := terrains[one]) != NOTHING), empty)] for stack in self.stacks
        ]
        rows = tuple("".join(by_stack[number] for number in row) for row in self.rows)
        return HexMap(name, MapKind.CAMPAIGN, self.columns, len(rows), rows)

    def empties(self, terrains: Mapping[str, str]) -> int:
        """The number of hexes on which no name stands for a terrain. Names without a choice count as one."""
        bare = [all(terrains.get(one) == NOTHING for one in stack) for stack in self.stacks]
        return sum(bare[number] for row in self.rows for number in row)


def lay_out(tool: Tool, name: str, grid: Grid, turn: FlatTops, notes: Sequence[FileNote] = ()) -> ForeignMap:
    """The map on our hexes. Raises `InvalidInput` if it is too large or has too many names."""
    demand_size(len(grid.cells[0]) if grid.cells else 0, len(grid.cells))
    told = list(notes)
    cells, odd = [list(row) for row in grid.cells], grid.odd
    if grid.flat and turn is FlatTops.TURN:
        cells, odd = _turn(cells, odd)
        told.append(FileNote(True, TURNED))
    elif grid.flat:
        cells, odd = _redraw(cells, odd), True
        told.append(FileNote(True, REDRAWN))
    if not odd:
        cells.insert(0, [()] * len(cells[0]))
        told.append(FileNote(True, ROW_ADDED))
    if added := _fill(cells):
        told.append(FileNote(True, say(FILLED, count=added)))
    demand_size(len(cells[0]), len(cells))
    return _numbered(tool, name, cells, told)


def demand_size(columns: int, rows: int) -> None:
    fits = 1 <= columns <= SIDE_MOST and 1 <= rows <= SIDE_MOST
    demand(fits, TOO_WIDE, field=FIELD, columns=columns, rows=rows, most=SIDE_MOST)


def _numbered(tool: Tool, name: str, cells: list[list[Stack]], notes: list[FileNote]) -> ForeignMap:
    numbers: dict[Stack, int] = {}
    rows = tuple(tuple(numbers.setdefault(stack, len(numbers)) for stack in row) for row in cells)
    kinds = {one for stack in numbers for one in stack}
    demand(len(kinds) <= KINDS_MOST, TOO_MANY_KINDS, field=FIELD, found=len(kinds), most=KINDS_MOST)
    return ForeignMap(tool, clean_name(name)[:NAME_MOST], tuple(numbers), rows, tuple(notes))


def clean_name(name: object) -> str:
    """A name of the file in one line of bounded length, without what can't be shown; "" if nothing is left."""
    shown = "".join(sign if sign.isprintable() else " " for sign in str(name)[:500])
    found = " ".join(shown.split())[:NAME_SHOWN].strip()
    return found if has_visible_text(found) else ""


def key_of(name: str) -> str:
    """Key under which the terrain chosen for this name is stored."""
    return clean_name(name).lower()


def _turn(cells: list[list[Stack]], odd: bool) -> tuple[list[list[Stack]], bool]:
    """A quarter counterclockwise: the columns become rows, the eastern one the first."""
    columns = len(cells[0])
    turned = [[row[column] for row in cells] for column in reversed(range(columns))]
    return turned, odd if columns % 2 else not odd


def _redraw(cells: list[list[Stack]], odd: bool) -> list[list[Stack]]:
    """The land redrawn in hexes of the same size with pointed tops; each takes the terrain at its centre."""
    height, width = len(cells), len(cells[0])
    wide, high = 1.5 * (width - 1) + 2, ROOT * (height + (0.5 if width > 1 else 0))
    columns, rows = max(1, round(wide / ROOT - 0.5)), max(1, round((high - 2) / 1.5 + 1))
    return [
        [
            _at(cells, odd, ROOT * (column + (row % 2) / 2) + ROOT / 2 - 1, 1.5 * row + 1 - ROOT / 2)
            for column in range(columns)
        ]
        for row in range(rows)
    ]


def _at(cells: list[list[Stack]], odd: bool, x: float, y: float) -> Stack:
    """Terrain at a point; the corner of a hex is 1 from its centre, and the first centre is at 0, 0."""
    nearest: tuple[float, Stack] = (1.0, ())
    for column in range(round(x / 1.5) - 1, round(x / 1.5) + 2):
        down = 0.5 if (column % 2 == 1) == odd else 0.0
        row = round(y / ROOT - down)
        away = (x - 1.5 * column) ** 2 + (y - ROOT * (row + down)) ** 2
        if away < nearest[0] and 0 <= column < len(cells[0]) and 0 <= row < len(cells):
            nearest = away, cells[row][column]
    return nearest[1]


def _fill(cells: list[list[Stack]]) -> int:
    """Add empty hexes in the east and south of a map that is too small; returns how many."""
    before = len(cells) * len(cells[0])
    for row in cells:
        row.extend([()] * (LEAST_SIDE - len(row)))
    cells.extend([()] * len(cells[0]) for _row in range(LEAST_SIDE - len(cells)))
    return len(cells) * len(cells[0]) - before
