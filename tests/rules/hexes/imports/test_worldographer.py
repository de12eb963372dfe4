"""Maps of Worldographer."""

from __future__ import annotations

import gzip

import pytest

from rules.core.errors import InvalidInput
from rules.hexes.imports.files import ReadOptions, read_foreign
from rules.hexes.imports.layout import FlatTops, Tool
from tests.rules.hexes.imports.samples import wxx

FARM, SEA, PEAK, BLANK = (
    "1\t1000\t0\t0\t36\tZ",
    "2\t-3\t0\t0\t47\tZ",
    "3\t6000\t0\t0\t9\t9\t35\t0\t2\t2\t0",
    "0\t1\t0\t0\t0\tZ",
)
COLUMNS = [[FARM, FARM, SEA, BLANK], [SEA, FARM, FARM, FARM], [PEAK, PEAK, SEA, SEA]]
FARMLAND, OCEAN, MOUNTAINS = ("Classic/Flat Farmland",), ("Classic/Water Ocean",), ("Classic/Mountains Snowcapped",)


def read(raw, **asked):
    return read_foreign(raw, "Stolen Lands.wxx", ReadOptions(**asked))


def names(land, row):
    return [land.stacks[number] for number in land.rows[row]]


def told(land):
    return [(note.understood, str(note.told)) for note in land.notes]


def test_rows_with_pointed_tops_lie_as_they_are():
    land = read(wxx(COLUMNS, "ROWS"))
    assert (land.tool, land.name) == (Tool.WORLDOGRAPHER, "Stolen Lands")
    assert names(land, 0)[:4] == [FARMLAND, OCEAN, MOUNTAINS, ()]
    assert names(land, 3)[:4] == [(), FARMLAND, OCEAN, ()]


def test_columns_with_flat_tops_are_turned_or_redrawn():
    turned = read(wxx(COLUMNS))
    assert names(turned, 0)[:5] == [MOUNTAINS, MOUNTAINS, OCEAN, OCEAN, ()], "the eastern column is the first row"
    assert names(turned, 2)[:4] == [FARMLAND, FARMLAND, OCEAN, ()]
    redrawn = read(wxx(COLUMNS), turn=FlatTops.REDRAW)
    assert names(redrawn, 0)[0] == FARMLAND


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-16-le", "utf-8", "utf-8-sig"])
def test_whatever_its_bytes_are(encoding):
    assert read(wxx(COLUMNS, encoding=encoding)).rows == read(wxx(COLUMNS)).rows
    assert read(gzip.decompress(wxx(COLUMNS, encoding=encoding))).rows == read(wxx(COLUMNS)).rows


def test_a_program_that_wrote_rows_is_understood_by_their_number():
    rows = [list(row) for row in zip(*COLUMNS, strict=True)]
    assert read(wxx(rows, "ROWS", size=(3, 4))).rows == read(wxx(COLUMNS, "ROWS")).rows


def test_what_is_read_and_what_is_left_out():
    hidden = [["1\t1000\t0\t1\t36\tZ", *COLUMNS[0][1:]], *COLUMNS[1:]]
    tail = '<tiles viewLevel="WORLD" tilesWide="9" tilesHigh="9"><tilerow>\nx\n</tilerow></tiles>'
    tail += "<notes><note key='x'><notetext>a</notetext></note></notes>"
    assert told(read(wxx(hidden, "ROWS", tail=tail))) == [
        (True, "3 kinds of terrain read."),
        (False, "1 other levels of the map were left out."),
        (False, "1 tiles are only for the GM in Worldographer. Players see them here unless the map has fog."),
        (False, "1 features (such as towns) were left out."),
        (False, "1 labels were left out."),
        (False, "2 shapes (such as roads or rivers) were left out."),
        (False, "1 notes were left out."),
        (True, "The map was smaller than 8 by 8: 52 empty hexes were added."),
    ]  # fmt: skip


def test_ice_is_told_apart_from_the_ground_below():
    icy = [["1\t1000\t1\t0\t36\tZ", *COLUMNS[0][1:]], *COLUMNS[1:]]
    assert names(read(wxx(icy, "ROWS")), 0)[0] == ("Classic/Flat Farmland (ice)",)


WIDE = [["1\t1"] * 2] * 101


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (wxx(COLUMNS, "SQUARE"), "squares or triangles"),
        (gzip.compress(gzip.decompress(wxx(COLUMNS, encoding="utf-8")).replace(b"FLAT", b"ICOSAHEDRAL")), "triangles"),
        (wxx(COLUMNS, size=(4, 4)), "should have 4 by 4 tiles"),
        (wxx([COLUMNS[0], COLUMNS[1], COLUMNS[2][:3]]), "should have 3 by 4 tiles"),
        (wxx([[], [], []]), "has no tiles"),
        (wxx([["x\t1"] * 4] * 3), "Column 1, row 1: the tile can’t be read"),
        (wxx([["NaN\t1"] * 4] * 3), "Column 1, row 1: the tile can’t be read"),
        (wxx([["1\t" * 30] * 4] * 3), "Column 1, row 1: the tile can’t be read"),
        (wxx([["1\t1", "1\t1", "77\t1", "1\t1"]] * 3), "Terrain 77 has no name"),
        (wxx(COLUMNS, names=("Blank",)), "has no name"),
        (wxx(WIDE, size=(101, 2)), "101 by 2 hexes; the limit is 100 by 100"),
        (wxx(COLUMNS, size=(10**12, 4)), "damaged"),
        (wxx(COLUMNS, size=("NaN", 4)), "damaged"),
        (wxx(COLUMNS, head="<!DOCTYPE map [<!ENTITY a 'x'>]>"), "DOCTYPE"),
        (gzip.compress(gzip.decompress(wxx(COLUMNS, encoding="utf-8")).replace(b"tiles ", b"tails ")), "XML"),
        (gzip.compress(b"<map hexOrientation='ROWS'><terrainmap>a\t0</terrainmap></map>"), "isn’t a Worldographer map"),
        (gzip.compress("<map>".encode("utf-16")), "isn’t valid XML"),
    ],
    ids=range(17),
)  # fmt: skip
def test_what_makes_no_sense_is_refused(raw, said):
    with pytest.raises(InvalidInput, match=said) as found:
        read(raw)
    assert found.value.field == "/file"
