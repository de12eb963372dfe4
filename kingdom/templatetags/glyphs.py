"""Template tags and functions for glyphs: signs of units and actions, on counters and beside them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from core.text import render
from rules.core.dice import DieSide

PLAIN_GLYPH = "guard"

register = template.Library()


@cache
def glyphs() -> Mapping[str, Any]:
    """Return static/glyphs.json: the signs, each with its icon and author."""
    path = Path(__file__).resolve().parents[2] / "static" / "glyphs.json"
    return dict(json.loads(path.read_text()))


@cache
def glyph_address(slug: str) -> str:
    """Return the address of a sign; that of a plain unit if the sign does not exist."""
    known = slug in glyphs()["glyphs"] or slug in glyphs()["own"]
    return f"{static('glyphs.svg')}#{slug if known else PLAIN_GLYPH}"


@register.simple_tag
def glyph(slug: str, added: str = "") -> SafeString:
    """Return a sign as decoration. `added`: a CSS class."""
    classes = f"icon {added}".strip()
    return format_html('<svg class="{}" aria-hidden="true"><use href="{}"/></svg>', classes, glyph_address(slug))


def drawn_die(face: Any, source: str, origin: str, spoken: SafeString | str) -> SafeString:
    """Return the face of a die, drawn if it has a symbol. `spoken`: says who typed it."""
    if not isinstance(face, DieSide):
        return format_html('<span class="die {}" title="{}">{}{}</span>', source, origin, face, spoken)
    name = render(face.name)
    drawn = format_html('{}<span class="visually-hidden">{}</span>', glyph(face.glyph), name)
    return format_html('<span class="die fdie {} {}" title="{}">{}{}</span>', face.slug, source, name, drawn, spoken)


@register.simple_tag
def glyph_authors() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the authors of the signs: (author, [(slug of the author, icon)]), most icons first."""
    by_author: dict[str, set[str]] = {}
    for name, slug in glyphs()["glyphs"].values():
        by_author.setdefault(slug, set()).add(name)
    rows = [(glyphs()["authors"][slug], [(slug, name) for name in sorted(found)]) for slug, found in by_author.items()]
    return sorted(rows, key=lambda row: len(row[1]), reverse=True)
