"""Template filters for chances: one decimal where they are exact, none where they are simulated."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.safestring import SafeString

from battles.forecast import odds_page
from kingdom.templatetags.look import icon
from rules.core.odds import EXACT

register = template.Library()
register.simple_tag(odds_page.format_points, name="points")
register.simple_tag(odds_page.format_error, name="within")


@register.simple_tag
def percent(chance: float, method: str = EXACT, decimals: int = 1) -> str:
    """The chance as a percentage: 59.7% where it is exact, 60% where it is simulated."""
    return odds_page.format_percent(chance, decimals if method == EXACT else 0)


@register.simple_tag
def whole(chance: float) -> str:
    """The chance in percent without the sign, for cells of a table whose heading has it."""
    return odds_page.format_decimal(100 * chance, 0)


@register.simple_tag
def icon_of(icons: Mapping[str, str], slug: str) -> SafeString:
    return icon(icons.get(slug, ""))
