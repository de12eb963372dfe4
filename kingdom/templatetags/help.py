"""Template tags of help: the link to Help, explained terms, and the panel of the tour."""

from __future__ import annotations

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse

from kingdom.help.terms import find_term
from kingdom.help.topics import find_topic
from kingdom.onboarding.tour import find_panel
from kingdom.rendering import render_piece
from rules.core.text import NO_WORDS, Said

register = template.Library()


@register.simple_tag(takes_context=True)
def help_url(context: Context) -> str:
    """Return the address of the Help topic for this page."""
    match = getattr(context.get("request"), "resolver_match", None)
    topic = find_topic(match.view_name) if match else ""
    return reverse("kingdom:help") + (f"#{topic}" if topic else "")


@register.simple_tag(takes_context=True)
def tour(context: Context) -> str:
    """Return the tour's panel if the page's address asks for it."""
    request = context.get("request")
    panel = find_panel(request) if request else None
    return render_to_string("components/tour.html", {"panel": panel}, request=request) if panel else ""


@register.simple_tag
def open_term(slug: str, family: str = "") -> str:
    """Return a term that opens its explanation. `family`: the family of rulesets of the term; "" for every
    ruleset's.
    """
    found = find_term(family, slug)
    return render_piece("components/term.html", name=found.name, text=found.text) if found else ""


@register.filter
def explained(slug: str, family: str = "") -> Said:
    """Return the explanation of a term; nothing for an unknown slug."""
    found = find_term(family, slug)
    return found.text if found else NO_WORDS
