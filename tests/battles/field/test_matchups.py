"""Lines between two sides face to face: from whom to whom, and how sure."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from battles.field.page_parts import list_engagements


def card(name: str, target: str = "", **more: Any) -> Any:
    known = {"id": name, "target": target, "aim": target or None, "gone": False, "ready": "in", "choices": object()}
    return SimpleNamespace(**{**known, "colour": "one" if name < "M" else "two", **more})


def test_a_line_runs_from_its_row_to_the_row_of_its_target():
    left, right = [card("A", "Y"), card("B")], [card("X"), card("Y", "B")]
    there, back = list_engagements([left, right])
    assert (there.colour, there.path) == ("one", "M4 20.0C50 20.0 50 70.0 88 70.0")
    assert (back.colour, back.path) == ("two", "M96 80.0C50 80.0 50 80.0 12 80.0")
    assert there.point == "M88 67.0L99 70.0L88 73.0Z"


def test_what_is_not_settled_or_not_the_readers_to_know_is_unsure():
    left = [card("A", "X"), card("B", "X", ready="no orders yet"), card("C", "X", choices=None)]
    assert [line.unsure for line in list_engagements([left, [card("X")]])] == [False, True, True]


def test_nobody_turns_on_who_has_left_nor_on_his_own_side():
    left = [card("A", "X"), card("B", "A"), card("C", "Y", gone=True)]
    assert list_engagements([left, [card("X", gone=True), card("Y")]]) == ()
    assert list_engagements([left]) == ()
