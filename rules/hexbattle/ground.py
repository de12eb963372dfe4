"""Ground of a hex battle: the map's document, temporary terrain over it, and the timers of temporary effects
(HX-2.4).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from rules.core.errors import InvalidInput, demand
from rules.core.text import _
from rules.hexes import field as sides
from rules.hexes.field import HexField
from rules.hexes.geometry import Hex, distance, hex_at, label_of
from rules.hexes.mapfile import HexMap, document, parse
from rules.hexes.paths import mesh, sees
from rules.hexes.terrain import LAID, OF_A_WHILE, HexTerrain, harder

# Ground of a hex battle: the map's document and temporary terrain over it.
#
# Hexes are labels (H-4). Everything derived from the map (its parsed form, step costs, lines of sight) is cached with
# the ground.

type MapDocument = Mapping[str, Any]

MOST_KEPT = 1 << 14
"""Default number of cached values of one kind per ground (`BattleGround.kept`)."""

WITHIN_MOST = 512
"""Number of cached `within` queries per ground."""

hex_of = lru_cache(maxsize=1 << 13)(hex_at)
label = lru_cache(maxsize=1 << 13)(label_of)


@lru_cache(maxsize=16)
def labels_of(columns: int, rows: int) -> tuple[str, ...]:
    """The label of every hex of a map of this size, in reading order."""
    return tuple(label_of(Hex(column - row // 2, row)) for row in range(rows) for column in range(columns))


@lru_cache(maxsize=16)
def numbers_of(columns: int, rows: int) -> Mapping[str, int]:
    """The index of every label in reading order."""
    return {name: number for number, name in enumerate(labels_of(columns, rows))}


@lru_cache(maxsize=16)
def around_of(columns: int, rows: int) -> Mapping[str, tuple[str, ...]]:
    """The neighbours on the map of every label, in the order of HX-1.1."""
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
    """A map (`document`) with temporary terrain over it (`overlays`, slugs by hex).

    Both are plain values that can be stored. Grounds with equal values are equal.
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
        """The version of the map without overlays, 12 hex digits. Equal maps have equal versions in all battles."""
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
        """The cache of values derived from this ground, by kind."""
        return {}

    def kept[Found](self, kind: str, key: Hashable, find: Callable[[], Found], most: int = MOST_KEPT) -> Found:
        """The cached result of `find`, which depends on this ground and `key` only.

        A full cache (`most` entries of this kind) is cleared.
        """
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
        """The labels of all hexes, in reading order."""
        return labels_of(self.columns, self.rows)

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        return numbers_of(self.columns, self.rows)

    def __contains__(self, at: object) -> bool:
        return at in self.numbers

    @cached_property
    def neighbours(self) -> Mapping[str, tuple[str, ...]]:
        """The neighbours on the map of every hex, in the order of HX-1.1."""
        return around_of(self.columns, self.rows)

    def around(self, at: str) -> tuple[str, ...]:
        """The neighbours of a hex on the map, in the order of HX-1.1."""
        return self.neighbours[at]

    @cached_property
    def painted(self) -> Mapping[str, HexTerrain]:
        """The terrain of every hex without overlays."""
        return _painted(self.text)

    def terrain(self, at: str) -> HexTerrain:
        """The terrain of a hex, overlays included."""
        return self.field.at(hex_of(at)) if at in self.overlays else self.painted[at]

    @cached_property
    def heights(self) -> Mapping[str, int]:
        """The height of every hex."""
        return _heights(self.text)

    def height(self, at: str) -> int:
        return self.heights[at]

    def sees(self, start: str, target: str, *, flying: tuple[bool, bool] = (False, False)) -> bool:
        """Whether the line of sight between two hexes is free (HX-5).

        `flying`: whether the unit at the start, and the one at the target, flies. A law with blockers of its own calls
        `sight.sees`.
        """
        key = (start, target, flying)
        return self.kept("sight", key, lambda: sees(self.field, hex_of(start), hex_of(target), flying=flying))

    def zone(self, side: int, rows: int) -> frozenset[str]:
        """The setup zone of a side: as the map defines it, or else the `rows` rows nearest its home edge (H-2)."""
        return self.kept("zones", (side, rows), lambda: frozenset(map(label, sides.zone(self.land, side, rows))))

    def from_home(self, side: int, at: str) -> int:
        """The number of rows or columns to the side's home edge, 0 on it (HX-1.5)."""
        return sides.from_home(self.land, side, hex_of(at))

    def home_edge(self, side: int) -> tuple[str, ...]:
        """The hexes of a side's home edge, in reading order."""
        return tuple(at for at in self.labels if self.from_home(side, at) == 0)

    def homeward(self, side: int, at: str) -> tuple[str, ...]:
        """The neighbours nearer to the side's home edge, in the order of HX-1.1."""
        return tuple(map(label, sides.homeward(self.land, side, hex_of(at))))

    def away(self, side: int, at: str, threat: str, enemies: Iterable[str]) -> tuple[str, ...]:
        """The neighbours farther from a threat, best for this side first (HX-6.2). `enemies`: their hexes."""
        found = sides.away(self.land, side, hex_of(at), hex_of(threat), map(hex_of, enemies))
        return tuple(map(label, found))

    def beside(self, hexes: Iterable[str]) -> frozenset[str]:
        """All hexes next to at least one of these."""
        return frozenset().union(*(self.neighbours[at] for at in hexes))

    def within(self, at: str, far: int) -> frozenset[str]:
        """All hexes at most `far` hexes away, itself included."""
        return self.kept("within", (at, far), lambda: self._within(at, far), WITHIN_MOST)

    def _within(self, at: str, far: int) -> frozenset[str]:
        found = ring = frozenset({at})
        for _step in range(far):
            ring = self.beside(ring) - found
            found |= ring
        return found

    def laid(self, overlays: Mapping[str, str]) -> BattleGround:
        """The ground with these overlays instead of its own. The cached values of the map are kept."""
        if overlays == self.overlays:
            return self
        other = BattleGround(self.document, dict(overlays))
        for known in ("text", "version", "land", "painted", "heights"):
            if known in self.__dict__:
                other.__dict__[known] = self.__dict__[known]
        return other

    def changed(self, changes: MapDocument) -> BattleGround:
        """The ground with these changes applied to its document (see `changes_between`)."""
        return BattleGround(patched(self.document, changes), self.overlays)

    def require_hex(self, at: object, *, field: str = "") -> str:
        """The label in its normal form.

        Raises `InvalidInput` if it isn't a hex of this map.
        """
        try:
            named = label_of(hex_at(at))  # type: ignore[arg-type]  # it raises for other types
        except InvalidInput as fault:
            raise fault.below(field) from fault
        demand(named in self, _("{hex} isn’t on the map."), field=field, hex=named)
        return named


