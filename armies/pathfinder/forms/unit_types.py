"""Forms of unit types: one kind, and a file of them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.files.forms import TableForm
from armies.pathfinder.forms.unit import UnitForm
from armies.pathfinder.selectors.unit_types import UnitEntry
from kingdom.text import render
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.units import FAMILIES


class UnitTypeForm(UnitForm):
    family = forms.CharField(label=_("Family"), initial="other")

    def __init__(
        self, data: QueryDict | None = None, *, ruleset: Ruleset, entry: UnitEntry | None = None, reader: Any = None
    ):
        unit, family = (entry.unit, {"family": entry.family}) if entry else (None, None)
        super().__init__(data, ruleset=ruleset, unit=unit, initial=family, reader=reader)

    def offered(self) -> dict[str, list[tuple[str, str]]]:
        return {**super().offered(), "family": [(slug, render(name)) for slug, name in FAMILIES.items()]}


class ImportForm(TableForm):
    accept = ".json,.csv,application/json,text/csv"

    file = forms.FileField(label=_("JSON or CSV file"), required=False, allow_empty_file=True)
