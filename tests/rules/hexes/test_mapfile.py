"""Maps as files (HX-7)."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings

from rules.core.errors import InvalidInput
from rules.hexes.geometry import edge, hex_at
from rules.hexes.mapfile import blank, document, entering, parse, read, written
from rules.hexes.terrain import CATALOGUE, CLEAR, DIFFICULT, IMPASSABLE, MapKind
from tests.everyday import at_most
from tests.rules.hexes.strategies import maps

ROWS = ["................", *["....w......^...."] * 11, ".......A........", "................"]
FORD = {
    "format": "warhost-hexmap", "version": 1, "name": "The ford", "columns": 16, "rows": 14, "terrain": ROWS,
    "heights": {"E5": 2}, "edges": [{"between": ["C7", "C8"], "obstacle": "stream"}], "labels": {"H8": "Old bridge"},
    "homes": ["south", "north"], "zones": [["A12", "B12"], ["A1", "B1"]], "credits": "Mine", "weather": {"x": [1]},
}  # fmt: skip


def faults(**changes):
    with pytest.raises(InvalidInput) as refused:
        parse(FORD | changes)
    return {pointer: str(message) for pointer, message in refused.value.errors}


def test_hx_7_2_the_least_a_file_says():
    least = {key: FORD[key] for key in ("format", "version", "name", "columns", "rows", "terrain")}
    field = parse(least)
    assert (field.kind, field.columns, field.rows, field.zones) == (MapKind.BATTLE, 16, 14, ())
    assert document(field) == least


def test_hx_2_2_a_height_may_be_said_whatever_the_terrain():
    field = parse(FORD)
    assert field.at(hex_at("E5")).slug == "wood"
    assert [field.height(hex_at(label)) for label in ("E5", "E6", "L6", "H13")] == [2, 0, 1, 2]


def test_hx_7_4_the_keys_in_order_unknown_ones_kept():
    text = written(parse(FORD))
    assert json.loads(text) == FORD
    assert list(json.loads(text)) == list(FORD)
    assert written(read(text)) == text


def test_hx_7_2_letters_of_a_legend_become_those_of_the_catalogue():
    field = parse(FORD | {"terrain": ["x" * 16, *ROWS[1:]], "legend": {"x": "wood"}})
    assert field.terrain[0] == "w" * 16
    assert "legend" not in document(field)


def test_hx_7_3_homes_and_zones_are_two_or_none():
    different = "Use two different edges, one for each side."
    assert faults(homes=["south"]) == faults(homes=["south", "south"]) == {"/homes": different}
    assert list(faults(homes=["south", ["north"]])) == ["/homes/1"]
    assert faults(homes=["south", "north", "west"]) == {"/homes": different}
    assert faults(zones=[["A1"]]) == {"/zones": "Use two zones, one for each side."}
    kept = parse(FORD | {"homes": ["south"], "zones": [["A1"]]}, kept=True)
    assert (kept.homes, kept.zones) == ((), ()), "what was kept before is not lost for that"


def test_hx_7_3_what_is_wrong_is_named_by_row_and_column():
    assert faults(terrain=["..", *ROWS[1:]]) == {"/terrain/0": "Row 1 has 2 letters; the map needs 16."}
    assert faults(terrain=[*ROWS[:3], "..?" + "." * 13, *ROWS[4:]]) == {
        "/terrain/3": "Row 4, column C: unknown terrain “?”."
    }
    assert "the file has 13" in faults(terrain=ROWS[1:])["/terrain"]
    assert faults(legend={"x": "lava"}) == {"/legend/x": "Unknown terrain: “lava”."}
    assert faults(labels={"Q15": "Nowhere"}) == {"/labels/Q15": "Row 15, column Q is off the map."}
    assert faults(edges=[{"between": ["C7", "E7"], "obstacle": "wall"}]) == {
        "/edges/0/between": "C7 and E7 aren’t neighbors."
    }
    same = faults(edges=[{"between": ["C7", "C7"], "obstacle": "wall"}])
    assert same == {"/edges/0/between": "Choose another hex next to C7."}
    assert faults(heights={"A1": 4}) == {"/heights/A1": "Enter a height from 0 to 3."}
    assert faults(zones=[["A1"], ["A1"]]) == {"/zones/1": "A1 is in both zones. Remove it from one."}
    assert list(faults(format="map", version=2, columns=7, rows=41)) == ["/format", "/version", "/columns", "/rows"]
    assert list(faults(heights=[], labels=3, edges=[3, {"between": "C7", "obstacle": "sea"}], homes=["up"])) == [
        "/heights", "/edges/0", "/edges/1/between", "/edges/1/obstacle", "/labels", "/homes/0",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[]", "a map file"),
        ("{", "valid JSON"),
        (b"\x89PNG", "a map file"),
        (b'{"\xff', "UTF-8"),
        (" " * 262145, "256 KB"),
        ('{"a":' * 9000, "JSON"),
    ],
)
def test_what_is_no_map_at_all_is_refused(text, fault):
    with pytest.raises(InvalidInput, match=fault):
        read(text)


def test_hx_1_4_the_map_of_a_campaign_may_be_larger():
    assert blank("Realm", MapKind.CAMPAIGN, 100, 8).at(hex_at("CV8")).slug == "plains"
    for kind, side in ((MapKind.BATTLE, 41), (MapKind.CAMPAIGN, 101), (MapKind.BATTLE, 7), (MapKind.CAMPAIGN, 7)):
        with pytest.raises(InvalidInput, match="whole number from 8"):
            blank("Realm", kind, side, 20)


def test_a_road_joins_the_hexes_of_its_line():
    realm = document(blank("Realm", MapKind.CAMPAIGN, 10, 10)) | {"roads": [["C7", "D7", "D8"]]}
    field = parse(realm)
    assert field.roads == {edge(hex_at("C7"), hex_at("D7")), edge(hex_at("D8"), hex_at("D7"))}
    assert document(field)["roads"] == [["C7", "D7"], ["D7", "D8"]]
    with pytest.raises(InvalidInput, match="C7 and E7 aren’t neighbors"):
        parse(realm | {"roads": [["C7", "E7"]]})


def going(start, target, **given):
    rows = ["..........", *["....w....A"] * 6, "....~.....", "....P.....", ".........."]
    base = document(blank("Realm", MapKind.CAMPAIGN, 10, 10))
    return entering(parse(base | {"terrain": rows} | given), hex_at(start), hex_at(target))


def test_pf_1_8_difficult_ground_and_what_a_road_makes_of_it():
    assert going("C2", "D2") is CLEAR
    assert going("D2", "E2") is going("I2", "J2") is DIFFICULT
    assert going("D2", "E2", roads=[["D2", "E2"]]) is CLEAR
    assert going("D2", "E2", roads=[["E2", "F2"]]) is DIFFICULT
    assert going("D8", "E8") is going("D8", "E8", roads=[["D8", "E8"]]) is going("D9", "E9") is IMPASSABLE


def test_hx_2_3_what_is_crossed_makes_the_hex_entered_difficult_unless_a_road_bridges_it():
    stream, wall = ([{"between": ["B2", "C2"], "obstacle": what}] for what in ("stream", "wall"))
    assert going("B2", "C2", rivers=[["C2", "B2"]]) is going("C2", "B2", edges=stream) is DIFFICULT
    assert going("B2", "C2", rivers=[["C2", "B2"]], roads=[["B2", "C2"]]) is CLEAR
    assert going("B2", "C2", edges=wall) is IMPASSABLE
    rows = ["=" * 16, *ROWS[1:]]
    stream = [{"between": ["C1", "D1"], "obstacle": "stream"}]
    assert entering(parse(FORD | {"terrain": rows, "edges": stream}), hex_at("C1"), hex_at("D1")) is CLEAR


def test_letters_and_slugs_name_one_terrain_each():
    for terrains in CATALOGUE.values():
        assert len({one.letter for one in terrains}) == len({one.slug for one in terrains}) == len(terrains)


@settings(max_examples=at_most(7, full=settings.default.max_examples))
@given(maps())
def test_hx_7_4_a_map_read_back_is_the_same_to_the_byte(field):
    text = written(field)
    assert read(text) == field
    assert written(read(text)) == text


def test_a_terrain_of_the_legend_that_is_no_text_is_refused():
    assert faults(legend={"x": ["wood"], "y": {}}) == {
        "/legend/x": "Unknown terrain: “['wood']”.",
        "/legend/y": "Unknown terrain: “{}”.",
    }


def test_what_else_a_map_holds_is_kept_as_long_as_a_file_may_be():
    assert parse(FORD | {"notes": "y" * 1000}).more["notes"] == "y" * 1000
    assert faults(notes="y" * 262144) == {"/notes": "A map file can be at most 256 KB."}
    assert parse(FORD | {"notes": "y" * 262144}, kept=True).more, "what was kept before is not lost for that"
