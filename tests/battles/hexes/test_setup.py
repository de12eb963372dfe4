"""Setup on a board, with the smallest law there is: what is picked by itself, and what the button does."""

from __future__ import annotations

from typing import Any

import pytest

from battles.field.look import Look
from battles.hexes.ui import HexBattleUI
from core.text import render
from rules.core.viewers import OMNISCIENT
from rules.hexbattle.board import Board, Counter
from rules.hexbattle.setup import ChangeMap, SetReady, Start
from tests.rules.hexbattle.conftest import NORTH, SOUTH, A, B, do, opening, placed, units
from tests.rules.hexbattle.patrol import PATROL, Pass

OURS, THEIRS = units(A, 0, "Foot 1", "Foot 2"), units(B, 1, "Levy")


class PatrolUI(HexBattleUI):
    family = "patrol"

    def board(self, state: Any, viewer: Any) -> Board:
        return Board(tuple(Counter(t.id, t.army, t.side, t.name, t.at, "foot") for t in state.field.tokens.values()))

    def document(self, army: Any) -> Any: ...
    def opening(self, sides: Any, documents: Any) -> Any: ...
    def read_world(self, battle: Any) -> Any: ...


UI = PatrolUI()


@pytest.fixture
def state():
    return PATROL.open(opening(*OURS, *THEIRS))


NOTHING = Look()


def button(state, viewer, look=NOTHING):
    seen = PATROL.seen(state, viewer)
    legal = PATROL.legal(seen, viewer, UI.selection(seen, viewer, look))
    return UI.confirm(seen, viewer, legal)


def test_the_first_unit_that_waits_is_picked_by_itself(state):
    assert UI.selection(state, SOUTH, Look()) == (OURS[0].id,)
    state = placed(state, **{"Foot 1": "A10"})
    assert UI.selection(state, SOUTH, Look()) == (OURS[1].id,)
    state = placed(state, **{"Foot 2": "B10"})
    assert UI.selection(state, SOUTH, Look()) == ()


def test_units_are_called_by_the_ends_of_their_ids(state):
    end = OURS[1].id.rpartition(":")[2]
    assert UI.selection(state, SOUTH, Look(unit=end, to="c9")) == (OURS[1].id, "C9")
    assert UI.selection(state, SOUTH, Look(unit="none")) == ("none",)


def test_a_hex_that_is_picked_places_the_unit(state):
    confirm = button(state, SOUTH, Look(unit=OURS[0].id, to="A10"))
    state, _events = do(state, confirm.command, SOUTH)
    assert state.field.tokens[OURS[0].id].at == "A10"


def test_a_unit_that_stands_goes_back_to_the_reserve_by_the_button(state):
    assert button(state, SOUTH, Look(unit=OURS[0].id, picked=("reserve",))).command == SetReady(0), "it waits there"
    state = placed(state, **{"Foot 1": "A10", "Foot 2": "B10"})
    confirm = button(state, SOUTH, Look(unit=OURS[0].id, picked=("reserve",)))
    assert render(confirm.title) == "Foot 1 back to the reserve"
    state, _events = do(state, confirm.command, SOUTH)
    assert state.field.tokens[OURS[0].id].waiting
    state, _events = do(placed(state, **{"Foot 1": "A10"}), SetReady(0))
    seen = PATROL.seen(state, SOUTH)
    assert PATROL.legal(seen, SOUTH, (OURS[0].id,)).acts == (), "not once its side is ready"


def test_a_side_says_that_it_is_ready_once_all_stand_and_takes_it_back(state):
    waits = button(state, SOUTH)
    assert render(waits.why_not) == "Ready after 2 more placements"
    assert render(waits.title) == "0 of 2 units placed"
    state = placed(state, **{"Foot 1": "A10", "Foot 2": "B10"})
    ready = button(state, SOUTH)
    assert (ready.command, ready.why_not) == (SetReady(0), None)
    state, _events = do(state, ready.command, SOUTH)
    assert button(state, SOUTH).command == SetReady(0, on=False)
    assert button(state, NORTH).why_not is not None


def test_the_gm_begins_the_battle_once_all_stand(state):
    assert render(button(state, OMNISCIENT).why_not) == "Begin after 3 more placements"
    state = placed(state, **{"Foot 1": "A10", "Foot 2": "B10", "Levy": "A1"})
    begin = button(state, OMNISCIENT)
    assert isinstance(begin.command, Start)
    assert begin.why_not is None
    state, _events = do(state, begin.command)
    assert state.field.started
    assert isinstance(button(state, OMNISCIENT).command, Pass)


def test_a_stroke_of_the_brush_is_a_command_of_the_painter(state):
    told = {"command": "paint", "hexes": ["C5", "D5"], "terrain": "wood"}
    state, _events = do(state, UI.paints(told))
    assert isinstance(UI.paints(told), ChangeMap)
    land, version = UI.land(state)
    assert land.terrain[4] == "..ww......"
    assert version != UI.land(PATROL.open(opening(*OURS, *THEIRS)))[1]
