"""SVG and PNG of a map: the editor's canvas, and pictures to download."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from uuid import UUID

import resvg_py
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from core.text import render
from kingdom.map import svg
from kingdom.map.background_queries import Background
from kingdom.map.painting_queries import MapPicture
from kingdom.map.queries import MapState, Occupant
from kingdom.map.svg import REACH, TALL, WIDE, spot
from rules.core.errors import fit
from rules.hexes.geometry import LABEL, Hex, at_place, hex_at, label_of, place_of
from rules.hexes.mapfile import HexMap
from rules.hexes.terrain import BY_LETTER, OF_TRAVEL, MapKind

EM = 20  # SVG units in one em
SHIELD = "M-10-11h20v10q0 9-10 13q-10-4-10-13z"


def kind_ids() -> dict[str, str]:
    """Return the id of each terrain's symbol, by letter."""
    return {terrain.letter: key for terrain, key in zip(OF_TRAVEL, svg.names_of_kinds(), strict=True)}


@dataclass(frozen=True)
class EditorCanvas:
    """The canvas of the editor. `realms`: name and colour class of each kingdom. `towns`: names of settlements by hex.
    `start`: first hex of a line. `armies`: armies by hex. `background`: the picture below the map.
    """

    land: MapState
    realms: Mapping[UUID, tuple[str, str]]
    towns: Mapping[Hex, str]
    start: str = ""
    armies: Mapping[Hex, Sequence[Occupant]] = field(default_factory=dict)
    background: Background | None = None

    @property
    def definitions(self) -> SafeString:
        return mark_safe(svg.definitions(OF_TRAVEL))

    @property
    def rows(self) -> list[SafeString]:
        return [self.row(number) for number in range(self.land.field.rows)]

    def rows_with(self, hexes: Iterable[Hex]) -> list[SafeString]:
        """Return the rows of these hexes, each to replace the one on the page."""
        return [self.row(number, ' hx-swap-oob="true"') for number in sorted({place_of(at)[1] for at in hexes})]

    def hexes_named(self, *labels: str) -> frozenset[Hex]:
        """Return the hexes with these names that are on the map."""
        hexes = (hex_at(label) for label in labels if LABEL.fullmatch(label))
        return frozenset(at for at in hexes if at in self.land.field)

    def row(self, number: int, attributes: str = "") -> SafeString:
        terrain = self.land.field.terrain[number]
        ids = kind_ids()
        ground = "".join(f'<use href="#{ids[letter]}" x="{WIDE * place}"/>' for place, letter in enumerate(terrain))
        buttons = "".join(self._button(at_place(place, number), letter) for place, letter in enumerate(terrain))
        box = f"{-WIDE // 2} {-REACH} {WIDE * len(terrain)} {TALL}"
        return mark_safe(
            f'<div class="hex-row" id="row-{number + 1}"{attributes}><svg viewBox="{box}" aria-hidden="true">{ground}'
            f"</svg>{buttons}</div>"
        )

    def _button(self, at: Hex, letter: str) -> str:
        label = label_of(at)
        begun = ' aria-pressed="true"' if label == self.start else ""
        name = f"{label}, {self._told(at, letter)}"
        held = f' title="{escape(", ".join(self._standing(at)))}"' if at in self.armies else ""
        return f'<button name="hex" value="{label}" id="{label}"{begun} aria-label="{name}"{held}></button>'

    def _told(self, at: Hex, letter: str) -> str:
        """Return the content of a hex in words."""
        whose = self.land.claims.get(at)
        words = (
            render(BY_LETTER[MapKind.CAMPAIGN][letter].name),
            self.land.field.labels.get(at),
            self.towns.get(at),
            self.realms[whose][0] if whose is not None and whose in self.realms else None,
            *self._standing(at),
        )
        return escape(", ".join(word for word in words if word))

    def _standing(self, at: Hex) -> list[str]:
        return [f"{one.name} ({one.held})" if one.held else one.name for one in self.armies.get(at, ())]

    @property
    def wide(self) -> str:
        return f"{svg.measure_field(self.land.field)[0] / EM:g}em"

    @property
    def high(self) -> str:
        return f"{svg.measure_field(self.land.field)[1] / EM:g}em"

    @property
    def box(self) -> str:
        wide, high = svg.measure_field(self.land.field)
        return f"0 0 {wide} {high}"

    @property
    def below(self) -> SafeString:
        """The SVG of the picture below the map; "" for none."""
        return draw_below(self.land.field, self.background)

    @property
    def lines(self) -> SafeString:
        """The SVG of roads, rivers, borders, names and armies."""
        return mark_safe("".join((*draw_across(self.land, self.realms, self.towns), *self._tokens())))

    def _tokens(self) -> Iterator[str]:
        """Yield a shield in the colour of the first army's kingdom, with the number of armies if there are several."""
        for at, armies in self.armies.items():
            x, y = spot(at)
            side = self.realms[armies[0].kingdom][1]
            yield (
                f'<g class="stander {side}" transform="translate({x} {y - 12})"><path d="{SHIELD}"/>'
                f'<text y="5">{len(armies) if len(armies) > 1 else ""}</text></g>'
            )


