"""Choosing on a board: a way that is laid hex by hex (HX-3.3)."""

from __future__ import annotations

from rules.hexbattle.choosing import lay, longer_way, own_way, slug_of_way, way_act
from rules.hexbattle.ground import BattleGround
from rules.hexbattle.moving import Gait, Mover, walked
from rules.hexes.battlefields import STARTERS
from tests.rules.hexbattle.conftest import field_map

ON_FOOT = Gait(difficult=2)
HALTED = Gait(difficult=1, halts=frozenset({"difficult"}))
PLAIN = BattleGround(field_map())
FORD = BattleGround.of(STARTERS["the-ford"])


def test_hx_3_3_a_way_is_read_made_longer_and_cut_back():
    assert own_way(("charge:no", "way:c7.C8")) == ("C7", "C8")
    assert own_way(("charge:no",)) is None
    assert own_way(("way:",)) == ()
    assert longer_way("way:", "C7") == "way:C7"
    assert longer_way("way:C7.C8", "D9") == "way:C7.C8.D9"
    assert longer_way("way:C7.C8.D9", "C7") == "way:C7"
    assert slug_of_way(()) == way_act(None, True).slug == "way:"


def test_hx_3_3_a_way_goes_on_to_what_can_be_entered_and_no_further_than_its_points():
    mover = Mover(ON_FOOT, 2, closed=frozenset({"D5"}), held=frozenset({"B5"}))
    laid = lay(PLAIN, (mover,), "C5", ())
    assert laid.steps == {"C4": 1, "B4": 1, "B5": 1, "B6": 1, "C6": 1}, "a held hex is passed, a closed one isn't"
    laid = lay(PLAIN, (mover,), "C5", ("C4",))
    assert laid.way.costs == (0, 1)
    assert "C5" not in laid.steps, "not back to where it began"
    assert laid.steps["C4"] == 1, "its own hexes are steps, to be cut back to"
    assert laid.steps["C3"] == 2
    assert lay(PLAIN, (mover,), "C5", ("C4", "C3")).steps == {"C4": 1, "C3": 2}


def test_hx_3_3_a_way_ends_where_the_move_does():
    mover = Mover(ON_FOOT, 4, halts=frozenset({"C4"}))
    assert lay(PLAIN, (mover,), "C5", ("C4",)).steps == {"C4": 1}
    assert lay(PLAIN, (mover,), "C5", ("C4", "C3")).hexes == ("C4",), "what can't be gone falls away"
    assert lay(PLAIN, (mover,), "C5", ("A1",)).hexes == ()
    wood = next(at for at in FORD.labels if FORD.terrain(at).slug == "wood")
    start = next(at for at in FORD.around(wood) if FORD.terrain(at).slug == "open")
    assert set(lay(FORD, (Mover(HALTED, 3),), start, (wood,)).steps) == {wood}


def test_hx_3_3_every_step_that_is_offered_is_one_that_is_taken():
    mover = Mover(ON_FOOT, 3, closed=frozenset({"D5"}), halts=frozenset({"B4"}))
    for first in lay(PLAIN, (mover,), "C5", ()).steps:
        for second, cost in lay(PLAIN, (mover,), "C5", (first,)).steps.items():
            path = (first,) if second == first else (first, second)
            assert walked(PLAIN, mover, "C5", path).cost == cost


def test_a_way_begins_in_the_reserve_on_a_hex_of_entry():
    mover = Mover(ON_FOOT, 2, entry=frozenset({"A1", "B1"}))
    assert lay(PLAIN, (mover,), "", ()).steps == {"A1": 1, "B1": 1}
    assert lay(PLAIN, (mover,), "", ("A1",)).way.hexes == ("", "A1")


def test_of_two_ways_to_go_the_one_that_goes_further_stands():
    near, far = Mover(ON_FOOT, 1), Mover(Gait(), 3, closed=frozenset({"B4"}))
    assert lay(PLAIN, (near, far), "C5", ()).steps["B4"] == 1
    laid = lay(PLAIN, (near, far), "C5", ("C4", "C3"))
    assert (laid.hexes, laid.way.cost) == (("C4", "C3"), 2)
