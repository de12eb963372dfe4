"""The board: counters with tags and signs, the clock of wings, and nothing of what isn't seen (H-8)."""

from __future__ import annotations

from rules.wing_command.battle.record.state import SHAKEN, WINDED
from rules.wing_command.wing import WingTroop
from tests.rules.wing_command.fights import LAW, Table, army, side_viewer


def table():
    wings = army("a", 0, "foot:Reds", "foot:Blues"), army("b", 1, WingTroop("scouts", "Spies"), "scouts:Eyes")
    places = {"Reds": "C8", "Blues": "D8", "Chief a": "C8", "Spies": "C2", "Eyes": "D7", "Chief b": "P1"}
    return Table(*wings, places=places).set("Spies", posture="infiltrating")


def test_counters_bear_tags_signs_and_states():
    now = table().set("Reds", morale=SHAKEN, fatigue=WINDED, special=True).engage("Reds", "Eyes")
    viewer = side_viewer(now.state, 0)
    board = LAW.board(LAW.seen(now.state, viewer), viewer)
    reds, chief = (next(one for one in board.counters if one.unit == now.ids[name]) for name in ("Reds", "Chief a"))
    assert (reds.tag, reds.glyph, reds.can_act, reds.group) == ("F1", "foot", True, "a")
    assert [badge.sign for badge in reds.badges] == ["warn", "tired", "order"]
    assert [str(state) for state in reds.states] == ["Shaken", "Out of breath", "Engaged in melee", "Special order"][:4]
    assert [badge.sign for badge in chief.badges] == ["chief"]


def test_units_that_are_not_seen_leave_no_gap():
    now = table()
    viewer = side_viewer(now.state, 0)
    board = LAW.board(LAW.seen(now.state, viewer), viewer)
    enemies = {one.name: one.tag for one in board.counters if one.side == 1}
    assert enemies == {"Eyes": "S1", "Chief b": "W1"}
    (cell,) = [cell for cell in board.clock.cells if cell.side == 1]
    assert cell.pips == (1, 1)


def test_the_clock_tells_the_turn_and_whose_it_is():
    now = table()
    own, other = side_viewer(now.state, 0), side_viewer(now.state, 1)
    mine = LAW.board(LAW.seen(now.state, own), own).clock
    theirs = LAW.board(LAW.seen(now.state, other), other).clock
    assert str(mine.now) == "You act"
    assert str(theirs.now) == "South acts"
    assert [step for _name, step in mine.steps] == ["done", "done", "current", "to come"]
    assert [cell.state for cell in mine.cells] == ["acting", "to act"]
