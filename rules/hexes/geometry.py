"""Hex geometry (HX-1): axial coordinates, pointy tops, r grows to the south. Also which of its hexes a realm loses."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import Enum
from math import sqrt
from typing import Annotated, NamedTuple

from rules.core.errors import InvalidInput
from rules.core.shapes import Spelled
from rules.core.text import _, say

# Hex geometry (HX-1): axial coordinates, pointy tops, r grows to the south.
#
# Labels are like "C7": letters for the column, a number for the row, counted from 1 in the north. In a rectangular map
# the column's index is q + r // 2 and the row's is r, so rows with an even number (2, 4, …) are drawn half a hex to the
# right.

LABEL = re.compile(r"([A-Z]{1,3})([1-9][0-9]{0,3})")
LETTERS = 26


class Hex(NamedTuple):
    """A hex in axial coordinates."""

    q: int
    r: int


type Point = tuple[float, float]
type Edge = tuple[Hex, Hex]  # two neighbours, in the order of `edge`

# East, north-east, north-west, west, south-west, south-east: the order that breaks ties (HX-1.1).
DIRECTIONS = (Hex(1, 0), Hex(1, -1), Hex(0, -1), Hex(-1, 0), Hex(-1, 1), Hex(0, 1))


def neighbours(at: Hex) -> tuple[Hex, ...]:
    """The six neighbours of a hex, in the order of HX-1.1; some may be off the map."""
    q, r = at
    return tuple(Hex(q + east, r + south) for east, south in DIRECTIONS)


def distance(a: Hex, b: Hex) -> int:
    """The distance between two hexes in steps; 0 for the same hex (HX-1.2)."""
    q, r = a.q - b.q, a.r - b.r
    return max(abs(q), abs(r), abs(q + r))


def touch(a: Hex, b: Hex) -> bool:
    """Whether two hexes are adjacent."""
    return distance(a, b) == 1


def edge(a: Hex, b: Hex) -> Edge:
    """The edge between two neighbours, in either order: the northern hex comes first, in the same row the western."""
    return (a, b) if (a.r, a.q) <= (b.r, b.q) else (b, a)


def at_place(column: int, row: int) -> Hex:
    """The hex at a column and a row, both counted from 0."""
    return Hex(column - row // 2, row)


def place_of(at: Hex) -> tuple[int, int]:
    """The column and row of a hex, both counted from 0."""
    return at.q + at.r // 2, at.r


def hex_at(label: str) -> Hex:
    """The hex with a label such as "C7". Raises `InvalidInput` if it isn't a label."""
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
    """The letters of a column counted from 0: A to Z, AA, AB …"""
    letters = ""
    column += 1
    while column > 0:
        column, rest = divmod(column - 1, LETTERS)
        letters = chr(ord("A") + rest) + letters
    return letters


def label_of(at: Hex) -> str:
    """The label of a hex, such as "C7"."""
    column, row = place_of(at)
    return f"{column_letters(column)}{row + 1}"


def centre(at: Hex, size: float) -> Point:
    """The centre point of a hex; `size` is the distance from centre to corner (HX-1.4)."""
    return size * sqrt(3) * (at.q + at.r / 2), size * 1.5 * at.r


def corners(at: Hex, size: float) -> tuple[Point, ...]:
    """The six corner points of a hex, clockwise from the top."""
    x, y = centre(at, size)
    half, quarter = size * sqrt(3) / 2, size / 2
    return (
        (x, y - size), (x + half, y - quarter), (x + half, y + quarter),
        (x, y + size), (x - half, y + quarter), (x - half, y - quarter),
    )  # fmt: skip


# The corners shared with each neighbour, in the order of `DIRECTIONS`.
SIDES = ((1, 2), (0, 1), (5, 0), (4, 5), (3, 4), (2, 3))


def side(a: Hex, b: Hex, size: float) -> tuple[Point, Point]:
    """The two corner points shared by two neighbours, between which a river or border is drawn."""
    at = corners(a, size)
    first, second = SIDES[DIRECTIONS.index(Hex(b.q - a.q, b.r - a.r))]
    return at[first], at[second]


# In declared shapes a hex is sent and read as its label, "C7".


type HexLabel = Annotated[Hex, Spelled(hex_at, label_of)]


# Loss of territory: which of its hexes a realm loses, where a rule says only that it loses one.


class Why(Enum):
    """The reason why a hex is lost before the others."""

    FAR_FROM_TOWNS = "far from towns"
    FAR_OUT = "far out"
    ALL_HELD = "all held"


class LostHex(NamedTuple):
    """The hex to lose, and why it is this one."""

    at: Hex
    why: Why


def first_to_go(land: Collection[Hex], towns: Collection[Hex], armies: Collection[Hex]) -> LostHex:
    """The hex this land loses.

    A hex without town or army if there is one, else one without a town. Among those, the hex farthest from the towns in
    the land, or from its middle if it has none; among equals the first in reading order.

    `land` must not be empty. `towns` and `armies` are the realm's own, wherever they are.
    """
    inside = [town for town in towns if town in land]
    near = inside or [_middle(land)]

    def order(at: Hex) -> tuple[bool, bool, int, int, int]:
        return at in inside, at in armies, -min(distance(at, one) for one in near), at.r, at.q

    at = min(land, key=order)
    if at in inside or at in armies:
        return LostHex(at, Why.ALL_HELD)
    return LostHex(at, Why.FAR_FROM_TOWNS if inside else Why.FAR_OUT)


def _middle(land: Collection[Hex]) -> Hex:
    """The mean of the hexes, rounded down. It may lie outside the land."""
    return Hex(sum(at.q for at in land) // len(land), sum(at.r for at in land) // len(land))
