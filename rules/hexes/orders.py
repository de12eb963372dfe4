"""Parser of map painter commands (HX-9.1), which a page or program sends as JSON documents.

`{"command": "paint", "hexes": ["C7"], "terrain": "wood"}`; a brush replaces `hexes` with `"at": "C7", "size": "fill"`
(or "1", "3"). `raise` takes the same with `height`, null for the terrain's own. `road` and `river` take `hexes`, a line
of adjacent hexes, or `start` and `to`; `"there": false` removes them. The others are `edge`, `label`, `zone`, `home`,
`resize`, `load_map` with a `map`, and `generate_map` with the choices of HX-8.1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from rules.core.errors import InvalidInput
from rules.hexes.geometry import Hex
from rules.hexes.mapfile import EDGES_OF_TABLE, HIGHEST, LABEL_MOST, LEAST_SIDE, MOST_SIDE, OBSTACLES, HexMap, parse
from rules.hexes.painting import (
    SIZES,
    Command,
    Generate,
    Home,
    Load,
    Name,
    Obstruct,
    Paint,
    Raise,
    Resize,
    Trace,
    Zone,
    between,
    road,
    touched,
)
from rules.hexes.reading import Reading
from rules.hexes.terrain import BY_SLUG, KINDS, SEED_MOST, MapChoices, MapKind


def command_in(told: object, land: HexMap) -> Command:
    """The command in a document, checked against the map. Raises `InvalidInput` with all faults."""
    reading = Reading(told)
    reading.sized(land.columns, land.rows)
    chosen = reading.one_of("command", tuple(COMMANDS), "")
    reading.settle()
    command = COMMANDS[chosen](reading, land)
    reading.close()
    return command


def covered_in(told: object, land: HexMap, *also: str) -> frozenset[Hex]:
    """The hexes a document lists, or those its brush covers.

    `also`: other members it may have. Raises `InvalidInput`.
    """
    reading = Reading(told)
    reading.sized(land.columns, land.rows)
    found = _hexes(reading, land)
    reading.close(*also)
    return found


def _paint(reading: Reading, land: HexMap) -> Command:
    slugs = tuple(BY_SLUG[land.kind])
    return Paint(terrain=reading.one_of("terrain", slugs, ""), hexes=_hexes(reading, land))


def _raise(reading: Reading, land: HexMap) -> Command:
    height = reading.height(HIGHEST)("height", reading.given("height")) if reading.has("height") else None
    return Raise(_hexes(reading, land), height)


def _hexes(reading: Reading, land: HexMap) -> frozenset[Hex]:
    """The hexes listed one by one, or those a brush covers."""
    if not reading.has("at"):
        return frozenset(reading.hexes("hexes"))
    at, size = reading.hex("at", reading.given("at")), reading.one_of("size", SIZES, "1")
    return frozenset() if at is None else touched(land, at, size)


def _edge(reading: Reading, land: HexMap) -> Command:
    step = reading.pair("between", reading.given("between"))
    obstacle = reading.one_of("obstacle", OBSTACLES, "") if reading.has("obstacle") else None
    reading.settle()
    assert step is not None
    return Obstruct(step, obstacle)


def _line(what: Literal["road", "river"]) -> Callable[[Reading, HexMap], Command]:
    def read(reading: Reading, land: HexMap) -> Command:
        there = reading.flag("there", default=True)
        if reading.has("hexes"):
            hexes = tuple(reading.hexes("hexes"))
            reading.settle()
            return Trace(what, _along(hexes), there)
        start, to = (reading.hex(end, reading.given(end)) for end in ("start", "to"))
        reading.settle()
        assert start is not None
        assert to is not None
        return Trace(what, between(land, what, start, to), there)

    return read


def _along(hexes: tuple[Hex, ...]) -> frozenset[tuple[Hex, Hex]]:
    try:
        return road(hexes)
    except InvalidInput as refusal:
        raise refusal.below("/hexes") from refusal


def _label(reading: Reading, land: HexMap) -> Command:
    at, text = reading.hex("hex", reading.given("hex")), reading.text_or_none("text", LABEL_MOST)
    reading.settle()
    assert at is not None
    return Name(at, text)


def _zone(reading: Reading, land: HexMap) -> Command:
    side, add = reading.whole("side", 0, 1), reading.flag("add", default=True)
    return Zone(side, frozenset(reading.hexes("hexes")), add)


def _home(reading: Reading, land: HexMap) -> Command:
    return Home(reading.whole("side", 0, 1), reading.one_of("edge", EDGES_OF_TABLE, ""))


def _load(reading: Reading, land: HexMap) -> Command:
    try:
        return Load(parse(reading.given("map")))
    except InvalidInput as refusal:
        raise refusal.below("/map") from refusal


def _generate(reading: Reading, land: HexMap) -> Command:
    return Generate(_choices(reading, land.kind))


def choices_in(told: object, kind: MapKind, *also: str) -> MapChoices:
    """The choices for a generated map in a document.

    `also`: other members it may have. Raises `InvalidInput` with all faults.
    """
    reading = Reading(told)
    choices = _choices(reading, kind)
    reading.close(*also)
    return choices


def _choices(reading: Reading, of: MapKind) -> MapChoices:
    columns, rows = _sides(reading, of)
    kind, seed = reading.one_of("kind", tuple(KINDS[of]), ""), reading.text("seed", SEED_MOST, least=1)
    river, roads = reading.flag("river", default=False), reading.flag("roads", default=False)
    symmetric = reading.flag("symmetric", default=True)
    reading.settle()
    return MapChoices(of, columns, rows, kind, seed, river=river, roads=roads, symmetric=symmetric)


def _resize(reading: Reading, land: HexMap) -> Command:
    return Resize(*_sides(reading, land.kind))


def _sides(reading: Reading, kind: MapKind) -> tuple[int, int]:
    most = MOST_SIDE[kind]
    return reading.whole("columns", LEAST_SIDE, most), reading.whole("rows", LEAST_SIDE, most)


COMMANDS: Mapping[str, Callable[[Reading, HexMap], Command]] = {
    "paint": _paint, "raise": _raise, "edge": _edge, "road": _line("road"), "river": _line("river"), "label": _label,
    "zone": _zone, "home": _home, "load_map": _load, "generate_map": _generate, "resize": _resize,
}  # fmt: skip
