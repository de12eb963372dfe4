"""Forms of unit types: one type, and a file of them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.armies.unit_fields import UnitForm
from armies.pathfinder.unit_types.queries import UnitEntry
from armies.tables.forms import TableForm
from core.text import render
from rules.pathfinder.catalogue.units import FAMILIES
from rules.pathfinder.ruleset import Ruleset


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
