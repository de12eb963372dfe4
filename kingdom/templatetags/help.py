"""Template tags for newcomers: the way to Help, and the panel of the tour."""

from __future__ import annotations

from django import template
from django.template import Context
from django.template.loader import render_to_string
from django.urls import reverse

from kingdom.help.topics import find_topic
from kingdom.onboarding.tour import find_panel

register = template.Library()


@register.simple_tag(takes_context=True)
def help_url(context: Context) -> str:
    """The address of the part of Help that concerns this page."""
    match = getattr(context.get("request"), "resolver_match", None)
    topic = find_topic(match.view_name) if match else ""
    return reverse("kingdom:help") + (f"#{topic}" if topic else "")


@register.simple_tag(takes_context=True)
def tour(context: Context) -> str:
    """The panel of the tour where the page's address asks for it."""
    request = context.get("request")
    panel = find_panel(request) if request else None
    return render_to_string("components/tour.html", {"panel": panel}, request=request) if panel else ""
