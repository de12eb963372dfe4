"""Small map files as other tools write them."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from math import cos, pi, sin

TILES = (1, 1, 2, 2, 3, 1, 1, 2, 2, 3, 1, 4, 4, 2, 3, 1, 4, 4, 2, 3)
"""Five by four tiles; 4 has no name."""
TYPES = ("Plains", "forêt", "Ocean")


def csv_of(tiles=TILES, columns=5):
    return ",\n".join(",".join(map(str, tiles[at : at + columns])) for at in range(0, len(tiles), columns))


def packed(tiles=TILES, compression=""):
    raw = struct.pack(f"<{len(tiles)}I", *tiles)
    raw = {"": bytes, "zlib": zlib.compress, "gzip": gzip.compress}[compression](raw)
    return base64.b64encode(raw).decode()


def tmx(data=None, encoding='encoding="csv"', size=(5, 4), axis="y", index="odd", tileset=None, more="", head=""):
    own = "".join(f'<tile id="{at}" type="{name}"/>' for at, name in enumerate(TYPES))
    tileset = tileset or f'<tileset firstgid="1" name="hexes" tilecount="9">{own}</tileset>'
    return f"""<?xml version="1.0" encoding="UTF-8"?>
{head}<map version="1.10" tiledversion="1.10.2" orientation="hexagonal" renderorder="right-down" width="{size[0]}"
  height="{size[1]}" tilewidth="28" tileheight="32" infinite="0" hexsidelength="16" staggeraxis="{axis}"
  staggerindex="{index}" nextlayerid="3" nextobjectid="1">
 {tileset}
 <layer id="1" name="Ground" width="{size[0]}" height="{size[1]}">
  <data {encoding}>
{csv_of() if data is None else data}
  </data>
 </layer>
 {more}
</map>
""".encode()


def tmj(**changes):
    tiles = [{"id": at, "type": name} for at, name in enumerate(TYPES)]
    layer = {"id": 1, "name": "Ground", "type": "tilelayer", "visible": True, "opacity": 1, "x": 0, "y": 0,
             "width": 5, "height": 4, "data": list(TILES)}  # fmt: skip
    return json.dumps({
        "type": "map", "version": "1.10", "tiledversion": "1.10.2", "orientation": "hexagonal", "width": 5, "height": 4,
        "tilewidth": 28, "tileheight": 32, "hexsidelength": 16, "infinite": False, "staggeraxis": "y",
        "staggerindex": "odd", "renderorder": "right-down", "layers": [layer],
        "tilesets": [{"firstgid": 1, "name": "hexes", "tilecount": 9, "tiles": tiles}], **changes,
    }).encode()  # fmt: skip


NAMES = ("Blank", "Classic/Flat Farmland", "Classic/Water Ocean", "Classic/Mountains Snowcapped")


def wxx(columns=None, orientation="COLUMNS", size=(3, 4), names=NAMES, encoding="utf-16", head="", tail="", **more):
    """`columns`: lines of tiles, column by column."""
    columns = columns or [["1\t1000\t0\t0\t36\tZ"] * size[1] for _column in range(size[0])]
    told = "\t".join(f"{name}\t{at}" for at, name in enumerate(names))
    rows = "\n".join("<tilerow>\n" + "\n".join(lines) + "\n</tilerow>" for lines in columns)
    attributes = " ".join(f'{name}="{value}"' for name, value in more.items())
    text = f"""<?xml version='1.1' encoding='utf-16'?>
{head}<map type="WORLD" release="2025" version="2.00" schema="1.02" lastViewLevel="KINGDOM"
  hexWidth="46.18" hexHeight="40.0" hexOrientation="{orientation}" mapProjection="FLAT" {attributes}>
<gridandnumbering color0="0x00000040" numberOrder="COL_ROW" />
<terrainmap>{told}</terrainmap>
<maplayer name="Labels" isVisible="true" opacity="1.0"/>
<tiles viewLevel="KINGDOM" tilesWide="{size[0]}" tilesHigh="{size[1]}">
{rows}
</tiles>
<features><feature type="Classic/Settlement City" rotate="0.0"><location viewLevel="KINGDOM" x="150" y="150" />
<label style="null"><location viewLevel="KINGDOM" x="150" y="150" scale="25.0" />Restov</label></feature></features>
<labels><label style="Nation"><location viewLevel="KINGDOM" x="150" y="450" scale="75.0" />Brevoy</label></labels>
<shapes><shape type="Path" tags="river"><p type="m" x="0" y="0"/><p x="300" y="300"/></shape>
<shape type="Path" tags="road"><p x="0" y="0"/><p x="300" y="300"/></shape></shapes>{tail}
</map>
"""
    return gzip.compress(text.encode(encoding))


def cell(x, y, size=1.0, corners=6, **properties):
    """A cell around a point, as the generator writes it: closed, in degrees."""
    ring = [[round(x + size * sin(2 * pi * at / corners), 4), round(y + size * cos(2 * pi * at / corners), 4)]
            for at in range(corners)]  # fmt: skip
    return {
        "type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[*ring, ring[0]]]},
        "properties": {"id": 1, "height": 100, "biome": 4, "type": "island", "population": 12, "state": 1,
                       "province": 0, "culture": 1, "religion": 0, "neighbors": [2, 3], **properties},
    }  # fmt: skip


def square(west, south, size, **properties):
    ring = [[west, south], [west + size, south], [west + size, south + size], [west, south + size], [west, south]]
    return {**cell(0, 0, **properties), "geometry": {"type": "Polygon", "coordinates": [ring]}}


def cells(*features):
    """Four squares by default: forest and sea in the north, high and low grassland in the south."""
    features = features or (
        square(-10, 0, 10, biome=6), square(0, 0, 10, biome=0, type="ocean", height=-300),
        square(-10, -10, 10, biome=4, height=2000), square(0, -10, 10, biome=4, height=90),
    )  # fmt: skip
    return json.dumps({"type": "FeatureCollection", "features": features}).encode()
