"""The field of a battle, drawn: the shields on it."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from battles.selectors.pages.table import side_key
from kingdom.templatetags.heraldry import arms

register = template.Library()


@register.simple_tag(takes_context=True)
def shield(context: Context, army: Any, size: str = "") -> SafeString:
    """An army's arms: its kingdom's shield, its own charge. Decoration: its name stands beside."""
    return arms(context["page"].bearers.get(army.id), size, army.crest)


@register.simple_tag(takes_context=True)
def banner(context: Context, side: int, size: str = "") -> SafeString:
    """A side's arms: those of the kingdom all its armies are of, else its colour."""
    return arms(context["page"].bearers.get(side_key(side)), size)
