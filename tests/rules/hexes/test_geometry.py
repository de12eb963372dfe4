"""Coordinates of hexes (HX-1)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.hexes.geometry import Hex, at_place, centre, distance, edge, hex_at, label_of, neighbours, place_of, side

hexes = st.builds(at_place, st.integers(0, 99), st.integers(0, 99))


def test_hx_1_1_the_neighbours_of_c7_in_their_order():
    assert [label_of(one) for one in neighbours(hex_at("C7"))] == ["D7", "C6", "B6", "B7", "B8", "C8"]


@pytest.mark.parametrize(
    ("start", "target", "far"),
    [
        (Hex(0, 0), Hex(3, -5), 5), (Hex(-2, 1), Hex(3, -1), 5), (Hex(0, 0), Hex(2, 3), 5),
        (hex_at("A1"), hex_at("P14"), 22), (hex_at("C7"), hex_at("F3"), 5),
    ],
)  # fmt: skip
def test_hx_1_2_distances(start, target, far):
    assert distance(start, target) == far


@pytest.mark.parametrize(("label", "at"), [("C7", (-1, 6)), ("Z1", (25, 0)), ("AA10", (22, 9)), (" c7 ", (-1, 6))])
def test_hx_1_3_names_of_hexes(label, at):
    assert hex_at(label) == at
    assert label_of(Hex(*at)) == label.strip().upper()


@pytest.mark.parametrize("label", ["", "7", "C", "C0", "C-1", "C07", "7C", "C7x", "ABCD1", "Ç7", None])
def test_what_names_no_hex_is_refused(label):
    with pytest.raises(InvalidInput, match="isn’t a hex"):
        hex_at(label)


def test_hx_1_4_even_rows_are_drawn_half_a_hex_to_the_right():
    assert centre(hex_at("A1"), 10) == (0, 0)
    assert centre(hex_at("A2"), 10) == pytest.approx((10 * 3**0.5 / 2, 15))


@given(hexes)
def test_a_hex_is_found_again_by_its_name(at):
    assert hex_at(label_of(at)) == at
    assert at_place(*place_of(at)) == at


@given(hexes, hexes, hexes)
def test_distances_are_symmetric_and_triangular(a, b, c):
    assert distance(a, b) == distance(b, a)
    assert distance(a, c) <= distance(a, b) + distance(b, c)


@given(hexes)
def test_neighbours_share_a_side_that_is_drawn_once(at):
    for one in neighbours(at):
        assert edge(at, one) == edge(one, at)
        mine, theirs = sorted(side(at, one, 10)), sorted(side(one, at, 10))
        assert [value for corner in mine for value in corner] == pytest.approx([v for c in theirs for v in c])
