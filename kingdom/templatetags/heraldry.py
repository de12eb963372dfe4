"""Template tag that draws arms: `{% arms kingdom %}`."""

from __future__ import annotations

from functools import lru_cache

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from core.text import render
from kingdom.models import Kingdom
from kingdom.models.heraldry import DIVISIONS, Arms
from kingdom.templatetags.look import PLAIN_ICON, symbol_of

register = template.Library()

HIDDEN = mark_safe('aria-hidden="true"')
NOBODYS = ("heater", "plain", "on-side")  # shield of an army without a kingdom: plain, in its side's colour


@register.simple_tag
def arms(
    bearer: Kingdom | Arms | None, size: str = "", charge: str = "", label: object = "", side: str = ""
) -> SafeString:
    """Return the arms of a kingdom as SVG: decoration, unless `label` gives a text for them. Four nodes.

    `size`: mini (in a line of text), tiny (in lists), grand, or "" (in rows). `charge`: the icon of an army, on the
    kingdom's shield. `side`: colour of a side in a battle, which the shield has instead of its tinctures: kingdoms may
    bear like ones, or fight on both sides. Without a kingdom the shield is plain, in the colour of its side.
    """
    borne = bearer.arms_borne if isinstance(bearer, Kingdom) else bearer
    meaning = format_html('role="img" aria-label="{}"', render(label)) if label else HIDDEN
    return _drawn(borne, f"{size} sided {side}" if side else size, charge, meaning)


@lru_cache(maxsize=4096)
def _drawn(borne: Arms | None, size: str, charge: str, meaning: SafeString) -> SafeString:
    shield, division, paints = _shield(borne) if borne else NOBODYS
    icon = symbol_of(charge or (borne.icon if borne else PLAIN_ICON))
    return format_html(
        '<svg class="{}" viewBox="0 0 100 116" {}><use class="paint" href="{sprite}#{}"/>'
        '<use class="rim" href="{sprite}#{}"/><use class="charge" href="{}#{}"/></svg>',
        " ".join(("arms", shield, division, paints, *size.split())),
        meaning,
        f"bordure-{shield}" if division == "bordure" else division,
        shield,
        static("icons.svg"),
        icon,
        sprite=static("arms.svg"),
    )


def _shield(borne: Arms) -> tuple[str, str, str]:
    laid = " ordinary" if DIVISIONS[borne.division].ordinary else ""
    return borne.shield, borne.division, f"on-{borne.field} in-{borne.tincture}{laid}"


@register.filter
def blazon(bearer: Kingdom | Arms) -> str:
    """Return the blazon of the arms."""
    return render((bearer.arms_borne if isinstance(bearer, Kingdom) else bearer).blazon)