def draw_below(field: HexMap, background: Background | None, href: str = "") -> SafeString:
    """Return the SVG of the picture below the map, "" for none. `href`: its file, where that is not at its address."""
    if background is None:
        return SafeString()
    sides = (background.left, background.top, background.wide, background.high)
    return mark_safe(svg.draw_picture(field, href or background.picture.url, sides, background.opacity))


def draw_across(
    land: MapState,
    realms: Mapping[UUID, tuple[str, str]],
    towns: Mapping[Hex, str],
    known: frozenset[Hex] | None = None,
) -> Iterator[str]:
    """Yield the SVG paths and texts over the terrain, limited to known hexes."""

    def knows(at: Hex) -> bool:
        return known is None or at in known

    field = land.field
    yield _line("river", svg.rivers(field, knows))
    yield _line("road", svg.roads(field, knows))
    yield _line("stream", svg.draw_walls(field, "stream", knows))
    yield _line("wall", svg.draw_walls(field, "wall", knows))
    for kingdom, (_name, side) in realms.items():
        if drawn := svg.border(land.of(kingdom) if known is None else land.of(kingdom) & known):
            yield f'<path class="claim {side}" fill-rule="evenodd" d="{drawn}"/>'
    yield svg.edges_named(field.columns, field.rows)
    for at, text in field.labels.items():
        if knows(at):
            yield f'<text class="region" x="{spot(at)[0]}" y="{spot(at)[1] + 6}">{escape(text)}</text>'
    for at, text in towns.items():
        x, y = spot(at)
        yield f'<circle class="place" cx="{x}" cy="{y}" r="6"/>'
        yield f'<text class="place-name" x="{x}" y="{y + 22}">{escape(text)}</text>'


def _line(kind: str, drawn: str) -> str:
    return f'<path class="{kind}" d="{drawn}"/>' if drawn else ""


def draw_terrain(field: HexMap) -> SafeString:
    """Return the map's terrain alone, as a small SVG for a page: a row's neighbors of one terrain are one rectangle."""
    shapes: dict[str, list[str]] = {}
    for number, row in enumerate(field.terrain):
        at = number % 2
        for letter, run in groupby(row):
            wide = 2 * len(list(run))
            shapes.setdefault(BY_LETTER[MapKind.CAMPAIGN][letter].slug, []).append(
                f"M{at} {number * 2}h{wide}v2h-{wide}z"
            )
            at += wide
    paths = "".join(f'<path class="t-{slug}" d="{"".join(runs)}"/>' for slug, runs in shapes.items())
    box = f"0 0 {2 * field.columns + 1} {2 * field.rows}"
    return mark_safe(f'<svg viewBox="{box}" aria-hidden="true" focusable="false">{paths}</svg>')


# Pictures of the map to download: a standalone SVG, and PNG, in light colours whatever the reader's theme. Names are
# set in the fonts of `kingdom/map/fonts/`; an SVG viewer without them uses another serif.


HERE = Path(__file__).parent
FONTS = sorted(str(path) for path in (HERE / "fonts").glob("*.ttf"))
SERIF = "Alegreya"
NARROWEST, WIDEST = 1600, 4000  # width in pixels of a PNG


@cache
def _style() -> str:
    return (HERE / "fonts" / "picture.css").read_text()


def draw_svg(picture: MapPicture) -> str:
    """Return the map as this reader sees it, with the picture below it. Characters invalid in XML are removed."""
    field, below = picture.land.field, picture.background
    wide, high = svg.measure_field(field)
    href = f"data:image/webp;base64,{b64encode(below.read()).decode()}" if below else ""
    return fit(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map{" pictured" if below else ""}" viewBox="0 0 {wide} {high}"'
        f' width="{wide}" height="{high}"><title>{escape(field.name)}</title><style>{_style()}</style>'
        f"{_drawn(picture, href)}</svg>"
    )


def draw_preview(picture: MapPicture) -> SafeString:
    """Return the content of the same <svg> for a page, which has the styles and fetches the picture itself."""
    return mark_safe(_drawn(picture, picture.background.picture.url if picture.background else ""))


def _drawn(picture: MapPicture, href: str) -> str:
    field, known = picture.land.field, picture.known
    wide, high = svg.measure_field(field)
    ids = kind_ids()
    rows = (
        "".join(
            f'<use href="#{ids[letter] if known is None or at in known else svg.UNSEEN}" x="{x}" y="{y}"/>'
            for column, letter in enumerate(terrain)
            for at in (at_place(column, row),)
            for x, y in (spot(at),)
        )
        for row, terrain in enumerate(field.terrain)
    )
    over = draw_across(picture.land, picture.realms, picture.towns, known)
    return (
        f"<defs>{svg.definitions(svg.kinds_on(field, known))}</defs>"
        f'<rect class="sheet" width="{wide}" height="{high}"/>{draw_below(field, picture.background, href)}'
        f'<g class="hexes">{"".join(rows)}</g>{"".join(over)}'
    )


def png_of(picture: MapPicture) -> bytes:
    """Return the same picture as PNG, at most 4000 pixels wide."""
    wide, _high = svg.measure_field(picture.land.field)
    shown = min(max(wide, NARROWEST), WIDEST)
    drawn = resvg_py.svg_to_bytes(
        svg_string=draw_svg(picture), width=shown, font_files=FONTS, skip_system_fonts=True, serif_family=SERIF
    )
    return bytes(drawn)
