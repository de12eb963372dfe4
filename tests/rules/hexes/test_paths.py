"""Ways over a map and what can be reached (HX-3, HX-4)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.hexes.battlefields import STARTERS
from rules.hexes.geometry import Hex, distance, hex_at, label_of
from rules.hexes.mapfile import HexMap, blank, entering
from rules.hexes.paths import FAR, Path, costs_by, costs_on_foot, mesh, path, reach, tranches, walked
from rules.hexes.terrain import CLEAR, DIFFICULT, INFILTRATION_ONLY, MapKind
from tests.everyday import at_most
from tests.rules.hexes.strategies import discs, maps

WC = {CLEAR: 1, DIFFICULT: 2}


def corridor(letters, **costs):
    """Costs in one row of ten hexes, and what each takes from the first."""
    land = blank("Corridor", MapKind.BATTLE, 10, 8)

    def cost(start, target):
        return costs.get(letters[target.q]) if target.r == 0 else None

    far = reach(costs_by(land, cost), Hex(0, 0), FAR)
    return [far.get(Hex(q, 0)) for q in range(10)]


def test_hx_3_1_the_cost_is_of_the_hexes_entered():
    assert corridor("ccdccddccc", c=1, d=2) == [0, 1, 3, 4, 5, 7, 9, 10, 11, 12]
    assert corridor("ccdccddccc", c=1, d=1) == list(range(10))


def test_hx_3_1_what_only_some_can_enter():
    assert corridor("ccdciiccxc", c=1, d=2) == [0, 1, 3, 4] + [None] * 6
    assert corridor("ccdciiccxc", c=1, d=2, i=2) == [0, 1, 3, 4, 6, 8, 9, 10, None, None]
    assert corridor("ccdciiccxc", c=1, d=1, i=1, x=1) == list(range(10))


def shifted(closed, difficult):
    """A field around (0, 0), which lies in its middle: costs from there."""
    land, middle = blank("Field", MapKind.BATTLE, 20, 20), hex_at("J10")

    def cost(start, target):
        at = (target.q - middle.q, target.r - middle.r)
        return None if at in closed else 2 if at in difficult else 1

    found = path(costs_by(land, cost), middle, Hex(middle.q + 4, middle.r))
    assert found is not None
    return found


def test_hx_3_1_round_what_is_difficult_and_round_a_wall():
    round_them = shifted((), {(1, 0), (2, 0), (3, 0)})
    assert round_them.cost == len(round_them.hexes) - 1 == 5
    assert shifted({(2, r) for r in range(-3, 4)}, ()).cost == 10


@pytest.mark.parametrize(
    ("field", "start", "target", "cost"),
    [
        ("the-ford", "A7", "C8", 5), ("the-ford", "A7", "C9", 6), ("the-ford", "A7", "A9", 9),
        ("the-ford", "A7", "H9", 10), ("the-ford", "A7", "P7", 16), ("the-ford", "A7", "P9", 18),
        ("the-ford", "A7", "B8", None), ("the-ford", "H1", "I15", 14),
        ("meadows", "I1", "I14", 13), ("the-pass", "C4", "C11", 10),
    ],
)  # fmt: skip
def test_hx_t_6_ways_over_the_starter_maps(field, start, target, cost):
    found = path(costs_on_foot(STARTERS[field], WC), hex_at(start), hex_at(target))
    assert (found and found.cost) == cost


def test_hx_3_2_of_equal_paths_the_same_in_every_replay():
    land = costs_on_foot(blank("Plain", MapKind.BATTLE, 10, 10), WC)
    found = path(land, hex_at("B2"), hex_at("D4"))
    assert found == Path(3, tuple(map(hex_at, ("B2", "C2", "D3", "D4"))))
    assert path(land, hex_at("B2"), hex_at("B2")) == Path(0, (hex_at("B2"),))
    assert path(land, hex_at("B2"), hex_at("Z9")) is None


def test_hx_3_1_what_halts_may_be_entered_but_not_gone_on_from():
    land = costs_on_foot(blank("Plain", MapKind.BATTLE, 10, 10), WC)
    column = {Hex(hex_at("D1").q - row // 2, row) for row in range(9)}

    def halts(at):
        return at in column or at == hex_at("A1")

    to_it, past_it = (path(land, hex_at("A1"), hex_at(label), halts=halts) for label in ("D1", "F1"))
    assert (to_it.cost, past_it.cost) == (3, 19)
    assert not column & set(past_it.hexes)


def test_hx_3_4_what_can_be_reached_and_what_only_passed():
    land, start, friend = costs_on_foot(blank("Plain", MapKind.BATTLE, 10, 10), WC), hex_at("A1"), hex_at("B1")
    assert reach(land, hex_at("E5"), 2) == {at: distance(at, hex_at("E5")) for at in reach(land, hex_at("E5"), 2)}
    assert len(reach(land, hex_at("E5"), 2)) == 19
    passed = reach(land, start, 2, may_stop=lambda at: at != friend)
    assert friend not in passed
    assert passed[hex_at("C1")] == 2
    stopped = reach(land, start, 2, may_pass=lambda at: at != friend)
    assert (stopped[friend], hex_at("C1") in stopped) == (1, False)


def test_hx_3_3_a_path_of_ones_own_may_cost_more():
    land = costs_on_foot(STARTERS["meadows"], WC)
    assert walked(land, [hex_at(label) for label in ("B2", "B3", "C3", "C4")]) == 5
    for labels, fault in (
        (("B2", "D2"), "aren’t neighbors"), (("A1", "A0"), "isn’t a hex"), (("P1", "Q1"), "off the map"),
    ):  # fmt: skip
        with pytest.raises(InvalidInput, match=fault):
            walked(land, [hex_at(label) for label in labels])
    with pytest.raises(InvalidInput, match="No path leads from A7 to A8"):
        walked(costs_on_foot(STARTERS["the-ford"], WC), [hex_at("A7"), hex_at("A8")])


def test_hx_4_full_tranches():
    assert [tranches(cost, 4) for cost in (0, 3, 4, 11)] == [0, 0, 1, 2]


def test_pf_1_8_roads_rivers_and_what_infiltrates_are_priced_alike_by_table_and_by_step():
    ford = STARTERS["the-pass"]
    assert path(costs_on_foot(ford, WC), hex_at("E5"), hex_at("C5")) is None
    assert path(costs_on_foot(ford, WC | {INFILTRATION_ONLY: 2}), hex_at("E5"), hex_at("C5")).cost == 4


@pytest.mark.parametrize(("columns", "rows"), [(8, 8), (9, 11), (12, 9)])
def test_hexes_by_number_have_the_neighbours_of_hx_1_1(columns, rows):
    land = blank("Plain", MapKind.BATTLE, columns, rows)
    costs = costs_on_foot(land, WC)
    for number, around in enumerate(mesh(columns, rows)):
        assert tuple(map(costs.hex, around)) == land.around(costs.hex(number))


@settings(max_examples=at_most(7, full=settings.default.max_examples))
@given(maps())
def test_the_price_of_a_step_is_that_of_entering(land: HexMap):
    quick = costs_on_foot(land, WC)
    slow = costs_by(land, lambda start, target: WC.get(entering(land, start, target)))
    start, target = hex_at("A1"), hex_at("H8")
    assert path(quick, start, target) == path(slow, start, target)


@settings(max_examples=at_most(7, full=settings.default.max_examples))
@given(discs(), st.integers(0, 12))
def test_dijkstra_says_what_brute_force_says(disc, points):
    land, prices, start = disc
    costs = costs_by(land, lambda one, other: prices.get(other))
    slow = {start: 0}
    for _round in range(len(prices)):
        for at, far in list(slow.items()):
            for other in land.around(at):
                if prices.get(other) and far + prices[other] < slow.get(other, FAR):
                    slow[other] = far + prices[other]
    assert reach(costs, start, points) == {at: far for at, far in slow.items() if far <= points}


@settings(max_examples=at_most(20, full=50))
@given(discs(), st.integers(0, 60))
def test_a_path_costs_what_its_steps_cost_and_never_less_than_its_length(disc, index):
    land, prices, start = disc
    target = sorted(prices)[index]
    costs = costs_by(land, lambda one, other: prices.get(other))
    found = path(costs, start, target)
    if found:
        assert walked(costs, found.hexes) == found.cost >= distance(start, target)
    flat = path(costs_by(land, lambda one, other: 1 if other in prices else None), start, target)
    assert flat.cost == distance(start, target), label_of(target)
