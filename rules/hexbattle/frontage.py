"""Frontage of a side in setup: its zone as rows behind a front, to line units up on."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from rules.hexbattle.field import Field
from rules.hexbattle.ground import hex_of
from rules.hexes.field import home
from rules.hexes.geometry import place_of

DEEPER = 1.5
"""How much farther a hex of another row counts than one beside."""
FACING_SOUTH_OR_WEST = ("north", "east")


class Wanted(NamedTuple):
    """Where a unit would stand best: how far along the front, how many rows behind it."""

    unit: str
    along: float
    behind: int


class Frontage:
    """A side's zone as it stands there: each hex by how far along the front it is and how many rows behind it."""

    def __init__(self, field: Field, side: int, zone_rows: int):
        ground = field.ground
        edge = home(ground.land, side)
        upright = edge in ("west", "east")
        sign = -1 if edge in FACING_SOUTH_OR_WEST else 1
        found = {}
        for at in ground.zone(side, zone_rows):
            column, row = place_of(hex_of(at))
            along = float(row) if upright else column + row % 2 / 2
            found[at] = (sign * along, ground.from_home(side, at))
        deepest = max((depth for _along, depth in found.values()), default=0)
        self.hexes = {at: (along, deepest - depth) for at, (along, depth) in found.items()}
        front = [along for along, behind in self.hexes.values() if not behind]
        self.left, self.right = min(front, default=0.0), max(front, default=0.0)

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    def nearest(self, wanted: Wanted, free: Collection[str]) -> str:
        """The free hex that is most like the one wanted; "" where none is free."""
        return min(free, key=lambda at: (self._far(wanted, at), at), default="")

    def _far(self, wanted: Wanted, at: str) -> float:
        along, behind = self.hexes[at]
        return abs(along - wanted.along) + DEEPER * abs(behind - wanted.behind)
