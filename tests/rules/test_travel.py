"""Marches over a map: days, the hex of each day, what it takes, refusals (PF-1.8, R-72, R-95, HX-3)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.breaking_point.ruleset import BREAKING_POINT
from rules.core.breakdown import Breakdown, Line
from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexes.geometry import hex_at, label_of, neighbours
from rules.hexes.mapfile import parse
from rules.law import Law
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from rules.pathfinder.spec import AbilityChoice, ArmySpec, BoonChoice, CommanderSpec, UnitSpec
from rules.travel import PLAIN_TRAVEL, Itinerary, MarchPace, Overland, itinerary, planned
from tests.everyday import at_most

LINES = (".........", "..w......", ".ww~~~...", "...~~~...", ".........", "..AAA....", "........P", ".........")


def lands(lines=LINES, **more):
    return parse({
        "format": "warhost-hexmap", "version": 1, "name": "Marches", "kind": "campaign", "columns": len(lines[0]),
        "rows": len(lines), "terrain": list(lines), **more,
    })  # fmt: skip


def pace(hexes: int) -> MarchPace:
    return MarchPace(Breakdown((Line("Speed", hexes, "PF-1.8"),)))


def along(path: str, hexes: int, **more) -> Itinerary:
    return itinerary(Overland(lands(**more), PLAIN_TRAVEL), [hex_at(label) for label in path.split()], pace(hexes))


def stops(march: Itinerary) -> list[str]:
    return [label_of(at) for at in march.stops]


def test_an_army_stands_each_day_where_its_speed_has_brought_it():
    march = along("A1 B1 C1 D1 E1 F1", 2)
    assert (march.days, stops(march)) == (3, ["A1", "C1", "E1", "F1"])
    assert [(line.label, line.value) for line in march.cost.lines] == [("Open hexes", 5)]


def test_a_difficult_hex_takes_two_hexes_of_speed_and_the_rest_of_a_day_is_carried_on():
    """R-72"""
    march = along("A2 B2 C2 D2 E2", 3)  # 1 + 2 + 1 + 1
    assert (march.days, stops(march)) == (2, ["A2", "C2", "E2"])
    slow = along("B2 C2 D2", 1)
    assert stops(slow) == ["B2", "B2", "C2", "D2"], "speed 1: two days a difficult hex"
    assert [(line.value, line.rule) for line in slow.cost.lines] == [(2, "HX-3"), (1, "HX-3")]


def test_by_road_every_hex_is_open_and_a_river_crossed_without_one_is_difficult():
    """R-95, HX-2.3"""
    by_road = along("B2 C2 D2", 1, roads=[["B2", "C2", "D2"]])
    assert stops(by_road) == ["B2", "C2", "D2"]
    assert [(line.label, line.value) for line in by_road.cost.lines] == [("Hexes by road", 2)]
    assert along("A1 B1", 1, rivers=[["A1", "B1"]]).days == 2
    assert along("A1 B1", 1, rivers=[["A1", "B1"]], roads=[["A1", "B1"]]).days == 1, "a bridge"


def test_the_cheapest_way_goes_round_water_and_one_of_ones_own_is_walked_step_by_step():
    """HX-3.1, HX-3.3"""
    land = Overland(lands(), PLAIN_TRAVEL)
    found = planned(land, hex_at("C3"), hex_at("G3"), pace(2))
    assert "D3" not in map(label_of, found.path)
    assert found.cost.total == 6
    longer = itinerary(land, [hex_at(at) for at in ["C3", "C2", "D1", "E1", "F1", "G1", "G2", "G3"]], pace(2))
    assert longer.cost.total > found.cost.total


@pytest.mark.parametrize(
    ("path", "why", "told"),
    [
        ("C3 D3", IllegalCommand, "Armies can’t move from C3 to D3."),
        ("A1 C1", InvalidInput, "A1 and C1 aren’t neighbors: enter every hex of the path."),
        ("A1 A0", InvalidInput, "isn’t a hex"),
        ("A1", InvalidInput, "Enter a march of at least one hex."),
        ("I1 J1", InvalidInput, "The map has no hex J1."),
    ],
)
def test_a_way_nobody_can_go_is_refused_by_the_names_of_its_hexes(path, why, told):
    with pytest.raises(why, match=told):
        along(path, 2)


def test_no_way_leads_into_water_off_the_map_or_nowhere():
    land = Overland(lands(), PLAIN_TRAVEL)
    for target, why in (("E3", IllegalCommand), ("I7", IllegalCommand), ("J1", InvalidInput), ("A1", InvalidInput)):
        with pytest.raises(why):
            planned(land, hex_at("A1"), hex_at(target), pace(2))


def test_what_somebody_has_not_seen_costs_nothing_he_could_learn():
    """HX-10.5: the same words for water, woods and open ground nobody of theirs has seen."""
    seen = frozenset(hex_at(label) for label in ["A1", "B1", "C1", "A2", "B2"])
    told = set()
    for letter in ".w~P":
        land = Overland(lands((LINES[0], f".{LINES[1][1]}{letter}......", *LINES[2:])), PLAIN_TRAVEL, seen)
        with pytest.raises(IllegalCommand) as refused:
            planned(land, hex_at("B2"), hex_at("C2"), pace(2))
        told.add(str(refused.value))
        with pytest.raises(IllegalCommand) as refused:
            itinerary(land, [hex_at("B2"), hex_at("C2")], pace(2))
        told.add(str(refused.value))
        assert set(map(label_of, land.reach(hex_at("A1"), pace(9), 9))) == {"B1", "C1", "A2", "B2"}
    assert told == {"You don’t know a path to C2. Choose another hex.", "None of your armies has seen C2."}


def spec(speed="9", *, abilities=(), commander=None, cr="4"):
    unit = UnitSpec(name="Riders", cr=cr, hit_die="d8", creature_type="humanoid", speed_m=speed,
                abilities=tuple(AbilityChoice(slug) for slug in abilities))  # fmt: skip
    return ArmySpec(id="a", name="Lances", unit=unit, count=100, commander=commander)


def test_a_forced_march_goes_half_as_far_again_and_each_day_of_it_costs_half_the_challenge_rating():
    """R-95"""
    law = COMBAT_DE_MASSE
    usual, forced = law.travel.pace(spec("9")), law.travel.pace(spec("9"), ("forced",))
    assert (usual.speed.total, forced.speed.total) == (2, 3)
    assert usual.wear.total == 0
    assert forced.wear.total == max(1, law.sheet(spec("9")).acr.floor // 2)
    assert law.travel.pace(spec("6"), ("forced",)).speed.total == 2, "one hex more at least"
    field = Overland(lands(), law.travel)
    march = itinerary(field, [hex_at(at) for at in ["A1", "B1", "C1", "D1", "E1", "F1"]], forced)
    assert (march.days, march.wear.total) == (2, 2 * forced.wear.total)


def test_who_teleports_is_in_any_hex_the_same_day_but_not_in_the_water():
    """PF-1.8"""
    law = COMBAT_DE_MASSE
    field, jump = Overland(lands(), law.travel), law.travel.pace(spec(abilities=["teleportation"]))
    found = planned(field, hex_at("A1"), hex_at("I8"), jump)
    assert (found.days, stops(found), found.cost.total) == (0, ["I8"], 0)
    assert law.travel.manners(spec(abilities=["teleportation"])) == ()
    with pytest.raises(IllegalCommand, match="Armies can’t stand in E3"):
        planned(field, hex_at("A1"), hex_at("E3"), jump)


def test_living_off_the_land_halves_the_pace_where_a_commander_knows_how():
    """PF-2.9"""
    forager = CommanderSpec(id="c", name="Bo", level=9, charisma_modifier=3, soldier_ranks=9,
                            boons=(BoonChoice("live-off-the-land"),))  # fmt: skip
    law = COMBAT_DE_MASSE.travel
    assert [manner.slug for manner in law.manners(spec(commander=forager))] == ["forced", "land"]
    assert [manner.slug for manner in law.manners(spec())] == ["forced"]
    assert law.pace(spec("12", commander=forager), ("land",)).speed.total == 1


def test_the_second_law_goes_as_far_a_day_as_its_campaign_says_and_others_two_hexes():
    """B-69"""
    assert BREAKING_POINT.travel.pace({}).speed.total == 2
    assert BREAKING_POINT.with_house({"march": 5}).travel.pace({}).speed.total == 5
    assert Law.travel.fget(BREAKING_POINT) is PLAIN_TRAVEL


@given(st.data())
@settings(max_examples=at_most(40, full=300), deadline=None)
def test_every_day_of_a_march_lies_on_its_way_and_no_day_goes_further_than_it_may(data):
    rows = data.draw(st.lists(st.text(".w^", min_size=9, max_size=9), min_size=9, max_size=9))
    field, hexes = lands(tuple(rows)), [hex_at("E5")]
    for _step in range(data.draw(st.integers(1, 12))):
        hexes.append(data.draw(st.sampled_from([at for at in neighbours(hexes[-1]) if at in field])))
    speed = data.draw(st.integers(1, 4))
    march = itinerary(Overland(field, PLAIN_TRAVEL), hexes, pace(speed))
    assert len(march.stops) == march.days + 1
    assert (march.stops[0], march.stops[-1]) == (hexes[0], hexes[-1])
    if len(set(hexes)) == len(hexes):
        places = [hexes.index(at) for at in march.stops]
        assert places == sorted(places)
        spent = [sum(step.points for step in march.steps[:place]) for place in places]
        assert all(total <= speed * day for day, total in enumerate(spent))
        assert all(later - earlier <= speed + 1 for earlier, later in pairwise(spent))
