"""Hexes, marches and planned lines against a second, independent reading of their texts."""

from __future__ import annotations

import ast
import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingdom.models.calendar import Calendar, Month
from rules import realm
from rules.core.breakdown import Breakdown, Line
from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexes import geometry, paths
from rules.hexes import paths as sight
from rules.hexes.field import HexField
from rules.hexes.geometry import Hex
from rules.hexes.mapfile import HexMap, entering, parse, read, written
from rules.hexes.terrain import Footing
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from rules.pathfinder.spec import ArmySpec, BoonChoice, CommanderSpec, UnitSpec
from rules.travel import PLAIN_TRAVEL, MarchPace, Overland, itinerary
from rules.travel import planned as planned_march
from tests.everyday import at_most
from tests.rules.hexes import second_reading
from tests.rules.hexes.second_reading import ground, marches, purse, ways
from tests.rules.hexes.second_reading.drawing import documents, walks

HERE = Path(second_reading.__file__).parent
AT_THE_TABLE = {"drawing.py"}
PRICES = {"clear": 1, "difficult": 2}
few = settings(max_examples=at_most(8, full=600), deadline=None)
places = st.tuples(st.integers(-60, 60), st.integers(-60, 60))


def both(document: dict[str, Any]) -> tuple[HexMap, ground.Land]:
    return parse(document), ground.Land(document)


def pace(hexes: int) -> MarchPace:
    return MarchPace(Breakdown((Line("Speed", hexes, "PF-1.8"),)))


# Geometry


@given(places, places)
@few
def test_hx_1_distance_neighbours_and_names(a, b):
    assert geometry.distance(Hex(*a), Hex(*b)) == ground.apart(a, b)
    assert [tuple(at) for at in geometry.neighbours(Hex(*a))] == ground.ring(a)
    assert geometry.touch(Hex(*a), Hex(*b)) == (ground.apart(a, b) == 1)


