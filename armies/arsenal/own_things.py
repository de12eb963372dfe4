"""Own things of a campaign under a ruleset: their declaration (kinds, shapes, uses), the form of an entry, and queries
by kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django import forms
from django.http import QueryDict

from armies.ruleset_ui import find_army_ui
from core.errors import NotInRuleset
from core.shapes.forms import CatalogueChoices, JsonDocument, ShapeForm, add_refusal, rows_in
from kingdom.contributions import SlotPanel, link_campaign
from kingdom.models import Campaign
from kingdom.models.base import make_natural_key
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape
from rules.core.text import Said, Term
from rules.house import OWN
from rules.law import Catalogue

# Form of an entry of a campaign's own. It validates nothing: the rules refuse, with pointers.

MORE_ROWS = 3


class ThingForm(forms.Form):
    """Form of an entry. `thing`: its stored members; `sent`: the submitted data; `offers`: choices of its lists."""

    rows_of: tuple[str, ...] = ("weapons", "traits")
    """Members that are lists of rows."""
    more_rows = MORE_ROWS
    """Empty rows at the end of each list."""

    def __init__(
        self,
        kind: str,
        shape: DeclaredShape,
        offers: CatalogueChoices,
        thing: Mapping[str, Any] | None = None,
        sent: QueryDict | None = None,
    ):
        self.kind, self.shape = kind, ShapeForm(shape, offers, empty_rows=self.more_rows)
        self.thing: JsonDocument = dict(thing or {}) if sent is None else self.read_posted(sent)
        shown = {**self.shape.flat("", self.thing), **self.show_more()}
        super().__init__(None if sent is None else shown, initial=shown)
        self.fields.update(self.shape.fields("", self.thing))
        self.rearrange()

    def read_posted(self, sent: QueryDict) -> JsonDocument:
        return self.shape.posted(sent, "")

    def show_more(self) -> JsonDocument:
        """Initial values of fields that are not in the shape."""
        return {}

    def rearrange(self) -> None:
        """Hook that changes the fields, where a ruleset's form differs from its shape."""

    @property
    def first(self) -> list[forms.BoundField]:
        listed = tuple(f"{name}-" for name in self.rows_of)
        return [self[name] for name in self.fields if not name.startswith(listed)]

    @property
    def groups(self) -> list[tuple[Any, list[list[forms.BoundField]]]]:
        """Lists of rows, each with its label."""
        members = self.shape.shape.members
        found = ((name, rows_in(self, f"{name}-")) for name in self.rows_of if name in members)
        return [(members[name].label, rows) for name, rows in found if rows]

    def add_refusal(self, refusal: Refusal) -> None:
        """Adds every message to the field that its pointer names, else to the form."""
        add_refusal(self, refusal, "/thing")


# Declaration of what a campaign may have of its own under a ruleset: kinds, shapes, uses.

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


# Queries for a campaign's arsenal, by kind.


@dataclass(frozen=True, slots=True)
class Thing:
    """An entry as it is stored (`kept`), with its figures in words."""

    kind: str
    slug: str
    kept: Mapping[str, Any]
    facts: tuple[Said, ...]

    @property
    def name(self) -> str:
        return str(self.kept["name"])

    @property
    def summary(self) -> str:
        """Its description in the campaign's words, "" for none."""
        return str(self.kept.get("summary", ""))


@dataclass(frozen=True, slots=True)
class ThingsOfKind:
    """Entries of one kind.

    `one`: name of one entry; `title`: of all, as in the codex. `law`: number of entries in the ruleset. `room`: whether
    another may be added. `table`: slug of the kind's table file, "" for none.
    """

    kind: str
    one: Term
    title: Term
    things: tuple[Thing, ...]
    law: int
    room: bool
    table: str

    @property
    def pictured(self) -> bool:
        """Whether these are unit types, which may have pictures."""
        return self.table == UNITS_TABLE


def find_own_things(campaign: Campaign) -> OwnThings:
    """The ruleset's declaration of own entries. Raises `NotInRuleset` where it has none."""
    ui = find_army_ui(campaign)
    if ui is None or ui.own_things is None:
        raise NotInRuleset(campaign.ruleset)
    return ui.own_things


def arsenal_of(campaign: Campaign) -> tuple[ThingsOfKind, ...]:
    known = find_own_things(campaign)
    catalogues = get_ruleset(campaign).catalogues
    own = campaign.house_rules.get(OWN, {})
    found = []
    for kind, one in known.kinds.items():
        catalogue = catalogues[kind]
        things = [_thing(kind, slug, kept, catalogue) for slug, kept in own.get(kind, {}).items()]
        things.sort(key=lambda thing: make_natural_key(thing.name))
        law, room, table = len(catalogue.items) - len(things), len(things) < known.most, known.tables.get(kind, "")
        found.append(ThingsOfKind(kind, one, catalogue.label, tuple(things), law, room, table))
    return tuple(found)


def find_thing(campaign: Campaign, kind: str, slug: str) -> Thing | None:
    kept = campaign.house_rules.get(OWN, {}).get(kind, {}).get(slug)
    return None if kept is None else _thing(kind, slug, kept, get_ruleset(campaign).catalogues[kind])


def _thing(kind: str, slug: str, kept: Mapping[str, Any], catalogue: Catalogue) -> Thing:
    return Thing(kind, slug, kept, tuple(catalogue.facts(catalogue.items[slug])))
