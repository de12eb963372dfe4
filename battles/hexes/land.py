"""Land of a battle: its map with a version, used as a cache key for drawings."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.errors import InvalidInput
from rules.hexes.geometry import Hex, hex_at
from rules.hexes.mapfile import HexMap


@dataclass(frozen=True, eq=False, slots=True)
class Land:
    """A map with its version. Lands with the same version are equal, across all battles."""

    version: str
    map: HexMap

    def __hash__(self) -> int:
        return hash(self.version)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Land) and other.version == self.version

    def at(self, label: str) -> Hex | None:
        """The hex with this label; None if it isn't on the map."""
        try:
            found = hex_at(label)
        except InvalidInput:
            return None
        return found if found in self.map else None