@given(st.integers(0, 800), st.integers(0, 200))
@few
def test_hx_1_3_what_people_call_a_hex(column, row):
    at = (column - row // 2, row)
    label = ground.name(at)
    assert (geometry.label_of(Hex(*at)), tuple(geometry.hex_at(label)), ground.place(label)) == (label, at, at)


# Ways


@given(st.data())
@few
def test_hx_2_1_and_2_3_how_one_gets_on_a_field_of_battle(data):
    field, land = both(data.draw(documents("battle")))
    for at in land.letters:
        assert (field.at(Hex(*at)).letter, field.height(Hex(*at))) == (land.letters[at], land.ground(at))
        assert [tuple(near) for near in field.around(Hex(*at))] == land.around(at)
        for near in land.around(at):
            assert entering(field, Hex(*at), Hex(*near)).value == land.footing(at, near), (at, near)


@given(st.data())
@few
def test_hx_3_the_cheapest_way_and_its_line(data):
    field, land = both(data.draw(documents("battle")))
    some = st.sampled_from(sorted(land.letters))
    start, target = data.draw(some), data.draw(some)
    closed = {data.draw(some) for _ in range(data.draw(st.sampled_from([0, 6])))}
    costs = paths.costs_on_foot(field, {Footing(slug): points for slug, points in PRICES.items()})
    found = paths.path(costs, Hex(*start), Hex(*target), halts=lambda at: tuple(at) in closed)
    read_so = ways.way(land, start, target, lambda a, b: PRICES.get(land.footing(a, b)), closed)
    assert (found and (found.cost, [tuple(at) for at in found.hexes])) == read_so


@given(st.data())
@few
def test_hx_3_4_what_lies_within_reach(data):
    field, land = both(data.draw(documents("battle")))
    some = st.sampled_from(sorted(land.letters))
    start, points = data.draw(some), data.draw(st.integers(0, 9))
    halts, shut = ({data.draw(some) for _ in range(6)} for _ in range(2))
    costs = paths.costs_on_foot(field, {Footing(slug): points for slug, points in PRICES.items()})
    found = paths.reach(
        costs, Hex(*start), points,
        may_stop=lambda at: tuple(at) not in halts | shut, may_pass=lambda at: tuple(at) not in shut,
    )  # fmt: skip
    read_so = ways.reach(land, start, points, lambda a, b: PRICES.get(land.footing(a, b)), halts, shut)
    assert {tuple(at): spent for at, spent in found.items()} == read_so


@given(st.data())
@few
def test_hx_3_3_a_way_of_ones_own(data):
    field, land = both(data.draw(documents("battle")))
    walk = data.draw(walks(sorted(land.letters), 8))
    steps = [PRICES.get(land.footing(a, b)) for a, b in pairwise(walk)]
    costs = paths.costs_on_foot(field, {Footing(slug): points for slug, points in PRICES.items()})
    if None in steps:
        with pytest.raises(InvalidInput):
            paths.walked(costs, [Hex(*at) for at in walk])
    else:
        assert paths.walked(costs, [Hex(*at) for at in walk]) == sum(step for step in steps if step)


# Sight


@given(st.data())
@few
def test_hx_5_sight(data):
    field, land = both(data.draw(documents("battle")))
    some = st.sampled_from(sorted(land.letters))
    grove = {data.draw(some) for _ in range(data.draw(st.integers(0, 3)))}
    for _look in range(12):
        a, b, flying = data.draw(some), data.draw(some), data.draw(st.tuples(st.booleans(), st.booleans()))
        seen = sight.sees(field, Hex(*a), Hex(*b), flying=flying, blocks=lambda at: tuple(at) in grove)
        assert seen == ground.sees(land, a, b, flying, grove), (a, b, flying)


# What the comparison found, each held by a map of its own


def plain(kind: str = "battle", **more: Any) -> HexMap:
    return parse({"format": "warhost-hexmap", "version": 1, "name": "x", "kind": kind, "columns": 8, "rows": 8,
                  "terrain": ["." * 8] * 8, **more})  # fmt: skip


@pytest.mark.parametrize("start, target", [("A1", "A3"), ("H2", "H4")])
def test_hx_5_3_along_the_edge_of_a_map_a_line_may_leave_it_and_nothing_stands_there(start, target):
    """In the west it met the terrain of the eastern edge, in the east there was none to ask for."""
    field = plain(terrain=["AAAAAAAA"] * 8, heights={start: 0, target: 0})
    assert sight.sees(field, geometry.hex_at(start), geometry.hex_at(target))
    assert sight.sees(HexField(field), geometry.hex_at(start), geometry.hex_at(target))


def test_r84_a_road_leads_through_a_thicket_but_through_no_wall_and_over_no_water():
    field = plain(terrain=["." * 8, ".t~....."] + ["." * 8] * 6, roads=[["A2", "B2", "C2"], ["A1", "B1"]],
                  edges=[{"between": ["A1", "B1"], "obstacle": "wall"}])  # fmt: skip
    on = [entering(field, *map(geometry.hex_at, step)) for step in (("A2", "B2"), ("B2", "C2"), ("A1", "B1"))]
    assert on == [Footing.CLEAR, Footing.IMPASSABLE, Footing.IMPASSABLE]


# Files


@given(st.sampled_from(["battle", "campaign"]).flatmap(documents), st.randoms())
@few
def test_hx_7_4_a_file_read_in_and_written_again_says_the_same_to_the_byte(document, random):
    shuffled = dict(random.sample(list(document.items()), len(document)), own={"z": 1, "a": [2]})
    once = written(parse(shuffled))
    assert written(read(once)) == once
    said, meant = ground.Land(json.loads(once)), ground.Land(document)
    assert vars(said) == vars(meant)
    assert json.loads(once)["own"] == {"z": 1, "a": [2]}
    order = ["format", "version", "name", "kind", "columns", "rows", "terrain", "legend", "heights", "edges", "roads",
             "rivers", "labels", "homes", "zones", "credits", "own"]  # fmt: skip
    keys = list(json.loads(once))
    assert keys == [key for key in order if key in keys]
    assert all(value not in ([], {}, "") for value in json.loads(once).values())


SPOILT = {
    "row of the wrong length": (lambda d: d["terrain"].__setitem__(3, d["terrain"][3][:-1]), "/terrain/3"),
    "unknown letter": (lambda d: d["terrain"].__setitem__(2, "?" + d["terrain"][2][1:]), "/terrain/2"),
    "a row too few": (lambda d: d["terrain"].pop(), "/terrain"),
    "height out of bounds": (lambda d: d.__setitem__("heights", {"B2": 4}), "/heights/B2"),
    "height that is no number": (lambda d: d.__setitem__("heights", {"B2": True}), "/heights/B2"),
    "height off the map": (lambda d: d.__setitem__("heights", {"Z99": 1}), "/heights/Z99"),
    "edge between strangers": (
        lambda d: d.__setitem__("edges", [{"between": ["A1", "C3"], "obstacle": "wall"}]), "/edges/0/between"),
    "unknown obstacle": (
        lambda d: d.__setitem__("edges", [{"between": ["A1", "B1"], "obstacle": "hedge"}]), "/edges/0/obstacle"),
    "road that jumps": (lambda d: d.__setitem__("roads", [["A1", "B1", "D4"]]), "/roads/0"),
    "river off the map": (lambda d: d.__setitem__("rivers", [["A1", "A0"]]), "/rivers/0"),
    "label off the map": (lambda d: d.__setitem__("labels", {"Z1": "Far"}), "/labels/Z1"),
    "too small": (lambda d: d.update(columns=7, terrain=[row[:7] for row in d["terrain"]]), "/columns"),
    "another format": (lambda d: d.__setitem__("format", "other"), "/format"),
    "another version": (lambda d: d.__setitem__("version", 2), "/version"),
    "zones that overlap": (lambda d: d.__setitem__("zones", [["A1", "B1"], ["B1", "C1"]]), "/zones"),
    "unknown legend": (lambda d: d.__setitem__("legend", {"x": "cheese"}), "/legend/x"),
}  # fmt: skip


@pytest.mark.parametrize("fault", SPOILT)
@pytest.mark.parametrize("kind", ["battle", "campaign"])
def test_hx_7_3_what_is_wrong_with_a_file_is_refused_where_it_stands(fault, kind):
    spoil, pointer = SPOILT[fault]
    document = {"format": "warhost-hexmap", "version": 1, "name": "x", "kind": kind, "columns": 8, "rows": 9,
                "terrain": ["." * 8] * 9}  # fmt: skip
    document = json.loads(json.dumps(document))
    parse(json.loads(json.dumps(document)))
    spoil(document)
    with pytest.raises(InvalidInput) as refused:
        parse(document)
    assert any(at.startswith(pointer) for at, _said in refused.value.errors), refused.value.errors


# Marches


@given(st.data())
@few
def test_r72_r84_the_cheapest_march_and_where_it_stands_each_day(data):
    field, land = both(data.draw(documents("campaign")))
    some = st.sampled_from(sorted(land.letters))
    start, target, speed = data.draw(some), data.draw(some), data.draw(st.integers(1, 6))
    known = data.draw(st.none() | st.sets(some, min_size=10))
    over = Overland(field, PLAIN_TRAVEL, None if known is None else frozenset(Hex(*at) for at in known))

    def toll(a, b):
        return marches.toll(land, a, b) if known is None or b in known else None

    way = ways.way(land, start, target, toll)
    if way is None or start == target:
        with pytest.raises((IllegalCommand, InvalidInput)):
            planned_march(over, Hex(*start), Hex(*target), pace(speed))
        return
    march = planned_march(over, Hex(*start), Hex(*target), pace(speed))
    cost, path = way
    assert (march.cost.total, [tuple(at) for at in march.path]) == (cost, path)
    tolls = [toll(a, b) for a, b in pairwise(path)]
    stood = marches.stops(path, tolls, speed)
    assert [tuple(at) for at in march.stops] == stood
    assert march.days == len(stood) - 1
    days = data.draw(st.integers(1, 4))
    far = ways.costs_from(land, start, toll)
    within = {at: -(-spent // speed) for at, spent in far.items() if 0 < spent <= speed * days}
    assert {tuple(at): day for at, day in over.reach(Hex(*start), pace(speed), days).items()} == within


@given(st.data())
@few
def test_hx_3_3_a_march_along_a_way_of_ones_own(data):
    field, land = both(data.draw(documents("campaign")))
    walk, speed = data.draw(walks(sorted(land.letters), 12)), data.draw(st.integers(1, 4))
    tolls = [marches.toll(land, a, b) for a, b in pairwise(walk)]
    over, hexes = Overland(field, PLAIN_TRAVEL), [Hex(*at) for at in walk]
    if None in tolls:
        with pytest.raises(IllegalCommand):
            itinerary(over, hexes, pace(speed))
        return
    march = itinerary(over, hexes, pace(speed))
    assert [step.points for step in march.steps] == tolls
    assert [tuple(at) for at in march.stops] == marches.stops(walk, tolls, speed)


FORAGER = CommanderSpec(id="c", name="Bo", level=9, charisma_modifier=3, soldier_ranks=9,
                        boons=(BoonChoice("live-off-the-land"),))  # fmt: skip
manners = st.lists(st.sampled_from(["forced", "land"]), unique=True)


@given(st.sampled_from(["1", "3", "4.5", "6", "9", "10.5", "12", "15", "18", "24", "31.5", "45", "60"]), manners,
       st.sampled_from(["1/8", "1/2", "1", "2", "5", "7", "20"]), st.sampled_from([25, 100, 500]))  # fmt: skip
@few
def test_pf_1_8_pf_2_9_r84_hexes_a_day_and_what_a_forced_one_costs(metres, manner, cr, count):
    unit = UnitSpec(name="Riders", cr=cr, hit_die="d8", creature_type="humanoid", speed_m=metres)
    army = ArmySpec(id="a", name="Lances", unit=unit, count=count, commander=FORAGER)
    try:
        rating = COMBAT_DE_MASSE.sheet(army).acr.exact
    except InvalidInput:
        return
    gone = COMBAT_DE_MASSE.travel.pace(army, manner)
    forced = "forced" in manner
    assert gone.speed.total == marches.hexes_a_day(metres, land="land" in manner, forced=forced)
    assert gone.wear.total == (marches.wear_a_day(Fraction(rating)) if forced else 0)


# The purse

lines = st.lists(
    st.builds(purse.Line, st.sampled_from(["Taxes", "Wages", "Tribute"]),
              st.integers(-9, 9).filter(bool), st.sampled_from(["week", "month"]), st.integers(0, 90),
              st.none() | st.integers(1, 300)),
    max_size=5,
)  # fmt: skip


@given(st.lists(st.integers(1, 40), min_size=1, max_size=5), st.data())
@few
def test_months_and_planned_lines_day_by_day(lengths, data):
    month = data.draw(st.integers(1, len(lengths)))
    day = data.draw(st.integers(1, lengths[month - 1]))
    months = purse.months_of(lengths, month, day, 400)
    named = Calendar(tuple(Month(f"M{number}", length) for number, length in enumerate(lengths)), month=month, day=day)
    assert list(named.month_starts(0, 400)) == months
    drawn, since, days = data.draw(lines), data.draw(st.integers(0, 200)), data.draw(st.integers(0, 200))
    kept = tuple(
        realm.PlannedLine(str(number), one.name, one.amount, one.every, one.since, one.until)
        for number, one in enumerate(drawn)
    )
    fell = [
        (today, line.name, line.amount)
        for today in range(since + 1, since + days + 1)
        for line in realm.falling(kept, today, month=today in months)
    ]
    assert fell == purse.entered(drawn, since, since + days, months)
    assert realm.sum_between(kept, since, since + days, months) == sum(amount for _day, _name, amount in fell)
    for one, line in zip(drawn, kept, strict=True):
        begins = next(at for at in months if at > since) if months and months[-1] > since else None
        if begins is not None:
            ahead = [at for at in range(since + 1, max(begins, since + 7) + 400) if purse.falls(one, at, months)]
            wanted = next((at for at in ahead if one.every == "week" or at == begins), None)
            assert line.next_day(since, begins) == wanted, (one, since, begins)


def test_the_second_reading_shares_no_code_with_the_first():
    for path in HERE.glob("*.py"):
        if path.name in AT_THE_TABLE:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            assert not {name.split(".")[0] for name in names} & {"rules", "armies", "kingdom", "hypothesis"}, path.name
            assert "drawing" not in names, path.name
