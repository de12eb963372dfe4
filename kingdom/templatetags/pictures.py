"""Pictures of Warhost itself, taken by `python -m tests.pictures`."""

from __future__ import annotations

from django import template
from django.templatetags.static import static

register = template.Library()
LANGUAGES = ("en", "fr")


@register.simple_tag
def picture(subject: str, language: str, theme: str) -> str:
    """Its address, in the reader's language where it was taken in it."""
    return static(f"pictures/{subject}-{language if language in LANGUAGES else LANGUAGES[0]}-{theme}.webp")
