"""Painting maps (HX-9)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.hexes.battlefields import STARTERS
from rules.hexes.field import zone
from rules.hexes.geometry import edge, hex_at, label_of
from rules.hexes.mapfile import blank, document, parse, written
from rules.hexes.orders import command_in
from rules.hexes.painting import Generate, Load, Name, Paint, Raise, Resize, Trace, between, paint, touched
from rules.hexes.terrain import CATALOGUE, MapChoices, MapKind
from tests.everyday import at_most
from tests.rules.hexes.strategies import maps

MEADOWS = STARTERS["meadows"]


def do(land, **told):
    return paint(land, command_in(told, land))


def labels(hexes):
    return sorted(map(label_of, hexes))


def test_hx_9_1_terrain_is_painted_and_what_was_so_already_has_not_changed():
    done = do(MEADOWS, command="paint", hexes=["C3", "C2"], terrain="wood")
    assert (labels(done.hexes), done.land.at(hex_at("C2")).slug) == (["C2"], "wood")
    assert done.land.at(hex_at("D2")) is MEADOWS.at(hex_at("D2"))


def test_hx_9_2_the_sizes_of_the_brush():
    assert labels(touched(MEADOWS, hex_at("C3"), "1")) == ["C3"]
    assert labels(touched(MEADOWS, hex_at("A1"), "3")) == ["A1", "A2", "B1"]
    assert labels(touched(MEADOWS, hex_at("C3"), "fill")) == ["C3", "C4", "D4"]
    done = do(MEADOWS, command="paint", at="C3", size="fill", terrain="rocks")
    assert labels(done.hexes) == ["C3", "C4", "D4"]


def test_hx_9_1_heights_labels_and_what_stands_between():
    land = do(MEADOWS, command="raise", hexes=["C3"], height=2).land
    assert land.height(hex_at("C3")) == 2
    assert do(land, command="raise", hexes=["C3"], height=None).land == MEADOWS
    land = do(MEADOWS, command="label", hex="C3", text="Old wood").land
    assert land.labels == {hex_at("C3"): "Old wood"}
    assert do(land, command="label", hex="C3", text=None).land == MEADOWS
    done = do(MEADOWS, command="edge", between=["C3", "D3"], obstacle="wall")
    assert (labels(done.hexes), document(done.land)["edges"][0]["obstacle"]) == (["C3", "D3"], "wall")
    assert do(done.land, command="edge", between=["D3", "C3"], obstacle=None).land == MEADOWS


def test_roads_and_rivers_are_drawn_along_lines_and_taken_away():
    done = do(MEADOWS, command="road", hexes=["C3", "D3", "E3"])
    assert labels(done.hexes) == ["C3", "D3", "E3"]
    assert done.land.roads == {edge(hex_at("C3"), hex_at("D3")), edge(hex_at("D3"), hex_at("E3"))}
    assert do(done.land, command="road", hexes=["E3", "D3", "C3"], there=False).land == MEADOWS
    done = do(MEADOWS, command="river", hexes=["C3", "D3"])
    assert done.land.rivers == {edge(hex_at("C3"), hex_at("D3"))}


def test_a_line_between_two_hexes_far_apart():
    far = between(MEADOWS, "road", hex_at("B2"), hex_at("F2"))
    assert len(far) == 4
    river = between(MEADOWS, "river", hex_at("B2"), hex_at("F2"))
    assert len(river) == 6
    assert between(MEADOWS, "road", hex_at("B2"), hex_at("B2")) == frozenset()
    assert between(MEADOWS, "river", hex_at("B2"), hex_at("C2")) == {edge(hex_at("B2"), hex_at("C2"))}
    done = do(MEADOWS, command="road", start="B2", to="F2")
    assert done.land.roads == far


def test_h_2_a_zone_is_changed_as_deep_as_the_law_says():
    command = command_in({"command": "zone", "side": 0, "hexes": ["C7"], "add": True}, MEADOWS)
    two = paint(MEADOWS, command, zone_rows=2).land
    assert [len(zone(two, side)) for side in (0, 1)] == [33, 32]


def test_hx_9_1_sides_change_places_where_one_takes_the_others_edge():
    assert do(MEADOWS, command="home", side=0, edge="north").land.homes == ("north", "south")
    assert do(MEADOWS, command="home", side=1, edge="west").land.homes == ("south", "west")


def test_hx_9_1_a_hex_of_one_zone_leaves_the_other():
    done = do(MEADOWS, command="zone", side=0, hexes=["C1", "C7"], add=True)
    assert {hex_at("C1"), hex_at("C7")} <= zone(done.land, 0)
    assert hex_at("C1") not in zone(done.land, 1)
    assert labels(done.hexes) == ["C1", "C7"]
    assert hex_at("C7") not in zone(do(done.land, command="zone", side=0, hexes=["C7"], add=False).land, 0)
    assert document(do(MEADOWS, command="home", side=1, edge="east").land)["homes"] == ["south", "east"]


def test_hx_9_1_a_map_is_cut_or_filled_in_the_south_east():
    land = do(MEADOWS, command="label", hex="P14", text="Corner").land
    land = do(land, command="road", hexes=["H8", "I8"]).land
    small = do(land, command="resize", columns=8, rows=8)
    assert small.whole
    assert (small.land.terrain[3], small.land.labels, small.land.roads) == ("..ww...^", {}, frozenset())
    large = do(small.land, command="resize", columns=10, rows=9).land
    assert large.terrain[3] == "..ww...^.."
    assert large.terrain[8] == "." * 10
    with pytest.raises(InvalidInput, match="from 8 to 40"):
        do(MEADOWS, command="resize", columns=41, rows=8)


def test_hx_9_1_another_map_takes_its_place():
    realm = blank("Realm", MapKind.CAMPAIGN, 10, 10)
    given = do(realm, command="load_map", map=document(realm) | {"name": "Another"})
    assert (given.whole, given.land.name) == (True, "Another")
    made = do(realm, command="generate_map", kind="coast", seed="7", columns=12, rows=10, river=True)
    assert (made.land.name, made.land.columns) == ("Realm", 12)
    assert paint(realm, Load(given.land)) == given
    assert paint(realm, Generate(MapChoices(MapKind.CAMPAIGN, 12, 10, "coast", "7", river=True))) == made
    for fault in (Load(MEADOWS), Generate(MapChoices(MapKind.BATTLE, 12, 10, "mixed", "7"))):
        with pytest.raises(InvalidInput, match="doesn’t fit here"):
            paint(realm, fault)


@pytest.mark.parametrize(
    ("told", "pointers"),
    [
        ({}, ["/command"]), ({"command": "dance"}, ["/command"]), ([], [""]),
        ({"command": "paint", "terrain": "lava", "hexes": ["Z99", 3]}, ["/terrain", "/hexes/0", "/hexes/1"]),
        ({"command": "paint", "terrain": "wood"}, ["/hexes"]),
        ({"command": "paint", "terrain": "wood", "at": "C7", "size": "9"}, ["/size"]),
        ({"command": "raise", "hexes": ["C3"], "height": 4}, ["/height"]),
        ({"command": "edge", "between": ["C3", "F3"], "obstacle": "sea"}, ["/between", "/obstacle"]),
        ({"command": "road", "hexes": ["C3", "F3"]}, ["/hexes"]), ({"command": "river", "start": "C3"}, ["/to"]),
        ({"command": "label", "hex": "C3", "text": "x" * 61}, ["/text"]),
        ({"command": "zone", "side": 2, "hexes": ["C3"]}, ["/side"]), ({"command": "home", "side": 0}, ["/edge"]),
        ({"command": "generate_map", "kind": "mixed", "columns": 10, "rows": 10}, ["/seed"]),
        ({"command": "resize", "columns": "ten"}, ["/columns", "/rows"]),
        ({"command": "load_map", "map": {"format": "x"}}, ["/map/format"]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_command_is_said_with_its_place(told, pointers):
    with pytest.raises(InvalidInput) as refused:
        paint(MEADOWS, command_in(told, MEADOWS))
    found = [pointer for pointer, _message in refused.value.errors]
    assert found[: len(pointers)] == pointers


@st.composite
def strokes(draw):
    land = draw(maps())
    some = draw(st.frozensets(st.sampled_from(list(land)), min_size=1, max_size=5))
    one, other = sorted(some)[0], land.around(sorted(some)[0])[0]
    terrain = draw(st.sampled_from([terrain.slug for terrain in CATALOGUE[land.kind]]))
    return land, draw(st.sampled_from([
        Paint(some, terrain), Raise(some, 3), Name(one, "Here"), Trace("road", frozenset({edge(one, other)})),
        Trace("river", frozenset({edge(one, other)}), there=False), Resize(9, 9),
    ]))  # fmt: skip


@settings(max_examples=at_most(7, full=settings.default.max_examples))
@given(strokes())
def test_a_stroke_leaves_the_map_before_as_it_was_and_says_every_hex_that_differs(stroke):
    land, command = stroke
    before = written(land)
    done = paint(land, command)
    assert written(land) == before
    assert parse(document(done.land)) == done.land
    if not done.whole:
        differs = {at for at in land if land.at(at) is not done.land.at(at) or land.height(at) != done.land.height(at)}
        assert differs <= done.hexes
        assert (done.land == land) is not bool(done.hexes)
        assert paint(done.land, command).hexes == frozenset()
