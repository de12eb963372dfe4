"""Form of a thing of a campaign's own.

It judges nothing: the law refuses, with a pointer.
"""

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
    """`thing`: as it is kept; `sent`: as it was typed. `offers`: what its lists offer."""

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
        """What fields beside those of the shape show."""
        return {}

    def rearrange(self) -> None:
        """Change the fields where a law asks otherwise than its shape says."""

    @property
    def first(self) -> list[forms.BoundField]:
        listed = tuple(f"{name}-" for name in self.rows_of)
        return [self[name] for name in self.fields if not name.startswith(listed)]

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        return [row for name in self.rows_of for row in rows_in(self, f"{name}-")]

    @property
    def rows_label(self) -> Any:
        """What the list of rows is called."""
        members = self.shape.shape.members
        found = next((members[name] for name in self.rows_of if name in members), None)
        return found.label if found else ""

    def add_refusal(self, refusal: Refusal) -> None:
        """Put every problem beside the field its pointer names, or above all."""
        add_refusal(self, refusal, "/thing")
