"""Template tags that lead to the Help page."""

from __future__ import annotations

from django import template
from django.template import Context
from django.urls import reverse

from kingdom.help.topics import find_topic

register = template.Library()


@register.simple_tag(takes_context=True)
def help_url(context: Context) -> str:
    """The address of the part of Help that concerns this page."""
    match = getattr(context.get("request"), "resolver_match", None)
    topic = find_topic(match.view_name) if match else ""
    return reverse("kingdom:help") + (f"#{topic}" if topic else "")
