"""Random map generators from a seed (HX-8), for battlefields and campaign maps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from math import floor
from random import Random

from rules.hexes.field import ZONE_ROWS, joined, zone
from rules.hexes.geometry import Edge, Hex, at_place, centre, distance, edge, neighbours, place_of
from rules.hexes.mapfile import MOST_SIDE, HexMap, blank
from rules.hexes.paths import Corner, costs_on_foot, course, ends_of, on_map, path
from rules.hexes.terrain import BY_SLUG, CLEAR, DIFFICULT, MapChoices, MapKind

WATER = ("sea", "lake")
SPANS = ((9.0, 1.0), (4.0, 0.45), (2.0, 0.2))  # Layers of the relief: wavelength in hexes, and amplitude.
HEXES_A_SITE, HEXES_A_RIVER = 130, 90
MOST_SITES, MOST_RIVERS = 40, 60
ROAD_PRICES = {CLEAR: 2, DIFFICULT: 5}
SEA_FROM = 12  # hexes; smaller water is a lake


@dataclass(frozen=True, slots=True)
class Climate:
    """Terrain shares of a campaign map: water in per cent of all hexes; the rest in per cent of dry land.

    `barren`: per cent of the remaining land by terrain slug. `tilt`: how the ground slopes: "side" towards one edge,
    "all" towards every edge, "" not.
    """

    water: int = 5
    peaks: int = 1
    mountains: int = 6
    hills: int = 14
    swamp: int = 4
    woods: int = 26
    wood: str = "forest"
    barren: Mapping[str, int] | None = None
    tilt: str = ""


CLIMATES: Mapping[str, Climate] = {
    "heartland": Climate(),
    "highlands": Climate(water=3, peaks=6, mountains=20, hills=30, swamp=1, barren={"moor": 40}),
    "woodland": Climate(water=6, peaks=0, mountains=3, hills=12, swamp=10, woods=55),
    "coast": Climate(water=30, mountains=5, tilt="side"),
    "islands": Climate(water=58, mountains=6, hills=18, wood="jungle", woods=34, tilt="all"),
    "dry": Climate(water=2, peaks=2, mountains=8, hills=14, swamp=1, woods=5, barren={"desert": 55, "badlands": 15}),
    "cold": Climate(water=8, peaks=4, mountains=10, hills=14, swamp=6, woods=24, barren={"tundra": 70, "glacier": 14}),
}


def land_of(choices: MapChoices) -> HexMap:
    """The campaign map for these choices.

    Raises `InvalidInput` for a size out of bounds.
    """
    return Country(choices).drawn()


def humps(dice: Random) -> Callable[[float, float], float]:
    """A random height function that is smooth over the plane (value noise, 0 to 1)."""
    salt = dice.getrandbits(32)

    def lattice(east: int, south: int) -> float:
        mixed = (east * 0x27D4EB2D ^ south * 0x165667B1 ^ salt) & 0xFFFFFFFF
        mixed = (mixed ^ mixed >> 15) * 0x2C1B3C6D & 0xFFFFFFFF
        return ((mixed ^ mixed >> 13) * 0x297A2D39 & 0xFFFFFFFF) / 0xFFFFFFFF

    def at(x: float, y: float) -> float:
        west, north = floor(x), floor(y)
        east, south = (part * part * (3 - 2 * part) for part in (x - west, y - north))
        upper = lattice(west, north) * (1 - east) + lattice(west + 1, north) * east
        lower = lattice(west, north + 1) * (1 - east) + lattice(west + 1, north + 1) * east
        return upper * (1 - south) + lower * south

    return at


class Country:
    """Generator of a campaign map. Heights and rain are by hex, terrain slugs in `slugs`."""

    def __init__(self, choices: MapChoices):
        self.choices, self.climate = choices, CLIMATES[choices.kind]
        self.dice = Random(f"{choices.kind} {choices.seed}")
        self.blank = blank(choices.seed, MapKind.CAMPAIGN, choices.columns, choices.rows)
        self.hexes = tuple(self.blank)
        self.tilt = self._tilt()
        self.heights, self.rain = self._field(self.tilt), self._field(lambda at: 0.0)
        self.slugs: dict[Hex, str] = {}

    def _field(self, tilt: Callable[[Hex], float]) -> dict[Hex, float]:
        layers = [(humps(self.dice), span, high) for span, high in SPANS]

        def value(at: Hex) -> float:
            x, y = centre(at, 1)
            return tilt(at) + sum(high * layer(x / span, y / span) for layer, span, high in layers)

        return {at: value(at) for at in self.hexes}

    def _tilt(self) -> Callable[[Hex], float]:
        side = self.dice.choice(("north", "east", "south", "west"))
        if not self.climate.tilt:
            return lambda at: 0.0
        return partial(_towards, side if self.climate.tilt == "side" else "all", self.choices)

    def drawn(self) -> HexMap:
        self._ground()
        self._water()
        self._join()
        land = self._map()
        rivers = self._rivers(land) if self.choices.river else frozenset()
        roads = self._roads(replace(land, rivers=rivers)) if self.choices.roads else frozenset()
        return replace(self._map(), rivers=rivers, roads=roads)

    def _map(self) -> HexMap:
        letters = [BY_SLUG[MapKind.CAMPAIGN][self.slugs[at]].letter for at in self.hexes]
        wide = self.choices.columns
        rows = tuple("".join(letters[start : start + wide]) for start in range(0, len(letters), wide))
        return HexMap(self.choices.seed, MapKind.CAMPAIGN, wide, self.choices.rows, rows)

    # Relief

    def _ground(self) -> None:
        """Assign terrain by rank: lowest hexes water, highest peaks, wettest of the rest woods and swamps."""
        climate = self.climate
        by_height = sorted(self.hexes, key=self.heights.__getitem__)
        under = len(by_height) * climate.water // 100
        self.slugs = dict.fromkeys(self.hexes, "plains") | dict.fromkeys(by_height[:under], "lake")
        dry = by_height[under:]
        for slug, share in (("peaks", climate.peaks), ("mountains", climate.mountains), ("hills", climate.hills)):
            self._lay(dry, slug, share, len(by_height) - under)
        left = sorted(dry, key=self.rain.__getitem__)
        for slug, share in ((climate.wood, climate.woods), ("swamp", climate.swamp)):
            self._lay(left, slug, share, len(by_height) - under)
        left.reverse()
        barren = len(left)
        for slug, share in (climate.barren or {}).items():
            self._lay(left, slug, share, barren)

    def _lay(self, waiting: list[Hex], slug: str, share: int, of: int) -> None:
        """Assign a terrain to `share` per cent of `of`, taken from the end of the list."""
        for _hex in range(min(of * share // 100, len(waiting))):
            self.slugs[waiting.pop()] = slug

    def _water(self) -> None:
        """Turn large lakes at the map's edge into sea, and plains beside them into coast."""
        for water in self._pieces([at for at in self.hexes if self.slugs[at] == "lake"]):
            if len(water) >= SEA_FROM and any(len(self.blank.around(at)) < 6 for at in water):
                self.slugs |= dict.fromkeys(water, "sea")
        for at in self.hexes:
            by_the_sea = any(self.slugs.get(one) == "sea" for one in neighbours(at))
            if self.slugs[at] == "plains" and by_the_sea:
                self.slugs[at] = "coast"

    def _pieces(self, hexes: Collection[Hex]) -> Iterator[frozenset[Hex]]:
        left = dict.fromkeys(hexes)
        while left:
            piece, waiting = set(), [next(iter(left))]
            while waiting:
                at = waiting.pop()
                if at in left:
                    del left[at]
                    piece.add(at)
                    waiting += neighbours(at)
            yield frozenset(piece)

    def _join(self) -> None:
        """Connect the land (HX-8.3): blocking peaks become mountains; except on islands, pieces cut off become
        water.
        """
        while gap := self._gap():
            self.slugs |= dict.fromkeys(gap, "mountains")
        if self.climate.tilt == "all":
            return
        pieces = sorted(self._pieces([at for at in self.hexes if self._on_foot(at)]), key=len)
        for piece in pieces[:-1]:
            beside = (self.slugs[one] for at in sorted(piece) for one in self.blank.around(at) if one not in piece)
            self.slugs |= dict.fromkeys(piece, next(slug for slug in beside if slug in WATER))

    def _gap(self) -> list[Hex]:
        """The peaks beside land that is cut off only by peaks."""
        dry = [at for at in self.hexes if self.slugs[at] not in WATER]
        found = []
        for whole in self._pieces(dry):
            pieces = sorted(self._pieces([at for at in self.hexes if at in whole and self._on_foot(at)]), key=len)
            for piece in pieces[:-1]:
                found += [at for at in whole if self.slugs[at] == "peaks" and not piece.isdisjoint(neighbours(at))]
        return found

    def _on_foot(self, at: Hex) -> bool:
        return BY_SLUG[MapKind.CAMPAIGN][self.slugs[at]].on_foot

    # Rivers and roads

    def _rivers(self, land: HexMap) -> frozenset[Edge]:
        """The edges of the rivers, from high ground down to water, another river or, without any sea, off the map."""
        rivers: frozenset[Edge] = frozenset()
        wet: set[Corner] = set()
        beyond = "" if "sea" in self.slugs.values() else "sea"
        high = [at for at in self.hexes if self.slugs[at] in ("mountains", "hills")] or list(self.hexes)
        for source in self._apart(high, max(1, min(len(self.hexes) // HEXES_A_RIVER, MOST_RIVERS))):
            steps = course([Corner(*source, True)], partial(self._mouth, wet, beyond), partial(self._fall, land))
            if len(steps) > 1:
                rivers |= steps
                wet |= {corner for step in steps for corner in ends_of(step)}
        return rivers

    def _mouth(self, wet: Collection[Corner], beyond: str, corner: Corner) -> bool:
        slugs = [self.slugs.get(at, beyond) for at in corner.hexes]
        return corner in wet or any(slug in WATER for slug in slugs)

    def _fall(self, land: HexMap, corner: Corner, step: Edge) -> float | None:
        """The price of a river's step to a corner: low ground is cheap. None off the map."""
        if not on_map(land, step):
            return None
        heights = [self.heights.get(at, 0.0) for at in corner.hexes]
        return 0.2 + (max(0.0, sum(heights) / 3 - 0.2)) ** 2 * 4

    def _roads(self, land: HexMap) -> frozenset[Edge]:
        """The road edges that connect random sites, each to its nearest predecessor; plains around sites are farmed."""
        open_land = [at for at in self.hexes if self.slugs[at] in ("plains", "coast", "moor", "tundra")]
        sites = self._apart(open_land, max(2, min(len(self.hexes) // HEXES_A_SITE, MOST_SITES)))
        costs, roads = costs_on_foot(land, ROAD_PRICES), frozenset[Edge]()
        for place, site in enumerate(sites[1:], 1):
            way = path(costs, site, min(sites[:place], key=partial(distance, site)))
            steps = frozenset(edge(a, b) for a, b in pairwise(way.hexes)) if way else frozenset()
            costs, roads = costs.paved(steps, ROAD_PRICES[CLEAR]), roads | steps
        for site in sites:
            around = [at for at in (site, *self.blank.around(site)) if self.slugs[at] == "plains"]
            self.slugs |= dict.fromkeys(around, "farmland")
        return roads

    def _apart(self, hexes: Sequence[Hex], count: int) -> list[Hex]:
        """Up to `count` random hexes from these, with a minimum distance from each other."""
        least, chosen = int((len(self.hexes) / count) ** 0.5 * 0.6), list[Hex]()
        for at in self.dice.sample(hexes, len(hexes)):
            if len(chosen) < count and all(distance(at, one) >= least for one in chosen):
                chosen.append(at)
        return chosen


def _towards(side: str, choices: MapChoices, at: Hex) -> float:
    """The slope at a hex, 0 or less: lower towards one edge, or towards all of them."""
    column, row = place_of(at)
    east, south = column / (choices.columns - 1), row / (choices.rows - 1)
    if side == "all":
        return -4 * ((east - 0.5) ** 2 + (south - 0.5) ** 2)
    return -1.6 * {"north": 1 - south, "south": south, "west": 1 - east, "east": east}[side]


SHARES = {"plain": 10, "rough": 28}  # per cent of the hexes between the zones
SHARE = 18
WEIGHTS = {"wood": 4, "hill": 3, "marsh": 2, "rocks": 1, "thicket": 1, "mountain": 1}
LIKED = {"wooded": "wood", "hilly": "hill", "marshy": "marsh"}
LARGEST_PATCH, TRIES = 5, 1000
LEAST_BETWEEN = 2  # rows between the zones
GIVES_WAY = ("mountain", "thicket")  # removed where it cuts a hex off


def generate(choices: MapChoices, *, zone_rows: int = ZONE_ROWS, margin: int = 0) -> HexMap:
    """The map for these choices, named after its seed.

    `zone_rows`: the depth of the zones on a battlefield. `margin`: the rows between a zone and its map edge (H-2,
    W-62), fewer if the zones would meet; with a margin the map records the zones.

    Raises `InvalidInput` for a size out of bounds.
    """
    if choices.of is MapKind.CAMPAIGN:
        return land_of(choices)
    return Battlefield(choices, zone_rows, margin).drawn()


class Battlefield:
    """Generator of a battlefield. `gives_way`: slugs of terrain that is removed where it cuts a hex off."""

    gives_way: tuple[str, ...] = GIVES_WAY

    def __init__(self, choices: MapChoices, zone_rows: int = ZONE_ROWS, margin: int = 0):
        self.choices, self.dice = fitted(choices), Random(f"{choices.kind} {choices.seed}")
        self.blank = blank(choices.seed, MapKind.BATTLE, choices.columns, self.choices.rows)
        self.slugs = dict.fromkeys(self.blank, "open")
        between = self.choices.rows - 2 * zone_rows - LEAST_BETWEEN
        self.margin, self.zone_rows = max(0, min(margin, between // 2)), zone_rows
        self.zones = frozenset().union(*(zone(self.blank, side, zone_rows + self.margin) for side in (0, 1)))

    def drawn(self) -> HexMap:
        if self.choices.river:
            self._river()
        self._patches()
        if self.choices.symmetric:
            self._turn()
        self._open_gaps()
        return self._map()

    def _map(self) -> HexMap:
        letters = [BY_SLUG[MapKind.BATTLE][self.slugs[at]].letter for at in self.blank]
        wide = self.choices.columns
        rows = tuple("".join(letters[start : start + wide]) for start in range(0, len(letters), wide))
        made = HexMap(self.choices.seed, MapKind.BATTLE, wide, self.choices.rows, rows)
        return replace(made, zones=tuple(self._zone(side) for side in (0, 1))) if self.margin else made

    def _zone(self, side: int) -> frozenset[Hex]:
        """The rows of a side's zone, without the margin at the edge."""
        margin = zone(self.blank, side, self.margin)
        return zone(self.blank, side, self.zone_rows + self.margin) - margin

    def _river(self) -> None:
        """Lay a river from edge to edge with three crossings, and a road over its bridge from zone to zone."""
        columns, rows = self.choices.columns, self.choices.rows
        for column in range(columns):
            self.slugs[at_place(column, rows // 2)] = "river"
        for quarter, crossing in ((1, "ford"), (2, "bridge"), (3, "ford")):
            self.slugs[at_place(columns * quarter // 4, rows // 2)] = crossing
        for row in range(rows):
            at = at_place(columns // 2, row)  # consecutive hexes of a column touch
            if at not in self.zones and self.slugs[at] == "open":
                self.slugs[at] = "road"

    def _patches(self) -> None:
        half = [at for at in self.blank if at not in self.zones and (not self._turned or at.r < self.choices.rows / 2)]
        wanted = len(half) * SHARES.get(self.choices.kind, SHARE) // 100
        covered = 0
        for _try in range(TRIES):
            free = [at for at in half if self.slugs[at] == "open"]
            if covered >= wanted or not free:
                return
            slug = self._drawn_terrain()
            size = min(self.dice.randint(1, LARGEST_PATCH), wanted - covered)
            covered += sum(1 for _at in self._grown(self.dice.choice(free), slug, size, frozenset(half)))

    @property
    def _turned(self) -> bool:
        return self.choices.symmetric

    def _drawn_terrain(self) -> str:
        weights = WEIGHTS | ({"houses": 1} if self.choices.river else {})
        if liked := LIKED.get(self.choices.kind):
            weights |= {liked: 3 * weights[liked]}
        return self.dice.choices(list(weights), list(weights.values()))[0]

    def _grown(self, start: Hex, slug: str, size: int, within: Collection[Hex]) -> Iterator[Hex]:
        patch = [start]
        while patch:
            self.slugs[patch[-1]] = slug
            yield patch[-1]
            beside = {one for at in patch for one in neighbours(at) if one in within and self.slugs[one] == "open"}
            if len(patch) == size or not beside:
                return
            patch.append(self.dice.choice(sorted(beside)))

    def _turn(self) -> None:
        """Make the southern half a copy of the northern one (H-3)."""
        for at in self.blank:
            other = twin(self.blank, at)
            if other.r < at.r:
                self.slugs[at] = self.slugs[other]

    def _open_gaps(self) -> None:
        """Make every passable hex reachable on foot by removing blocking terrain beside the gaps (HX-8.3)."""
        while gap := self._first_gap():
            for at in {gap, twin(self.blank, gap)} if self._turned else {gap}:
                if self.slugs[at] in self.gives_way:
                    self.slugs[at] = "open"

    def _first_gap(self) -> Hex | None:
        land = self._map()
        reached = joined(land, min(self.zones, key=lambda at: (at.r, at.q)))
        cut_off = {at for at in land if land.at(at).on_foot and at not in reached}
        closed = (at for at in land if self.slugs[at] in self.gives_way)
        return next((at for at in closed if not cut_off.isdisjoint(neighbours(at))), None)


def fitted(choices: MapChoices) -> MapChoices:
    """The choices with an odd number of rows if a symmetric map has a river: one more, or 39 instead of 40 (H-3)."""
    if not (choices.symmetric and choices.river) or choices.rows % 2:
        return choices
    more = choices.rows < MOST_SIDE[MapKind.BATTLE]
    return replace(choices, rows=choices.rows + 1 if more else choices.rows - 1)


def twin(land: HexMap, at: Hex) -> Hex:
    """The hex of the other half that matches this one (H-3).

    Half a turn if the number of rows is even, a mirror image across the middle row if odd. Both keep distances.
    """
    column, row = place_of(at)
    return at_place(column if land.rows % 2 else land.columns - 1 - column, land.rows - 1 - row)
