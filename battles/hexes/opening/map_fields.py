"""Form fields for choosing a map, used in battle setup and with the brush."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from battles.hexes.opening.map_library import MapLibrary
from core.text import render
from rules.core.errors import InvalidInput
from rules.core.text import Said
from rules.hexes.mapfile import document
from rules.hexes.reading import MAP_MOST_BYTES, loaded
from rules.hexes.starter import FIELDS
from rules.hexes.terrain import KINDS, SEED_MOST, MapKind

FILE, MADE = "file", "made"
MADE_COLUMNS = 16
OF_POINTERS = {"columns": "columns", "rows": "rows", "kind": "land", "seed": "seed", "river": "river"}


class FileText(forms.FileInput):
    """A file input whose text arrives among the normal fields (`core.forms.form_fields`)."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return data.get(name)

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return name not in data


class MapFields(forms.Form):
    """Fields for choosing a map.

    `how`: the slug of a built-in map or of one in the campaign's library, or "file" or "made" for a generated one.
    Whether the result is a valid map is checked elsewhere.
    """

    library: MapLibrary

    how = forms.ChoiceField(label=_("Map"))
    file = forms.CharField(label=_("File"), required=False, max_length=MAP_MOST_BYTES, widget=FileText)
    columns = forms.IntegerField(label=_("Columns"), required=False)
    rows = forms.IntegerField(label=_("Rows"), required=False)
    land = forms.ChoiceField(label=_("Kind of land"), required=False)
    river = forms.BooleanField(label=_("River across the map"), required=False)
    symmetric = forms.BooleanField(label=_("Symmetric for both sides"), required=False)
    seed = forms.CharField(label=_("Seed (the same seed gives the same map)"), required=False, max_length=SEED_MOST)

    def offer(self, usual: str, rows: int, *before: tuple[str, Any]) -> None:
        """Fill the choices. `rows`: default number of rows of a generated map. `before`: further choices, in front of
        the built-in maps.
        """
        house = [(slug, render(name)) for slug, name, _rows in FIELDS]
        kept = [(slug, one.name) for slug, one in self.library.lines.items()]
        others = [(FILE, _("from a file")), (MADE, _("generated"))]
        self.fields["how"].choices = [*before, *house, *kept, *others]  # type: ignore[attr-defined]
        self.fields["land"].choices = [(slug, render(name)) for slug, name in KINDS[MapKind.BATTLE].items()]  # type: ignore[attr-defined]
        usually = {"how": before[0][0] if before else usual, "columns": MADE_COLUMNS, "rows": rows}
        self.initial = {**usually, "symmetric": True, **self.initial}

    def asked_for(self, seed: str) -> Any:
        """The chosen map in the form the API takes; None if a field is wrong. `seed`: the default seed."""
        given = self.cleaned_data
        how = str(given.get("how") or "")
        if how in self.library.lines:
            return document(self.library.read(how))
        if how == FILE:
            return self._from_file(given.get("file") or "")
        if how != MADE:
            return how
        chosen = {name: given.get(name) for name in ("columns", "rows")}
        chosen |= {name: bool(given.get(name)) for name in ("river", "symmetric")}
        return {**chosen, "kind": given.get("land"), "seed": given.get("seed") or seed}

    def _from_file(self, text: str) -> Any:
        if not text:
            self.add_error("file", _("Choose a file."))
            return None
        try:
            return loaded(text)
        except InvalidInput as refusal:
            self.add_error("file", render(refusal.message))
            return None

    def lay_out(self, errors: Iterable[tuple[str, Said]]) -> None:
        """Show each error beside the field it belongs to."""
        how = self.cleaned_data.get("how")
        for pointer, message in errors:
            name = pointer.removeprefix("/map").strip("/").partition("/")[0]
            beside = FILE if how == FILE else OF_POINTERS.get(name, "how")
            self.add_error(beside, render(message))
