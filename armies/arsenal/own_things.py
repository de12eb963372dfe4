"""Declaration of what a campaign may have of its own under a ruleset: kinds, shapes, uses."""

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
"""Slug of the table in which unit types are exported and imported."""

type ThingsByKind = Mapping[str, Mapping[str, Mapping[str, Any]]]


def find_no_user(own: ThingsByKind, kind: str, slug: str) -> Said | None:
    return None


def offer_nothing(law: Any) -> CatalogueChoices:
    return {}


@dataclass(frozen=True, kw_only=True)
class OwnThings:
    """A ruleset's kinds of own entries.

    `kinds`: names; `shapes`: members, both by kind. `names`: names of the shapes in the OpenAPI document, by class;
    `silent`: those without a description there. `most`: most entries of each kind. `taken(kind, slug)`: whether the
    ruleset itself has such an entry. `bearing(things, kind, slug)`: name of another own entry that uses it, None for
    none. `offers`: choices of the forms' lists. `tables`: slug of each kind's table file. `examples`: for the OpenAPI
    document.
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
"""Link to the arsenal among the campaign's pages."""
