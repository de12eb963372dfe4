"""Forms of unit types: one type, a file of them, and the picker inside the army's form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from django import forms
from django.core.paginator import Page
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.armies.unit_fields import UnitForm
from armies.pathfinder.unit_types.queries import (
    TERRAINS,
    UnitEntry,
    UnitsSought,
    load_unit_types,
    narrowing,
    search_unit_types,
)
from armies.tables.forms import TableForm
from core.text import render
from kingdom.models import Campaign
from kingdom.models.base import make_natural_key
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import SOUGHT_MAX, paginate
from rules.core.text import _ as term
from rules.pathfinder.catalogue.units import FAMILIES
from rules.pathfinder.ruleset import Ruleset

# Forms of unit types: one type, a file of them, and a creature to read.


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


class MonsterForm(TableForm):
    """A creature that becomes the proposal of a unit type."""

    accept = ".json,.txt,application/json,text/plain"
    otherwise = term("This isn’t a creature. Choose the .json file of an NPC from Foundry, or a stat block as text.")

    file = forms.FileField(label=_("JSON file of an NPC"), required=False, allow_empty_file=True)
    pasted = forms.CharField(
        label=_("or paste a stat block"), required=False, strip=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )  # fmt: skip


# Picker of unit types inside the army's form, which keeps what was typed there.
#
# Fields: `find-query`, `find-least`, `find-most`, `find-type`, `find-ability`, `find-terrain`. The buttons `find`
# (number of a result page) and `use` (slug of a unit type) draw the form again.

SHOWN = 12
ANY = [("", _("any"))]
NARROWS = ("least", "most", "type", "ability", "terrain")


class FilterForm(forms.Form):
    """Filters of the list of unit types. Any input is accepted: an unknown word finds nothing."""

    query = forms.CharField(
        label=_("Search units"),
        required=False,
        widget=forms.TextInput(attrs={"type": "search", "maxlength": SOUGHT_MAX, "autocomplete": "off"}),
    )
    least = forms.CharField(label=_("CR from"), required=False)
    most = forms.CharField(label=_("CR to"), required=False)
    type = forms.CharField(label=_("Creature type"), required=False)
    ability = forms.CharField(label=_("With ability"), required=False)
    terrain = forms.CharField(label=_("Home terrain"), required=False)

    def __init__(self, campaign: Campaign, data: Mapping[str, Any], prefix: str | None = None):
        super().__init__(prefix=prefix, initial=None)
        self.entries = load_unit_types(campaign)
        law, offered = get_ruleset(campaign), narrowing(self.entries)
        self.initial = {name: str(data.get(self.add_prefix(name), ""))[:SOUGHT_MAX].replace("\0", "")
                        for name in self.fields}  # fmt: skip
        self.fields["query"].widget.attrs["placeholder"] = _("a name, a CR, an ability")
        crs = [(cr, cr) for cr in offered.crs]
        choices = {"least": crs, "most": crs, "type": _named(law.creature_types, offered.types),
                   "ability": _named(law.abilities, offered.abilities),
                   "terrain": [(slug, render(TERRAINS[slug].name)) for slug in offered.terrains]}  # fmt: skip
        for name, found_there in choices.items():
            self.fields[name].widget = forms.Select(choices=[*ANY, *found_there])

    @property
    def sought(self) -> UnitsSought:
        given = self.initial
        return UnitsSought(given["query"].strip(), "", *(given[name] for name in NARROWS))

    @property
    def narrowed(self) -> bool:
        """Whether any filter besides the search words is used; then the filters are shown."""
        return any(self.initial[name] for name in NARROWS)

    @property
    def narrows(self) -> list[forms.BoundField]:
        return [self[name] for name in NARROWS]

    def page(self, asked: str) -> Page:
        """A page of the unit types found. With a terrain, those at home there come before those of any terrain."""
        fitting = search_unit_types(self.entries, self.sought)
        if self.sought.terrain:
            fitting.sort(key=lambda entry: not entry.terrains)
        return paginate(fitting, asked, SHOWN)


def _named(items: Mapping[str, Any], slugs: Iterable[str]) -> list[tuple[str, str]]:
    pairs = [(slug, render(items[slug].name)) for slug in slugs if slug in items]
    return sorted(pairs, key=lambda pair: make_natural_key(pair[1]))


class Picker:
    """The list in the form, with its search. `chosen`: slug of the unit type that was just taken."""

    def __init__(self, campaign: Campaign, data: QueryDict | Mapping[str, Any], chosen: str = ""):
        self.filters = FilterForm(campaign, data, prefix="find")
        self.page = self.filters.page(str(data.get("find", "")))
        self.chosen = chosen


def find_picked(campaign: Campaign, slug: str) -> Mapping[str, Any] | None:
    """The unit with this slug, as a copy that may be changed; None for none."""
    entry = load_unit_types(campaign).get(slug) if slug else None
    return deepcopy(entry.unit) if entry else None


def looks_on(data: Mapping[str, Any]) -> bool:
    """Whether Enter was pressed in the search. No button is sent then, so the query differs from the one shown."""
    words = str(data.get("find-query", ""))
    return "raise" not in data and "find-shown" in data and words != data["find-shown"]
