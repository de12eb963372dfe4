"""Frontage of a side during setup: its zone as rows behind a front line, used to line up units."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from rules.hexbattle.field import Field
from rules.hexbattle.ground import hex_of
from rules.hexes.field import home
from rules.hexes.geometry import place_of

DEEPER = 1.5
"""Weight of a row's difference in distance; a hex sideways counts 1."""
FACING_SOUTH_OR_WEST = ("north", "east")


class Wanted(NamedTuple):
    """The ideal place of a unit: its position along the front, and the number of rows behind it."""

    unit: str
    along: float
    behind: int


class Frontage:
    """The setup zone of a side. `hexes`: for each hex, its position along the front and its rows behind it."""

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
        """The free hex closest to the wanted place; "" if none is free."""
        return min(free, key=lambda at: (self._far(wanted, at), at), default="")

    def _far(self, wanted: Wanted, at: str) -> float:
        along, behind = self.hexes[at]
        return abs(along - wanted.along) + DEEPER * abs(behind - wanted.behind)
