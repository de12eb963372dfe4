"""Maps of Tiled: `.tmx` in XML and `.tmj` in JSON, read as one document in the words of the JSON format.

Tile layers give the terrain of a hex, the last layer on top. A tile is named by its property `name` or `terrain`, its
class, its terrain set, or its image; tiles of a tileset in another file have only numbers.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from rules.core.errors import InvalidInput, demand
from rules.core.text import _, by_number, say
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
from rules.hexes.imports.packed import DAMAGED, FIELD, TOO_LARGE, Element, inflate

WANTED = frozenset({
    "map", "tileset", "tile", "image", "properties", "property", "terraintypes", "terrain", "wangsets", "wangset",
    "wangcolor", "wangtile", "layer", "group", "data", "chunk", "objectgroup",
    "imagelayer",
})  # fmt: skip
LAYERS_MOST, CHUNKS_MOST, TILES_MOST = 40, 4_000, 1_000_000
GID = 0x0FFFFFFF  # the four bits above it say how a tile is turned
FAR = 1_000_000
NAMED_BY = ("name", "terrain", "nom")
LAYERS_OF_XML = {"layer": "tilelayer", "objectgroup": "objectgroup", "imagelayer": "imagelayer", "group": "group"}

NO_TILED = _("This isn’t a Tiled map.")
NO_HEXES = _("This Tiled map isn’t hexagonal. Only maps with hexagonal orientation can be imported.")
NO_LAYERS = _("This Tiled map has no visible tile layer.")
NO_TILES = _("This Tiled map has no tiles.")
WRONG_DATA = _("Layer “{name}”: the tiles can’t be read. Save the map again in Tiled.")
WRONG_COUNT = _("Layer “{name}” has {found} tiles; the map needs {wanted}.")
COMPRESSION = _("Layer “{name}”: choose another tile layer format in Tiled, such as CSV.")
READ = by_number("{count} tile layer read: {names}.", "{count} tile layers read: {names}.")
HIDDEN = by_number("{count} hidden layer was left out.", "{count} hidden layers were left out.")
OTHERS = by_number("{count} layer of objects or images was left out.",
                   "{count} layers of objects or images were left out.")  # fmt: skip
ELSEWHERE = _("The tileset “{name}” is another file, so its tiles have only numbers.")


class _Tileset(NamedTuple):
    first: int
    name: str
    tiles: Mapping[int, str]


class _Part(NamedTuple):
    """A layer or a chunk of it before it is read: its place, and how many tiles it should have."""

    name: str
    told: Mapping[str, Any]
    column: int
    row: int
    columns: int
    wanted: int


class _Chunk(NamedTuple):
    """Tiles of a layer from this column and row on."""

    column: int
    row: int
    columns: int
    tiles: list[int]


class _Tiles(NamedTuple):
    """Tiles by row and column, the uppermost first, and the rectangle that counts."""

    tiles: Mapping[tuple[int, int], list[int]]
    top: int
    left: int
    columns: int
    rows: int


def read_tmx(root: Element, name: str, turn: FlatTops) -> ForeignMap:
    """The map in XML. Raises `InvalidInput`."""
    return read_tiled(_map_of_xml(root), name, turn)


def read_tiled(document: object, name: str, turn: FlatTops) -> ForeignMap:
    """The map in the JSON format. Raises `InvalidInput`."""
    demand(isinstance(document, Mapping) and "layers" in document, NO_TILED, field=FIELD)
    assert isinstance(document, Mapping)
    demand(document.get("orientation") == "hexagonal", NO_HEXES, field=FIELD)
    tilesets = sorted(map(_read_tileset, _objects(document.get("tilesets"))), key=lambda one: one.first)
    notes: list[FileNote] = []
    layers = list(_shown_layers(document.get("layers"), notes))
    demand(layers, NO_LAYERS, field=FIELD)
    size = _whole(document.get("width"), 0), _whole(document.get("height"), 0)
    endless = bool(document.get("infinite"))
    if not endless:
        demand_size(*size)
    parts = [list(_parts(layer, size, endless=endless)) for layer in layers]
    demand(sum(part.wanted for one in parts for part in one) <= TILES_MOST, TOO_LARGE, field=FIELD)
    told = ", ".join(clean_name(layer.get("name", "")) or "–" for layer in layers)
    notes.insert(0, FileNote(True, say(READ, count=len(layers), names=told)))
    notes += [FileNote(False, say(ELSEWHERE, name=one.name)) for one in tilesets if not one.tiles]
    tiles = _stacked([list(map(_read_chunk, one)) for one in parts], size, endless=endless)
    demand_size(tiles.columns, tiles.rows)
    flat, odd = document.get("staggeraxis") == "x", document.get("staggerindex") != "even"
    first = tiles.left if flat else tiles.top
    grid = Grid(_name_cells(tiles, tilesets), flat, odd if first % 2 == 0 else not odd)
    return lay_out(Tool.TILED, name, grid, turn, notes)


def _objects(value: object) -> Iterator[Mapping[str, Any]]:
    yield from (one for one in value if isinstance(one, Mapping)) if isinstance(value, list) else ()


def _whole(value: object, least: int, most: int = FAR) -> int:
    """A whole number, also as digits. Raises `InvalidInput`."""
    try:
        found = int(value) if isinstance(value, int | str) and not isinstance(value, bool) else least - 1
    except ValueError:
        found = least - 1
    demand(least <= found <= most, DAMAGED, field=FIELD)
    return found


# Layers.


def _shown_layers(layers: object, notes: list[FileNote]) -> Iterator[Mapping[str, Any]]:
    """The visible tile layers, the lowest first, those of groups too. Notes tell what is left out."""
    hidden = others = 0
    found: list[Mapping[str, Any]] = []
    waiting = [*_objects(layers)]
    while waiting:
        layer = waiting.pop(0)
        demand(len(found) < LAYERS_MOST and len(waiting) < 10 * LAYERS_MOST, DAMAGED, field=FIELD)
        if layer.get("visible", True) in (False, "0"):
            hidden += 1
        elif layer.get("type") == "group":
            waiting[:0] = _objects(layer.get("layers"))
        elif layer.get("type") == "tilelayer":
            found.append(layer)
        else:
            others += 1
    notes += [FileNote(False, say(HIDDEN, count=hidden))] if hidden else []
    notes += [FileNote(False, say(OTHERS, count=others))] if others else []
    yield from found


def _parts(layer: Mapping[str, Any], size: tuple[int, int], *, endless: bool) -> Iterator[_Part]:
    """The parts of a layer: one, or chunks where the map is endless."""
    name = clean_name(layer.get("name", ""))
    told = list(_objects(layer.get("chunks"))) if endless else [{**layer, "x": 0, "y": 0}]
    demand(len(told) <= CHUNKS_MOST, DAMAGED, field=FIELD)
    for part in told:
        columns, rows = _whole(part.get("width", size[0]), 0), _whole(part.get("height", size[1]), 0)
        column, row = _whole(part.get("x"), -FAR), _whole(part.get("y"), -FAR)
        yield _Part(name, {**layer, **part}, column, row, columns, columns * rows)


def _read_chunk(part: _Part) -> _Chunk:
    tiles = _read_tiles(part.told, part.wanted, part.name)
    demand(len(tiles) == part.wanted, WRONG_COUNT, field=FIELD,
           name=part.name, found=len(tiles), wanted=part.wanted)  # fmt: skip
    return _Chunk(part.column, part.row, part.columns, tiles)


def _read_tiles(layer: Mapping[str, Any], wanted: int, name: str) -> list[int]:
    """The numbers of the tiles, without how they are turned. Raises `InvalidInput`."""
    data = layer.get("data")
    try:
        if isinstance(data, list):
            return [_whole(one, 0, 2**32 - 1) & GID for one in data]
        if isinstance(data, str) and layer.get("encoding") == "base64":
            return [one & GID for one in _unpack(data, str(layer.get("compression") or ""), wanted, name)]
        if isinstance(data, str):
            demand(data.count(",") <= 2 * wanted + 2, WRONG_DATA, field=FIELD, name=name)
            return [_whole(one.strip(), 0, 2**32 - 1) & GID for one in data.split(",") if one.strip()]
    except (binascii.Error, struct.error, ValueError):
        pass
    raise InvalidInput(say(WRONG_DATA, name=name), FIELD)


def _unpack(data: str, compression: str, wanted: int, name: str) -> tuple[int, ...]:
    demand(compression in ("", "gzip", "zlib"), COMPRESSION, field=FIELD, name=name)
    raw = base64.b64decode("".join(data.split()), validate=True)
    if compression:
        raw = inflate(raw, 4 * wanted)
    return struct.unpack(f"<{len(raw) // 4}I", raw)


def _stacked(layers: list[list[_Chunk]], size: tuple[int, int], *, endless: bool) -> _Tiles:
    """Terrain names of each hex. Of an endless map the part with tiles is cut out."""
    tiles: dict[tuple[int, int], list[int]] = {}
    for chunks in reversed(layers):
        for chunk in chunks:
            for place, gid in enumerate(chunk.tiles):
                if gid:
                    at = chunk.row + place // chunk.columns, chunk.column + place % chunk.columns
                    tiles.setdefault(at, []).append(gid)
    demand(tiles, NO_TILES, field=FIELD)
    if not endless:
        return _Tiles(tiles, 0, 0, *size)
    rows, columns = [row for row, _column in tiles], [column for _row, column in tiles]
    top, left = min(rows), min(columns)
    return _Tiles(tiles, top, left, max(columns) - left + 1, max(rows) - top + 1)


def _name_cells(found: _Tiles, tilesets: list[_Tileset]) -> list[list[Stack]]:
    named: dict[int, str] = {}

    def stack(at: tuple[int, int]) -> Stack:
        for gid in found.tiles.get(at, ()):
            if gid not in named:
                named[gid] = _name_tile(gid, tilesets)
        return tuple(dict.fromkeys(named[gid] for gid in found.tiles.get(at, ())))

    return [
        [stack((row, column)) for column in range(found.left, found.left + found.columns)]
        for row in range(found.top, found.top + found.rows)
    ]


def _name_tile(gid: int, tilesets: list[_Tileset]) -> str:
    own = next((one for one in reversed(tilesets) if one.first <= gid), None)
    if own is None:
        return f"#{gid}"
    return own.tiles.get(gid - own.first) or f"{own.name} #{gid - own.first}".strip()


# Tilesets.


def _read_tileset(tileset: Mapping[str, Any]) -> _Tileset:
    source = str(tileset.get("source") or "")
    name = clean_name(tileset.get("name") or _stem(source))
    terrains = [str(one.get("name", "")) for one in _objects(tileset.get("terrains"))]
    tiles: dict[int, str] = {}
    for wangset in _objects(tileset.get("wangsets")):
        tiles |= dict(_wang_names(wangset))
    for tile in _objects(tileset.get("tiles")):
        number = _whole(tile.get("id"), 0)
        if told := _tile_name(tile, terrains, tiles.get(number, "")):
            tiles[number] = told
    return _Tileset(_whole(tileset.get("firstgid"), 1, GID), name, tiles)


def _tile_name(tile: Mapping[str, Any], terrains: list[str], wang: str) -> str:
    """The name of a tile; "" if it has none."""
    told = {one.get("name"): one.get("value") for one in _objects(tile.get("properties"))
            if isinstance(one.get("name"), str)}  # fmt: skip
    corners = tile.get("terrain")
    corner = corners[0] if isinstance(corners, list) and len({*map(str, corners)}) == 1 else None
    whole = terrains[corner] if isinstance(corner, int) and 0 <= corner < len(terrains) else ""
    own = [told.get(one) for one in NAMED_BY]
    for name in (*own, tile.get("class"), tile.get("type"), whole, wang, _stem(str(tile.get("image") or ""))):
        if name and (shown := clean_name(name)):
            return shown
    return ""


def _wang_names(wangset: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Tiles that are of one color of a terrain set, with its name."""
    colors = [str(one.get("name", "")) for one in _objects(wangset.get("colors"))]
    for tile in _objects(wangset.get("wangtiles")):
        ids = tile.get("wangid")
        used = {one for one in ids if one} if isinstance(ids, list) and all(isinstance(x, int) for x in ids) else set()
        if len(used) == 1 and 0 < (color := used.pop()) <= len(colors) and colors[color - 1]:
            yield _whole(tile.get("tileid"), 0), clean_name(colors[color - 1])


