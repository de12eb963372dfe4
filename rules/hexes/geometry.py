"""Geometry of hexes (HX-1): axial coordinates, pointy tops, r grows to the south.

People read "C7": the letters are the column, the number the row, from 1 in the north. In a rectangle of hexes the
column's index is q + r // 2 and the row's is r, so the even rows of people (2, 4, …) are drawn half a hex to the right.
"""

from __future__ import annotations

import re
from math import sqrt
from typing import Annotated, NamedTuple

from rules.core.errors import InvalidInput
from rules.core.shapes import Spelled
from rules.core.text import _, say

LABEL = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,3})")
LETTERS = 26


class Hex(NamedTuple):
    q: int
    r: int


type Point = tuple[float, float]
type Edge = tuple[Hex, Hex]  # two that touch, as `edge` orders them

# East, north-east, north-west, west, south-west, south-east: the order that settles what is equal (HX-1.1).
DIRECTIONS = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))


def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six around it, in the order of HX-1.1; some may lie off a map."""
    q, r = at
    return tuple(Hex(q + east, r + south) for east, south in DIRECTIONS)


def distance(a: Hex, b: Hex) -> int:
    """In hexes, centre to centre: the start not counted, the target counted (HX-1.2)."""
    q, r = a.q - b.q, a.r - b.r
    return max(abs(q), abs(r), abs(q + r))


def touch(a: Hex, b: Hex) -> bool:
    return distance(a, b) == 1


def edge(a: Hex, b: Hex) -> Edge:
    """The side two neighbours share, however they are named: the northern one first, of two in a row the western."""
    return (a, b) if (a.r, a.q) <= (b.r, b.q) else (b, a)


def at_place(column: int, row: int) -> Hex:
    """The hex of a column and a row, both counted from 0."""
    return Hex(column - row // 2, row)


def place_of(at: Hex) -> tuple[int, int]:
    """Column and row of a hex, both counted from 0."""
    return at.q + at.r // 2, at.r


def hex_at(label: str) -> Hex:
    """The hex people call "C7". Raises `InvalidInput` for what is no such name."""
    found = LABEL.fullmatch(label.strip().upper()) if isinstance(label, str) else None
    if found is None:
        raise InvalidInput(
            say(_("“{label}” isn’t a hex. Enter a column and a row, such as C7."), label=str(label)[:20])
        )
    column = 0
    for letter in found[1]:
        column = column * LETTERS + ord(letter) - ord("A") + 1
    return at_place(column - 1, int(found[2]) - 1)


def column_letters(column: int) -> str:
    """A to Z, AA, AB … for columns counted from 0."""
    letters = ""
    column += 1
    while column > 0:
        column, rest = divmod(column - 1, LETTERS)
        letters = chr(ord("A") + rest) + letters
    return letters


def label_of(at: Hex) -> str:
    """What people call a hex of a map: "C7"."""
    column, row = place_of(at)
    return f"{column_letters(column)}{row + 1}"


def centre(at: Hex, size: float) -> Point:
    """Where its middle is drawn; `size` is from the middle to a corner (HX-1.4)."""
    return size * sqrt(3) * (at.q + at.r / 2), size * 1.5 * at.r


def corners(at: Hex, size: float) -> tuple[Point, ...]:
    """Its six corners, from the top one clockwise."""
    x, y = centre(at, size)
    half, quarter = size * sqrt(3) / 2, size / 2
    return (
        (x, y - size), (x + half, y - quarter), (x + half, y + quarter),
        (x, y + size), (x - half, y + quarter), (x - half, y - quarter),
    )  # fmt: skip


# The corners between a hex and its neighbour, in the order of `DIRECTIONS`.
SIDES = ((1, 2), (0, 1), (5, 0), (4, 5), (3, 4), (2, 3))


def side(a: Hex, b: Hex, size: float) -> tuple[Point, Point]:
    """The two corners two neighbours share: where a river or a border between them is drawn."""
    at = corners(a, size)
    first, second = SIDES[DIRECTIONS.index(Hex(b.q - a.q, b.r - a.r))]
    return at[first], at[second]


# Hexes in declared shapes: a place is sent and read as its label, "C7".


type HexLabel = Annotated[Hex, Spelled(hex_at, label_of)]
