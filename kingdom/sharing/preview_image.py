"""Preview image of a share link: a PNG of 1200 × 630 pixels with the arms of those it is about.

It shows no more than the page behind the link (`kingdom.sharing.share_kinds.LinkPreview`).
"""

from __future__ import annotations

import re
from functools import cache
from textwrap import wrap

import resvg_py
from django.conf import settings
from django.utils.html import escape

from kingdom.map.editor_svg import FONTS, SERIF
from kingdom.models.heraldry import DIVISIONS, TINCTURE_SLUGS, Arms
from kingdom.sharing.share_kinds import LinkPreview
from kingdom.templatetags.look import PLAIN_ICON, symbol_of

WIDE, HIGH = 1200, 630
MIDDLE = WIDE // 2
INK, SOFT, PAPER, EDGE, GOLD = "#231d16", "#62584b", "#f4efe4", "#cdbf9f", "#a9842f"
MARGIN, USUAL, WIDEST, BROAD = 36, 0.55, 1.05, frozenset("WMŒÆ—…")  # width of letters, in parts of the font size
SHIELD_WIDE, SHIELD_HIGH = 250, 290
BAR_WIDE, BAR_HIGH = 250, 12
MOST_BEARERS = 2  # more shields would not fit; the text names them
UNREADABLE = re.compile(r"[^\t -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # characters that XML forbids
CHARGE_AT = {"chief": (22, 29, 0.56), "bordure": (24, 19, 0.52)}  # as in static/css/arms.css
CHARGE = (20, 15, 0.6)


def png_of(preview: LinkPreview) -> bytes:
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg_of(preview),
        width=WIDE,
        height=HIGH,
        font_files=FONTS,
        skip_system_fonts=True,
        serif_family=SERIF,
    )
    return bytes(drawn)


