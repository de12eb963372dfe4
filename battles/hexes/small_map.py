"""Small map of a large board: dots on a picture of its ground, with links to its parts."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from django.utils.translation import gettext as _

from battles.hexes.choices import Links
from battles.hexes.land import Land
from battles.hexes.places import spot_of
from battles.setup.page import pick_colour
from kingdom.map import svg
from rules.hexbattle.board import Board
from rules.hexes.geometry import column_letters


def small_map(board: Board, land: Land, links: Links, picture: str) -> str:
    """The small map: a picture of the ground, counters as dots, and links to the parts."""
    wide, high = svg.measure_field(land.map)
    dots = []
    for counter in board.counters:
        if counter.at:
            x, y = spot_of(counter.at)
            acted = " acted" if counter.done else ""
            dots.append(f'<circle class="dot {pick_colour(counter.side)}{acted}" cx="{x}" cy="{y}" r="22"/>')
    return (
        f'<image href="{escape(picture)}" width="{wide}" height="{high}"/>{"".join(dots)}{"".join(_parts(land, links))}'
    )


PARTS = 5


def _parts(land: Land, links: Links) -> Iterator[str]:
    """Links that show the map around the middle of each part."""
    wide, high = svg.measure_field(land.map)
    columns, rows = land.map.columns, land.map.rows
    for down in range(PARTS):
        for across in range(PARTS):
            label = (
                f"{column_letters(columns * (2 * across + 1) // (2 * PARTS))}{rows * (2 * down + 1) // (2 * PARTS) + 1}"
            )
            words = escape(_("The map around {hex}").format(hex=label))
            yield (
                f'<a href="{escape(links.of_hex(label))}" tabindex="-1" aria-label="{words}"><rect class="block"'
                f' x="{wide * across // PARTS}" y="{high * down // PARTS}" width="{wide // PARTS}"'
                f' height="{high // PARTS}"/></a>'
            )
