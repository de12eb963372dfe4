"""Slots on kingdom pages that other apps fill. Kingdoms do not know armies or battles.

A provider returns `(template, context)`, or None to show nothing. Places and the arguments of their providers:

- `nav`, `campaign-actions`, `campaign`, `met`: (user, campaign)
- `realms`: (user, campaign, kingdoms); its context is `{kingdom_id: context}`
- `kingdom`, `people`, `outlook`: (user, kingdom, look)
- `kingdom-actions`, `treasury`: (user, kingdom)
- `shared`: (onlooker, kingdom), on its public page
- `account`, `help`: (user)
- `commander`: (user, commander), what battles know of them
- `beneath`: (user, kind, object), below the page of any object that notes may be about (`kingdom.notes.targets`)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from kingdom.contributions import contributed

PanelProvider = Callable[..., tuple[str, dict[Any, Any]] | None]

PLACES = frozenset(
    {
        "nav",
        "realms",
        "campaign",
        "campaign-actions",
        "met",
        "kingdom",
        "people",
        "outlook",
        "kingdom-actions",
        "treasury",
        "shared",
        "account",
        "help",
        "commander",
        "beneath",
    }
)


@dataclass(frozen=True, slots=True)
class SlotPanel:
    """A provider for a place."""

    place: str
    provider: PanelProvider
    order: int = 0

    def __post_init__(self) -> None:
        if self.place not in PLACES:
            raise ValueError(f"no place called {self.place}")


def list_providers(place: str) -> list[PanelProvider]:
    return [panel.provider for panel in contributed().slots if panel.place == place]


def link_campaign(template: str) -> PanelProvider:
    """Return a provider that renders this template for everybody, with `campaign` as its context."""
    return lambda user, campaign: (template, {"campaign": campaign})


def render_place(request: HttpRequest, place: str, *subject: Any) -> list[SafeString]:
    """Return the place's rendered panels for the signed-in user."""
    return rendered_to(request.user, request, place, *subject)


def rendered_to(user: Any, request: HttpRequest, place: str, *subject: Any) -> list[SafeString]:
    """Return the place's rendered panels for another user than the one who sends the request."""
    answers = (provider(user, *subject) for provider in list_providers(place))
    drawn = [_panel(request, *answer) for answer in answers if answer]
    return [panel for panel in drawn if panel]


def _panel(request: HttpRequest, template: str, context: dict[Any, Any]) -> SafeString:
    return mark_safe(render_to_string(template, context, request=request))  # Jinja2 does not mark its output as safe


def render_beneath(request: HttpRequest, kind: str, thing: Any) -> Iterator[SafeString]:
    """Yield the panels below the page of an object. Lazy: a partial page does not render them."""
    yield from render_place(request, "beneath", kind, thing)


def rendered_for_each(request: HttpRequest, place: str, *subject: Any) -> dict[UUID, list[SafeString]]:
    """Return the rendered panels of each kingdom, by kingdom id."""
    drawn: dict[UUID, list[SafeString]] = defaultdict(list)
    for provider in list_providers(place):
        template, contexts = provider(request.user, *subject) or ("", {})
        for key, context in contexts.items():
            drawn[key].append(_panel(request, template, context))
    return drawn
