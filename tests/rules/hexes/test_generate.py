"""Maps from a seed (HX-8)."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.hexes.field import doubts, joined, zone
from rules.hexes.generate import generate
from rules.hexes.geometry import hex_at
from rules.hexes.map_choices import KINDS, MapChoices
from rules.hexes.mapfile import read, written
from rules.hexes.paths import costs_on_foot, path
from rules.hexes.terrain import CLEAR, DIFFICULT, MapKind
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
