"""Template tags of pictures: screenshots of Warhost, taken by `python -m tests.pictures`, and portraits."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from kingdom.pictures.queries import ShownPicture

register = template.Library()
LANGUAGES = ("en", "fr")
ON_PAPER = "paper"


@register.simple_tag
def picture(subject: str, language: str, theme: str) -> str:
    """Return the address of a screenshot, in the reader's language if there is one."""
    return static(f"pictures/{subject}-{language if language in LANGUAGES else LANGUAGES[0]}-{theme}.webp")


@register.simple_tag
def portrait(
    picture: ShownPicture | tuple[()] | None, drawing: str = "", label: object = "", size: str = ""
) -> SafeString:
    """Return an uploaded picture (loaded lazily), or the drawing in its place; nothing without either.

    `label`: what it shows; without one it is decoration. `size`: tiny (in lists), whole (uncropped), paper (printed),
    or "" (in titles).
    """
    classes = f"portrait {size}".strip()
    if picture:
        return format_html(
            '<img class="{}" src="{}" width="{}" height="{}" alt="{}" loading="{}" decoding="async">',
            classes, picture.url, picture.width, picture.height, label, "eager" if size == ON_PAPER else "lazy",
        )  # fmt: skip
    if not drawing:
        return mark_safe("")
    return format_html(
        '<svg class="{} drawn" viewBox="0 0 96 96" aria-hidden="true"><use href="{}#{}"/></svg>',
        classes, static("portraits.svg"), drawing,
    )  # fmt: skip
