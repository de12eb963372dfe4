"""Cells of Azgaar's generator."""

from __future__ import annotations

import json
from math import sqrt

import pytest

from rules.core.errors import InvalidInput
from rules.hexes.imports.azgaar import BIOMES
from rules.hexes.imports.files import ReadOptions, read_foreign
from rules.hexes.imports.layout import Tool
from tests.rules.hexes.imports.samples import cell, cells, square


def read(raw, columns=10):
    return read_foreign(raw, "Brevoy Cells.geojson", ReadOptions(columns))


def names(land, row):
    return [land.stacks[number] for number in land.rows[row]]


def told(land):
    return [(note.understood, str(note.told)) for note in land.notes]


def refused(raw, columns=10):
    with pytest.raises(InvalidInput) as found:
        read(raw, columns)
    return found.value.field, str(found.value)


def test_each_hex_takes_the_cell_at_its_centre_with_north_on_top():
    land = read(cells())
    assert (land.tool, land.name, land.columns, len(land.rows)) == (Tool.AZGAAR, "Brevoy Cells", 10, 12)
    assert names(land, 0) == [("Temperate deciduous forest",)] * 5 + [("Ocean",)] * 5
    assert names(land, 11) == [("Mountains by height", "Grassland")] * 5 + [("Grassland",)] * 5
    assert not land.counts()[""]
    assert read(b"\xef\xbb\xbf" + cells()).rows == land.rows


@pytest.mark.parametrize("columns", [8, 25, 100])
def test_it_has_as_many_columns_as_asked(columns):
    wide = cells(square(-20, 0, 20), square(0, 0, 20, biome=1))
    land = read(wide, columns)
    assert land.columns == columns
    assert len(land.rows) == max(8, round((20 / (40 / (columns + 0.5) / sqrt(3)) - 0.5) / 1.5))
    assert {stack for row in range(4) for stack in names(land, row)} <= {("Grassland",), ("Hot desert",), ()} | {
        ("Mountains by height", "Grassland"), ("Mountains by height", "Hot desert"),
    }  # fmt: skip


def test_heights_beside_the_highest_cell_become_hills_and_mountains():
    heights = (0, 229, 230, 599, 600, 1000)
    land = read(cells(*(square(at * 5, 0, 5, height=height) for at, height in enumerate(heights))), columns=12)
    row = names(land, 1)
    assert [len(row[at * 2]) for at in range(6)] == [1, 1, 2, 2, 2, 2]
    assert [row[at * 2][0] for at in range(2, 6)] == ["Hills by height"] * 2 + ["Mountains by height"] * 2
    assert told(land)[1] == (True, "Hills from height 230, mountains from 600; the highest cell has 1000.")


def test_a_lake_and_an_unknown_biome_have_their_names():
    land = read(cells(square(0, 0, 10, type="lake", biome=4, height=5000), square(10, 0, 10, biome=13, height=0)))
    assert names(land, 0)[0] == ("Lake",)
    assert names(land, 0)[9] == ("Biome 13",)
    assert len(BIOMES) == 13


def test_where_there_is_no_cell_there_is_nothing():
    land = read(cells(square(0, 0, 4, height=0), square(16, 0, 4, height=0)))
    assert names(land, 0)[4] == ()


def test_cells_with_six_corners_beside_each_other():
    found = [cell(column * sqrt(3) + row % 2 * sqrt(3) / 2, -1.5 * row, biome=(column + row) % 13, height=0)
             for row in range(10) for column in range(10)]  # fmt: skip
    land = read(cells(*found))
    assert [[stack[0] for stack in names(land, row)] for row in range(10)] == [
        [BIOMES[(column + row) % 13] for column in range(10)] for row in range(10)
    ]


BROKEN = (
    None, [], {}, {"type": "Feature"}, {**cell(0, 0), "geometry": None}, {**cell(0, 0), "properties": None},
    {**cell(0, 0), "geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}},
    {**cell(0, 0), "geometry": {"type": "Polygon", "coordinates": []}},
    {**cell(0, 0), "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1]]]}},
    {**cell(0, 0), "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, "1"], [0, 0]]]}},
    {**cell(0, 0), "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1], [0, 1], [0, 0]]]}},
    {**cell(0, 0), "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1e12, 1], [0, 1], [0, 0]]]}},
    {**cell(0, 0), "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [None, 1], [0, 1], [0, 0]]]}},
    cell(0, 0, biome="4"), cell(0, 0, biome=-1), cell(0, 0, biome=None), cell(0, 0, biome=True),
    cell(0, 0, biome=10**9),
)  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN, ids=range(len(BROKEN)))
def test_a_cell_that_makes_no_sense_is_left_out_and_told(broken):
    land = read(cells(square(0, 0, 10), broken))
    assert (False, "1 cells couldn’t be read and were left out.") in told(land)
    assert "has no cells" in refused(cells(broken))[1]


@pytest.mark.parametrize(
    ("raw", "field", "said"),
    [
        (b'{"type": "FeatureCollection", "features": [', "/file", "isn’t valid JSON"),
        (cells(square(0, 0, 10)).replace(b"10", b"NaN"), "/file", "isn’t valid JSON"),
        (b'{"type": "FeatureCollection", "features": []}', "/file", "has no cells"),
        (b'{"type": "FeatureCollection"}', "/file", "has no cells"),
        (b'{"type": "FeatureCollection", "features": "x"}', "/file", "has no cells"),
        (b'{"type": "FeatureCollection", "features": [\xff]}', "/file", "isn’t valid JSON"),
        (cells(square(0, 0, 0)), "/file", "damaged"),
        (cells(square(0, 0, 1), square(0, 900_000, 1)), "/columns", "Choose fewer columns"),
        (cells(*[square(0, 0, 10, height=0)] * 300), "/file", "overlap"),
    ],
    ids=range(9),
)  # fmt: skip
def test_files_that_make_no_sense_are_refused(raw, field, said):
    where, why = refused(raw, columns=80 if said == "overlap" else 10)
    assert where == field
    assert said in why


@pytest.mark.parametrize("columns", [7, 101, -1, 0])
def test_a_width_out_of_bounds_is_refused(columns):
    assert refused(cells(), columns) == ("/columns", "Enter a whole number from 8 to 100.")


def test_too_many_cells_are_refused():
    few = json.dumps({"geometry": None})
    raw = b'{"type": "FeatureCollection", "features": [' + ",".join([few] * 80_001).encode() + b"]}"
    assert "too large" in refused(raw)[1]
