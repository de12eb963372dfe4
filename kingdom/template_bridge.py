"""Bridge between Django's templates (templates/) and Jinja2 (templates/jinja2/).

What is drawn often, or many times on a page, is a piece in Jinja2: a file with one macro, `draw`, that says what it
wants. A template of either language draws templates of the other by the functions here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jinja2
from django.template import engines, loader
from django.utils.safestring import SafeString, mark_safe

from kingdom.live.fragments import draw_page_fragment

ENGINE = "jinja2"


def render_piece(name: str, /, **wanted: Any) -> SafeString:
    """The piece in this file. Raises `TypeError` for what its `draw` does not take."""
    environment: jinja2.Environment = engines[ENGINE].env  # type: ignore[attr-defined]
    return mark_safe(environment.get_template(name).module.draw(**wanted))  # type: ignore[attr-defined]


def render_component(name: str, **wanted: Any) -> SafeString:
    """A template in Django's language that needs nothing but this."""
    return mark_safe(loader.get_template(name).render(wanted))


@jinja2.pass_context
def render_with_page(context: jinja2.runtime.Context, name: str, **wanted: Any) -> SafeString:
    """A template in Django's language that needs this and the page's address."""
    return mark_safe(loader.get_template(name).render(wanted, context["request"]))


def render_whole(name: str, known: dict[str, Any]) -> SafeString:
    """A template of either language with all that is known where it is drawn: a law's own, or a page's body."""
    return mark_safe(loader.get_template(name).render(known))


@jinja2.pass_context
def render_template(context: jinja2.runtime.Context, name: str, **more: Any) -> SafeString:
    """`whole` within a template of Jinja2, and `more`."""
    everywhere = context.environment.globals
    known = {name: value for name, value in context.get_all().items() if everywhere.get(name) is not value}
    return render_whole(name, known | more)


@jinja2.pass_context
def render_part(context: jinja2.runtime.Context, name: str, *, caller: Callable[[], str]) -> SafeString:
    """`{% call part("name") %}`: as Django's templates have `{% part "name" %}` (`kingdom.templatetags.live`)."""
    return draw_page_fragment(context.get("request"), name, lambda: mark_safe(caller()))
