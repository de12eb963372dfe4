"""Maps of Tiled in XML and JSON."""

from __future__ import annotations

import gzip
import json

import pytest

from rules.core.errors import InvalidInput
from rules.hexes.imports.files import ReadOptions, read_foreign
from rules.hexes.imports.layout import FlatTops, Tool
from tests.rules.hexes.imports.samples import TILES, csv_of, packed, tmj, tmx

FLAGS = 0x80000000, 0x40000000, 0x20000000, 0x10000000


def read(raw, **asked):
    return read_foreign(raw, "maps/Stolen Lands.tmx", ReadOptions(**asked))


def names(land, row):
    return [land.stacks[number] for number in land.rows[row]]


def refused(raw, **asked):
    with pytest.raises(InvalidInput) as found:
        read(raw, **asked)
    assert found.value.field in ("/file", "/columns")
    return str(found.value)


def told(land):
    return [(note.understood, str(note.told)) for note in land.notes]


ENCODINGS = {
    "csv": (csv_of(), 'encoding="csv"'),
    "base64": (packed(), 'encoding="base64"'),
    "zlib": (packed(compression="zlib"), 'encoding="base64" compression="zlib"'),
    "gzip": (packed(compression="gzip"), 'encoding="base64" compression="gzip"'),
    "one by one": ("".join(f'<tile gid="{one}"/>' for one in TILES), ""),
}


@pytest.mark.parametrize("kind", ENCODINGS)
def test_the_tiles_of_every_encoding(kind):
    land = read(tmx(*ENCODINGS[kind]))
    assert (land.tool, land.name) == (Tool.TILED, "Stolen Lands")
    assert names(land, 0) == [("Plains",), ("Plains",), ("forêt",), ("forêt",), ("Ocean",), (), (), ()]
    assert names(land, 2)[1] == ("hexes #3",), "a tile without a name has a number"
    assert dict(land.counts()) == {"Plains": 6, "forêt": 6, "Ocean": 4, "hexes #3": 4}
    assert told(land)[0] == (True, "1 tile layers read: Ground.")


@pytest.mark.parametrize("compression", ["", "zlib", "gzip"])
def test_the_json_format_says_the_same(compression):
    layer = {"name": "Ground", "type": "tilelayer", "width": 5, "height": 4, "encoding": "base64",
             "compression": compression, "data": packed(compression=compression)}  # fmt: skip
    for raw in (tmj(), tmj(layers=[layer]), gzip.compress(tmj())):
        land = read(raw)
        assert (land.stacks, land.rows) == (read(tmx()).stacks, read(tmx()).rows)


def test_turned_and_mirrored_tiles_are_the_same_tiles():
    tiles = [one | FLAGS[at % 4] for at, one in enumerate(TILES)]
    assert read(tmx(packed(tiles), 'encoding="base64"')).rows == read(tmx()).rows


def test_the_axis_and_index_of_the_stagger():
    assert len(read(tmx(index="even")).rows) == 8
    assert names(read(tmx(index="even")), 0) == [()] * 8, "an empty row in the north"
    turned = read(tmx(axis="x"))
    assert names(turned, 0)[:4] == [("Ocean",)] * 4, "the eastern column is the first row"
    assert names(read(tmx(axis="x"), turn=FlatTops.REDRAW), 0)[0] == ("Plains",)


def test_upper_layers_lie_on_the_lower_ones_and_hidden_ones_and_objects_are_left_out():
    more = f"""<group id="5" name="Towns"><layer id="6" name="Towns" width="5" height="4"><data encoding="csv">
    {csv_of([4] + [0] * 18 + [3])}</data></layer></group>
    <layer id="7" name="Secret" width="5" height="4" visible="0"><data encoding="csv">{csv_of()}</data></layer>
    <objectgroup id="8" name="Names"><object id="1" x="5" y="6"/></objectgroup><imagelayer id="9" name="Paper"/>"""
    land = read(tmx(more=more))
    assert names(land, 0)[0] == ("hexes #3", "Plains")
    assert names(land, 3)[4] == ("Ocean",)
    assert told(land)[:3] == [
        (True, "2 tile layers read: Ground, Towns."),
        (False, "1 hidden layers were left out."),
        (False, "2 layers of objects or images were left out."),
    ]


