"""Maps made from a seed (HX-8): fields of battle here, the lands of a campaign in `lands`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random

from rules.hexes.field import joined, zone
from rules.hexes.geometry import Hex, at_place, neighbours, place_of
from rules.hexes.lands import land_of
from rules.hexes.map_choices import MapChoices
from rules.hexes.mapfile import HexMap, blank
from rules.hexes.terrain import BY_SLUG, MapKind

SHARES = {"plain": 10, "rough": 28}  # per cent of the hexes between the zones
SHARE = 18
WEIGHTS = {"wood": 4, "hill": 3, "marsh": 2, "rocks": 1, "thicket": 1, "mountain": 1}
LIKED = {"wooded": "wood", "hilly": "hill", "marshy": "marsh"}
LARGEST_PATCH, TRIES = 5, 1000
GIVES_WAY = ("mountain", "thicket")  # where a hex would be cut off


def generate(choices: MapChoices) -> HexMap:
    """The map of these choices, without a name of its own. Raises `InvalidInput` for sides out of bounds."""
    return land_of(choices) if choices.of is MapKind.CAMPAIGN else Battlefield(choices).drawn()


class Battlefield:
    """One being made: what lies where, by hex."""

    def __init__(self, choices: MapChoices):
        self.choices, self.dice = choices, Random(f"{choices.kind} {choices.seed}")
        self.blank = blank(choices.seed, MapKind.BATTLE, choices.columns, choices.rows)
        self.slugs = dict.fromkeys(self.blank, "open")
        self.zones = zone(self.blank, 0) | zone(self.blank, 1)

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
        return HexMap(self.choices.seed, MapKind.BATTLE, wide, self.choices.rows, rows)

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
        """The southern half is the northern one turned by half a turn; river and road stay as they run."""
        for at in self.blank:
            other = self._opposite(at)
            if other.r < at.r and self.slugs[at] == "open" and self.slugs[other] not in RUNNING:
                self.slugs[at] = self.slugs[other]

    def _opposite(self, at: Hex) -> Hex:
        column, row = place_of(at)
        return at_place(self.choices.columns - 1 - column, self.choices.rows - 1 - row)

    def _open_gaps(self) -> None:
        """Every passable hex can be reached on foot: what closes the way next to a gap gives way (HX-8.3)."""
        while gap := self._first_gap():
            for at in {gap, self._opposite(gap)} if self._turned else {gap}:
                if self.slugs[at] in GIVES_WAY:
                    self.slugs[at] = "open"

    def _first_gap(self) -> Hex | None:
        land = self._map()
        reached = joined(land, min(self.zones, key=lambda at: (at.r, at.q)))
        cut_off = {at for at in land if land.at(at).on_foot and at not in reached}
        closed = (at for at in land if self.slugs[at] in GIVES_WAY)
        return next((at for at in closed if not cut_off.isdisjoint(neighbours(at))), None)


RUNNING = frozenset({"river", "ford", "bridge", "road"})
