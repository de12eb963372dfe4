"""Ground of a hex battle: the map as its file's document, and terrain that lies over it for a while.

Hexes are labels (H-4). What is worked out from the map (its parsed form, step costs, lines of sight) is kept with the
ground and worked out once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from rules.core.errors import InvalidInput, demand
from rules.core.text import _
from rules.hexes import field as sides
from rules.hexes.field import HexField
from rules.hexes.geometry import Hex, distance, hex_at, label_of
from rules.hexes.mapfile import HexMap, document, parse
from rules.hexes.paths import mesh, sees
from rules.hexes.terrain import HexTerrain

type MapDocument = Mapping[str, Any]

MOST_KEPT = 1 << 14
"""Things of a kind that a ground remembers (`BattleGround.kept`), unless whoever asks says fewer."""

WITHIN_MOST = 512
"""Hexes of which a ground remembers what lies near them."""

hex_of = lru_cache(maxsize=1 << 13)(hex_at)
label = lru_cache(maxsize=1 << 13)(label_of)


@lru_cache(maxsize=16)
def labels_of(columns: int, rows: int) -> tuple[str, ...]:
    """The label of every hex of a map of this size, in reading order."""
    return tuple(label_of(Hex(column - row // 2, row)) for row in range(rows) for column in range(columns))


@lru_cache(maxsize=16)
def numbers_of(columns: int, rows: int) -> Mapping[str, int]:
    """The place of every label in reading order."""
    return {name: number for number, name in enumerate(labels_of(columns, rows))}


@lru_cache(maxsize=16)
def around_of(columns: int, rows: int) -> Mapping[str, tuple[str, ...]]:
    """The neighbours of every label that are on the map, in the order of HX-1.1."""
    names = labels_of(columns, rows)
    return {names[at]: tuple(names[one] for one in near) for at, near in enumerate(mesh(columns, rows))}


@lru_cache(maxsize=64)
def _parsed(text: str) -> HexMap:
    return parse(json.loads(text), kept=True)


@lru_cache(maxsize=64)
def _painted(text: str) -> Mapping[str, HexTerrain]:
    land = _parsed(text)
    return {label(at): land.at(at) for at in land}


@lru_cache(maxsize=64)
def _heights(text: str) -> Mapping[str, int]:
    land = _parsed(text)
    return {label(at): land.height(at) for at in land}


@dataclass(frozen=True)
class BattleGround:
    """A map (`document`) with terrain over it for a while (`overlays`, by hex). Both are plain values that can be
    stored; two grounds that say the same are equal.
    """

    document: MapDocument
    overlays: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, land: HexMap) -> BattleGround:
        return cls(document(land))

    @cached_property
    def text(self) -> str:
        return json.dumps(self.document, ensure_ascii=False)

    @cached_property
    def version(self) -> str:
        """Names the map (not what lies over it): the same map has the same version in every battle."""
        text = json.dumps(document(self.land), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @cached_property
    def land(self) -> HexMap:
        return _parsed(self.text)

    @cached_property
    def field(self) -> HexField:
        return HexField(self.land, {hex_of(at): slug for at, slug in self.overlays.items()})

    @cached_property
    def memo(self) -> dict[str, dict[Hashable, Any]]:
        """What was worked out from this ground, by its kind."""
        return {}

    def kept[Found](self, kind: str, key: Hashable, find: Callable[[], Found], most: int = MOST_KEPT) -> Found:
        """What `find` works out from this ground, remembered. Of a kind at most so many are: then all are forgotten."""
        known: dict[Hashable, tuple[Found]] = self.memo.setdefault(kind, {})
        held = known.get(key)
        if held is None:
            held = (find(),)
            if len(known) >= most:
                known.clear()
            known[key] = held
        return held[0]

    @cached_property
    def columns(self) -> int:
        return int(self.document["columns"])

    @cached_property
    def rows(self) -> int:
        return int(self.document["rows"])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Every hex, in reading order."""
        return labels_of(self.columns, self.rows)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return numbers_of(self.columns, self.rows)

    def __contains__(self, at: object) -> bool:
        return at in self.numbers

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The neighbours of every hex that are on the map, in the order of HX-1.1."""
        return around_of(self.columns, self.rows)

    def around(self, at: str) -> tuple[str, ...]:
        """The neighbours on the map, in the order of HX-1.1."""
        return self.neighbours[at]

    @cached_property
    def painted(self) -> Mapping[str, HexTerrain]:
        """What lies on every hex of the map, overlays left aside."""
        return _painted(self.text)

    def terrain(self, at: str) -> HexTerrain:
        """What lies on a hex, overlays included."""
        return self.field.at(hex_of(at)) if at in self.overlays else self.painted[at]

    @cached_property
    def heights(self) -> Mapping[str, int]:
        """The height of every hex."""
        return _heights(self.text)

    def height(self, at: str) -> int:
        return self.heights[at]

    def sees(self, start: str, target: str, *, flying: tuple[bool, bool] = (False, False)) -> bool:
        """Whether the sight between two hexes is free (HX-5). A law with blockers of its own calls `sight.sees`."""
        key = (start, target, flying)
        return self.kept("sight", key, lambda: sees(self.field, hex_of(start), hex_of(target), flying=flying))

    def zone(self, side: int, rows: int) -> frozenset[str]:
        """Where a side sets up: what the map says, or so many rows nearest its home edge (H-2)."""
        return self.kept("zones", (side, rows), lambda: frozenset(map(label, sides.zone(self.land, side, rows))))

    def from_home(self, side: int, at: str) -> int:
        """Rows or columns to the side's home edge, 0 on it (HX-1.5)."""
        return sides.from_home(self.land, side, hex_of(at))

    def home_edge(self, side: int) -> tuple[str, ...]:
        """The hexes of a side's home edge, in reading order."""
        return tuple(at for at in self.labels if self.from_home(side, at) == 0)

    def homeward(self, side: int, at: str) -> tuple[str, ...]:
        """The neighbours nearer to the side's home edge, in the order of HX-1.1."""
        return tuple(map(label, sides.homeward(self.land, side, hex_of(at))))

    def away(self, side: int, at: str, threat: str, enemies: Iterable[str]) -> tuple[str, ...]:
        """The neighbours farther from a threat, the best for this side first (HX-6.2); `enemies`: the hex of each."""
        found = sides.away(self.land, side, hex_of(at), hex_of(threat), map(hex_of, enemies))
        return tuple(map(label, found))

    def beside(self, hexes: Iterable[str]) -> frozenset[str]:
        """Every hex next to one of these."""
        return frozenset().union(*(self.neighbours[at] for at in hexes))

    def within(self, at: str, far: int) -> frozenset[str]:
        """Every hex at most so far away, itself included."""
        return self.kept("within", (at, far), lambda: self._within(at, far), WITHIN_MOST)

    def _within(self, at: str, far: int) -> frozenset[str]:
        """Ring by ring."""
        found = ring = frozenset({at})
        for _step in range(far):
            ring = self.beside(ring) - found
            found |= ring
        return found

    def laid(self, overlays: Mapping[str, str]) -> BattleGround:
        """The same map with this over it."""
        if overlays == self.overlays:
            return self
        other = BattleGround(self.document, dict(overlays))
        for known in ("text", "version", "land", "painted", "heights"):
            if known in self.__dict__:
                other.__dict__[known] = self.__dict__[known]
        return other

    def changed(self, changes: MapDocument) -> BattleGround:
        """The ground after these changes of its document (`changes_between`)."""
        return BattleGround(patched(self.document, changes), self.overlays)

    def require_hex(self, at: object, *, field: str = "") -> str:
        """The label as it is written on this map. Raises `InvalidInput` for what is no hex of it."""
        try:
            named = label_of(hex_at(at))  # type: ignore[arg-type]  # it refuses what is no text
        except InvalidInput as fault:
            raise fault.below(field) from fault
        demand(named in self, _("{hex} isn’t on the map."), field=field, hex=named)
        return named