@pytest.mark.parametrize(
    ("tile", "name"),
    [
        ('<tile id="0"><properties><property name="name" value="Deep  wood"/></properties></tile>', "Deep wood"),
        ('<tile id="0"><properties><property name="terrain">Bog\nland</property></properties></tile>', "Bog land"),
        ('<tile id="0" class="Moor"/>', "Moor"),
        ('<tile id="0"><image width="28" height="32" source="..\\hexes/hexDirt01.png"/></tile>', "hexDirt01"),
        ('<terraintypes><terrain name="Grass" tile="0"/></terraintypes><tile id="0" terrain="0,0,0,0"/>', "Grass"),
        ('<terraintypes><terrain name="Grass" tile="0"/></terraintypes><tile id="0" terrain="0,,0,0"/>', "hexes #0"),
        ('<wangsets><wangset name="w" type="corner" tile="-1"><wangcolor name="Sand" color="#fff" tile="-1"/>'
         '<wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/></wangset></wangsets>', "Sand"),
        ('<wangsets><wangset name="w" type="corner"><wangtile tileid="0" wangid="0x10101010"/></wangset></wangsets>',
         "hexes #0"),
        ('<tile id="0"><properties><property name="name" value=" "/></properties></tile>', "hexes #0"),
    ],
)  # fmt: skip
def test_where_the_name_of_a_tile_comes_from(tile, name):
    land = read(tmx(tileset=f'<tileset firstgid="1" name="hexes">{tile}</tileset>'))
    assert names(land, 0)[0] == (name,)


def test_tilesets_in_other_files_have_numbers():
    sets = '<tileset firstgid="1" source="sets/ground.tsx"/><tileset firstgid="3" source="sets\\water.tsx"/>'
    land = read(tmx(tileset=sets))
    assert names(land, 0)[:5] == [("ground #0",)] * 2 + [("ground #1",)] * 2 + [("water #0",)]
    assert (False, "The tileset “water” is another file, so its tiles have only numbers.") in told(land)
    assert names(read(tmx(tileset='<tileset firstgid="9" source="late.tsx"/>')), 0)[0] == ("#1",)


def test_an_endless_map_is_cut_out():
    def chunk(x, y, *tiles):
        return {"x": x, "y": y, "width": 2, "height": 2, "data": list(tiles)}

    layer = {"name": "Ground", "type": "tilelayer", "startx": -2, "starty": -3, "width": 4, "height": 4,
             "chunks": [chunk(-2, -3, 0, 1, 2, 3), chunk(0, -1, 1, 1, 0, 2)]}  # fmt: skip
    land = read(tmj(infinite=True, layers=[layer]))
    assert names(land, 0) == [()] * 8, "its first row is shifted, so an empty one comes before"
    assert names(land, 1)[:2] == [(), ("Plains",)]
    assert names(land, 2)[:2] == [("forêt",), ("Ocean",)]
    assert names(land, 3)[:4] == [(), (), ("Plains",), ("Plains",)]
    assert names(land, 4)[3] == ("forêt",)
    layer["chunks"][1]["x"] = 5000
    assert "the limit is 100 by 100" in refused(tmj(infinite=True, layers=[layer]))


# What is wrong with a file.

