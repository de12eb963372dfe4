"""Forms of unit types: one kind, and a file of them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.forms.unit import UnitForm
from armies.pathfinder.selectors.unit_types import UnitEntry
from kingdom.text import render
from rules.errors import Refusal
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.units import FAMILIES

MOST_BYTES = 2_000_000
MOST_SHOWN = 8


class UnitTypeForm(UnitForm):
    family = forms.CharField(label=_("Family"), initial="other")

    def __init__(self, data: QueryDict | None = None, *, ruleset: Ruleset, entry: UnitEntry | None = None):
        unit = entry.unit if entry else None
        super().__init__(data, ruleset=ruleset, unit=unit, initial={"family": entry.family} if entry else None)

    def offered(self) -> dict[str, list[tuple[str, str]]]:
        return {**super().offered(), "family": [(slug, render(name)) for slug, name in FAMILIES.items()]}


class ImportForm(forms.Form):
    """A file, or its text pasted."""

    file = forms.FileField(label=_("JSON or CSV file"), required=False)
    pasted = forms.CharField(label=_("or its text"), required=False, widget=forms.Textarea(attrs={"rows": 4}))

    def clean(self) -> dict[str, Any] | None:
        given = super().clean() or {}
        upload = given.get("file")
        if upload is None and not given.get("pasted"):
            self.add_error("file", _("Choose a file, or paste its text."))
        if upload is not None and upload.size > MOST_BYTES:
            self.add_error("file", _("This file is too large."))
        return given

    def text(self) -> str:
        upload = self.cleaned_data.get("file")
        return upload.read().decode("utf-8", errors="replace") if upload else self.cleaned_data["pasted"]

    def add_refusal(self, refusal: Refusal) -> None:
        for _pointer, message in refusal.errors[:MOST_SHOWN]:
            self.add_error("file", render(message))