def _stem(path: str) -> str:
    return PurePosixPath(path.replace("\\", "/")).stem


# XML.


def _map_of_xml(root: Element) -> dict[str, Any]:
    """The document in JSON's words."""
    demand(root.name == "map" and "orientation" in root.attributes, NO_TILED, field=FIELD)
    return {
        **root.attributes,
        "infinite": root.attributes.get("infinite") == "1",
        "tilesets": [_tileset_of_xml(one) for one in root.all("tileset")],
        "layers": _layers_of_xml(root),
    }


def _layers_of_xml(parent: Element) -> list[dict[str, Any]]:
    return [
        {**one.attributes, "type": LAYERS_OF_XML[one.name], "layers": _layers_of_xml(one), **_data_of_xml(one)}
        for one in parent.children
        if one.name in LAYERS_OF_XML
    ]


def _data_of_xml(layer: Element) -> dict[str, Any]:
    data = layer.first("data")
    if data is None:
        return {}
    chunks = [{**one.attributes, "data": _tiles_of_xml(one)} for one in data.all("chunk")]
    return {**data.attributes, "data": _tiles_of_xml(data), "chunks": chunks}


def _tiles_of_xml(data: Element) -> str | list[int]:
    """Encoded text, or the tiles one by one."""
    tiles = data.all("tile")
    return [_whole(one.attributes.get("gid", "0"), 0, 2**32 - 1) for one in tiles] if tiles else data.text


