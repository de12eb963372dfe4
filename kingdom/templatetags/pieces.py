"""Template tags that render Jinja2 pieces in Django templates."""

from __future__ import annotations

from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString

from kingdom import rendering

register = template.Library()

register.simple_tag(rendering.render_piece, name="piece")


@register.simple_tag(takes_context=True)
def drawn(context: Context, name: str, **more: Any) -> SafeString:
    """Render a template with the page's whole context, and `more`."""
    known: Any = context.flatten()
    return rendering.render_whole(name, known | more)
