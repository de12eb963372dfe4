"""Form of a kingdom's arms: every choice is drawn as the arms it would make."""

from __future__ import annotations

from typing import Any, NamedTuple

from django import forms

from core.forms.form_fields import list_choices
from core.text import render
from kingdom.realms.heraldry import KNOWN, PARTS, Arms, clean_arms, fitted, list_tinctures
from rules.core.errors import InvalidInput


class Pick(NamedTuple):
    """One choice of a part, with the arms it makes of those chosen so far."""

    slug: str
    label: str
    arms: Arms
    chosen: bool


class ArmsPart(NamedTuple):
    field: forms.BoundField
    picks: tuple[Pick, ...]


class ArmsForm(forms.Form):
    """`now`: the arms to begin with. `chosen`: those picked so far, made to fit."""

    def __init__(self, data: Any = None, *, now: Arms, **options: Any):
        super().__init__(data, initial=now._asdict(), **options)
        self.chosen = fitted(data or {}, now)
        for part, known in KNOWN.items():
            choices = list_choices({slug: known[slug] for slug in known})
            self.fields[part] = forms.ChoiceField(label=render(PARTS[part]), choices=choices)

    def clean(self) -> dict[str, Any]:
        """Two tinctures of a kind are refused beside the one that does not fit."""
        given = super().clean() or {}
        try:
            clean_arms(given, at="", now=self.chosen)
        except InvalidInput as refusal:
            self.add_error(refusal.field.strip("/"), render(refusal.message))
        return given

    @property
    def parts(self) -> list[ArmsPart]:
        return [ArmsPart(self[part], tuple(self._picks(part))) for part in KNOWN]

    def _picks(self, part: str) -> list[Pick]:
        now = getattr(self.chosen, part)
        offered = list_tinctures(self.chosen.field) if part == "tincture" else KNOWN[part]
        labels = dict(self.fields[part].choices)  # type: ignore[attr-defined]
        return [Pick(slug, labels[slug], fitted({part: slug}, self.chosen), slug == now) for slug in offered]
