"""Maps made from a seed (HX-8): fields of battle here, the lands of a campaign in `lands`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from random import Random

from rules.hexes.field import ZONE_ROWS, joined, zone
from rules.hexes.geometry import Hex, at_place, neighbours, place_of
from rules.hexes.lands import land_of
from rules.hexes.map_choices import MapChoices
from rules.hexes.mapfile import MOST_SIDE, HexMap, blank
from rules.hexes.terrain import BY_SLUG, MapKind

SHARES = {"plain": 10, "rough": 28}  # per cent of the hexes between the zones
SHARE = 18
WEIGHTS = {"wood": 4, "hill": 3, "marsh": 2, "rocks": 1, "thicket": 1, "mountain": 1}
LIKED = {"wooded": "wood", "hilly": "hill", "marshy": "marsh"}
LARGEST_PATCH, TRIES = 5, 1000
LEAST_BETWEEN = 2  # rows between the zones
GIVES_WAY = ("mountain", "thicket")  # where a hex would be cut off


def generate(choices: MapChoices, *, zone_rows: int = ZONE_ROWS, margin: int = 0) -> HexMap:
    """The map of these choices, without a name of its own. Raises `InvalidInput` for sides out of bounds.

    Of a field of battle: how deep the zones are, and how many rows lie between each and its edge (H-2, W-62). With a
    margin the map says where the zones are; fewer rows where they would meet.
    """
    if choices.of is MapKind.CAMPAIGN:
        return land_of(choices)
    return Battlefield(choices, zone_rows, margin).drawn()


class Battlefield:
    """One being made: what lies where, by hex. `gives_way`: terrain that opens where it would cut a hex off."""

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
        """The rows of a side's zone, those between it and the edge left out."""
        margin = zone(self.blank, side, self.margin)
        return zone(self.blank, side, self.zone_rows + self.margin) - margin

    def _river(self) -> None:
        """From edge to edge with three crossings, and a road over its bridge from zone to zone."""
        columns, rows = self.choices.columns, self.choices.rows
        for column in range(columns):
            self.slugs[at_place(column, rows // 2)] = "river"
        for quarter, crossing in ((1, "ford"), (2, "bridge"), (3, "ford")):
            self.slugs[at_place(columns * quarter // 4, rows // 2)] = crossing
        for row in range(rows):
            at = at_place(columns // 2, row)  # two of one column in rows that follow each other touch
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
        """The southern half is the northern one over again (H-3)."""
        for at in self.blank:
            other = twin(self.blank, at)
            if other.r < at.r:
                self.slugs[at] = self.slugs[other]

    def _open_gaps(self) -> None:
        """Every passable hex can be reached on foot: what closes the way next to a gap gives way (HX-8.3)."""
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
    """With an odd number of rows where a symmetric map has a river: the next one up, and 39 for 40 (H-3)."""
    if not (choices.symmetric and choices.river) or choices.rows % 2:
        return choices
    more = choices.rows < MOST_SIDE[MapKind.BATTLE]
    return replace(choices, rows=choices.rows + 1 if more else choices.rows - 1)


def twin(land: HexMap, at: Hex) -> Hex:
    """The hex of the other half that is like this one: by half a turn where the rows are even, mirrored in the middle
    row where they are odd. Both keep distances (H-3).
    """
    column, row = place_of(at)
    return at_place(column if land.rows % 2 else land.columns - 1 - column, land.rows - 1 - row)
