"""Picker of unit types inside the army's form: what is typed there stays as it is.

Fields: `find-query`, `find-least`, `find-most`, `find-type`, `find-ability`, `find-terrain`. The buttons `find` (a page
of what was found) and `use` (a unit type's slug) draw the form anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from django import forms
from django.core.paginator import Page
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.unit_types.queries import TERRAINS, UnitsSought, load_unit_types, narrowing, search_unit_types
from core.text import render
from kingdom.models import Campaign
from kingdom.models.natural import make_natural_key
from kingdom.realms.figures import get_ruleset
from kingdom.rendering import SOUGHT_MAX, paginate

SHOWN = 12
ANY = [("", _("any"))]
NARROWS = ("least", "most", "type", "ability", "terrain")


class FilterForm(forms.Form):
    """What the list of unit types is narrowed by. Whatever is sent is answered: an unknown word finds nothing."""

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
        """By more than words: the rest of the fields stands open then."""
        return any(self.initial[name] for name in NARROWS)

    @property
    def narrows(self) -> list[forms.BoundField]:
        return [self[name] for name in NARROWS]

    def page(self, asked: str) -> Page:
        """Who is at home in the terrain that is asked for comes before those who are anywhere."""
        fitting = search_unit_types(self.entries, self.sought)
        if self.sought.terrain:
            fitting.sort(key=lambda entry: not entry.terrains)
        return paginate(fitting, asked, SHOWN)


def _named(items: Mapping[str, Any], slugs: Iterable[str]) -> list[tuple[str, str]]:
    pairs = [(slug, render(items[slug].name)) for slug in slugs if slug in items]
    return sorted(pairs, key=lambda pair: make_natural_key(pair[1]))


class Picker:
    """The list in the form, as it is searched now. `chosen`: the unit type that was just taken, by its slug."""

    def __init__(self, campaign: Campaign, data: QueryDict | Mapping[str, Any], chosen: str = ""):
        self.filters = FilterForm(campaign, data, prefix="find")
        self.page = self.filters.page(str(data.get("find", "")))
        self.chosen = chosen


def find_picked(campaign: Campaign, slug: str) -> Mapping[str, Any] | None:
    """The unit of this name, the asker's own to write in, or None."""
    entry = load_unit_types(campaign).get(slug) if slug else None
    return deepcopy(entry.unit) if entry else None


def looks_on(data: Mapping[str, Any]) -> bool:
    """Whether Enter was pressed where the list is searched: no button says so, but what it shows is something else."""
    words = str(data.get("find-query", ""))
    return "raise" not in data and "find-shown" in data and words != data["find-shown"]
