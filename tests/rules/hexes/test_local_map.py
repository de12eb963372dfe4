"""Battlefields made of a campaign's ground (HX-8, HX-7.3, H-3)."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.hexes.battlefields import COVERED, LocalGround, ground_at, local_map
from rules.hexes.field import doubts, joined, zone
from rules.hexes.geometry import DIRECTIONS, edge, hex_at, neighbours, place_of
from rules.hexes.mapfile import blank, document, parse, read, written
from rules.hexes.terrain import OF_TRAVEL, MapKind
from tests.everyday import at_most

EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST = range(len(DIRECTIONS))
TERRAINS = [terrain.slug for terrain in OF_TRAVEL]
PLAINS = LocalGround("Plain", "plains", ("plains",) * 6)

directions = st.frozensets(st.integers(0, 5))
grounds = st.builds(
    LocalGround, st.just("Ground"), st.sampled_from(TERRAINS), st.tuples(*[st.sampled_from(TERRAINS)] * 6), directions,
    directions, st.booleans(),
)  # fmt: skip


def slugs(land):
    return {at: land.at(at).slug for at in land}


def count(ground, *terrains, where=lambda column, row: True):
    """Hexes of these terrains on maps of twenty seeds."""
    lands = [local_map(ground, str(seed)) for seed in range(20)]
    return sum(land.at(at).slug in terrains and where(*place_of(at)) for land in lands for at in land)


def test_every_terrain_of_travel_has_its_share():
    assert set(COVERED) == set(TERRAINS)


@settings(max_examples=at_most(40, full=400), deadline=None)
@given(grounds, st.text(st.characters(codec="utf-8"), min_size=1, max_size=20))
def test_hx_8_3_every_ground_makes_a_legal_map_on_which_every_passable_hex_can_be_reached(ground, seed):
    land = local_map(ground, seed)
    assert parse(document(land)) == land == read(written(land))
    assert land.kind is MapKind.BATTLE
    assert not doubts(land)
    passable = {at for at in land if land.at(at).on_foot}
    for side in (0, 1):
        assert len(zone(land, side)) >= 16
        assert joined(land, min(zone(land, side))) == passable


def test_the_same_seed_makes_the_same_map_and_another_one_another():
    ground = PLAINS._replace(here="forest")
    local_map.cache_clear()
    one = local_map(ground, "C7")
    local_map.cache_clear()
    assert local_map(ground, "C7") == one
    assert local_map(ground, "C8").terrain != one.terrain


def test_the_middle_looks_like_the_hex_and_an_edge_like_the_neighbour_there():
    coast = PLAINS._replace(around=("sea", *("plains",) * 5))
    eastern = count(coast, "lake", where=lambda column, _row: column >= 12)
    western = count(coast, "lake", where=lambda column, _row: column < 8)
    assert eastern > 10 * max(1, western)
    assert count(PLAINS._replace(here="forest"), "wood") > 3 * count(PLAINS, "wood")
    assert count(PLAINS, "lake", "river", "bridge", "road", "houses") == 0


def test_h_3_a_river_to_the_north_or_south_crosses_the_middle_of_odd_rows():
    for side in (NORTH_EAST, NORTH_WEST, SOUTH_WEST, SOUTH_EAST):
        land = local_map(PLAINS._replace(rivers=frozenset({side})), "one")
        assert (land.columns, land.rows) == (16, 15)
        assert Counter(land.terrain[7]) == {"|": 13, "o": 3}


def test_a_river_to_the_east_or_west_runs_beside_that_edge():
    for side, column in ((EAST, 13), (WEST, 2)):
        land = local_map(PLAINS._replace(rivers=frozenset({side})), "one")
        assert (land.columns, land.rows) == (16, 14)
        assert Counter(row[column] for row in land.terrain) == {"|": 11, "o": 3}


def test_roads_leave_where_the_campaigns_roads_do_and_cross_a_river_by_a_bridge():
    ends = {EAST: "P8", WEST: "A8", NORTH_EAST: "M1", NORTH_WEST: "E1", SOUTH_WEST: "E14", SOUTH_EAST: "M14"}
    for direction, end in ends.items():
        land = local_map(PLAINS._replace(roads=frozenset({direction})), "one")
        road = {at for at, slug in slugs(land).items() if slug == "road"}
        assert {hex_at(end), hex_at("I8")} <= road
        assert all(road & set(neighbours(at)) for at in road)
        edges = {at for at in road if 0 in place_of(at) or place_of(at)[0] == 15 or place_of(at)[1] == 13}
        assert edges == {hex_at(end)}
    crossed = PLAINS._replace(roads=frozenset({NORTH_WEST, SOUTH_EAST}), rivers=frozenset({NORTH_EAST, NORTH_WEST}))
    assert Counter(slugs(local_map(crossed, "one")).values())["bridge"] == 1
    beside = crossed._replace(roads=frozenset({EAST, SOUTH_EAST}))
    assert "bridge" not in slugs(local_map(beside, "one")).values()


def test_a_town_stands_in_the_middle_beside_its_roads():
    land = local_map(PLAINS._replace(town=True, roads=frozenset({EAST, WEST})), "one")
    middle = hex_at("I8")
    assert land.at(middle).slug == "road"
    assert {land.at(at).slug for at in neighbours(middle)} == {"road", "houses"}
    assert sum(slug == "houses" for slug in slugs(land).values()) == 4


def test_the_ground_is_read_from_the_campaigns_map():
    at = hex_at("C3")
    around = neighbours(at)
    rows = [list("." * 8) for _row in range(8)]
    for one, letter in ((at, "w"), (around[EAST], "~"), (around[SOUTH_WEST], "A")):
        column, row = place_of(one)
        rows[row][column] = letter
    land = replace(
        blank("Marches", MapKind.CAMPAIGN, 8, 8),
        terrain=tuple("".join(row) for row in rows),
        roads=frozenset({edge(at, around[WEST]), edge(hex_at("G7"), hex_at("H7"))}),
        rivers=frozenset({edge(at, around[EAST])}),
    )
    ground = ground_at(land, at, name="The wood", town=True)
    around_it = ("lake", "plains", "plains", "plains", "mountains", "plains")
    assert ground == LocalGround("The wood", "forest", around_it, frozenset({WEST}), frozenset({EAST}), town=True)
    corner = ground_at(land, hex_at("A1"), name="Corner")
    assert corner.around == ("plains",) * 6


def test_h_2_w_62_the_ground_of_a_meeting_has_the_rows_and_zones_its_law_takes():
    """Two rows between each zone and its edge; a river makes the rows odd."""
    land = local_map(PLAINS, "one", rows=18, zone_rows=3, margin=2)
    assert land.rows == 18
    for side, rows in ((0, {13, 14, 15}), (1, {2, 3, 4})):
        assert {at.r for at in land.zones[side]} == rows
    assert all(land.at(at).slug == "open" for side in (0, 1) for at in land.zones[side])
    across = local_map(PLAINS._replace(rivers=frozenset({NORTH_EAST, NORTH_WEST})), "one", rows=18)
    assert across.rows == 19
    assert local_map(PLAINS, "one").rows == 14