@lru_cache(maxsize=1 << 16)
def apart(a: str, b: str) -> int:
    """The distance of two hexes (HX-1.2)."""
    return distance(hex_of(a), hex_of(b))


def checked(document_: object) -> dict[str, Any]:
    """The normalised document of a map, made of plain JSON values for storing in an opening.

    Raises `InvalidInput` if it isn't a valid map.
    """
    plain: dict[str, Any] = json.loads(json.dumps(document(parse(document_)), ensure_ascii=False))
    return plain


def changes_between(before: MapDocument, after: MapDocument) -> dict[str, Any]:
    """The changes that turn one map document into another: new values by member name, None for a removed member.

    For `terrain` only the changed rows are listed, by number, if the number of rows stays the same.
    """
    found = {key: after.get(key) for key in before.keys() | after.keys() if before.get(key) != after.get(key)}
    if "terrain" in found and len(before["terrain"]) == len(after["terrain"]):
        rows = zip(before["terrain"], after["terrain"], strict=True)
        found["terrain"] = {str(number): new for number, (old, new) in enumerate(rows) if old != new}
    return found


def patched(before: MapDocument, changes: MapDocument) -> dict[str, Any]:
    """The document with these changes applied; the inverse of `changes_between`."""
    after = {**before, **changes}
    rows = changes.get("terrain")
    if isinstance(rows, Mapping):
        after["terrain"] = [rows.get(str(number), row) for number, row in enumerate(before["terrain"])]
    return {key: value for key, value in after.items() if value is not None}


# Timers: temporary effects on units or hexes, and when they end (HX-2.4).

BOTH = -1  # The side of a phase that belongs to no side.


class Timer(NamedTuple):
    """A temporary effect. It ends when this phase of this side has ended `left` more times.

    `on`: ids of units or labels of hexes it is on. `lays`: pairs of a hex and the terrain it puts there. `by`: the id
    of its cause, or "".
    """

    effect: str
    on: tuple[str, ...]
    by: str
    side: int
    phase: str
    left: int = 1
    lays: tuple[tuple[str, str], ...] = ()

    def ticks(self, side: int, phase: str) -> bool:
        return (self.side, self.phase) == (side, phase)


def after_phase(timers: Iterable[Timer], side: int, phase: str) -> tuple[Timer, ...]:
    """The timers left after this phase of this side ended or was skipped."""
    ticked = (timer._replace(left=timer.left - timer.ticks(side, phase)) for timer in timers)
    return tuple(timer for timer in ticked if timer.left > 0)


def ending(timers: Iterable[Timer], side: int, phase: str) -> tuple[Timer, ...]:
    """The timers that end with this phase of this side."""
    return tuple(timer for timer in timers if timer.left <= 1 and timer.ticks(side, phase))


def overlays(timers: Iterable[Timer]) -> dict[str, str]:
    """The terrain that these timers put over the map, by hex.

    Later terrain replaces earlier, except that a temporary terrain doesn't replace a harder temporary one (a mire
    doesn't replace a fire).
    """
    found: dict[str, str] = {}
    for timer in timers:
        for at, terrain in timer.lays:
            below, laid = LAID[found.get(at, terrain)], LAID[terrain]
            keeps = below in OF_A_WHILE and laid in OF_A_WHILE and harder(below.footing, laid.footing) != laid.footing
            found[at] = below.slug if keeps else terrain
    return found


def on(timers: Iterable[Timer], what: str) -> tuple[Timer, ...]:
    """The effects on a unit or hex."""
    return tuple(timer for timer in timers if what in timer.on)


def without_all(timers: Iterable[Timer], gone: Collection[str]) -> tuple[Timer, ...]:
    """The timers without these units. A timer left with nothing to act on is dropped."""
    kept = (timer._replace(on=tuple(one for one in timer.on if one not in gone)) for timer in timers)
    return tuple(timer for timer in kept if timer.on or timer.lays)


def by_hex(timers: Iterable[Timer]) -> Mapping[str, tuple[Timer, ...]]:
    """The effects on each unit or hex, changed terrain included."""
    found: dict[str, tuple[Timer, ...]] = {}
    for timer in timers:
        for what in dict.fromkeys((*timer.on, *(at for at, _terrain in timer.lays))):
            found[what] = (*found.get(what, ()), timer)
    return found
