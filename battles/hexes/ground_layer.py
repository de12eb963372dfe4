"""Ground of a board as SVG, cached by the version of its land, with the definitions and places that all layers use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from html import escape

from core.text import render
from kingdom.map import svg
from kingdom.map.svg import HALF, OUTLINE, SELF, Spot, spot
from rules.core.errors import InvalidInput
from rules.core.odds import whole_percent
from rules.core.text import in_percent
from rules.hexes.geometry import Hex, hex_at, label_of
from rules.hexes.mapfile import HexMap
from rules.hexes.paths import sees
from rules.hexes.terrain import BY_LETTER

# SVG definitions of a board: plates of counters, badges, hexes and octagons.
#
# `<use>` clones them out of their context, so their style rules are single classes.

BADGES: Mapping[str, str] = {
    "warn": '<path class="b-warn" d="M0-9L9 7H-9Z"/>'
    '<path class="b-sign" d="M-1.2-3.5h2.4l-.4 5h-1.6zM-1.2 2.8h2.4v2.2h-2.4z"/>',
    "flees": '<circle class="b-bad" r="8.5"/>'
    '<path class="b-ivory" d="M-4-5.5h1.6v11H-4zM-2-5c3-1.6 4 1.4 7 0v5c-3 1.4-4-1.6-7 0z"/>',
    "tired": '<circle class="b-sheet" r="7.5"/><path class="b-line" d="M-3-3.5L1 0-3 3.5"/>',
    "spent": '<circle class="b-sheet" r="7.5"/><path class="b-line" d="M-4.5-3.5L-.5 0-4.5 3.5M.5-3.5L4.5 0 .5 3.5"/>',
    "leader": '<circle class="b-gold" r="8"/>'
    '<path class="b-ivory" d="M0-5.6L1.7-1.7 5.9-1.3 2.7 1.5 3.7 5.6 0 3.4-3.7 5.6-2.7 1.5-5.9-1.3-1.7-1.7Z"/>',
    "chief": '<circle class="b-gold" r="8.5"/><path class="b-ivory" d="M-5.5 4.5V-3l3 2.6L0-5.4l2.5 5L5.5-3v7.5z"/>',
    "order": '<path class="b-gold" d="M0-8.5L8.5 0 0 8.5-8.5 0Z"/>'
    '<path class="b-ivory" d="M-1-4.5h2v5h-2zM-1 2.2h2v2h-2z"/>',
    "star": '<circle class="b-star" r="8"/>'
    '<path class="b-ivory" d="M0-5.5L1.3-1.3 5.5 0 1.3 1.3 0 5.5-1.3 1.3-5.5 0-1.3-1.3Z"/>',
    "wing": '<circle class="b-sheet" r="7.5"/><path class="b-ink"'
    ' d="M-5 2C-3-4 2-5 5.4-4.4 4.6-2 3.6-.8 2.4 0c-.2 1.4-1.2 2.2-2.4 2.4C-1.4 3.6-3.4 3.2-5 2z"/>',
    "timer": '<circle class="b-star" r="8"/><path class="b-ivory" d="M-4-5h8L1 0l3 5h-8L-1 0z"/>',
    "locked": '<circle class="b-ink" r="8"/>'
    '<path class="b-swords" d="M-4.4-4.4L3.5 3.5M4.4-4.4L-3.5 3.5M-4.7 1.8L-1.9 4.6M4.7 1.8L1.9 4.6"/>',
}
"""Badge drawings by sign; other signs are looked up among the glyphs."""

PLATES = (
    "M-19-21H19V4C19 13 10 18 0 22C-10 18-19 13-19 4Z",
    "M0-21A20.5 20.5 0 1 1-.1-21Z",
    "M0-24L22-1 0 22-22-1Z",
    "M-12-21H12L21-8V9L12 21H-12L-21 9V-8Z",
)
"""The outlines that show the side independently of colour: a shield, a disc, a lozenge, an octagon."""

HATCH = (
    '<pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<path class="hatch-line" d="M0 0V7"/></pattern>'
)
DEFINITIONS = "".join((
    HATCH,
    f'<path id="hx" d="{OUTLINE}"/>',
    '<path id="hi" d="M0-26.5l23 13.25v26.5l-23 13.25-23-13.25v-26.5z"/>',
    '<path id="oct" d="M-4.6-11h9.2l6.4 6.4v9.2l-6.4 6.4h-9.2l-6.4-6.4v-9.2z"/>',
    *(f'<path id="p{number}" d="{drawn}"/>' for number, drawn in enumerate(PLATES)),
    *(f'<g id="b-{sign}">{drawn}</g>' for sign, drawn in BADGES.items()),
))  # fmt: skip


# Places on a board's drawing by hex labels, and chances as percentages.


@lru_cache(maxsize=4096)
def at_label(label: str) -> Hex:
    return hex_at(label)


@lru_cache(maxsize=4096)
def spot_of(label: str) -> Spot:
    """The centre point of the hex with this label."""
    return spot(hex_at(label))


def hexes_of(labels: Iterable[str]) -> frozenset[Hex]:
    return frozenset(at_label(label) for label in labels)


def percent(chance: Fraction) -> str:
    return render(in_percent(whole_percent(chance)))


# Land of a battle: its map with a version, used as a cache key for drawings.


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


# Ground of a board as SVG, cached by the version of its land: the hexes, and a small picture of the whole map.
#
# Terrain, plates and badges are drawn once in the definitions; a hex is one link with one reference. Colours and
# strokes are in static/css/board.css.


@lru_cache(maxsize=128)
def ground(land: Land, linked: bool, coordinates: bool, heights: bool) -> str:
    """The drawing of the ground; with `linked`, each hex is a link."""
    field = land.map
    hexes = svg.draw_hexes(field, None, "") if linked else _hexes_still(land)
    parts = [
        f"<defs>{DEFINITIONS}{svg.definitions(svg.kinds_on(field, None), field.kind)}</defs>",
        f'<g class="hexes" aria-hidden="true">{hexes}</g><g class="over">',
        _line("board-road", _roads(land)),
        _line("river", svg.rivers(field, _everywhere)),
        *(_line(kind, svg.draw_walls(field, kind, _everywhere)) for kind in ("stream", "wall")),
        svg.edges_named(field.columns, field.rows),
        "".join(_labels(land)),
        svg.names_of_hexes(field) if coordinates else "",
        "".join(_heights(land)) if heights else "",
        "</g>",
    ]
    return "".join(parts)


def linked_with(drawn: str, query: str) -> str:
    """The drawing with links that also keep this query, such as "zoom=150&"."""
    return drawn.replace(SELF, f"?{escape(query)}{SELF[1:]}") if query else drawn


def _everywhere(_at: Hex) -> bool:
    return True


def _line(kind: str, drawn: str) -> str:
    return f'<path class="{kind}" d="{drawn}"/>' if drawn else ""


def _hexes_still(land: Land) -> str:
    ids = svg.ids_of(land.map.kind)
    rows = []
    for number, row in enumerate(land.map.terrain):
        x, y = spot(Hex(-(number // 2), number))
        cells = "".join(f'<use href="#{ids[letter]}" x="{svg.WIDE * at}"/>' for at, letter in enumerate(row))
        rows.append(f'<g transform="translate({x} {y})">{cells}</g>')
    return "".join(rows)


ROADS = ("road", "bridge")


def _roads(land: Land) -> str:
    """Roads from centre to centre of adjacent road hexes, and along every step that the map calls a road."""
    on = {at for at in land.map if land.map.at(at).slug in ROADS}
    steps = {(at, one) for at in on for one in land.map.around(at) if one in on and at < one}
    steps |= {(min(step), max(step)) for step in land.map.roads}
    return "".join(f"M{a[0]} {a[1]}L{b[0]} {b[1]}" for a, b in ((spot(one), spot(two)) for one, two in sorted(steps)))


def _labels(land: Land) -> Iterator[str]:
    for at, text in land.map.labels.items():
        x, y = spot(at)
        yield f'<text class="region" x="{x}" y="{y + 24}">{escape(text)}</text>'


def _heights(land: Land) -> Iterator[str]:
    """A contour around the hexes of each height or more, and the number on each hex."""
    high: dict[int, set[Hex]] = defaultdict(set)
    for at in land.map:
        for height in range(1, land.map.height(at) + 1):
            high[height].add(at)
    for height, hexes in sorted(high.items()):
        yield f'<path class="contour" d="{svg.border(frozenset(hexes))}"/>'
        top = sorted(at for at in hexes if land.map.height(at) == height)
        spots = "".join(f'<tspan x="{spot(at)[0] - 16}" y="{spot(at)[1] - 4}">{height}</tspan>' for at in top)
        yield f'<text class="height">{spots}</text>' if spots else ""


@lru_cache(maxsize=32)
def small_picture(land: Land) -> str:
    """The ground as a standalone picture, for the small map."""
    wide, high = svg.measure_field(land.map)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" width="{wide}" height="{high}">'
        f"<style>{PICTURE}</style>{_stretches(land.map, '')}</svg>"
    )


def thumbnail(land: HexMap) -> str:
    """The ground as a small SVG for use within a page, whose style sheet colours it."""
    wide, high = svg.measure_field(land)
    drawn = _stretches(land, f"{svg.PREFIX[land.kind]}-")
    return f'<svg class="thumbnail" viewBox="0 0 {wide} {high}" aria-hidden="true">{drawn}</svg>'


def _stretches(land: HexMap, prefix: str) -> str:
    """One coloured rectangle for each run of equal terrain in a row."""
    rows = []
    for number, row in enumerate(land.terrain):
        x, y = spot(Hex(-(number // 2), number))
        start = 0
        for place in range(1, len(row) + 1):
            if place < len(row) and row[place] == row[start]:
                continue
            slug = BY_LETTER[land.kind][row[start]].slug
            rows.append(
                f'<rect class="{prefix}{slug}" x="{x - HALF + svg.WIDE * start}" y="{y - 24}"'
                f' width="{svg.WIDE * (place - start)}" height="48"/>'
            )
            start = place
    return "".join(rows)


PAINT: Mapping[str, tuple[str, str]] = {
    "open": ("#f0e8d1", "#23281f"), "road": ("#d9c492", "#4b4630"), "bridge": ("#a98a55", "#8d7a50"),
    "ford": ("#c3d9dc", "#284453"), "hill": ("#dcc794", "#40381f"), "wood": ("#b4cc90", "#2b4a30"),
    "houses": ("#d3b394", "#57402f"), "thicket": ("#9dbd77", "#244a2c"), "marsh": ("#bccfb9", "#26413f"),
    "rocks": ("#c3baa6", "#45474e"), "sand": ("#ecd595", "#4a4128"), "snow": ("#f7fafa", "#5a656b"),
    "river": ("#9cc0d3", "#1f4262"), "lake": ("#9cc0d3", "#1f4262"), "mountain": ("#b3a892", "#55585f"),
}  # fmt: skip
PICTURE = (
    "".join(f".{slug}{{fill:{light}}}" for slug, (light, _dark) in PAINT.items())
    + "@media(prefers-color-scheme:dark){"
    + "".join(f".{slug}{{fill:{dark}}}" for slug, (_light, dark) in PAINT.items())
    + "}"
)


@lru_cache(maxsize=64)
def in_sight(land: Land, label: str) -> frozenset[str]:
    """The hexes visible from this one, considering the ground only."""
    start = at_label(label)
    return frozenset(label_of(at) for at in land.map if at == start or sees(land.map, start, at))
