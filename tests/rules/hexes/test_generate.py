"""Maps from a seed (HX-8)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.hexes.field import doubts, joined, zone
from rules.hexes.generate import Battlefield, generate
from rules.hexes.geometry import at_place, distance, hex_at, place_of
from rules.hexes.mapfile import read, written
from rules.hexes.paths import costs_on_foot, path
from rules.hexes.terrain import CLEAR, DIFFICULT, KINDS, MapChoices, MapKind
from tests.everyday import at_most

FIELD = MapChoices(MapKind.BATTLE, 16, 14, "mixed", "one")
LAND = MapChoices(MapKind.CAMPAIGN, 24, 16, "heartland", "one", river=True, roads=True)


def slugs(land):
    return [land.at(at).slug for at in land]


def test_the_same_seed_makes_the_same_map_and_another_one_another():
    for choices in (FIELD, LAND):
        one = generate(choices)
        assert generate(choices) == one
        assert generate(replace(choices, seed="two")).terrain != one.terrain
        assert read(written(one)) == one


def test_hx_8_1_rough_ground_covers_more_than_plain_and_wooded_ground_has_more_woods():
    @cache
    def grown(kind):
        return [one for seed in range(12) for one in slugs(generate(replace(FIELD, kind=kind, seed=str(seed))))]

    def covered(kind, slug=None):
        return sum(one != "open" and slug in (None, one) for one in grown(kind)) / 12

    between = 16 * 8
    assert covered("plain") == pytest.approx(between * 0.10, abs=3)
    assert covered("mixed") == pytest.approx(between * 0.18, abs=3)
    assert covered("rough") == pytest.approx(between * 0.28, abs=4)
    for kind, slug in (("wooded", "wood"), ("hilly", "hill"), ("marshy", "marsh")):
        assert covered(kind, slug) > 1.3 * covered("mixed", slug)


def twins(land):
    """Every hex with its twin, by the formulas of H-3."""
    wide, high = land.columns, land.rows
    for at in land:
        column, row = place_of(at)
        yield at, at_place(wide - 1 - column if high % 2 == 0 else column, high - 1 - row)


@settings(max_examples=at_most(10, full=60))
@given(
    st.sampled_from(sorted(KINDS[MapKind.BATTLE])), st.text("abcdef", min_size=1, max_size=6), st.booleans(),
    st.integers(8, 20), st.integers(8, 20),
)  # fmt: skip
def test_h_3_a_symmetric_map_equals_its_twin(kind, seed, river, columns, rows):
    land = generate(MapChoices(MapKind.BATTLE, columns, rows, kind, seed, river=river))
    assert land.rows % 2 or not river
    other = dict(twins(land))
    assert all(land.at(at) is land.at(other[at]) for at in land)
    some = list(land)[:: len(other) // 12]
    assert all(distance(a, b) == distance(other[a], other[b]) for a in some for b in land)


def test_h_3_a_river_makes_the_number_of_rows_odd_where_the_map_is_symmetric():
    wet = replace(FIELD, river=True)
    assert [generate(replace(wet, rows=rows)).rows for rows in (8, 13, 14, 40)] == [9, 13, 15, 39]
    assert generate(replace(wet, symmetric=False)).rows == 14
    assert generate(FIELD).rows == 14


def test_w_62_rows_between_each_zone_and_its_edge():
    land = generate(replace(FIELD, rows=18), margin=2)
    assert [{place_of(at)[1] for at in zone(land, side)} for side in (0, 1)] == [{13, 14, 15}, {2, 3, 4}]
    assert {land.at(at).slug for at in land if not 5 <= place_of(at)[1] <= 12} == {"open"}
    assert land == read(written(land))
    small = generate(replace(FIELD, rows=9), margin=2)
    assert small.zones == (), "no room for a margin"
    narrow = generate(replace(FIELD, rows=12), zone_rows=2, margin=9)
    assert [{place_of(at)[1] for at in zone(narrow, side)} for side in (0, 1)] == [{7, 8}, {3, 4}]


def test_h_2_between_zones_of_two_rows_there_is_more_ground():
    rows = [generate(replace(FIELD, seed=str(seed), kind="rough"), zone_rows=2).terrain[2] for seed in range(8)]
    assert set("".join(rows)) != {"."}


def test_h_3_a_gap_is_opened_with_its_twin():
    """Of many rough maps some are cut off at first; all stay symmetric and whole."""
    opened = 0
    for seed in range(at_most(40, full=300)):
        battlefield = Battlefield(replace(FIELD, kind="rough", seed=str(seed)))
        battlefield._patches()
        battlefield._turn()
        before = dict(battlefield.slugs)
        battlefield._open_gaps()
        changed = {at for at in before if before[at] != battlefield.slugs[at]}
        opened += bool(changed)
        assert {other for at, other in twins(battlefield.blank) if at in changed} == changed
    assert opened


def test_hx_8_1_the_southern_half_is_the_northern_one_turned():
    rows = generate(FIELD).terrain
    assert [row[::-1] for row in rows[::-1]] == list(rows)
    assert {"".join(row) for row in (*rows[:3], *rows[-3:])} == {"." * 16}
    freely = generate(replace(FIELD, symmetric=False)).terrain
    assert [row[::-1] for row in freely[::-1]] != list(freely)


def test_hx_8_2_a_river_with_three_crossings_and_a_road_over_its_bridge():
    land = generate(replace(FIELD, river=True))
    assert land.terrain[7] == "||||o|||b|||o|||"
    assert all(land.terrain[row][8] == "=" for row in (3, 4, 5, 6, 8, 9, 10))
    assert path(costs_on_foot(land, {CLEAR: 1, DIFFICULT: 2}), hex_at("A1"), hex_at("A14"))


@settings(max_examples=at_most(10, full=30))
@given(
    st.sampled_from(sorted(KINDS[MapKind.BATTLE])), st.text("abcdef", min_size=1, max_size=6), st.booleans(),
    st.booleans(), st.integers(8, 20), st.integers(8, 20),
)  # fmt: skip
def test_hx_8_3_every_passable_hex_is_reached_on_foot_from_both_zones(kind, seed, river, symmetric, columns, rows):
    land = generate(MapChoices(MapKind.BATTLE, columns, rows, kind, seed, river=river, symmetric=symmetric))
    passable = {at for at in land if land.at(at).on_foot}
    for side in (0, 1):
        assert joined(land, min(zone(land, side))) == passable
    assert doubts(land) == ()


@settings(max_examples=at_most(5, full=12))
@given(st.sampled_from(sorted(KINDS[MapKind.CAMPAIGN])), st.integers(0, 10_000), st.integers(8, 30), st.integers(8, 30))
def test_hx_8_3_no_land_of_a_campaign_is_cut_off_but_islands(kind, seed, columns, rows):
    land = generate(MapChoices(MapKind.CAMPAIGN, columns, rows, kind, str(seed), river=True, roads=True))
    passable = {at for at in land if land.at(at).on_foot}
    water = {at for at in land if land.at(at).slug in ("sea", "lake")}
    for at in min(passable), max(passable):
        piece = joined(land, at)
        assert piece == passable or kind == "islands"
        assert all(
            one in piece or one in water or land.at(one).slug == "peaks" for x in piece for one in land.around(x)
        )
    assert all(end in passable for step in land.roads for end in step)
    assert read(written(land)) == land


def test_lands_differ_by_kind():
    @cache
    def grown(kind):
        return [
            slug
            for seed in range(at_most(2, full=4))
            for slug in slugs(generate(replace(LAND, kind=kind, seed=str(seed))))
        ]

    def share(kind, *wanted):
        return sum(slug in wanted for slug in grown(kind)) / len(grown(kind))

    plain = {slug: share("heartland", slug) for slug in ("forest", "mountains", "desert", "sea")}
    assert share("woodland", "forest") > 1.5 * plain["forest"]
    assert share("highlands", "mountains", "peaks") > 2 * plain["mountains"]
    assert share("dry", "desert") > 0.2 > plain["desert"]
    assert share("coast", "sea") > 0.2 > plain["sea"]
    assert share("islands", "sea") > share("coast", "sea")
    assert share("cold", "tundra", "glacier") > 0.2
    land = generate(LAND)
    assert land.rivers
    assert land.roads
    assert not generate(replace(LAND, river=False, roads=False)).rivers


@pytest.mark.parametrize(
    ("change", "pointer"), [({"kind": "wet"}, "/kind"), ({"seed": ""}, "/seed"), ({"seed": "x" * 61}, "/seed")]
)
def test_what_cannot_be_chosen_is_refused(change, pointer):
    with pytest.raises(InvalidInput) as refused:
        replace(LAND, **change)
    assert refused.value.field == pointer


def test_hx_1_4_sides_out_of_bounds_are_refused():
    with pytest.raises(InvalidInput, match="from 8 to 40"):
        generate(replace(FIELD, columns=41))
