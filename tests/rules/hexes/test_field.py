"""Sides of a field: home edges, zones, ways from a threat (HX-1.5, HX-6, HX-7)."""

from __future__ import annotations

from dataclasses import replace

from rules.hexes.battlefields import STARTERS
from rules.hexes.field import HexField, away, doubts, from_home, homeward, zone
from rules.hexes.geometry import edge, hex_at, label_of
from rules.hexes.mapfile import blank, document, parse
from rules.hexes.terrain import CLEAR, DIFFICULT, IMPASSABLE, INFILTRATION_ONLY, OF_A_WHILE, OF_BATTLE, MapKind

MEADOWS = STARTERS["meadows"]


def labels(hexes):
    return [label_of(one) for one in hexes]


def test_hx_1_5_home_is_south_for_the_first_side_and_north_for_the_second():
    assert [from_home(MEADOWS, side, hex_at("D2")) for side in (0, 1)] == [12, 1]
    assert labels(homeward(MEADOWS, 0, hex_at("C7"))) == ["B8", "C8"]
    assert homeward(MEADOWS, 1, hex_at("C1")) == ()
    turned = replace(MEADOWS, homes=("west", "east"))
    assert [from_home(turned, side, hex_at("D2")) for side in (0, 1)] == [3, 12]
    assert labels(homeward(turned, 0, hex_at("C7"))) == ["B6", "B7", "B8"]


def test_hx_6_2_away_is_farther_then_nearest_home_then_fewest_enemies():
    at, threat = hex_at("H7"), hex_at("H6")
    assert labels(away(MEADOWS, 0, at, threat, ())) == ["G8", "H8", "G7"]
    assert labels(away(MEADOWS, 0, at, threat, (hex_at("F8"),))) == ["H8", "G8", "G7"]


def test_hx_7_2_a_zone_is_the_three_rows_nearest_home_without_what_is_impassable():
    assert len(zone(MEADOWS, 0)) == 48
    assert {label_of(one)[1:] for one in zone(MEADOWS, 1)} == {"1", "2", "3"}
    assert hex_at("A1") not in zone(STARTERS["the-pass"], 1)
    given = frozenset({hex_at("A1")})
    assert zone(replace(MEADOWS, zones=(frozenset(), given)), 1) == given


def test_hx_7_2_a_thicket_is_part_of_a_zone_for_those_who_can_stand_there():
    base = document(blank("Field", MapKind.BATTLE, 8, 8))
    land = parse(base | {"terrain": ["t~A.....", *["." * 8] * 7]})
    assert [hex_at(label) in zone(land, 1) for label in ("A1", "B1", "C1", "D1")] == [True, False, False, True]


def test_hx_6_2_every_enemy_beside_a_hex_counts_not_every_hex_with_enemies():
    at, threat = hex_at("H7"), hex_at("H6")
    assert labels(away(MEADOWS, 0, at, threat, (hex_at("F8"), hex_at("I9")))) == ["G8", "H8", "G7"]
    assert labels(away(MEADOWS, 0, at, threat, (hex_at("F8"), hex_at("F8"), hex_at("I9")))) == ["H8", "G8", "G7"]


def test_h_2_how_deep_a_zone_is_the_law_says():
    assert [len(zone(MEADOWS, 0, rows)) for rows in (2, 3, 5)] == [32, 48, 80]
    assert {label_of(one)[1:] for one in zone(MEADOWS, 1, 2)} == {"1", "2"}
    given = frozenset({hex_at("A1")})
    assert zone(replace(MEADOWS, zones=(frozenset(), given)), 1, 2) == given, "unless the map says where"


def test_hx_7_3_zones_never_overlap_whatever_edges_are_home():
    for homes in (("south", "west"), ("east", "north"), ("west", "east")):
        first, second = (zone(replace(MEADOWS, homes=homes), side, 4) for side in (0, 1))
        assert not first & second
        assert len(first) > 30 < len(second)


def over(start, target, overlay=None, **given):
    """The footing of a step in row 1 of a field, with terrain of a while on the hex entered."""
    base = document(blank("Field", MapKind.BATTLE, 8, 8))
    field = HexField(parse(base | {"terrain": ["b=.w|...", *["." * 8] * 7]} | given))
    return (field.laid(hex_at(target), overlay) if overlay else field).entering(hex_at(start), hex_at(target))


def test_h_1_a_step_along_a_road_is_clear_whatever_lies_there_unless_it_is_impassable():
    assert over("C1", "D1", roads=[["C1", "D1"]]) is CLEAR
    assert over("C1", "D1") is DIFFICULT
    assert over("D1", "E1", roads=[["D1", "E1"]]) is IMPASSABLE


