"""SVG of a map: hexes as links with letter, pattern and colour; roads, rivers, borders and names.

Coordinates are whole numbers (a hex is 52 wide and 60 high) and symbols are defined once, so that a large map stays
small: a hex is one link with one reference. Strings that do not depend on the reader are cached. Colours and strokes
are in static/css/map.css.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache, lru_cache
from html import escape

from core.text import render
from rules.hexes.geometry import DIRECTIONS, SIDES, Edge, Hex, at_place, column_letters, place_of
from rules.hexes.mapfile import HexMap
from rules.hexes.terrain import CATALOGUE, HexTerrain, MapKind

WIDE, TALL, STEP = 52, 60, 45  # width and height of a hex; vertical distance of rows
HALF, QUARTER, REACH = WIDE // 2, TALL // 4, TALL // 2
MARGIN = 22  # space for column letters and row numbers
CORNERS = ((0, -REACH), (HALF, -QUARTER), (HALF, QUARTER), (0, REACH), (-HALF, QUARTER), (-HALF, -QUARTER))
OUTLINE = f"M0-{REACH}l{HALF} {QUARTER}v{REACH}l-{HALF} {QUARTER}-{HALF}-{QUARTER}v-{REACH}z"
UNSEEN = "tz"
SELF = "?hex="  # start of a hex's address; other parameters are inserted after the question mark

type Spot = tuple[int, int]

# Paths drawn on each terrain, around its centre. "line" is stroked, "mass" is filled.
GLYPHS: Mapping[str, tuple[str, str]] = {
    "plains": ("line", "M-9 10v-6M-5 12v-8M-1 10v-5"),
    "farmland": ("line", "M-16-4h32M-16 2h32M-16 8h32M-16 14h32"),
    "moor": ("line", "M-14 10q3-9 6 0q3-9 6 0M3 2q3-9 6 0q3-9 6 0"),
    "coast": ("line", "M-17-5q4-5 8 0t8 0t8 0t8 0M-8 5h.1M2 8h.1M10 4h.1M-3 13h.1"),
    "hills": ("line", "M-19 8q8-15 16 0M-2 8q8-15 16 0M-10-5q7-12 14 0"),
    "forest": ("mass", "M-16 12l6-14 6 14zM4 12l6-14 6 14zM-6 0l6-15 6 15z"),
    "jungle": ("mass", "M-11 12v-5a7 7 0 1 1 2 0v5zM9 12v-5a7 7 0 1 1 2 0v5zM-1 1v-5a7 7 0 1 1 2 0v5z"),
    "mountains": ("mass", "M-20 13L-7-14 1 3 6-5 19 13z"),
    "peaks": ("mass", "M-20 14L-5-19 4 0 9-9 20 14zM-9-6l3 4 3-3 3 4-5-13z"),
    "swamp": ("line", "M-16 3h12M-13 3v-6M-10 3v-8M-7 3v-6M2 12h12M5 12v-6M8 12v-8M11 12v-6"),
    "desert": ("line", "M-14-2h.1M-5 4h.1M5-3h.1M13 4h.1M-10 11h.1M1 12h.1M10 12h.1M-2-9h.1"),
    "badlands": ("line", "M-18 10l4-9 6 5 4-13 6 8 5-3 6 12M-10 14h18"),
    "tundra": ("line", "M-10-8v10M-14-6l8 6M-14 0l8-6M8 2v10M4 4l8 6M4 10l8-6"),
    "glacier": ("line", "M-18 12l6-22 8 16 6-18 6 14 5-7 5 17M-6 12l4-8"),
    "lake": ("line", "M-17-4q4-5 8 0t8 0t8 0t8 0M-13 7q4-5 8 0t8 0t8 0"),
    "sea": ("line", "M-19-6q4-5 8 0t8 0t8 0t8 0M-15 4q4-5 8 0t8 0t8 0M-11 14q4-5 8 0t8 0"),
}
GLYPHS_OF_BATTLE: Mapping[str, tuple[str, str]] = {
    "open": ("", ""),
    "road": ("", ""),
    "bridge": ("plank", "M-14-32v64M14-32v64M-14-24h28M-14-16h28M-14-8h28M-14 0h28M-14 8h28M-14 16h28M-14 24h28"),
    "ford": ("line", "M-17-7q4-5 8 0t8 0t8 0t8 0M-13 5h.1M-4 9h.1M5 5h.1M13 10h.1M-8 14h.1"),
    "hill": ("line", "M-19 8q8-15 16 0M-2 8q8-15 16 0M-10-5q7-12 14 0"),
    "wood": ("mass", "M-16 12l6-14 6 14zM4 12l6-14 6 14zM-6 0l6-15 6 15z"),
    "houses": ("mass", "M-17 12v-9l6-6 6 6v9zM2 12v-9l7-7 7 7v9zM-7-3v-8l6-6 6 6v8z"),
    "thicket": (
        "mass",
        "M-18 12q-2-9 5-10q4-7 9-1q8 1 6 11zM2 13q-2-8 5-9q4-6 8 0q6 1 4 9zM-9-3q0-8 7-8q6-3 8 3q3 1 2 5z",
    ),
    "marsh": ("line", "M-16 3h12M-13 3v-6M-10 3v-8M-7 3v-6M2 12h12M5 12v-6M8 12v-8M11 12v-6"),
    "rocks": ("mass", "M-17 12l3-8 7-2 5 5 1 5zM3 13l3-9 7-1 4 10zM-9-2l5-9 8 2 1 7z"),
    "sand": ("line", "M-14-2h.1M-5 4h.1M5-3h.1M13 4h.1M-10 11h.1M1 12h.1M10 12h.1M-2-9h.1"),
    "snow": ("line", "M-10-8v10M-14-6l8 6M-14 0l8-6M8 2v10M4 4l8 6M4 10l8-6"),
    "river": ("line", "M-17-5q4-5 8 0t8 0t8 0t8 0M-13 8q4-5 8 0t8 0t8 0"),
    "lake": ("line", "M-17-4q4-5 8 0t8 0t8 0t8 0M-13 7q4-5 8 0t8 0t8 0"),
    "mountain": ("mass", "M-20 13L-7-14 1 3 6-5 19 13z"),
}
BY_KIND = {MapKind.CAMPAIGN: GLYPHS, MapKind.BATTLE: GLYPHS_OF_BATTLE}
PREFIX = {MapKind.CAMPAIGN: "t", MapKind.BATTLE: "g"}
"""Prefix of the ids and classes of each kind of map: both kinds may be on one page, and "lake" is in both."""
PREFIX_OF_BATTLE = PREFIX[MapKind.BATTLE]


def spot(at: Hex) -> Spot:
    """Return the centre of a hex."""
    column, row = place_of(at)
    return MARGIN + HALF + WIDE * column + HALF * (row % 2), MARGIN + REACH + STEP * row


def measure_land(columns: int, rows: int) -> Spot:
    """Return the width and height of the hexes together."""
    return WIDE * columns + HALF, STEP * (rows - 1) + TALL


def measure_field(field: HexMap) -> Spot:
    """Return the width and height of the drawing."""
    return MARGIN + WIDE * field.columns + HALF + 4, MARGIN + STEP * (field.rows - 1) + TALL + 4


@cache
def ids_of(kind: MapKind = MapKind.CAMPAIGN) -> Mapping[str, str]:
    """Return the symbol id of each terrain, by its letter."""
    return {terrain.letter: f"{PREFIX[kind]}{chr(ord('a') + place)}" for place, terrain in enumerate(CATALOGUE[kind])}


def definitions(terrains: Iterable[HexTerrain], kind: MapKind = MapKind.CAMPAIGN) -> str:
    """Return the symbols of these terrains, and on a campaign map that of unseen hexes."""
    unseen = _unseen() if kind is MapKind.CAMPAIGN else ""
    return "".join(_definition(terrain.letter, kind) for terrain in terrains) + unseen


@cache
def _definition(letter: str, kind: MapKind) -> str:
    terrain = next(one for one in CATALOGUE[kind] if one.letter == letter)
    way, drawn = BY_KIND[kind][terrain.slug]
    glyph = f'<path class="glyph {way}" d="{drawn}"/>' if drawn else ""
    return (
        f'<g id="{ids_of(kind)[letter]}" class="{PREFIX[kind]}-{terrain.slug}"><path class="hex" d="{OUTLINE}"/>'
        f'{glyph}<text class="letter" y="-14">{escape(letter)}</text></g>'
    )


@cache
def _unseen() -> str:
    return (
        '<pattern id="fog" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="fog-line" d="M0 0V9"/></pattern>'
        f'<g id="{UNSEEN}" class="t-unseen"><path class="hex" d="{OUTLINE}"/>'
        f'<path class="fog" d="{OUTLINE}"/></g>'
    )


# Hexes


@lru_cache(maxsize=512)
def _row(terrain: str, number: int, kind: MapKind) -> tuple[str, ...]:
    """Return the links of a row of hexes."""
    return tuple(_hex(column, number, ids_of(kind)[letter]) for column, letter in enumerate(terrain))


@lru_cache(maxsize=256)
def _hidden(columns: int, number: int) -> tuple[str, ...]:
    """Return the links of a row of unseen hexes."""
    return tuple(_hex(column, number, UNSEEN) for column in range(columns))


def _hex(column: int, row: int, kind: str) -> str:
    at = f' x="{WIDE * column}"' if column else ""
    return f'<a href="{SELF}{column_letters(column)}{row + 1}" tabindex="-1"><use href="#{kind}"{at}/></a>'


def draw_hexes(field: HexMap, known: frozenset[Hex] | None, query: str) -> str:
    """Return the links of all hexes; unseen ones hide their terrain. `query`: what each link keeps, "army=…&" or ""."""
    rows = (_row_of(terrain, number, known, field.kind) for number, terrain in enumerate(field.terrain))
    drawn = "".join(rows)
    return drawn.replace(SELF, f"?{escape(query)}{SELF[1:]}") if query else drawn


def _row_of(terrain: str, number: int, known: frozenset[Hex] | None, kind: MapKind) -> str:
    x, y = spot(Hex(-(number // 2), number))
    cells: Sequence[str] = _row(terrain, number, kind)
    if known is not None:
        start, unseen = -(number // 2), _hidden(len(terrain), number)
        cells = [cell if (start + q, number) in known else unseen[q] for q, cell in enumerate(cells)]
    return f'<g transform="translate({x} {y})">{"".join(cells)}</g>'


@lru_cache(maxsize=32)
def edges_named(columns: int, rows: int) -> str:
    """Return the letters of the columns and the numbers of the rows, for the edge."""
    top = "".join(f'<text x="{spot(Hex(q, 0))[0]}" y="15">{column_letters(q)}</text>' for q in range(columns))
    down = "".join(f'<text x="11" y="{MARGIN + REACH + STEP * r + 5}">{r + 1}</text>' for r in range(rows))
    return f'<g class="ruler">{top}{down}</g>'


def names_of_hexes(field: HexMap) -> str:
    """Return the name of every hex as text."""
    rows = (
        "".join(
            f'<tspan x="{spot(Hex(column - row // 2, row))[0]}">{column_letters(column)}{row + 1}</tspan>'
            for column in range(field.columns)
        )
        for row in range(field.rows)
    )
    lines = (f'<text y="{MARGIN + REACH + STEP * row + 24}">{cells}</text>' for row, cells in enumerate(rows))
    return f'<g class="coordinates">{"".join(lines)}</g>'


def draw_picture(field: HexMap, href: str, sides: tuple[float, float, float, float], opacity: int) -> str:
    """Return a picture below the hexes; what lies beyond them is not drawn. `sides`: left, top, width and height."""
    wide, high = measure_land(field.columns, field.rows)
    x, y, width, height = (f"{side:.7g}" for side in sides)
    return (
        f'<clipPath id="land-outline"><path d="{_outline(field.columns, field.rows)}"/></clipPath>'
        f'<g class="background" clip-path="url(#land-outline)" aria-hidden="true">'
        f'<svg x="{MARGIN}" y="{MARGIN}" width="{wide}" height="{high}"><image href="{escape(href)}" x="{x}" y="{y}"'
        f' width="{width}" height="{height}" preserveAspectRatio="none" opacity="{opacity / 100:g}"/></svg></g>'
    )


@lru_cache(maxsize=16)
def _outline(columns: int, rows: int) -> str:
    return _trace({at_place(column, row) for row in range(rows) for column in range(columns)})


# Lines


def roads(field: HexMap, knows: Callable[[Hex], bool]) -> str:
    """Return the path of the roads, from centre to centre."""
    return "".join(_move(spot(one), spot(two)) for one, two in sorted(field.roads) if knows(one) and knows(two))


def rivers(field: HexMap, knows: Callable[[Hex], bool]) -> str:
    """Return the path of the rivers, along the sides of hexes. A river is seen from either side."""
    return "".join(_move(*_shared(step)) for step in sorted(field.rivers) if knows(step[0]) or knows(step[1]))


def draw_walls(field: HexMap, kind: str, knows: Callable[[Hex], bool]) -> str:
    found = sorted(step for step, what in field.edges.items() if what == kind)
    return "".join(_move(*_shared(step)) for step in found if knows(step[0]) or knows(step[1]))


def _shared(step: Edge) -> tuple[Spot, Spot]:
    one, two = step
    first, second = SIDES[DIRECTIONS.index(Hex(two.q - one.q, two.r - one.r))]
    return _corner(one, first), _corner(one, second)


def _corner(at: Hex, number: int) -> Spot:
    (x, y), (east, south) = spot(at), CORNERS[number]
    return x + east, y + south


def _move(one: Spot, two: Spot) -> str:
    return f"M{one[0]} {one[1]}L{two[0]} {two[1]}"


@lru_cache(maxsize=256)
def border(hexes: frozenset[Hex]) -> str:
    """Return the outline of these hexes including holes, to be filled with the evenodd rule."""
    return _trace(hexes)


def _trace(hexes: Set[Hex]) -> str:
    onward: dict[Spot, Spot] = {}
    for at in hexes:
        for (first, second), step in zip(SIDES, DIRECTIONS, strict=True):
            if (at.q + step.q, at.r + step.r) not in hexes:
                onward[_corner(at, first)] = _corner(at, second)
    loops = []
    while onward:
        start = min(onward)
        loop, here = [f"M{start[0]} {start[1]}"], start
        while here in onward:
            there = onward.pop(here)
            loop.append(f"l{there[0] - here[0]} {there[1] - here[1]}")
            here = there
        loops.append("".join(loop) + "z")
    return "".join(loops)


# Texts beside the drawing


def kinds_on(field: HexMap, known: frozenset[Hex] | None) -> list[HexTerrain]:
    """Return the visible terrains, in the order of the catalogue."""
    if known is None:
        letters = {letter for row in field.terrain for letter in row}
    else:
        letters = {field.terrain[row][column] for column, row in map(place_of, known)}
    return [terrain for terrain in CATALOGUE[field.kind] if terrain.letter in letters]


def in_letters(field: HexMap, known: frozenset[Hex] | None, unseen: str = "?") -> list[str]:
    """Return the rows as letters, with `unseen` for hexes that have not been seen."""
    if known is None:
        return list(field.terrain)
    return [
        "".join(
            letter if (column - row // 2, row) in known else unseen for column, letter in enumerate(field.terrain[row])
        )
        for row in range(field.rows)
    ]


def names_of_kinds(kind: MapKind = MapKind.CAMPAIGN) -> dict[str, str]:
    """Return the name of each terrain, by its symbol id."""
    return {ids_of(kind)[terrain.letter]: render(terrain.name) for terrain in CATALOGUE[kind]}


def middle(hexes: Iterable[Hex]) -> Spot:
    """Return the place for a name of all these hexes."""
    spots = [spot(at) for at in hexes]
    return sum(x for x, _y in spots) // len(spots), sum(y for _x, y in spots) // len(spots)
