"""Form of an entry of a campaign's own. It validates nothing: the rules refuse, with pointers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict

from core.shapes.forms import CatalogueChoices, JsonDocument, ShapeForm, add_refusal, rows_in
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape

MORE_ROWS = 3


class ThingForm(forms.Form):
    """Form of an entry. `thing`: its stored members; `sent`: the submitted data; `offers`: choices of its lists."""

    rows_of: tuple[str, ...] = ("weapons", "traits")
    """Members that are lists of rows."""

    def __init__(
        self,
        kind: str,
        shape: DeclaredShape,
        offers: CatalogueChoices,
        thing: Mapping[str, Any] | None = None,
        sent: QueryDict | None = None,
    ):
        self.kind, self.shape = kind, ShapeForm(shape, offers, empty_rows=MORE_ROWS)
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
    def rows(self) -> list[list[forms.BoundField]]:
        return [row for name in self.rows_of for row in rows_in(self, f"{name}-")]

    @property
    def rows_label(self) -> Any:
        """Label of the list of rows; "" without one."""
        members = self.shape.shape.members
        found = next((members[name] for name in self.rows_of if name in members), None)
        return found.label if found else ""

    def add_refusal(self, refusal: Refusal) -> None:
        """Adds every message to the field that its pointer names, else to the form."""
        add_refusal(self, refusal, "/thing")