@lru_cache(maxsize=1 << 16)
def apart(a: str, b: str) -> int:
    """The distance of two hexes (HX-1.2)."""
    return distance(hex_of(a), hex_of(b))


def checked(document_: object) -> dict[str, Any]:
    """The document of a battle's map as it is kept in an opening, of plain values. Raises `InvalidInput` for what is
    no map.
    """
    plain: dict[str, Any] = json.loads(json.dumps(document(parse(document_)), ensure_ascii=False))
    return plain


def changes_between(before: MapDocument, after: MapDocument) -> dict[str, Any]:
    """What has to be changed in a map's document to get another: members by name, None where one goes, and of
    `terrain` only the rows that differ where their number stays.
    """
    found = {key: after.get(key) for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    if "terrain" in found and len(before["terrain"]) == len(after["terrain"]):
        rows = zip(before["terrain"], after["terrain"], strict=True)
        found["terrain"] = {str(number): new for number, (old, new) in enumerate(rows) if old != new}
    return found


def patched(before: MapDocument, changes: MapDocument) -> dict[str, Any]:
    """The document with these changes."""
    after = {**before, **changes}
    rows = changes.get("terrain")
    if isinstance(rows, Mapping):
        after["terrain"] = [rows.get(str(number), row) for number, row in enumerate(before["terrain"])]
    return {key: value for key, value in after.items() if value is not None}
