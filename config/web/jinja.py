"""Jinja2 environment of templates/jinja2/: the functions templates may call, in the reader's language."""

from __future__ import annotations

from collections.abc import MutableMapping
from datetime import datetime
from functools import lru_cache
from typing import Any

import jinja2
from django.template.defaultfilters import capfirst, date
from django.templatetags.static import static
from django.urls import reverse
from django.utils import translation
from django.utils.html import json_script
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime

from battles.templatetags import field
from core.text import translate_text
from kingdom import rendering
from kingdom.chronicle import context
from kingdom.length_fields import reads_feet
from kingdom.templatetags import glyphs, help, heraldry, look, pictures


class Environment(jinja2.Environment):
    """Environment whose templates have a dict of globals each. Jinja2's chain of two mappings makes every import within
    a template compare a hundred names in Python.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        return {**self.globals, **(d or {})}


def environment(**options: Any) -> jinja2.Environment:
    """Return the environment. An undefined name is an error, at the latest when it is rendered."""
    made = Environment(
        **options | {"undefined": jinja2.StrictUndefined},
        extensions=["jinja2.ext.i18n"],
        trim_blocks=True,
        lstrip_blocks=True,
    )
    speak(made)
    made.filters |= {
        "said": look.said, "colon": look.colon, "minus": look.minus, "in_percent": look.in_percent,
        "or_ask": look.or_ask, "signed": look.signed,
        "capfirst": capfirst, "json_for": json_script, "date": date_of, "metres": look.metres, "reads_feet": reads_feet,
        "explained": help.explained,
    }  # fmt: skip
    made.globals |= {
        "component": rendering.render_component, "drawn": rendering.render_template,
        "of_page": rendering.render_with_page,
        "static": static, "url": url, "shield": field.shield, "banner": field.banner, "arms": heraldry.arms,
        "die": look.die, "entry": look.entry, "figure": look.figure, "health_left": look.health_left,
        "health_bar": look.health_bar, "icon": look.icon, "glyph": glyphs.glyph, "pips": look.pips,
        "portrait": pictures.portrait, "row_figure": look.row_figure,
        "open_term": help.open_term, "rule_id": look.rule_id, "sum_lines": look.sum_lines, "undo_of": context.undo_of,
    }  # fmt: skip
    return made


@lru_cache(maxsize=4096)
def url(name: str, *args: Any) -> str:
    """Return the address of a view, as Django's tag of this name does. A page names the same ones each time."""
    return reverse(name, args=args)


def speak(made: jinja2.Environment) -> None:
    """Install translation by Django's catalogues: `_("A sentence.")`, and `{% trans %}` for sentences with
    parameters.
    """
    made.install_gettext_callables(  # type: ignore[attr-defined]
        translate_text, translation.ngettext, newstyle=True,
        pgettext=translation.pgettext, npgettext=translation.npgettext,
    )  # fmt: skip
    made.globals["_"] = sentence
    made.policies["ext.i18n.trimmed"] = True  # a sentence of several lines becomes one line


def sentence(text: str) -> SafeString:
    return mark_safe(translate_text(text))


def date_of(moment: datetime, form: str) -> str:
    """Return the date in the reader's time zone and language."""
    return str(date(localtime(moment), form))
