"""Ground of a board as SVG, cached by the version of its land: the hexes, and a small picture of the whole map.

Terrain, plates and badges are drawn once in the definitions; a hex is one link with one reference. Colours and strokes
are in static/css/board.css.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape

from battles.hexes.definitions import DEFINITIONS
from battles.hexes.land import Land
from battles.hexes.places import at_label
from kingdom.map import svg
from kingdom.map.svg import HALF, SELF, spot
from rules.hexes.geometry import Hex, label_of
from rules.hexes.mapfile import HexMap
from rules.hexes.paths import sees
from rules.hexes.terrain import BY_LETTER


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
    """The same picture for use within a page, whose style sheet colours it."""
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
