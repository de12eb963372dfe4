"""Loss of territory: which of its hexes a realm loses, where a rule says only that it loses one."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from typing import NamedTuple

from rules.hexes.geometry import Hex, distance


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
