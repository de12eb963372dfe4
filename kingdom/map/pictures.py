"""Pictures of the map to keep: SVG that stands alone, and PNG.

It is drawn in the colours of paper whatever the reader's theme. Names are set in the faces of `kingdom/fonts/`, where
the reader of an SVG has none of their own by that name they see another serif.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import resvg_py
from django.utils.html import escape

from kingdom.map import svg
from kingdom.map.editor_svg import draw_across, kind_ids
from kingdom.map.painting_queries import MapPicture
from kingdom.map.svg import spot
from rules.core.characters import fit
from rules.hexes.geometry import at_place

HERE = Path(__file__).parent
FONTS = sorted(str(path) for path in (HERE / "fonts").glob("*.ttf"))
SERIF = "Alegreya"
NARROWEST, WIDEST = 1600, 4000  # pixels of a PNG


@cache
def _style() -> str:
    return (HERE / "fonts" / "picture.css").read_text()


def draw_svg(picture: MapPicture) -> str:
    """What this reader sees of the map. XML breaks at characters that no text holds."""
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
    return fit(
        f'<svg xmlns="http://www.w3.org/2000/svg" class="map" viewBox="0 0 {wide} {high}" width="{wide}"'
        f' height="{high}"><title>{escape(field.name)}</title><style>{_style()}</style>'
        f"<defs>{svg.definitions(svg.kinds_on(field, known))}</defs>"
        f'<rect class="sheet" width="{wide}" height="{high}"/>{"".join(rows)}{"".join(over)}</svg>'
    )


def png_of(picture: MapPicture) -> bytes:
    """The same as pixels, at most 4000 wide."""
    wide, _high = svg.measure_field(picture.land.field)
    shown = min(max(wide, NARROWEST), WIDEST)
    drawn = resvg_py.svg_to_bytes(
        svg_string=draw_svg(picture), width=shown, font_files=FONTS, skip_system_fonts=True, serif_family=SERIF
    )
    return bytes(drawn)
