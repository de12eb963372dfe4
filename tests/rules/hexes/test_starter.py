"""The maps to begin with (HX-12, H-3)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rules.hexes.battlefields import STARTERS
from rules.hexes.field import doubts, joined, zone
from rules.hexes.geometry import Hex, at_place, hex_at, label_of, place_of, touch
from rules.hexes.mapfile import read, written

FORD = STARTERS["the-ford"]


@pytest.mark.parametrize("land", STARTERS.values(), ids=STARTERS)
def test_hx_8_3_every_passable_hex_is_reached_on_foot_from_both_zones(land):
    passable = {at for at in land if land.at(at).on_foot}
    for side in (0, 1):
        assert joined(land, min(zone(land, side))) == passable
    assert doubts(land) == ()
    assert read(written(land)) == land


def test_h_3_the_ford_has_fifteen_rows_and_the_others_fourteen():
    assert {slug: (land.columns, land.rows) for slug, land in STARTERS.items()} == {
        "meadows": (16, 14), "the-ford": (16, 15), "the-pass": (16, 14),
    }  # fmt: skip


def test_h_3_the_road_of_the_ford_is_a_chain_of_hexes_that_touch():
    road = [at for at in FORD if FORD.at(at).slug in ("road", "bridge")]
    assert (label_of(road[0]), label_of(road[-1]), len(road)) == ("H1", "I15", 15)
    assert all(touch(one, other) for one, other in pairwise(road))


def test_h_3_the_ford_is_turned_by_half_a_turn_about_its_bridge():
    assert FORD.at(hex_at("H8")).slug == "bridge"
    alone = set()
    for at in FORD:
        twin = Hex(8 - at.q, 14 - at.r)
        if twin in FORD:
            assert FORD.at(at) is FORD.at(twin), label_of(at)
        else:
            alone.add(label_of(at))
    assert alone == {f"P{row}" for row in range(2, 15, 2)}


@pytest.mark.parametrize(("field", "unlike"), [("meadows", 4), ("the-pass", 8)])
def test_h_3_meadows_and_the_pass_are_only_nearly_symmetric(field, unlike):
    land = STARTERS[field]

    def twin(at):
        column, row = place_of(at)
        return at_place(land.columns - 1 - column, land.rows - 1 - row)

    assert sum(land.at(at) is not land.at(twin(at)) for at in land) == unlike
