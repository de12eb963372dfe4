"""Battlefields to fight on: three built-in ones (HX-12), and the generator for the place on a campaign map where armies
meet (HX-8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from math import atan2, hypot, pi
from typing import NamedTuple

from rules.core.text import Term, _
from rules.hexes.field import ZONE_ROWS
from rules.hexes.generate import LARGEST_PATCH, TRIES, Battlefield
from rules.hexes.geometry import DIRECTIONS, Hex, at_place, centre, edge, neighbours
from rules.hexes.mapfile import HexMap
from rules.hexes.paths import NUDGES, line
from rules.hexes.terrain import MapChoices, MapKind

# Battlefield generator for the place on a campaign map where armies meet (HX-8).
#
# North is up on both maps. The middle of the battlefield looks like the hex, its edges like the neighbours in that
# direction. A river along the hex's north or south side crosses the middle row, between the two sides; one along its
# east or west side runs from north to south near that edge. Roads go where the campaign's roads leave the hex.

COLUMNS, ROWS = 16, 14
EAST, NORTH_EAST, NORTH_WEST, WEST, SOUTH_WEST, SOUTH_EAST = range(len(DIRECTIONS))
NORTH, SOUTH = frozenset({NORTH_EAST, NORTH_WEST}), frozenset({SOUTH_EAST, SOUTH_WEST})
BANK = 2  # rows between a river and the middle of the roads
FROM_EDGE = 2  # columns between a river and the edge it runs beside

# For each campaign terrain: per cent of the battlefield's hexes that are covered, and weights of the terrains there.
COVERED: Mapping[str, tuple[int, Mapping[str, int]]] = {
    "plains": (8, {"wood": 2, "hill": 2, "thicket": 1}),
    "farmland": (12, {"wood": 2, "thicket": 2, "houses": 1}),
    "moor": (18, {"marsh": 3, "hill": 2, "rocks": 1, "thicket": 1}),
    "coast": (14, {"sand": 4, "rocks": 1, "marsh": 1}),
    "hills": (28, {"hill": 6, "wood": 2, "rocks": 1}),
    "forest": (36, {"wood": 6, "thicket": 2, "hill": 1}),
    "jungle": (42, {"wood": 4, "thicket": 4, "marsh": 1}),
    "mountains": (32, {"hill": 3, "rocks": 3, "mountain": 2, "wood": 1}),
    "peaks": (36, {"mountain": 3, "rocks": 3, "hill": 2}),
    "swamp": (38, {"marsh": 6, "wood": 2, "thicket": 1, "lake": 1}),
    "desert": (40, {"sand": 6, "rocks": 1}),
    "badlands": (32, {"rocks": 5, "hill": 3, "sand": 1}),
    "tundra": (24, {"snow": 5, "rocks": 1, "marsh": 1}),
    "glacier": (44, {"snow": 6, "rocks": 2, "mountain": 1}),
    "lake": (44, {"lake": 5, "marsh": 2}),
    "sea": (44, {"lake": 6, "sand": 2}),
}


class LocalGround(NamedTuple):
    """A hex of a campaign map and its surroundings, by direction in the order of HX-1.1.

    `around`: the neighbours' terrain; off the map, the hex's own. `roads`: directions in which a road leaves the hex.
    `rivers`: directions of the sides with a river. `town`: whether the hex has a town.
    """

    name: str
    here: str
    around: tuple[str, ...]
    roads: frozenset[int] = frozenset()
    rivers: frozenset[int] = frozenset()
    town: bool = False


def ground_at(land: HexMap, at: Hex, *, name: str, town: bool = False) -> LocalGround:
    """The ground at a hex of a campaign map."""
    here, beside = land.at(at).slug, list(enumerate(neighbours(at)))
    return LocalGround(
        name,
        here,
        tuple(land.at(one).slug if one in land else here for _number, one in beside),
        frozenset(number for number, one in beside if edge(at, one) in land.roads),
        frozenset(number for number, one in beside if edge(at, one) in land.rivers),
        town,
    )


@lru_cache(maxsize=64)
def local_map(
    ground: LocalGround, seed: str, *, rows: int = ROWS, zone_rows: int = ZONE_ROWS, margin: int = 0
) -> HexMap:
    """The battlefield for this ground. The same seed, any text, gives the same map.

    `rows`: its number of rows, one more if a river needs an odd number. `zone_rows`, `margin`: as in `generate`.
    """
    key = sha256(seed.encode()).hexdigest()[:12]
    return replace(LocalBattlefield(ground, key, rows, zone_rows, margin).drawn(), name=ground.name)


class LocalBattlefield(Battlefield):
    """Generator of such a battlefield. The number of rows is odd if a river crosses the middle row (H-3)."""

    gives_way = (*Battlefield.gives_way, "lake")

    def __init__(self, ground: LocalGround, seed: str, rows: int, zone_rows: int, margin: int):
        self.ground = ground
        self.across = bool(ground.rivers & (NORTH | SOUTH))
        rows += self.across and rows % 2 == 0
        choices = MapChoices(MapKind.BATTLE, COLUMNS, rows, "mixed", seed, symmetric=False)
        super().__init__(choices, zone_rows, margin)
        self.middle = at_place(COLUMNS // 2, self._middle_row(rows))

    def _middle_row(self, rows: int) -> int:
        """The row where roads meet and the town is: on the river bank where most of the hex lies."""
        if not self.across:
            return rows // 2
        southern = len(self.ground.rivers & SOUTH) > len(self.ground.rivers & NORTH)
        return rows // 2 + (-BANK if southern else BANK)

    def drawn(self) -> HexMap:
        self._river()
        self._roads()
        if self.ground.town:
            self._town()
        self._patches()
        self._open_gaps()
        return self._map()

    def _river(self) -> None:
        """Lay a river from edge to edge, with three fords."""
        course = self._course()
        for at in course:
            self.slugs[at] = "river"
        for quarter in (1, 2, 3) if course else ():
            self.slugs[course[len(course) * quarter // 4]] = "ford"

    def _course(self) -> list[Hex]:
        columns, rows = self.choices.columns, self.choices.rows
        if self.across:
            return [at_place(column, rows // 2) for column in range(columns)]
        if not self.ground.rivers:
            return []
        column = columns - 1 - FROM_EDGE if EAST in self.ground.rivers else FROM_EDGE
        return [at_place(column, row) for row in range(rows)]  # consecutive hexes of a column touch

    def _roads(self) -> None:
        """Lay roads from the middle to the edges, with a bridge at each river crossing."""
        for direction in sorted(self.ground.roads):
            end = self._road_end(direction)
            for at in (self.middle, *line(self.middle, end, NUDGES[0]), end):
                if at in self.blank:
                    crossing = self.slugs[at] in ("river", "ford", "bridge")
                    self.slugs[at] = "bridge" if crossing else "road"

    def _road_end(self, direction: int) -> Hex:
        columns, rows = self.choices.columns, self.choices.rows
        row = self.middle.r
        west, east = columns // 4, columns * 3 // 4
        return {
            EAST: at_place(columns - 1, row), NORTH_EAST: at_place(east, 0), NORTH_WEST: at_place(west, 0),
            WEST: at_place(0, row), SOUTH_WEST: at_place(west, rows - 1), SOUTH_EAST: at_place(east, rows - 1),
        }[direction]  # fmt: skip

    def _town(self) -> None:
        """Put houses on the middle and around it, except on roads."""
        for at in (self.middle, *neighbours(self.middle)):
            if self.slugs[at] == "open":
                self.slugs[at] = "houses"

    def _patches(self) -> None:
        between = [at for at in self.blank if at not in self.zones]
        shares = {at: self._share(at) for at in between}
        wanted = sum(shares.values()) // 100
        for _try in range(TRIES):
            free = [at for at in between if self.slugs[at] == "open"]
            if wanted <= 0 or not free:
                return
            start = self.dice.choices(free, [shares[at] for at in free])[0]
            weights = COVERED[self._looks_like(start)][1]
            slug = self.dice.choices(list(weights), list(weights.values()))[0]
            size = min(self.dice.randint(1, LARGEST_PATCH), wanted)
            wanted -= sum(1 for _at in self._grown(start, slug, size, frozenset(between)))

    def _share(self, at: Hex) -> int:
        """Per cent of covered hexes here, between the hex's share and the neighbour's."""
        direction, pull = self._pull(at)
        here, there = COVERED[self.ground.here][0], COVERED[self.ground.around[direction]][0]
        return (here * (100 - pull) + there * pull) // 100

    def _looks_like(self, at: Hex) -> str:
        """The campaign terrain that this part of the battlefield resembles, partly at random."""
        direction, pull = self._pull(at)
        return self.ground.around[direction] if self.dice.randrange(100) < pull else self.ground.here

    def _pull(self, at: Hex) -> tuple[int, int]:
        """The direction in which a hex lies, and how much it resembles the neighbour there, in per cent."""
        x, y = centre(at, 1)
        left, top = centre(at_place(0, 0), 1)
        right, bottom = centre(at_place(self.choices.columns - 1, self.choices.rows - 1), 1)
        east, south = x - (left + right) / 2, y - (top + bottom) / 2
        direction = round(atan2(-south, east) / (pi / 3)) % len(DIRECTIONS)
        far = min(1.0, hypot(east * 2 / (right - left), south * 2 / (bottom - top)))
        return direction, int(100 * far * far)


# Three built-in battlefields (HX-12).

MEADOWS = """
................
................
..w.........w...
..ww...^....ww..
.......^^.......
....m........k..
...mm...ww...k..
..k...ww...mm...
..k........m....
.......^^.......
...ww...^...ww..
...w.........w..
................
................
"""

THE_FORD = """
.......=........
.......=........
....w..=...w....
...ww..=...ww...
......^=.^......
.......=........
.m.....=......m.
||o||||b||||o|||
.m......=.....m.
.......=........
......^.=^......
..ww...=..ww....
....w...=..w....
.......=........
........=.......
"""

THE_PASS = """
AA............AA
A..............A
A....w....w....A
AA...ww..ww...AA
AAtt........ttAA
AAAt..^^....tAAA
AAAA...^^...AAAA
AAAA..^^....AAAA
AAAt...^^...tAAA
AAtt........ttAA
AA...ww..ww...AA
A....w....w....A
A..............A
AA............AA
"""

FIELDS: tuple[tuple[str, Term, str], ...] = (
    ("meadows", _("Meadows"), MEADOWS),
    ("the-ford", _("The ford"), THE_FORD),
    ("the-pass", _("The pass"), THE_PASS),
)


def _drawn(name: str, rows: str) -> HexMap:
    terrain = tuple(rows.split())
    return HexMap(name, MapKind.BATTLE, len(terrain[0]), len(terrain), terrain)


STARTERS = {slug: _drawn(name, rows) for slug, name, rows in FIELDS}
