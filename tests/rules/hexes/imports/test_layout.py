"""Maps of other tools on our hexes: every hex beside its neighbors, nothing mirrored, and north where the note says."""

from __future__ import annotations

from itertools import combinations
from math import dist, sqrt

import pytest

from rules.core.errors import InvalidInput
from rules.hexes.geometry import at_place, centre, neighbours
from rules.hexes.imports.layout import FlatTops, Grid, Tool, key_of, lay_out
from rules.hexes.mapfile import document as document_of
from rules.hexes.mapfile import parse

SIZES = [(9, 8), (8, 8), (8, 9), (11, 13)]


def numbered(columns, rows, **options):
    return Grid([[(f"{column} {row}",) for column in range(columns)] for row in range(rows)], **options)


def places(grid):
    """Where the centres lie, east and south, by name: 1 from centre to corner."""
    found = {}
    for row, cells in enumerate(grid.cells):
        for column, (name,) in enumerate(cells):
            half = ((column if grid.flat else row) % 2 == 1) == grid.odd
            across, along = (column * 1.5, sqrt(3) * (row + half / 2)) if grid.flat else (
                sqrt(3) * (column + half / 2), row * 1.5
            )  # fmt: skip
            found[name] = across, along
    return found


def hexes(land):
    return {
        land.stacks[number][0]: at_place(column, row)
        for row, numbers in enumerate(land.rows)
        for column, number in enumerate(numbers)
        if land.stacks[number]
    }


def turned_to_the_east(one, two, three):
    """Whether the way from the first to the third by the second turns clockwise."""
    return (two[0] - one[0]) * (three[1] - one[1]) - (two[1] - one[1]) * (three[0] - one[0]) > 0


@pytest.mark.parametrize("flat", [False, True])
@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_every_hex_keeps_its_neighbors_and_nothing_is_mirrored(columns, rows, flat, odd):
    grid = numbered(columns, rows, flat=flat, odd=odd)
    land, there = lay_out(Tool.TILED, "x", grid, FlatTops.TURN), places(grid)
    here = hexes(land)
    assert here.keys() == there.keys()
    beside = {frozenset(pair) for pair in combinations(there, 2) if dist(*(there[one] for one in pair)) < 1.8}
    assert beside == {frozenset(pair) for pair in combinations(here, 2) if here[pair[1]] in neighbours(here[pair[0]])}
    corner = ("0 0", f"{columns - 1} 0", f"{columns - 1} {rows - 1}")
    assert turned_to_the_east(*(there[one] for one in corner))
    assert turned_to_the_east(*(centre(here[one], 1) for one in corner))


def test_a_map_with_flat_tops_is_turned_with_north_on_the_left():
    land = lay_out(Tool.TILED, "x", numbered(9, 8, flat=True), FlatTops.TURN)
    here = hexes(land)
    assert here["0 0"] == at_place(0, 8), "north-west is south-west"
    assert here["8 0"] == at_place(0, 0), "north-east is north-west"
    assert [str(note.told) for note in land.notes] == [
        "Its hexes have flat tops; ours have pointed ones. The map is turned: north is on the left."
    ]


@pytest.mark.parametrize("odd", [False, True])
@pytest.mark.parametrize(("columns", "rows"), SIZES)
def test_a_redrawn_map_takes_what_lies_at_the_centre_of_each_hex(columns, rows, odd):
    grid = numbered(columns, rows, flat=True, odd=odd)
    land, there = lay_out(Tool.TILED, "x", grid, FlatTops.REDRAW), places(grid)
    off = [dist(centre(at, 1), there[name]) for name, at in hexes(land).items()]
    assert max(off) < 1.3
    assert len(off) >= 0.8 * columns * rows
    assert "redrawn" in str(land.notes[0].told)


def test_a_redrawn_map_keeps_north_on_top_and_its_shape():
    cells = [[(f"{column // 10}, {row // 10}",) for column in range(40)] for row in range(30)]
    land = lay_out(Tool.TILED, "x", Grid(cells, flat=True), FlatTops.REDRAW)
    assert (land.columns, len(land.rows)) == (34, 35)
    corners = [land.stacks[land.rows[row][column]][0] for row in (1, 33) for column in (1, 32)]
    assert corners == ["0, 0", "3, 0", "0, 2", "3, 2"]
    assert land.counts()["1, 1"] == pytest.approx(100, abs=12)


def test_rows_shifted_the_other_way_get_an_empty_row_in_the_north():
    land = lay_out(Tool.TILED, "x", numbered(8, 8, odd=False), FlatTops.TURN)
    assert (land.columns, len(land.rows)) == (8, 9)
    assert {land.stacks[number] for number in land.rows[0]} == {()}
    assert hexes(land)["0 0"] == at_place(0, 1)


def test_a_small_map_is_filled_to_the_least_size():
    land = lay_out(Tool.TILED, "x", numbered(5, 3), FlatTops.TURN)
    assert (land.columns, len(land.rows)) == (8, 8)
    assert hexes(land)["4 2"] == at_place(4, 2)
    assert "49 empty hexes were added" in str(land.notes[0].told)


@pytest.mark.parametrize(("columns", "rows", "odd"), [(101, 8, True), (8, 101, True), (8, 100, False), (0, 0, True)])
def test_a_map_that_is_too_large_or_empty_is_refused(columns, rows, odd):
    with pytest.raises(InvalidInput, match="the limit is 100 by 100"):
        lay_out(Tool.TILED, "x", Grid([[("x",)] * columns] * rows, odd=odd), FlatTops.TURN)


def test_more_kinds_than_anybody_could_choose_for_are_refused():
    with pytest.raises(InvalidInput, match="kinds of terrain"):
        lay_out(Tool.TILED, "x", numbered(20, 16), FlatTops.TURN)


def test_what_stands_for_nothing_shows_what_lies_below():
    grid = Grid([[("town", "grass"), ("town",), (), ("grass",)] * 2] * 8)
    land = lay_out(Tool.TILED, "x", grid, FlatTops.TURN)
    assert dict(land.counts()) == {"grass": 32, "town": 32}
    terrains = {"town": "", "grass": "plains"}
    drawn = land.drawn(terrains, "sea", "Marches")
    assert drawn.terrain[0] == ".oo..oo."
    assert land.empties(terrains) == 32
    assert parse(document_of(drawn)) == drawn, "it is a map like any other"


def test_names_are_kept_by_what_they_say():
    assert key_of("Classic/Flat  Forest\n") == "classic/flat forest"
