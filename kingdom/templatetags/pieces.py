"""Template tags and filters of kingdom pages: Jinja2 partials, cards, stored words, tabs, form fields and QR codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import segno
from django import template
from django.forms import BoundField, ModelChoiceField, RadioSelect, Select
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from core.text import build_absolute_url, load_said, render
from kingdom import rendering
from kingdom.access.queries import reads_kingdom
from kingdom.campaign.campaign_cards import NowCard
from kingdom.campaign.page import campaign_around
from kingdom.campaign.queries import format_distinction, name_apart
from kingdom.models import Campaign, Kingdom
from kingdom.onboarding.checklist import FirstSteps
from kingdom.realms.figures import get_realm_law

# Template tags that render Jinja2 pieces in Django templates.

register = template.Library()

register.simple_tag(rendering.render_piece, name="piece")


@register.simple_tag(takes_context=True)
def drawn(context: Context, name: str, **more: Any) -> SafeString:
    """Render a template with the page's whole context, and `more`."""
    known: Any = context.flatten()
    return rendering.render_whole(name, known | more)


# Template filters for texts on kingdom pages.


@register.filter
def told(data: Any) -> str:
    """Return text stored as JSON (a ledger reason, a chronicle line) in the reader's language."""
    return render(load_said(data))


@register.filter
def who(user: Any) -> str:
    """Return the name of a user; "former member" for a deleted account."""
    return str(user) if user else gettext("former member")


@register.filter
def at(mapping: Mapping[Any, Any], key: Any) -> Any:
    """Return the value of a key, or an empty tuple."""
    return mapping.get(key, ())


register.simple_tag(format_distinction, name="told_apart")
register.simple_tag(name_apart)


@register.simple_tag(takes_context=True)
def invitation_url(context: Mapping[str, Any], invitation: Any) -> str:
    """Return the full address of an invitation, to be copied."""
    return build_absolute_url(context["request"], reverse("kingdom:invitation", args=[invitation.token]))


# Template tags for the cards of a campaign's page and for its first steps.


@register.simple_tag(takes_context=True)
def told_on(context: Context, card: NowCard) -> SafeString:
    """Return the sentence of a card, rendered by its own template with the page's context."""
    found = context.template.engine.get_template(card.template)  # type: ignore[union-attr]
    with context.push(**{**card.told, "card": card}):
        return found.render(context)


STEP = 20  # width of a step in the bar


@register.simple_tag
def step_bar(first: FirstSteps) -> SafeString:
    """Return a bar with a piece for each step: done, next, still to come. Decoration beside the same in words."""
    states = ("on" if line.done else "here" if line.form else "off" for line in first.lines)
    pieces = [(state, STEP * at + 1, STEP - 3) for at, state in enumerate(states)]
    drawn = format_html_join("", '<rect class="{}" x="{}" y="1" width="{}" height="6" rx="2"/>', pieces)
    box = '<svg class="stepbar" viewBox="0 0 {} 8" preserveAspectRatio="none" aria-hidden="true">{}</svg>'
    return format_html(box, STEP * len(pieces), drawn)


# Template tags for the surroundings of a page: its campaign, or the kingdom of a commander.


@register.simple_tag(name="campaign_around", takes_context=True)
def around(context: Context) -> Campaign | None:
    request = context.get("request")
    return campaign_around(request) if request else None


class KingdomTabs(NamedTuple):
    """Context of the tabs of a kingdom's pages. `stores`: the ruleset has stores."""

    kingdom: Kingdom
    stores: bool


@register.simple_tag(takes_context=True)
def kingdom_around(context: Context, kingdom: Kingdom) -> KingdomTabs | None:
    """Return the kingdom's tabs, for readers of its pages; else None."""
    if not reads_kingdom(context["user"], kingdom):
        return None
    return KingdomTabs(kingdom, bool(get_realm_law(kingdom.campaign).market_rule))


# Template filters for form fields.


@register.filter
def may_stay_empty(field: BoundField) -> bool:
    """Return whether the field may be left empty; False for a choice that always has a value."""
    if field.field.required:
        return False
    widget = field.field.widget
    if isinstance(field.field, ModelChoiceField) or not isinstance(widget, RadioSelect | Select):
        return True
    values = {str(value) for value, _label in widget.choices}
    if isinstance(widget, RadioSelect):
        return str("" if field.value() is None else field.value()) not in values
    return widget.allow_multiple_selected or "" in values


# Template tag that draws a link as a QR code: `{% qr_code url label %}`.

QUIET = 4
"""Width of the empty border around the code in modules, as its standard requires."""


@register.simple_tag
def qr_code(text: str, label: str) -> SafeString:
    """Return the text as a QR code in SVG, dark on light in both themes."""
    code = segno.make(text, error="m", micro=False)
    wide = code.symbol_size(border=QUIET)[0]
    drawn = code.svg_inline(border=QUIET, omitsize=True, svgclass=None, lineclass=None)
    path = mark_safe(drawn[drawn.index("<path") : drawn.rindex("</svg>")])
    return format_html('<svg class="qr" viewBox="0 0 {0} {0}" role="img" aria-label="{1}">{2}</svg>', wide, label, path)