def svg_of(preview: LinkPreview) -> str:
    bearers = preview.bearers[:MOST_BEARERS]
    facing = len(bearers) == MOST_BEARERS
    places = (150, WIDE - 150 - SHIELD_WIDE) if facing else (MIDDLE - SHIELD_WIDE // 2,)
    shields = "".join(
        _shield(arms, f"s{place}", x, 70 if facing else 56)
        for place, (x, (_name, arms)) in enumerate(zip(places, bearers, strict=False))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" width="{WIDE}" height="{HIGH}">'
        f"<style>text {{ text-anchor: middle; font-family: {SERIF}, serif; fill: {INK}; }}</style>"
        f'<rect width="{WIDE}" height="{HIGH}" fill="{PAPER}"/>'
        f'<rect x="18" y="18" width="{WIDE - 36}" height="{HIGH - 36}" fill="none" stroke="{EDGE}" stroke-width="3"/>'
        f"{shields}{_facing(preview) if facing else _alone(preview)}"
        f"{_text('Warhost', MIDDLE, HIGH - 42, 30, GOLD, bold=True)}</svg>"
    )


def _facing(preview: LinkPreview) -> str:
    """Return two shields with their names, the title and the line of text below them."""
    centres = (150 + SHIELD_WIDE // 2, WIDE - 150 - SHIELD_WIDE // 2)
    names = "".join(
        _text(line, x, 402 + 36 * row, 34, SOFT)
        for x, (name, _arms) in zip(centres, preview.bearers, strict=False)
        for row, line in enumerate(_lines(name, 24, 1))
    )
    bars = "".join(_bar(x, left) for x, left in zip(centres, preview.left, strict=False) if left is not None)
    swords = _icon("crossed-swords", MIDDLE - 60, 150, 120)
    title = _block(preview.title, 472, 56, 40, 1)
    return f"{names}{bars}{swords}{title}{_block(preview.text, 528, 32, 70, 1, soft=True)}"


def _bar(middle: int, left: int) -> str:
    """Return a bar that shows what is left, in percent."""
    x, y = middle - BAR_WIDE // 2, 414
    frame = f'<rect x="{x}" y="{y}" width="{BAR_WIDE}" height="{BAR_HIGH}" fill="none" stroke="{SOFT}"'
    full = f'<rect x="{x}" y="{y}" width="{BAR_WIDE * left // 100}" height="{BAR_HIGH}" fill="{GOLD}"/>'
    return f'{full}{frame} stroke-width="2"/>'


def _alone(preview: LinkPreview) -> str:
    top = 420 if preview.bearers else 260
    lines = _lines(preview.title, 38, 2)
    title = "".join(_text(line, MIDDLE, top + 62 * row, 60, INK, bold=True) for row, line in enumerate(lines))
    return title + _block(preview.text, top + 62 * len(lines) - 8, 32, 70, 1 if len(lines) > 1 else 2, soft=True)


def _block(text: str, top: int, size: int, letters: int, most: int, *, soft: bool = False) -> str:
    lines = _lines(text, letters, most)
    colour = SOFT if soft else INK
    return "".join(
        _text(line, MIDDLE, top + row * (size + 8), size, colour, bold=not soft) for row, line in enumerate(lines)
    )


def _lines(text: str, letters: int, most: int) -> list[str]:
    """Return the text as lines; a word longer than a line is cut."""
    words = (word if len(word) <= letters else f"{word[: letters - 3]}…" for word in UNREADABLE.sub("", text).split())
    return wrap(" ".join(words), letters, max_lines=most, placeholder=" …")


def _text(text: str, x: int, y: int, size: int, colour: str, *, bold: bool = False) -> str:
    """Return a line of text, smaller if it would not fit into the picture or its half."""
    room = 2 * min(x, WIDE - x) - 2 * MARGIN
    size = min(size, int(room / max(1, sum(WIDEST if letter in BROAD else USUAL for letter in text))))
    face = 'font-weight="700"' if bold else 'font-weight="500" font-style="italic"'
    return f'<text x="{x}" y="{y}" font-size="{size}" {face} style="fill:{colour}">{escape(text)}</text>'


def _icon(name: str, x: int, y: int, side: int) -> str:
    inner = _symbols("icons.svg")[symbol_of(name)]
    return f'<svg x="{x}" y="{y}" width="{side}" height="{side}" viewBox="0 0 512 512" color="{SOFT}">{inner}</svg>'


def _shield(arms: Arms | None, name: str, x: int, y: int) -> str:
    """Return the four layers of static/css/arms.css: field, division, rim, charge."""
    parts, icons, paints = _symbols("arms.svg"), _symbols("icons.svg"), _paints()
    borne = arms or Arms("heater", "plain", "sable", "", "argent")
    field, shade, laid = paints[borne.field], paints[f"{borne.field}-shade"], paints[borne.tincture]
    outline = parts[borne.shield]
    division = f"bordure-{borne.shield}" if borne.division == "bordure" else borne.division
    over = laid if DIVISIONS[borne.division].ordinary else shade
    right, down, scale = CHARGE_AT.get(borne.division, CHARGE)
    down += 0 if borne.shield != "round" else 5
    charge = icons[symbol_of(arms.icon if arms else PLAIN_ICON)]
    return (
        f'<svg x="{x}" y="{y}" width="{SHIELD_WIDE}" height="{SHIELD_HIGH}" viewBox="0 0 100 116">'
        f'<clipPath id="{name}">{outline.partition("/>")[0]}/></clipPath>'
        f'<g clip-path="url(#{name})" color="{field}" fill="{over}">{parts[division]}</g>'
        f'<g fill="none" stroke="{INK}" stroke-width="4" stroke-linejoin="round">{outline}</g>'
        f'<g color="{laid}" transform="translate({right} {down}) scale({scale}) translate(0 8) scale({100 / 512})">'
        f"{charge}</g></svg>"
    )


@cache
def _symbols(file: str) -> dict[str, str]:
    """Return the content of each symbol of a sprite, by its id."""
    text = (settings.BASE_DIR / "static" / file).read_text()
    return dict(re.findall(r'<symbol id="([^"]+)"[^>]*>(.*?)</symbol>', text, re.DOTALL))


@cache
def _paints() -> dict[str, str]:
    """Return the colours of the tinctures from the pages' CSS."""
    text = (settings.BASE_DIR / "static" / "css" / "tokens.css").read_text()
    wanted = "|".join(TINCTURE_SLUGS)
    return dict(re.findall(rf"--((?:{wanted})(?:-shade)?): (#\w+);", text))
