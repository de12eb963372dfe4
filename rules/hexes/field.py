"""Battlefield map with temporary terrain, and its sides' home edges and zones (HX-1.5, HX-2.4, HX-6, HX-7.2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rules.core.text import Said, _
from rules.hexes.geometry import Hex, distance, neighbours, place_of
from rules.hexes.mapfile import HOMES, HexMap, entering
from rules.hexes.paths import FAR, costs_on_foot, reach
from rules.hexes.terrain import CLEAR, DIFFICULT, IMPASSABLE, LAID, OF_A_WHILE, Footing, HexTerrain, MapKind, harder

ZONE_ROWS = 3


@dataclass(frozen=True)
class HexField:
    """A map with temporary terrain over it.

    `overlay`: terrain slugs by hex, such as a fire or a mire. The law decides when it ends (HX-2.4).
    """

    land: HexMap
    overlay: Mapping[Hex, str] = field(default_factory=dict)

    def __contains__(self, at: Hex) -> bool:
        return at in self.land

    def at(self, at: Hex) -> HexTerrain:
        slug = self.overlay.get(at)
        below = self.land.at(at)
        if not slug:
            return below
        laid = LAID[slug]
        if laid not in OF_A_WHILE:
            return laid
        return replace(laid, cover=below.cover, footing=harder(below.footing, laid.footing))

    def height(self, at: Hex) -> int:
        return self.land.height(at)

    def entering(self, start: Hex, target: Hex) -> Footing:
        """The footing of a step on foot to a neighbour, overlay included (H-1)."""
        slug = self.overlay.get(target)
        return entering(self.land, start, target, LAID[slug] if slug else None)

    def laid(self, at: Hex, slug: str | None) -> HexField:
        """A copy with this terrain over a hex; None removes it. The map below doesn't change."""
        others = {hex_: terrain for hex_, terrain in self.overlay.items() if hex_ != at}
        return replace(self, overlay=others | ({at: slug} if slug else {}))


def home(land: HexMap, side: int) -> str:
    """The home edge of a side: the map's, or else south for side 0 and north for side 1."""
    return (land.homes or HOMES)[side]


def from_home(land: HexMap, side: int, at: Hex) -> int:
    """The number of rows or columns to the side's home edge, 0 on it (HX-1.5)."""
    column, row = place_of(at)
    far = {"south": land.rows - 1 - row, "north": row, "west": column, "east": land.columns - 1 - column}
    return far[home(land, side)]


def homeward(land: HexMap, side: int, at: Hex) -> tuple[Hex, ...]:
    """The neighbours on the map that are nearer to the side's home edge."""
    here = from_home(land, side, at)
    return tuple(one for one in land.around(at) if from_home(land, side, one) < here)


def away(land: HexMap, side: int, at: Hex, threat: Hex, enemies: Iterable[Hex]) -> tuple[Hex, ...]:
    """The neighbours farther from a threat, best first: nearest home, then fewest enemies beside it (HX-6.2).

    `enemies`: the hex of each enemy; three enemies on one hex are listed, and counted, three times.
    """
    here, counted = distance(at, threat), Counter(enemies)
    farther = [one for one in land.around(at) if distance(one, threat) > here]
    return tuple(sorted(farther, key=lambda one: (from_home(land, side, one), _beside(one, counted))))


def _beside(at: Hex, enemies: Mapping[Hex, int]) -> int:
    return sum(enemies.get(one, 0) for one in neighbours(at))


def zone(land: HexMap, side: int, rows: int = ZONE_ROWS) -> frozenset[Hex]:
    """The setup zone of a side: the map's, or else the `rows` rows nearest its home edge (HX-7.2).

    The number of rows comes from the law (H-2). Impassable hexes are left out; a thicket isn't, since some units can
    stand there. Where home edges meet in a corner, a hex belongs to the side whose edge is nearer.
    """
    if land.zones:
        return land.zones[side]
    near = (at for at in land if from_home(land, side, at) < min(rows, from_home(land, 1 - side, at)))
    return frozenset(at for at in near if land.at(at).footing is not IMPASSABLE)


def joined(land: HexMap, start: Hex) -> frozenset[Hex]:
    """All hexes that can be reached on foot from a hex."""
    return frozenset(reach(costs_on_foot(land, {CLEAR: 1, DIFFICULT: 1}), start, FAR))


def doubts(land: HexMap, rows: int = ZONE_ROWS) -> tuple[Said, ...]:
    """Warnings about a battle map: no path on foot connects the two zones (HX-7.3, H-2).

    `rows`: the depth of the zones if the map doesn't define them.
    """
    if land.kind is not MapKind.BATTLE:
        return ()
    first, second = (frozenset(at for at in zone(land, side, rows) if land.at(at).on_foot) for side in (0, 1))
    left = set(first)
    while left:
        reached = joined(land, min(left))
        if reached & second:
            return ()
        left -= reached
    return (_("No path on foot connects the zones."),)
