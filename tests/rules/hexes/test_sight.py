"""Lines of sight (HX-5)."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.hexes.battlefields import STARTERS
from rules.hexes.field import HexField
from rules.hexes.geometry import Hex, hex_at
from rules.hexes.paths import NUDGES, line, sees, top
from tests.everyday import at_most
from tests.rules.hexes.strategies import maps


def test_hx_5_2_the_two_lines():
    assert [line(Hex(0, 0), Hex(1, 1), nudge) for nudge in NUDGES] == [((1, 0),), ((0, 1),)]
    assert [line(Hex(0, 0), Hex(4, -2), nudge) for nudge in NUDGES] == [
        ((1, -1), (2, -1), (3, -2)), ((1, 0), (2, -1), (3, -1)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("target", "blocking", "seen"),
    [
        ((1, 1), {(1, 0)}, True), ((1, 1), {(1, 0), (0, 1)}, False),
        ((4, -2), {(2, -1)}, False), ((4, -2), {(1, 0), (3, -2)}, False), ((4, -2), {(1, 0)}, True),
    ],
)  # fmt: skip
def test_hx_5_3_sight_is_blocked_when_both_lines_are(target, blocking, seen):
    ground = STARTERS["meadows"]
    middle = hex_at("A1")
    moved = Hex(middle.q + target[0], middle.r + target[1])
    assert sees(Flat(), middle, moved, blocks=lambda at: (at.q - middle.q, at.r - middle.r) in blocking) is seen
    assert ground.at(middle).slug == "open"


class Flat:
    """Open ground without end."""

    def __contains__(self, at):
        return True

    def at(self, at):
        return STARTERS["meadows"].at(hex_at("A1"))

    def height(self, at):
        return 0


@pytest.mark.parametrize(
    ("field", "start", "target", "seen"),
    [
        ("meadows", "I6", "I8", False), ("meadows", "C5", "C3", True), ("meadows", "C5", "C2", False),
        ("meadows", "H4", "H12", True), ("the-pass", "G6", "I9", True), ("the-pass", "A4", "P4", False),
    ],
)  # fmt: skip
def test_hx_t_9_sight_on_the_starter_maps(field, start, target, seen):
    assert sees(STARTERS[field], hex_at(start), hex_at(target)) is seen


def test_hx_5_1_a_unit_in_high_flight_sees_over_mountains():
    assert sees(STARTERS["the-pass"], hex_at("A3"), hex_at("P3"), flying=(True, False))


def test_hx_2_4_a_terrain_of_a_while_lies_over_the_map_and_blocks_while_it_lasts():
    bare = HexField(STARTERS["meadows"])
    wooded = bare.laid(hex_at("A2"), "wood").laid(hex_at("B2"), "wood")
    assert (top(bare, hex_at("A2")), top(wooded, hex_at("A2"))) == (0, 1)
    assert (sees(bare, hex_at("A1"), hex_at("B3")), sees(wooded, hex_at("A1"), hex_at("B3"))) == (True, False)
    assert wooded.laid(hex_at("A2"), None).laid(hex_at("B2"), None) == bare


@settings(max_examples=at_most(7, full=settings.default.max_examples))
@given(maps(), st.integers(0, 63), st.integers(0, 63), st.booleans())
def test_sight_is_symmetric_and_a_taller_end_never_sees_less(land, first, second, flies):
    hexes = list(land)
    start, target = hexes[first], hexes[second]
    there = sees(land, start, target, flying=(flies, False))
    assert there is sees(land, target, start, flying=(False, flies))
    assert sees(land, start, target, flying=(True, False)) or not there
