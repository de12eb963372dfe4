"""Reader of map files of other tools. The file's content, not its name, tells which tool it is from."""

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import NamedTuple

from rules.core.errors import InvalidInput, demand, demand_shallow
from rules.core.text import _
from rules.hexes.imports.azgaar import NO_JSON, read_cells
from rules.hexes.imports.layout import FlatTops, ForeignMap, clean_name
from rules.hexes.imports.packed import FIELD, TOO_LARGE, UNPACKED_MOST, inflate, read_xml
from rules.hexes.imports.tiled import WANTED as OF_TILED
from rules.hexes.imports.tiled import read_tiled, read_tmx
from rules.hexes.imports.worldographer import WANTED as OF_WXX
from rules.hexes.imports.worldographer import read_wxx

GZIP, BOM = b"\x1f\x8b", b"\xef\xbb\xbf"
COLUMNS = 40
FILE_MOST, TILED_MOST = 16 * 1024 * 1024, 8 * 1024 * 1024  # bytes
UNKNOWN = _("This isn’t a map of Tiled, Worldographer or Azgaar’s generator. Choose another file.")
OURS = _("This is a map file of Warhost. Import it under “Import a map”.")


class ReadOptions(NamedTuple):
    """How to read a file. `columns`: hexes across, where the file has none of its own."""

    columns: int = COLUMNS
    turn: FlatTops = FlatTops.TURN


def read_foreign(raw: bytes, filename: str, asked: ReadOptions) -> ForeignMap:
    """The map in a file of another tool. Raises `InvalidInput`."""
    demand(len(raw) <= FILE_MOST, TOO_LARGE, field=FIELD)
    demand(raw.strip(), UNKNOWN, field=FIELD)
    name = clean_name(PurePosixPath(filename.replace("\\", "/")).stem)
    if raw.startswith(GZIP):
        raw = inflate(raw, UNPACKED_MOST)
    begin = raw[:400].replace(b"\0", b"").removeprefix(BOM).lstrip(b"\xff\xfe \t\r\n")
    if begin.startswith(b"<"):
        file = read_xml(raw, OF_TILED | OF_WXX)
        if file.root.first("terrainmap") is not None or "hexOrientation" in file.root.attributes:
            return read_wxx(file, name, asked.turn)
        demand(file.root.name == "map", UNKNOWN, field=FIELD)
        return read_tmx(file.root, name, asked.turn)
    demand(begin.startswith(b"{"), UNKNOWN, field=FIELD)
    if b'"FeatureCollection"' in raw:
        return read_cells(raw.removeprefix(BOM), name, asked.columns)
    return read_tiled(_read_json(raw), name, asked.turn)


def _read_json(raw: bytes) -> object:
    demand(len(raw) <= TILED_MOST, TOO_LARGE, field=FIELD)
    try:
        document = json.loads(raw.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise InvalidInput(NO_JSON, FIELD) from None
    demand_shallow(document, field=FIELD)
    demand(isinstance(document, dict) and document.get("format") != "warhost-hexmap", OURS, field=FIELD)
    demand("layers" in document or "orientation" in document, UNKNOWN, field=FIELD)
    return document


def _refuse(text: str) -> object:
    raise ValueError(text)
