"""Template tags for the cards of a campaign's page and for its first steps."""

from __future__ import annotations

from django import template
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from kingdom.campaign.campaign_cards import NowCard
from kingdom.onboarding.checklist import FirstSteps

register = template.Library()


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
