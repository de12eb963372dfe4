"""Setup: painting, placing, ready, start (HX-9, HX-7.3, H-2)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.viewers import OMNISCIENT, Viewer
from rules.hexbattle.common import MapChanged, Placed, Started
from rules.hexbattle.ground import BattleGround, changes_between
from rules.hexbattle.setup import ChangeMap, Place, SetReady, Start
from rules.hexes.mapfile import document, written
from rules.hexes.orders import command_in
from rules.hexes.painting import paint
from tests.everyday import at_most
from tests.rules.hexbattle.conftest import NORTH, SOUTH, A, B, do, opening, placed, units
from tests.rules.hexbattle.patrol import PATROL
from tests.rules.hexes.test_painting import strokes

OURS, THEIRS = units(A, 0, "Foot 1", "Foot 2"), units(B, 1, "Levy")
SET = {"Foot 1": "A10", "Foot 2": "B10", "Levy": "A1"}


@pytest.fixture
def state():
    return PATROL.open(opening(*OURS, *THEIRS))


def refused(state, command, kind=IllegalCommand, viewer=OMNISCIENT):
    with pytest.raises(kind) as refusal:
        do(state, command, viewer)
    return refusal.value.field, str(refusal.value)


def stroke(command, reason="", **told):
    return ChangeMap({"command": command, **told}, reason)


def at(state, name):
    return next(token.at for token in state.field.tokens.values() if token.name == name)


def test_a_unit_is_placed_in_its_sides_zone_and_taken_back(state):
    state, events = do(state, Place(OURS[0].id, "c9"))
    assert events == (Placed(OURS[0].id, "C9"),)
    state, events = do(state, Place(OURS[0].id))
    assert (events, at(state, "Foot 1")) == ((Placed(OURS[0].id, ""),), "")
    assert do(state, Place(OURS[0].id))[1] == ()


def test_h_2_the_zone_is_as_deep_as_the_law_says(state):
    assert refused(state, Place(OURS[0].id, "C8")) == ("/at", "C8 is outside your side’s zone.")
    assert refused(state, Place(THEIRS[0].id, "C9"))[1] == "C9 is outside your side’s zone."


def test_hx_6_1_a_hex_holds_one_troop_and_any_number_of_characters():
    own = units(A, 0, "Foot 1", "Foot 2", "Hero", "Aide", characters=("Hero", "Aide"))
    state = PATROL.open(opening(*own))
    state = placed(state, **{"Foot 1": "A10", "Hero": "A10", "Aide": "A10"})
    assert [token.name for token in state.field.at("A10")] == ["Foot 1", "Hero", "Aide"]
    assert refused(state, Place(own[1].id, "A10")) == ("/at", "Foot 2 can’t stand on A10.")


def test_what_is_no_unit_or_no_hex_is_refused(state):
    assert refused(state, Place("x:1", "A10"), InvalidInput) == ("/unit", "This unit isn’t in the battle.")
    assert refused(state, Place(OURS[0].id, "Z99"), InvalidInput) == ("/at", "Z99 isn’t on the map.")


def test_a_side_is_ready_when_all_its_units_are_placed(state):
    state = placed(state, **{"Foot 1": "A10"})
    where, why = refused(state, SetReady(0))
    assert where == "/side"
    assert why.startswith("1 units aren’t placed yet: Foot 2. Place them, or"), "by number where it is shown"
    state, _events = do(placed(state, **{"Foot 2": "B10"}), SetReady(0))
    assert refused(state, Place(OURS[0].id, "C10"))[1] == "Your side is ready. Choose “Place units again” first."
    assert do(state, SetReady(0))[1] == ()
    state, _events = do(state, SetReady(0, on=False))
    assert do(state, Place(OURS[0].id, "C10"))[1]


def test_the_battle_begins_once_every_unit_is_placed(state):
    assert refused(placed(state, **{"Foot 1": "A10", "Levy": "A1"}), Start())
    state, events = do(placed(state, **SET), Start())
    assert events[0] == Started()
    assert refused(state, Start())[1] == "The battle has begun already."
    assert refused(state, Place(OURS[0].id, "C10"))[1] == "The battle has begun: units can’t be placed anymore."


def test_who_may_do_what(state):
    assert PATROL.allows(state, Place(OURS[0].id, "A10"), SOUTH)
    assert not PATROL.allows(state, Place(OURS[0].id, "A10"), NORTH)
    assert [PATROL.allows(state, SetReady(0), viewer) for viewer in (SOUTH, NORTH, OMNISCIENT)] == [True, False, True]
    assert [PATROL.allows(state, Start(), viewer) for viewer in (SOUTH, OMNISCIENT)] == [False, True]
    assert [PATROL.allows(state, stroke("paint"), viewer) for viewer in (SOUTH, OMNISCIENT)] == [False, True]
    owned = PATROL.open(opening(*units(A, 0, "Foot", owner="u7")))
    assert PATROL.allows(owned, Place(next(iter(owned.field.tokens)), "A10"), Viewer(user="u7"))


def test_hx_9_1_every_command_of_the_painter_is_one_of_setup(state):
    told = [
        stroke("paint", hexes=["C3"], terrain="wood"), stroke("raise", hexes=["C3"], height=2),
        stroke("edge", between=["C3", "D3"], obstacle="stream"), stroke("label", hex="C3", text="Old wood"),
        stroke("zone", side=0, hexes=["C5"], add=True), stroke("home", side=0, edge="west"),
        stroke("road", hexes=["C3", "D3"]), stroke("river", hexes=["C3", "D3"]),
        stroke("generate_map", kind="mixed", columns=10, rows=10, seed="x"), stroke("resize", columns=12, rows=9),
        stroke("load_map", map=state.field.ground.document | {"name": "Other"}),
    ]  # fmt: skip
    for command in told:
        after, (event,) = do(state, command)
        assert after.field.ground.land == paint_of(state, command)
        assert event.stroke == command.told["command"]
        assert do(after, command)[1] == (), "painted so already"


def paint_of(state, command):
    land = state.field.ground.land
    return paint(land, command_in(command.told, land), zone_rows=PATROL.zone_rows).land


def test_hx_9_1_what_is_wrong_with_a_stroke_is_refused_with_its_place(state):
    assert refused(state, stroke("dance"), InvalidInput)[0] == "/command"
    assert refused(state, stroke("paint", hexes=["Z99"], terrain="wood"), InvalidInput)[0] == "/hexes/0"


def test_hx_9_3_a_unit_that_cannot_stand_there_any_more_goes_back_to_the_reserve(state):
    state = placed(state, **{"Foot 1": "A10", "Foot 2": "B10"})
    state, (event,) = do(state, stroke("paint", hexes=["A10", "B10"], terrain="wood"))
    assert (event.back, at(state, "Foot 1")) == ((), "A10")
    state, (event,) = do(state, stroke("paint", hexes=["A10"], terrain="lake"))
    assert (event.back, at(state, "Foot 1"), at(state, "Foot 2")) == ((OURS[0].id,), "", "B10")
    state, (event,) = do(state, stroke("resize", columns=10, rows=9))
    assert event.back == (OURS[1].id,)


@pytest.mark.parametrize("command", [
    {"command": "zone", "side": 1, "hexes": ["A10"], "add": True},
    {"command": "zone", "side": 0, "hexes": ["A10"], "add": False},
    {"command": "home", "side": 0, "edge": "east"},
])  # fmt: skip
def test_hx_9_3_a_unit_whose_hex_leaves_its_zone_goes_back_too(state, command):
    """Else the enemy, who doesn't see it, would learn of it where they set up."""
    state = placed(state, **{"Foot 1": "A10", "Foot 2": "B10"})
    state, _events = do(state, SetReady(0))
    state, (event,) = do(state, ChangeMap(command))
    assert OURS[0].id in event.back
    assert at(state, "Foot 1") == ""
    assert state.field.ready == frozenset(), "it has to set up anew"


