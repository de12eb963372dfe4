"""Form of a campaign's own weapon, armour, machine or type of troops.

It judges nothing: the law refuses, with a pointer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.breaking_point.armies.builder_choices import weapons_of
from core.shapes.forms import JsonDocument, ShapeForm, add_refusal, choice_field, rows_in
from rules.breaking_point.own import RIDES, SHAPES, TYPES
from rules.core.errors import Refusal

MORE_ROWS = 3
RIDING = [("", _("on foot")), ("mounted", _("on horseback")), ("chariots", _("in chariots")),
          ("beasts", _("beasts fight"))]  # fmt: skip


class ThingForm(forms.Form):
    """`thing`: as it is kept; `sent`: as it was typed."""

    def __init__(self, kind: str, law: Any, thing: Mapping[str, Any] | None = None, sent: QueryDict | None = None):
        self.kind, self.shape = kind, ShapeForm(SHAPES[kind], {"weapons": weapons_of(law)}, empty_rows=MORE_ROWS)
        self.thing: JsonDocument = dict(thing or {}) if sent is None else self._posted(sent)
        shown = {**self.shape.flat("", self.thing), **(_riding(self.thing) if kind == TYPES else {})}
        super().__init__(None if sent is None else shown, initial=shown)
        self.fields.update(self.shape.fields("", self.thing))
        if kind == TYPES:
            self._add_riding()

    def _add_riding(self) -> None:
        """What it rides is one choice, and that it knows no hunger is ticked."""
        about = _("Who rides fights as foot where nobody can charge.")
        self.fields["rides"] = choice_field(_("Fights"), RIDING, about)
        self.fields["fasts"] = forms.BooleanField(label=_("Knows no hunger"), required=False)
        for name in (*RIDES, "starves"):
            del self.fields[name]

    def _posted(self, sent: QueryDict) -> JsonDocument:
        thing = self.shape.posted(sent, "")
        if self.kind == TYPES:
            chosen = sent.get("rides", "")
            thing |= {chosen: True} if chosen in RIDES else {}
            thing |= {"starves": False} if "fasts" in sent else {}
        return thing

    @property
    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.startswith("weapons-")]

    @property
    def rows(self) -> list[list[forms.BoundField]]:
        return rows_in(self, "weapons-")

    def add_refusal(self, refusal: Refusal) -> None:
        """Put every problem beside the field its pointer names, or above all."""
        add_refusal(self, refusal, "/thing")


def _riding(thing: Mapping[str, Any]) -> JsonDocument:
    rides = next((name for name in reversed(RIDES) if thing.get(name)), "")
    return {"rides": rides, "fasts": thing.get("starves") is False}
