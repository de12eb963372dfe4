"""Slots on kingdom pages that other apps fill. Kingdoms do not know armies or battles.

A provider returns `(template, context)`, or None to show nothing. Places:
`nav`, `campaign-actions`, `campaign`, `met` (user, campaign) · `realms` (user, campaign, kingdoms), whose
context is `{kingdom_id: context}` for these · `kingdom`, `people`, `outlook` (user, kingdom, look) ·
`kingdom-actions`, `treasury` (user, kingdom) · `shared` (onlooker, kingdom), on its public page ·
`account`, `help` (user) · `commander` (user, commander), what battles know of them ·
`beneath` (user, kind, thing): under the page of anything that may be written about (`kingdom.notes.targets`),
its own app's pages too.
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
    """What `provider` gives, shown at `place`."""

    place: str
    provider: PanelProvider
    order: int = 0

    def __post_init__(self) -> None:
        if self.place not in PLACES:
            raise ValueError(f"no place called {self.place}")


def list_providers(place: str) -> list[PanelProvider]:
    return [panel.provider for panel in contributed().slots if panel.place == place]


def link_campaign(template: str) -> PanelProvider:
    """A provider that draws this template for everybody, with nothing but `campaign`."""
    return lambda user, campaign: (template, {"campaign": campaign})


def render_place(request: HttpRequest, place: str, *subject: Any) -> list[SafeString]:
    """The place's panels for the signed-in user, drawn."""
    return rendered_to(request.user, request, place, *subject)


def rendered_to(user: Any, request: HttpRequest, place: str, *subject: Any) -> list[SafeString]:
    """The same for somebody else than whoever sends the request."""
    answers = (provider(user, *subject) for provider in list_providers(place))
    drawn = [_panel(request, *answer) for answer in answers if answer]
    return [panel for panel in drawn if panel]


def _panel(request: HttpRequest, template: str, context: dict[Any, Any]) -> SafeString:
    return mark_safe(render_to_string(template, context, request=request))  # what Jinja2 drew does not say so itself


def render_beneath(request: HttpRequest, kind: str, thing: Any) -> Iterator[SafeString]:
    """What stands under the page of a thing, asked for when it is drawn: a part of the page has nothing under it."""
    yield from render_place(request, "beneath", kind, thing)


def rendered_for_each(request: HttpRequest, place: str, *subject: Any) -> dict[UUID, list[SafeString]]:
    """Panels of a place that give a context for each kingdom, drawn, by kingdom id."""
    drawn: dict[UUID, list[SafeString]] = defaultdict(list)
    for provider in list_providers(place):
        template, contexts = provider(request.user, *subject) or ("", {})
        for key, context in contexts.items():
            drawn[key].append(_panel(request, template, context))
    return drawn
