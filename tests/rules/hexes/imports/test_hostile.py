"""Files that want to break the reader: whatever is sent gives a map or a refusal with a sentence."""

from __future__ import annotations

import gzip
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.hexes.imports.files import ReadOptions, read_foreign
from rules.hexes.imports.layout import ForeignMap
from rules.hexes.reading import loaded
from tests.rules.hexes.imports.samples import cell, cells, square, tmj, tmx, wxx

DEEP = (41, 8_000, 300_000)
ENCODINGS = ("utf-7", "utf-32", "shift_jis", "big5", "foo", "hex", "rot13", "idna", "punycode", "undefined", "mbcs")


def refused(raw):
    with pytest.raises(InvalidInput) as found:
        read_foreign(raw, "map", ReadOptions())
    return found.value.field, str(found.value)


def nested(depth, around):
    """A file with lists in lists, `depth` levels, where `around` has "here"."""
    return around.replace(b'"here"', b"[" * depth + b"]" * depth)


@pytest.mark.parametrize("depth", DEEP)
@pytest.mark.parametrize("member", ["type", "biome", "height", "other"])
def test_cells_nested_too_deeply_are_refused_before_they_are_built(depth, member):
    raw = nested(depth, cells(square(0, 0, 10, **{member: "here"})))
    assert refused(raw) == ("/file", "This data is nested too deeply.")


def test_what_no_cell_says_may_not_be_nested_deeper_either():
    raw = cells()[:-1] + b', "more": ' + b"[" * 300_000 + b"]" * 300_000 + b"}"
    assert refused(raw) == ("/file", "This data is nested too deeply.")


def test_lists_within_the_limit_are_read():
    assert read_foreign(nested(30, cells(square(0, 0, 10, more="here"))), "map", ReadOptions()).columns == 40


@pytest.mark.parametrize("member", ["type", "class", "image", "other"])
@pytest.mark.parametrize("depth", DEEP[:2])
def test_tiled_maps_nested_too_deeply_are_refused(member, depth):
    tiles = [{"id": 0, member: "here"}]
    raw = nested(depth, tmj(tilesets=[{"firstgid": 1, "name": "hexes", "tiles": tiles}]))
    assert refused(raw) == ("/file", "This data is nested too deeply.")


@pytest.mark.parametrize("depth", [*DEEP[:2], 100_000])
def test_our_own_map_files_nested_too_deeply_are_refused(depth):
    with pytest.raises(InvalidInput, match="nested too deeply" if depth < 10_000 else "valid JSON"):
        loaded(nested(depth, b'{"format": "warhost-hexmap", "legend": {"x": "here"}}'))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_an_encoding_that_cannot_be_read_is_no_xml(encoding):
    said = "This file isn’t valid XML. Save it again in the program it comes from."
    raw = tmx().replace(b"UTF-8", encoding.encode())
    assert refused(raw) == ("/file", said)
    assert refused(gzip.compress(raw)) == ("/file", said)


@pytest.mark.parametrize(("wide", "high"), [(5e-324, 5e-324), (1e-310, 1e6), (1e6, 1e-310), (1e-7, 1.0)])
def test_a_map_without_any_extent_is_damaged(wide, high):
    flat = {**cell(0, 0)}
    ring = [[0, 0], [wide, 0], [wide, high], [0, high], [0, 0]]
    flat["geometry"] = {"type": "Polygon", "coordinates": [ring]}
    assert refused(cells(flat)) == ("/file", "This file is damaged. Save it again in the program it comes from.")


# Whatever is sent.

BEGINNINGS = (b"", b"<", b"{", b"\x1f\x8b", b'{"type": "FeatureCollection", "features": [', b'{"layers": ',
              tmx()[:200], b'<?xml version="1.0" encoding="')  # fmt: skip
EXTREME = st.sampled_from([0, 0.0, 5e-324, 1e-310, 2.3e-308, 1e-7, 1e-6, 1.0, 89.9, 1e6, 1e308, -1e308, 10**30]) | (
    st.floats(allow_nan=False, allow_infinity=False)
)
PLACES = st.lists(EXTREME, min_size=1, max_size=3)
ANYTHING = st.recursive(
    st.none() | st.booleans() | EXTREME | st.text(max_size=5), lambda inner: st.lists(inner, max_size=3), max_leaves=4
)


def demand_map_or_refusal(raw):
    found: ForeignMap | InvalidInput
    try:
        found = read_foreign(raw, "map", ReadOptions(8))
    except InvalidInput as refusal:
        found = refusal
    assert isinstance(found, ForeignMap) or (found.field in ("/file", "/columns") and str(found))


@given(st.sampled_from(BEGINNINGS), st.binary(max_size=200), st.booleans())
def test_any_bytes_give_a_map_or_a_refusal(begin, rest, packed):
    demand_map_or_refusal(gzip.compress(begin + rest) if packed else begin + rest)


@given(st.data())
def test_a_good_file_with_other_bytes_in_it_gives_a_map_or_a_refusal(data):
    raw = bytearray(data.draw(st.sampled_from([tmx(), tmj(), cells(), gzip.decompress(wxx())])))
    for _time in range(data.draw(st.integers(1, 4))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    demand_map_or_refusal(bytes(raw))


@given(st.lists(st.tuples(st.lists(PLACES, min_size=4, max_size=6), ANYTHING, ANYTHING, ANYTHING), max_size=3))
def test_any_cells_give_a_map_or_a_refusal(told):
    found = [
        {"geometry": {"type": "Polygon", "coordinates": [ring]},
         "properties": {"biome": biome if place else 4, "height": height, "type": kind}}
        for place, (ring, biome, height, kind) in enumerate(told)
    ]  # fmt: skip
    demand_map_or_refusal(json.dumps({"type": "FeatureCollection", "features": found}).encode())


@given(st.dictionaries(st.sampled_from(["width", "height", "layers", "tilesets", "infinite", "staggeraxis"]), ANYTHING))
def test_any_tiled_map_gives_a_map_or_a_refusal(changes):
    demand_map_or_refusal(tmj(**changes))
    demand_map_or_refusal(tmj(tilesets=[{"firstgid": 1, "name": "hexes", "tiles": [{"id": 0, **changes}]}]))
    layer = {"name": "Ground", "type": "tilelayer", "width": 5, "height": 4, "data": [1] * 20, **changes}
    demand_map_or_refusal(tmj(layers=[layer]))