def _tileset_of_xml(tileset: Element) -> dict[str, Any]:
    terrains = tileset.first("terraintypes")
    wangsets = tileset.first("wangsets")
    return {
        **tileset.attributes,
        "terrains": [one.attributes for one in terrains.all("terrain")] if terrains else [],
        "wangsets": [_wangset_of_xml(one) for one in wangsets.all("wangset")] if wangsets else [],
        "tiles": [_tile_of_xml(one) for one in tileset.all("tile")],
    }


def _wangset_of_xml(wangset: Element) -> dict[str, Any]:
    tiles = [
        {"tileid": one.attributes.get("tileid"), "wangid": _numbers(one.attributes.get("wangid", ""))}
        for one in wangset.all("wangtile")
    ]
    return {"colors": [one.attributes for one in wangset.all("wangcolor")], "wangtiles": tiles}


def _tile_of_xml(tile: Element) -> dict[str, Any]:
    image, properties = tile.first("image"), tile.first("properties")
    own = properties.all("property") if properties else []
    return {
        **tile.attributes,
        "terrain": _numbers(tile.attributes.get("terrain", "")),
        "image": image.attributes.get("source", "") if image else "",
        "properties": [{"value": one.text, **one.attributes} for one in own],
    }


def _numbers(text: str) -> list[int]:
    """Numbers between commas; [] if there is something else, as before Tiled 1.5."""
    parts = text.split(",")
    return [int(one) for one in parts] if all(one.isdecimal() and len(one) < 9 for one in parts) else []
