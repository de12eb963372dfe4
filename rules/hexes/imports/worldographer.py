"""Maps of Worldographer: `.wxx`, XML in UTF-16 packed with gzip.

`terrainmap` has names and numbers in turn, with tabs between. `tiles` has a `tilerow` a column (in every orientation,
as programs that read the format have found), and in it a line a tile: the number of its terrain, its height, whether it
is icy, whether only the GM sees it, and what it yields, with tabs between.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.core.errors import demand
from rules.core.text import Term, _, by_number, say
from rules.hexes.imports.layout import (
    FileNote,
    FlatTops,
    ForeignMap,
    Grid,
    Stack,
    Tool,
    clean_name,
    demand_size,
    lay_out,
)
from rules.hexes.imports.packed import DAMAGED, FIELD, Element, XmlFile

WANTED = frozenset({"map", "terrainmap", "tiles", "tilerow"})
BLANK, ICE = "Blank", "ice"
LINE_MOST = 20  # fields of a tile; there are 12 at most
NO_WXX = _("This isn’t a Worldographer map.")
NO_HEXES = _("This Worldographer map has squares or triangles. Only flat maps with hexes can be imported.")
NO_TILES = _("This Worldographer map has no tiles.")
WRONG_LINE = _("Column {column}, row {row}: the tile can’t be read.")
WRONG_SIZE = _("This map should have {columns} by {rows} tiles, but some are missing.")
UNNAMED = _("Terrain {number} has no name in this file. Save it again in Worldographer.")
READ = by_number("{count} kind of terrain read.", "{count} kinds of terrain read.")
OTHER_LEVELS = by_number(
    "{count} other level of the map was left out.", "{count} other levels of the map were left out."
)
GM_ONLY = by_number(
    "{count} tile is only for the GM in Worldographer. Players see it here unless the map has fog.",
    "{count} tiles are only for the GM in Worldographer. Players see them here unless the map has fog.",
)
LEFT_OUT: Mapping[str, Term] = {
    "feature": by_number("{count} feature (such as a town) was left out.",
                         "{count} features (such as towns) were left out."),
    "label": by_number("{count} label was left out.", "{count} labels were left out."),
    "shape": by_number("{count} shape (such as a road or river) was left out.",
                       "{count} shapes (such as roads or rivers) were left out."),
    "note": by_number("{count} note was left out.", "{count} notes were left out."),
}  # fmt: skip


def read_wxx(file: XmlFile, name: str, turn: FlatTops) -> ForeignMap:
    """The map. Raises `InvalidInput`."""
    root = file.root
    names, levels = root.first("terrainmap"), root.all("tiles")
    demand(root.name == "map" and names and levels, NO_WXX, field=FIELD)
    orientation = root.attributes.get("hexOrientation", "").upper()
    flat_map = root.attributes.get("mapProjection", "FLAT").upper() == "FLAT"
    demand(orientation in ("COLUMNS", "ROWS") and flat_map, NO_HEXES, field=FIELD)
    level = root.attributes.get("lastViewLevel")
    tiles = next((one for one in levels if one.attributes.get("viewLevel") == level), levels[0])
    assert names is not None
    columns = _read_columns(tiles, _read_names(names.text))
    cells = [[column[row].stack for column in columns] for row in range(len(columns[0]))]
    kinds = {one for row in cells for stack in row for one in stack}
    notes = [FileNote(True, say(READ, count=len(kinds)))]
    if len(levels) > 1:
        notes.append(FileNote(False, say(OTHER_LEVELS, count=len(levels) - 1)))
    if hidden := sum(tile.gm_only for column in columns for tile in column):
        notes.append(FileNote(False, say(GM_ONLY, count=hidden)))
    notes += [FileNote(False, say(told, count=file.counts[one])) for one, told in LEFT_OUT.items() if file.counts[one]]
    return lay_out(Tool.WORLDOGRAPHER, name, Grid(cells, flat=orientation == "COLUMNS"), turn, notes)


def _read_names(text: str) -> Mapping[str, str]:
    """Names of terrain by number."""
    parts = [part.strip() for part in text.split("\t")]
    return {number: clean_name(name) or f"#{number}" for name, number in zip(parts[::2], parts[1::2], strict=False)}


class _Tile:
    """A tile, by its fields."""

    def __init__(self, fields: Sequence[str], names: Mapping[str, str]):
        number = fields[0].strip()
        demand(number in names, UNNAMED, field=FIELD, number=clean_name(number)[:12])
        name, icy = names[number], len(fields) > 2 and fields[2] == "1"
        self.stack: Stack = () if name.rpartition("/")[2] == BLANK else (f"{name} ({ICE})" if icy else name,)
        self.gm_only = len(fields) > 3 and fields[3] == "1"


def _read_columns(tiles: Element, names: Mapping[str, str]) -> list[list[_Tile]]:
    """The tiles, column by column. Raises `InvalidInput`."""
    wide, high = _side(tiles, "tilesWide"), _side(tiles, "tilesHigh")
    demand_size(wide, high)
    told = [[line for line in row.text.split("\n") if line.strip()] for row in tiles.all("tilerow")]
    demand(any(told), NO_TILES, field=FIELD)
    if len(told) == high != wide and all(len(row) == wide for row in told):  # some programs write rows
        told = [list(column) for column in zip(*told, strict=True)]
    demand(len(told) == wide and all(len(column) == high for column in told), WRONG_SIZE, field=FIELD,
           columns=wide, rows=high)  # fmt: skip
    return [[_read_tile(line, column, row, names) for row, line in enumerate(lines)]
            for column, lines in enumerate(told)]  # fmt: skip


def _read_tile(line: str, column: int, row: int, names: Mapping[str, str]) -> _Tile:
    fields = line.strip("\r").split("\t")
    well = fields[0].strip().isdecimal() and len(fields) <= LINE_MOST
    demand(well, WRONG_LINE, field=FIELD, column=column + 1, row=row + 1)
    return _Tile(fields, names)


def _side(tiles: Element, name: str) -> int:
    told = tiles.attributes.get(name, "")
    demand(told.isdecimal() and len(told) < 8, DAMAGED, field=FIELD)
    return int(told)
