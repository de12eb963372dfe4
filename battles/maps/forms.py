"""Forms of the library of battle maps."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from battles.hexes.maps import made_document, starter_document
from core.clean_input import NAME_MAX
from core.forms.form_fields import Whole, list_choices
from kingdom.map.forms import another_seed
from rules.core.errors import InvalidInput
from rules.hexes.battlefields import FIELDS
from rules.hexes.mapfile import LEAST_SIDE, MOST_SIDE
from rules.hexes.reading import MAP_MOST_BYTES, loaded
from rules.hexes.terrain import KINDS, SEED_MOST, MapKind

BATTLE = MapKind.BATTLE
SIDES = {"least": LEAST_SIDE, "most": MOST_SIDE[BATTLE], "required": False}


class NameForm(forms.Form):
    """New name of a map."""

    name = forms.CharField(label=_("Name"), max_length=NAME_MAX)


class NewMapForm(forms.Form):
    """A new map for the library: a built-in one, a file, or one generated from a seed."""

    name = forms.CharField(
        label=_("Name"), max_length=NAME_MAX, required=False, help_text=_("Leave empty to keep the map’s name.")
    )
    how = forms.ChoiceField(
        label=_("A new map"),
        choices=[("starter", _("a built-in map")), ("file", _("from a file")), ("generate", _("generated"))],
        initial="starter",
    )
    starter = forms.ChoiceField(
        label=_("Map"), required=False, choices=list_choices({slug: name for slug, name, _rows in FIELDS})
    )
    file = forms.FileField(label=_("File"), required=False, help_text=_("JSON, at most 256 KB."), allow_empty_file=True)
    columns = Whole(label=_("Columns"), initial=16, **SIDES)
    rows = Whole(label=_("Rows"), initial=14, **SIDES)
    land = forms.ChoiceField(label=_("Kind of land"), required=False, choices=list_choices(KINDS[BATTLE]))
    river = forms.BooleanField(label=_("River across the map"), required=False)
    symmetric = forms.BooleanField(label=_("Symmetric for both sides"), required=False, initial=True)
    seed = forms.CharField(label=_("Seed (the same seed gives the same map)"), required=False, max_length=SEED_MOST)

    def clean_file(self) -> bytes:
        uploaded = self.cleaned_data.get("file")
        if uploaded and uploaded.size > MAP_MOST_BYTES:
            raise forms.ValidationError(_("A map file can be at most 256 KB."))
        return bytes(uploaded.read()) if uploaded else b""

    def document(self) -> object:
        """Document of the chosen map. Raises `InvalidInput`."""
        match self.cleaned_data["how"]:
            case "file":
                return self._file()
            case "generate":
                return self._generated()
        return starter_document(self.cleaned_data["starter"])

    def _file(self) -> object:
        try:
            return loaded(self.cleaned_data["file"])
        except InvalidInput as refusal:
            raise refusal.below("/file") from refusal

    def _generated(self) -> dict[str, Any]:
        given = self.cleaned_data
        told = {name: given[name] for name in ("columns", "rows", "river", "symmetric")}
        return made_document({**told, "kind": given["land"], "seed": given["seed"] or another_seed()})