def test_h_1_a_road_crosses_streams_and_rivers_for_nothing_and_a_bridge_counts_as_road():
    stream = [{"between": ["A1", "B1"], "obstacle": "stream"}]
    for water in ({"edges": stream}, {"rivers": [["A1", "B1"]]}):
        assert over("A1", "B1", **water) is over("B1", "A1", **water) is CLEAR
    assert over("B1", "C1", rivers=[["B1", "C1"]]) is DIFFICULT, "without a road, in battle too"
    assert over("B1", "C1", rivers=[["B1", "C1"]], roads=[["B1", "C1"]]) is CLEAR


def test_h_1_a_wall_closes_a_road_all_the_same():
    assert over("A1", "B1", edges=[{"between": ["A1", "B1"], "obstacle": "wall"}]) is IMPASSABLE


def test_h_1_an_overlay_on_the_hex_stays_in_force():
    road = [["C1", "D1"]]
    assert over("C1", "D1", "marsh", roads=road) is over("A1", "B1", "marsh") is DIFFICULT
    assert over("C1", "D1", "lake", roads=road) is over("A1", "B1", "lake") is IMPASSABLE


def test_hx_2_4_what_only_lies_over_a_map_leaves_what_stands_there():
    field = HexField(MEADOWS)
    wood, open_ground = hex_at("C3"), hex_at("A1")
    burning = field.laid(wood, "fire").laid(open_ground, "fire")
    assert [(burning.at(at).slug, burning.at(at).cover) for at in (wood, open_ground)] == [("fire", 1), ("fire", 0)]
    assert [terrain.footing for terrain in OF_A_WHILE] == [IMPASSABLE, DIFFICULT, IMPASSABLE]
    assert not {terrain.slug for terrain in OF_A_WHILE} & {terrain.slug for terrain in OF_BATTLE}
    flooded = field.laid(wood, "lake")
    assert flooded.at(wood).cover == 0, "another terrain takes its place"


def test_hx_7_3_zones_with_no_way_between_them_are_warned_of():
    assert not any(doubts(land) for land in STARTERS.values())
    split = replace(MEADOWS, terrain=(*MEADOWS.terrain[:6], "|" * 16, *MEADOWS.terrain[7:]))
    assert [str(doubt) for doubt in doubts(split)] == ["No path on foot connects the zones."]
    assert doubts(blank("Realm", MapKind.CAMPAIGN, 8, 8)) == ()


def test_h_2_a_way_is_looked_for_between_zones_as_deep_as_the_law_says():
    base = document(blank("Field", MapKind.BATTLE, 8, 10))
    land = parse(base | {"terrain": ["." * 8, "." * 8, *["." * 8] * 5, "." * 8, "~" * 8, "." * 8]})
    assert [bool(doubts(land, rows)) for rows in (1, 2, 3)] == [True, True, False]


def test_hx_2_4_terrain_of_a_while_makes_no_way_easier():
    """A mire makes a hex at least difficult: it opens no lake and no thicket."""
    base = document(blank("Field", MapKind.BATTLE, 8, 8))
    field = HexField(parse(base | {"terrain": [".~t.....", *["." * 8] * 7], "roads": [["C1", "D1"]]}))
    for label in ("A1", "B1", "C1"):
        field = field.laid(hex_at(label), "mire")
    steps = (("A2", "A1"), ("A1", "B1"), ("D1", "C1"), ("B1", "C1"))
    on = [field.entering(hex_at(start), hex_at(target)) for start, target in steps]
    assert on == [DIFFICULT, IMPASSABLE, DIFFICULT, INFILTRATION_ONLY], "along a road the thicket is only mire"
    assert [field.at(hex_at(label)).footing for label in ("A1", "B1", "C1")] == [
        DIFFICULT, IMPASSABLE, INFILTRATION_ONLY,
    ]  # fmt: skip


def test_hx_7_3_a_pocket_in_a_zone_is_no_zone_without_a_way():
    """A hex of it that is walled in, or that nobody can stand on, says nothing of the others."""
    walled = replace(MEADOWS, edges={edge(hex_at("A14"), one): "wall" for one in MEADOWS.around(hex_at("A14"))})
    assert doubts(walled) == ()
    flooded = replace(MEADOWS, terrain=(*MEADOWS.terrain[:-1], "~" + MEADOWS.terrain[-1][1:]))
    zones = tuple(frozenset(map(hex_at, some)) for some in (("A14", "B14"), ("A1", "B1")))
    assert doubts(replace(flooded, zones=zones)) == ()
    only_water = replace(flooded, zones=(frozenset({hex_at("A14")}), zones[1]))
    assert len(doubts(only_water)) == 1