def test_hx_9_4_during_play_only_terrain_is_painted_and_with_a_reason(state):
    state, _events = do(placed(state, **SET), Start())
    burnt = stroke("paint", "The bridge burns.", hexes=["C5"], terrain="river")
    assert refused(state, stroke("paint", hexes=["C5"], terrain="river"), InvalidInput)[0] == "/reason"
    assert refused(state, stroke("raise", "Why not", hexes=["C5"], height=1))[1] == (
        "During play you can only paint terrain."
    )
    assert not PATROL.allows(state, burnt, SOUTH)
    state, (event,) = do(state, burnt)
    assert (event.before, event.now) == (("open",), "river")
    assert str(PATROL.describe(state, event).text) == "C5: Bare ground becomes River. The bridge burns."
    assert at(do(state, stroke("paint", "Flood", hexes=["A10"], terrain="lake"))[0], "Foot 1") == "A10"


def test_legal_in_setup_offers_the_free_hexes_of_the_zone(state):
    seen = PATROL.seen(state, SOUTH)
    first = PATROL.legal(seen, SOUTH)
    assert (first.able, first.turn) == ((OURS[0].id, OURS[1].id), True)
    picked = PATROL.legal(seen, SOUTH, (OURS[0].id,))
    assert len(picked.steps) == 20
    chosen = PATROL.legal(seen, SOUTH, (OURS[0].id, "C9"))
    assert chosen.confirm.command == Place(OURS[0].id, "C9")
    for step in picked.steps:
        assert do(state, Place(OURS[0].id, step.hex), SOUTH)[1]
    ready, _events = do(placed(state, **SET), SetReady(0))
    assert not PATROL.legal(PATROL.seen(ready, SOUTH), SOUTH).turn
    assert PATROL.legal(seen, NORTH, (OURS[0].id,)).picked == ()


