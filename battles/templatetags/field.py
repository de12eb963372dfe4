"""Template tags of a battle's field: arms, and the scale of a die."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from battles.field.table import make_side_key
from battles.setup.page import pick_colour
from core.text import render
from kingdom.templatetags.heraldry import arms
from rules.core.dice import Roll
from rules.law import Band

register = template.Library()


def shield(page: Any, army: Any, size: str = "") -> SafeString:
    """Arms of an army, in the colour of its side: its kingdom's shield with its own charge. Decoration: its name stands
    beside it.
    """
    return arms(page.arms.get(army.id), size, army.crest, side=army.colour)


def banner(page: Any, side: int, size: str = "") -> SafeString:
    """Arms of a side, in its colour: those of the kingdom of all its armies, else plain."""
    return arms(page.arms.get(make_side_key(side)), size, side=pick_colour(side))


@register.simple_tag
def die_scale(scale: Sequence[Band], roll: Roll) -> SafeString:
    """SVG of a die's faces: a band for each result, and a pin at the face rolled. The text stands below it."""
    lows = [1, *(band.most + 1 for band in scale)]
    spans = [(band, low) for band, low in zip(scale, lows, strict=False)]
    bars = format_html_join(
        "",
        '<rect class="{}" x="{}" y="5" width="{}" height="7"/>',
        ((band.tone, 10 * (low - 1), 10 * (band.most - low + 1)) for band, low in spans),
    )
    words = format_html_join(
        "",
        '<li class="{}{}">{} <span>{}–{}</span></li>',
        (
            (band.tone, " hit" if low <= roll.value <= band.most else "", render(band.name), low, band.most)
            for band, low in spans
        ),
    )
    pin, wide = 10 * roll.value - 5, 10 * scale[-1].most
    return format_html(
        '<svg class="fate-scale" viewBox="0 0 {} 12" preserveAspectRatio="none" aria-hidden="true">{}'
        '<path class="pin" d="M{} 0H{}L{} 5V12H{}V5Z"/></svg><ul class="axis" aria-label="{}">{}</ul>',
        wide, bars, pin - 12, pin + 12, pin + 2, pin - 2, _("Meaning of the die"), words,
    )  # fmt: skip
