"""Things of a campaign's own as a law knows them: what kinds there are, their shapes, and who uses them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from armies.arsenal.forms import ThingForm
from core.shapes.forms import CatalogueChoices
from kingdom.slots import SlotPanel, link_campaign
from rules.core.shapes import DeclaredShape
from rules.core.text import Said, Term

UNITS_TABLE = "units"
"""The slug of the table in which unit types go out and come in."""

type ThingsByKind = Mapping[str, Mapping[str, Mapping[str, Any]]]


def find_no_user(own: ThingsByKind, kind: str, slug: str) -> Said | None:
    return None


def offer_nothing(law: Any) -> CatalogueChoices:
    return {}


@dataclass(frozen=True, kw_only=True)
class OwnThings:
    """`kinds`: what one of each is called; `shapes`: what it is made of. `names`: the names of their shapes in the
    API's document, by class; `silent`: those that need no words there. `most`: of each kind. `taken`: whether the law
    has one of this kind and slug itself. `bearing`: which other thing of the campaign's own uses it, in words.
    `offers`: what lists of its forms offer. `tables`: the slug of the table a kind goes out and comes in as.
    `examples`: of the API's document.
    """

    kinds: Mapping[str, Term]
    shapes: Mapping[str, DeclaredShape]
    names: Mapping[Any, str]
    most: int
    taken: Callable[[str, str], bool]
    bearing: Callable[[ThingsByKind, str, str], Said | None] = find_no_user
    offers: Callable[[Any], CatalogueChoices] = offer_nothing
    silent: tuple[Any, ...] = ()
    form: type[ThingForm] = ThingForm
    tables: Mapping[str, str] = field(default_factory=dict)
    examples: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)


PANEL = SlotPanel("nav", link_campaign("armies/arsenal/nav.html"), 1)
"""The arsenal, among the campaign's pages."""