def test_hx_7_3_a_zone_too_small_is_warned_of():
    state = PATROL.open(opening(*OURS, *THEIRS, zones=[["A10"], ["A1", "B1"]]))
    assert [str(doubt) for doubt in PATROL.doubts(state)] == [
        "South: the zone has 1 free hexes, too few for its units."
    ]


@settings(max_examples=at_most(15, full=150), deadline=None)
@given(strokes())
def test_painting_and_undoing_restores_the_bytes(stroke):
    """What a stroke changes is told as changes of the document; the same backwards is the map before."""
    land, command = stroke
    before, after = document(land), document(paint(land, command).land)
    there, back = changes_between(before, after), changes_between(after, before)
    ground = BattleGround(before)
    assert written(ground.changed(there).land) == written(BattleGround(after).land)
    assert written(ground.changed(there).changed(back).land) == written(land)
    assert ground.changed(there).changed(back) == ground


@settings(max_examples=at_most(10, full=60))
@given(st.integers(0, 99))
def test_a_painted_event_holds_the_rows_that_differ_and_no_more(number):
    state = PATROL.open(opening())
    hex_ = state.field.ground.labels[number]
    _state, (event,) = do(state, stroke("paint", hexes=[hex_], terrain="wood"))
    assert isinstance(event, MapChanged)
    assert list(event.changes) == ["terrain"]
    assert list(event.changes["terrain"]) == [str(number // 10)]


def test_of_many_units_that_wait_the_first_are_named_and_the_others_counted():
    own = units(A, 0, *(f"Foot {number}" for number in range(11)))
    why = refused(PATROL.open(opening(*own)), SetReady(0))[1]
    assert why.startswith("11 units aren’t placed yet: Foot 0, Foot 1, Foot 2, Foot 3, Foot 4 and 6 others.")
