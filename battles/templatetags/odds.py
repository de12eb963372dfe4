"""Chances in words: one decimal where they are exact, none where they are thrown."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.formats import number_format
from django.utils.safestring import SafeString

from kingdom.templatetags.look import icon
from rules.odds import EXACT
from rules.text import MINUS

register = template.Library()

ALMOST = 0.0005


@register.simple_tag
def percent(chance: float, method: str = EXACT) -> str:
    """59.7 %; never 0 or 100 for what may or may not happen."""
    if method != EXACT:
        return f"{_bounded(chance, 0, 0.005)} %"
    return f"{_bounded(chance, 1, ALMOST)} %"


@register.simple_tag
def whole(chance: float) -> str:
    """60, for a cell of a table that says what it is in."""
    return number_format(round(100 * chance), 0)


@register.simple_tag
def points(change: float) -> str:
    """+44.1: points of the chance to win."""
    sign = "+" if change > 0 else MINUS
    return sign + number_format(round(abs(100 * change), 1), 1)


@register.simple_tag
def icon_of(icons: Mapping[str, str], slug: str) -> SafeString:
    return icon(icons.get(slug, ""))


def _bounded(chance: float, decimals: int, least: float) -> str:
    if 0 < chance < least:
        return f"< {number_format(100 * 2 * least, decimals)}"
    if 1 - least < chance < 1:
        return f"> {number_format(100 * (1 - 2 * least), decimals)}"
    return number_format(round(100 * chance, decimals), decimals)