LAYER = {"name": "Ground", "type": "tilelayer", "width": 5, "height": 4, "data": list(TILES)}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"orientation": "orthogonal"}, "isn’t hexagonal"),
        ({"orientation": None}, "isn’t hexagonal"),
        ({"layers": []}, "no visible tile layer"),
        ({"layers": "x"}, "no visible tile layer"),
        ({"layers": [{**LAYER, "visible": False}]}, "no visible tile layer"),
        ({"layers": [{**LAYER, "data": [0] * 20}]}, "has no tiles"),
        ({"layers": [{**LAYER, "data": [1] * 19}]}, "has 19 tiles; the map needs 20"),
        ({"layers": [{**LAYER, "data": [1] * 19 + [-1]}]}, "damaged"),
        ({"layers": [{**LAYER, "data": [1] * 19 + [1.5]}]}, "damaged"),
        ({"layers": [{**LAYER, "data": [1] * 19 + ["NaN"]}]}, "damaged"),
        ({"layers": [{**LAYER, "data": None}]}, "“Ground”: the tiles can’t be read"),
        ({"layers": [{**LAYER, "data": "%%%", "encoding": "base64"}]}, "“Ground”: the tiles can’t be read"),
        ({"layers": [{**LAYER, "data": "AAAA", "encoding": "base64"}]}, "“Ground”: the tiles can’t be read"),
        ({"layers": [{**LAYER, "data": "AAAA", "encoding": "base64", "compression": "zlib"}]}, "damaged"),
        ({"layers": [{**LAYER, "data": "AAAA", "encoding": "base64", "compression": "zstd"}]}, "such as CSV"),
        ({"layers": [{**LAYER, "data": packed([1] * 999_999, "zlib"), "encoding": "base64", "compression": "zlib"}]},
         "too large"),
        ({"layers": [LAYER] * 41}, "damaged"),
        ({"layers": [{"type": "group", "layers": [LAYER] * 500}]}, "damaged"),
        ({"width": 1000, "height": 1000}, "1000 by 1000 hexes; the limit is 100 by 100"),
        ({"width": 10**9}, "damaged"),
        ({"width": "wide"}, "damaged"),
        ({"width": True}, "damaged"),
        ({"width": 0}, "the limit is 100 by 100"),
        ({"tilesets": [{"firstgid": 0}]}, "damaged"),
        ({"tilesets": [{"firstgid": 1, "tiles": [{"id": "x"}]}]}, "damaged"),
        ({"infinite": True, "layers": [{**LAYER, "chunks": [{"x": 0, "y": 0, "width": 9999, "height": 9999}]}]},
         "too large"),
        ({"infinite": True, "layers": [{**LAYER, "chunks": [{"x": 0, "y": 0}] * 4001}]}, "damaged"),
        ({"infinite": True, "layers": [{**LAYER, "chunks": 5}]}, "has no tiles"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(changes, said):
    assert said in refused(tmj(**changes))


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "Choose another file"),
        (b"\0\0\0", "Choose another file"),
        (b"PNG", "Choose another file"),
        (b"{", "isn’t valid JSON"),
        (b'{"layers": NaN}', "isn’t valid JSON"),
        (b'{"a":' * 100_000, "isn’t valid JSON"),
        (b'{"a": 1}', "Choose another file"),
        (b'{"format": "warhost-hexmap", "version": 1}', "map file of Warhost"),
        (b"<map", "isn’t valid XML"),
        (b"<map orientation='hexagonal'></mop>", "isn’t valid XML"),
        (b"<svg/>", "Choose another file"),
        (b"<map/>", "isn’t a Tiled map"),
        (b"<a>" * 100, "isn’t valid XML"),
        (b"<map>" * 100, "isn’t valid XML"),
        (b"<map>" + b"<tile/>" * 60_001, "too large"),
        (b"<map>" + b"<x/>" * 500_001, "too large"),
        (gzip.compress(b" " * (33 * 1024 * 1024)), "too large"),
        (gzip.compress(tmx())[:-20], "damaged"),
        (b"\x1f\x8bnonsense", "damaged"),
        (b"x" * (16 * 1024 * 1024 + 1), "too large"),
        (tmx(csv_of() + ",1" * 500), "the tiles can’t be read"),
        (tmx("1,2,x"), "damaged"),
        (tmx(head='<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">'), "DOCTYPE"),
        (tmx("&b;", head='<!DOCTYPE map [<!ENTITY a "1,"><!ENTITY b "&a;&a;&a;">]>'), "DOCTYPE"),
        (tmx("&b;"), "isn’t valid XML"),
    ],
    ids=range(25),
)  # fmt: skip
def test_files_that_are_no_maps_or_hostile_are_refused(raw, said):
    assert said in refused(raw)


def test_a_small_file_may_not_unpack_to_many_layers():
    layer = {**LAYER, "width": 990, "height": 1000, "encoding": "base64", "compression": "zlib",
             "data": packed([1] * 990_000, "zlib")}  # fmt: skip
    raw = json.loads(tmj())
    raw["layers"] = [layer] * 3
    assert "too large" in refused(json.dumps(raw).encode())
