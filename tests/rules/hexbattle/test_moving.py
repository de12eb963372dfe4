"""Moving over the ground: costs, reach, paths, refusals, stumbling on unseen enemies (HX-3, H-1, H-9, H-10)."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexbattle.ground import BattleGround, apart
from rules.hexbattle.moving import (
    DISTANCES_MOST,
    FLYING,
    Gait,
    Mover,
    Way,
    distances,
    reach,
    route,
    steps_of,
    walk,
    walked,
    way_of,
)
from rules.hexes.battlefields import STARTERS
from rules.hexes.geometry import hex_at, label_of
from rules.hexes.mapfile import HexMap, by_road, document, entering
from rules.hexes.terrain import BY_SLUG, MapKind
from tests.everyday import at_most
from tests.rules.hexbattle.conftest import field_map
from tests.rules.hexes.strategies import maps

ON_FOOT = Gait(difficult=2)
HALTED = Gait(difficult=1, halts=frozenset({"difficult"}))
PLAIN = BattleGround(field_map())
FORD = BattleGround.of(STARTERS["the-ford"])


def refused(kind, *path, mover=None, start="C5", ground=PLAIN):
    with pytest.raises(kind) as refusal:
        walked(ground, mover or Mover(ON_FOOT, 3), start, path)
    return refusal.value.field, str(refusal.value)


def test_hx_3_4_reach_costs_what_the_hexes_entered_cost():
    near = reach(PLAIN, Mover(ON_FOOT, 1), "C5")
    assert near == {"C4": 1, "B4": 1, "B5": 1, "C5": 0, "D5": 1, "B6": 1, "C6": 1}
    assert list(near) == [at for at in PLAIN.labels if at in near], "in reading order"


def test_hx_3_1_closed_held_and_halting_hexes():
    mover = Mover(ON_FOOT, 4, closed=frozenset({"D5"}), held=frozenset({"B5"}), halts=frozenset({"C4", "C6"}))
    found = reach(PLAIN, mover, "C5")
    assert "D5" not in found
    assert "B5" not in found
    assert found["A5"] == 2, "held hexes are passed"
    assert found["C4"] == 1
    assert found["D3"] == 3, "not through C4, which ends the move"


def test_h_1_a_law_may_halt_on_difficult_ground_a_stream_included():
    stream = BattleGround(field_map(edges=[{"between": ["C5", "D5"], "obstacle": "stream"}]))
    near = reach(stream, Mover(HALTED, 2), "C5")
    assert (near["D5"], "E5" in near) == (1, False), "across the stream the move ends"
    assert reach(stream, Mover(HALTED, 3), "C5")["E5"] == 3, "round the stream"
    assert route(stream, Mover(HALTED, 3), "C5", "D5") == Way(("C5", "D5"), (0, 1))


def test_t_25_a_whole_move_along_a_road():
    road = Gait(road=True)
    assert reach(FORD, Mover(road, 2), "H4") == {"H2": 2, "H3": 1, "H4": 0, "H5": 1, "H6": 2}
    assert reach(FORD, Mover(road, 9), "A1") == {"A1": 0}


def test_a_flyer_pays_one_a_hex_over_everything():
    walled = BattleGround(field_map(edges=[{"between": ["C5", "D5"], "obstacle": "wall"}]))
    assert reach(walled, Mover(FLYING, 1), "C5")["D5"] == 1
    assert "D5" not in reach(walled, Mover(ON_FOOT, 1), "C5")
    assert reach(FORD, Mover(FLYING, 2), "B7")["B9"] == 2
    assert "B9" not in reach(FORD, Mover(ON_FOOT, 2), "B7")


def test_hx_2_4_terrain_laid_over_a_hex_counts_while_it_lies_there():
    mired = PLAIN.laid({"D5": "marsh", "B5": "lake"})
    found = reach(mired, Mover(ON_FOOT, 2), "C5")
    assert found["D5"] == 2
    assert "B5" not in found
    assert reach(mired.laid({}), Mover(ON_FOOT, 2), "C5")["B5"] == 1


def test_distances_count_the_ground_whoever_stands_there():
    far = distances(FORD, ON_FOOT, "A7")
    assert [far[at] for at in ("C8", "C9", "A9", "H9", "P7", "P9")] == [5, 6, 9, 10, 16, 18]
    assert "B8" not in far
    assert distances(FORD, ON_FOOT, "A7") is far
    assert distances(FORD, FLYING, "A7")["B8"] == 2


def test_w_32_units_in_the_reserve_enter_by_a_hex_that_is_paid():
    mover = Mover(ON_FOOT, 2, entry=frozenset({"A10", "B10"}), closed=frozenset({"B10"}))
    found = reach(PLAIN, mover, "")
    assert found == {"A9": 2, "B9": 2, "A10": 1}
    assert route(PLAIN, mover, "", "A9") == Way(("", "A10", "A9"), (0, 1, 2))
    assert walked(PLAIN, mover, "", ("A10", "A9")).cost == 2
    field, text = refused(IllegalCommand, "A9", mover=mover, start="")
    assert (field, text) == ("/path/0", "Units can’t enter the map at A9. Choose one of the unit’s entry hexes.")


def test_hx_3_3_a_path_of_ones_own_is_checked_step_by_step():
    assert walked(PLAIN, Mover(ON_FOOT, 3), "C5", ("D5", "E5")) == Way(("C5", "D5", "E5"), (0, 1, 2))
    assert walked(PLAIN, Mover(ON_FOOT, 3), "C5", ("c5", "d5")) == Way(("C5", "D5"), (0, 1)), "the start may be named"
    assert refused(InvalidInput, "D5", "F5") == ("/path/1", "F5 isn’t next to D5. Enter every hex of the path.")
    assert refused(InvalidInput, "C5", "E5") == ("/path/1", "E5 isn’t next to C5. Enter every hex of the path.")
    assert refused(InvalidInput, "D5", "Z99") == ("/path/1", "Z99 isn’t on the map.")
    assert refused(InvalidInput, "D5", "what?")[0] == "/path/1"
    assert refused(IllegalCommand, "D5", "E5", "F5", "G5")[1] == "The path costs 4 points; the unit has 3."


def test_hx_3_3_a_path_may_not_go_where_the_unit_cannot():
    mover = Mover(ON_FOOT, 3, frozenset({"D5"}), frozenset({"B5"}), frozenset({"C4"}))
    assert refused(IllegalCommand, "D5", mover=mover) == ("/path/0", "The unit can’t enter D5.")
    assert refused(IllegalCommand, "B5", mover=mover)[1] == "The unit can’t end its move on B5. Choose another hex."
    assert refused(IllegalCommand, "C4", "D4", mover=mover) == ("/path/0", "The unit has to end its move on C4.")
    assert refused(IllegalCommand, "B8", start="B7", ground=FORD) == ("/path/0", "The unit can’t enter B8.")


def test_h_10_to_stands_for_the_cheapest_path():
    mover = Mover(ON_FOOT, 3)
    assert way_of(PLAIN, mover, "C5", to="D3") == route(PLAIN, mover, "C5", "D3")
    assert way_of(PLAIN, mover, "C5") == Way(("C5",), (0,))
    with pytest.raises(IllegalCommand, match="can’t reach J1 this turn"):
        way_of(PLAIN, mover, "C5", to="J1")
    with pytest.raises(InvalidInput, match="Z99 isn’t on the map"):
        way_of(PLAIN, mover, "C5", to="Z99")


def along(*path, mover=None, unseen=None, spotted=None, halting=None):
    mover = mover or Mover(ON_FOOT, 5)
    way = walked(PLAIN, mover, path[0], path[1:])
    return walk(PLAIN, mover, way, unseen=unseen or {}, spotted=spotted or (lambda at: ()), halting=halting)


def test_h_9_who_stumbles_stops_before_the_unseen_enemy_and_keeps_its_points():
    done = along("B5", "C5", "D5", "E5", unseen={"D5": "x"})
    assert (done.way.hexes, done.found, done.stumbled, done.left) == (("B5", "C5"), (("x", 1),), True, 4)
    still = along("B5", "C5", unseen={"C5": "x"})
    assert (still.way.hexes, still.found, still.left) == (("B5",), (("x", 0),), 5)


def test_w_54_who_is_stopped_on_a_friends_hex_falls_back_to_the_last_it_may_hold():
    mover = Mover(ON_FOOT, 5, held=frozenset({"C5", "D5"}))
    done = along("B5", "C5", "D5", "E5", "F5", mover=mover, unseen={"E5": "x"})
    assert (done.way.hexes, done.left) == (("B5",), 5)


def test_h_9_who_comes_beside_an_enemy_revealed_on_its_way_stops_there_unless_it_is_the_last_hex():
    def spotted(at):
        return ("x",) if at in ("D5", "E5") else ()

    unseen = {"E4": "x"}  # beside E5 and F5
    done = along("B5", "C5", "D5", "E5", "F5", unseen=unseen, spotted=spotted)
    assert (done.way.end, done.found, done.stumbled) == ("E5", (("x", 2),), True)
    last = along("B5", "C5", "D5", "E5", unseen=unseen, spotted=spotted)
    assert (last.way.end, last.stumbled, last.left) == ("E5", False, 2)
    routed = along("B5", "C5", "D5", "E5", "F5", unseen=unseen, spotted=spotted, halting={})
    assert (routed.way.end, routed.stumbled) == ("F5", False), "who does not halt others stops nobody"


# Against brute force


def brute(ground: BattleGround, mover: Mover, start: str):
    """Every path of the cheapest kind, hex by hex: (cost by hex, whether one may go on)."""
    land: HexMap = ground.land
    labels = {label_of(at): at for at in land}

    def step(a, b):
        if mover.gait.air:
            return mover.gait.clear, False
        laid = ground.overlays.get(b)
        terrain = BY_SLUG[MapKind.BATTLE][laid] if laid else None
        if mover.gait.road and not by_road(land, labels[a], labels[b]):
            return 0, False
        footing = entering(land, labels[a], labels[b], terrain)
        return getattr(mover.gait, footing.value), footing.value in mover.gait.halts

    best: dict[tuple[str, bool], int] = {(start, True): 0}
    for _round in range(mover.points):
        for (at, goes_on), cost in list(best.items()):
            for near in land.around(labels[at]) if goes_on else ():
                there = label_of(near)
                price, halts = step(at, there)
                on = not (halts or there in mover.halts)
                total = cost + price
                if price and there not in mover.closed and total <= mover.points:
                    best[there, on] = min(total, best.get((there, on), total))
    ends: dict[str, int] = {}
    for (at, _on), cost in best.items():
        if at == start or at not in mover.held:
            ends[at] = min(cost, ends.get(at, cost))
    return ends


@st.composite
def moves(draw):
    land = draw(maps(kinds=(MapKind.BATTLE,)))
    labels = [label_of(at) for at in land]
    some = st.frozensets(st.sampled_from(labels), max_size=8)
    overlays = draw(st.dictionaries(st.sampled_from(labels), st.sampled_from(["marsh", "lake", "open"]), max_size=5))
    gait = draw(st.sampled_from([ON_FOOT, HALTED, FLYING, Gait(road=True), Gait(infiltration_only=2, difficult=2)]))
    mover = Mover(gait, draw(st.integers(0, 6)), draw(some), draw(some), draw(some))
    return BattleGround(document(land), overlays), mover, draw(st.sampled_from(labels))


@settings(max_examples=at_most(30, full=300), deadline=None)
@given(moves())
def test_reach_equals_brute_force(move):
    ground, mover, start = move
    assert reach(ground, mover, start) == brute(ground, mover, start)


@settings(max_examples=at_most(20, full=200), deadline=None)
@given(moves())
def test_every_hex_in_reach_has_a_path_that_is_accepted_at_that_cost(move):
    ground, mover, start = move
    for at, cost in reach(ground, mover, start).items():
        way = route(ground, mover, start, at)
        assert way is not None
        assert way.cost == cost
        assert walked(ground, mover, start, way.hexes) == way
        assert all(b in ground.around(a) for a, b in pairwise(way.hexes))


@settings(max_examples=at_most(15, full=100), deadline=None)
@given(moves())
def test_steps_are_priced_as_the_map_says(move):
    ground, mover, _start = move
    steps = steps_of(ground, mover.gait)
    for at in ground.labels[:40]:
        for near in ground.around(at):
            price = steps.price(ground.numbers[at], ground.numbers[near])
            footing = ground.field.entering(hex_at(at), hex_at(near))
            if not (mover.gait.air or mover.gait.road):
                assert price == mover.gait.price(footing)


def test_within_is_what_the_distance_says():
    ground = BattleGround(FORD.document)
    for at in (*ground.labels[:3], *ground.labels[-3:], ground.labels[len(ground.labels) // 2 + 3]):
        for far in (0, 1, 2, 5):
            assert ground.within(at, far) == {one for one in ground.labels if apart(one, at) <= far}


def test_a_ground_remembers_no_more_than_so_much():
    ground = BattleGround(FORD.document)
    asked: list[int] = []

    def found(number: int) -> int:
        return ground.kept("squares", number, lambda: asked.append(number) or number**2, 3)

    assert [found(number) for number in (1, 2, 3, 1, 4, 1)] == [1, 4, 9, 1, 16, 1]
    assert asked == [1, 2, 3, 4, 1], "all are forgotten where there is no room"
    for at in ground.labels:
        distances(ground, ON_FOOT, at)
    assert len(ground.memo["distances"]) <= DISTANCES_MOST < len(ground.labels)
