"""Set-up form of a battle. It grows on the server, so it needs no JavaScript. It produces the body of POST battles/ of
the API, so both share a parser and its refusals.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.marches.queries import Encounter
from battles.pathfinder.setup.page import FLAGS, GROUND, PARTS, Candidate, OpeningBody, SetupPage
from battles.setup.seating import ArmyMark, SeatingForm
from core.clean_input import parse_whole
from core.forms.form_fields import read_unchecked
from core.text import render
from rules.pathfinder.battle.state.opening import MOST_AMMUNITION
from rules.pathfinder.catalogue.conditions import MATERIALS, PART_KINDS, WIND_NAMES

MOST_SIDES, MOST_FORTS, MOST_AMBUSHES = 6, 4, 6
COUNTED = {"sides": (2, MOST_SIDES), "forts": (1, MOST_FORTS), "ambushes": (1, MOST_AMBUSHES)}
HEROES = (("", _("usual")), ("4", _("success: +4")), ("-4", _("failure: −4")))
FLAG_NAMES = {
    "sees_invisible": _("Sees invisible armies"),
    "cannot_leave": _("Can’t leave the field"),
    "engines_shoot": _("Its siege engines shoot in ranged phases"),
    "magical": _("Its attacks are magical"),
}


def counts_from(data: QueryDict) -> dict[str, int]:
    """Return how many sides, fortifications and ambushes the form shows. The "add" buttons add one."""
    counts = {}
    for name, (least, most) in COUNTED.items():
        count = parse_whole(data.get(f"n-{name}"), most=99) or least
        counts[name] = min(most, max(least, count + (data.get("add") == name)))
    return counts


class OpeningForm(OpeningBody, SeatingForm, forms.Form):
    name = forms.CharField(label=_("Name of the battle"), max_length=120)
    wind = forms.ChoiceField(label=_("Wind"), required=False)
    ammunition = forms.IntegerField(
        label=_("Ranged phases with ammunition"),
        required=False,
        min_value=1,
        max_value=MOST_AMMUNITION,
        widget=forms.TextInput(attrs={"inputmode": "numeric", "size": 4}),
        help_text=_("After that, armies can’t stay at range. Leave empty for no limit."),
    )

    def __init__(self, page: SetupPage, data: QueryDict | None = None, *, counts: dict[str, int] | None = None):
        super().__init__(data, label_suffix="")
        self.page = page
        self.counts = counts or {name: least for name, (least, _most) in COUNTED.items()}
        self._add_sides()
        self._add_field_conditions()
        for army in page.available:
            self._add_side_of(army)
        for army in page.coming:
            self._add_special(army)
        for number in range(self.counts["forts"]):
            self._add_fort(number)
        for number in range(self.counts["ambushes"]):
            self._add_ambush(number)

    def keep(self, data: QueryDict) -> OpeningForm:
        """Return the form filled with the unchecked input."""
        self.initial = read_unchecked(self, data)
        return self

    # Fields.
    def _add_sides(self) -> None:
        for number in range(1, self.counts["sides"] + 1):
            attacks = _("Attackers can’t include a routed army.")
            self.fields[f"side-{number}"] = forms.CharField(
                label=_("Side %(number)s") % {"number": number},
                max_length=120,
                required=False,
                help_text=attacks if number == 1 else "",
            )

    def _add_field_conditions(self) -> None:
        self.fields["wind"].choices = [
            ("", _("calm")),
            *((slug, render(name)) for slug, name in WIND_NAMES.items()),
        ]
        for slug in (*self.over_the_field(), "wind"):
            item = self.page.law.conditions[slug]
            if slug != "wind":
                self.fields[slug] = forms.BooleanField(
                    label=render(item.name), required=False, help_text=render(item.summary)
                )
            self.fields[f"except-{slug}"] = self._armies(_("Except for"))

    def _add_side_of(self, army: Candidate) -> None:
        sides: list[tuple[str, Any]] = [("", "")]
        sides += [(str(n), _("Side %(number)s") % {"number": n}) for n in range(1, self.counts["sides"] + 1)]
        self.fields[f"army-{army.id}"] = forms.ChoiceField(label=army.name, choices=sides, required=False)

    def _add_special(self, army: Candidate) -> None:
        for slug in GROUND:
            label = render(self.page.law.conditions[slug].name)
            self.fields[f"{slug}-{army.id}"] = forms.BooleanField(label=label, required=False)
        self.fields[f"heroes-{army.id}"] = forms.ChoiceField(
            label=_("Player characters"), choices=HEROES, required=False
        )
        for flag in FLAGS:
            if flag != "engines_shoot" or army.has_engines:
                self.fields[f"{flag}-{army.id}"] = forms.BooleanField(label=FLAG_NAMES[flag], required=False)
        if army.resists:
            self.fields[f"overcome-{army.id}"] = self._armies(_("Armies that ignore its defense"), besides=army.id)

    def _add_fort(self, number: int) -> None:
        places = [(p.id, f"{p.name} {p.defense:+d}") for p in self.page.places]
        kinds = [(slug, render(item.name)) for slug, item in PART_KINDS.items()]
        materials = [(slug, render(item.name)) for slug, item in MATERIALS.items()]
        self.fields[f"fort-{number}-armies"] = self._armies(_("Armies inside"))
        self.fields[f"fort-{number}-place"] = forms.ChoiceField(
            label=_("Place"), choices=[("", _("not in a settlement: +8")), *places], required=False
        )
        self.fields[f"fort-{number}-value"] = _whole(_("Other Defense value"))
        for part in range(PARTS):
            stem = f"fort-{number}-part-{part}"
            self.fields[f"{stem}-value"] = _whole(_("Defense of the part"))
            self.fields[f"{stem}-kind"] = forms.ChoiceField(label=_("Part"), choices=kinds, required=False)
            self.fields[f"{stem}-material"] = forms.ChoiceField(label=_("Material"), choices=materials, required=False)

    def _add_ambush(self, number: int) -> None:
        choices = [("", _("nobody")), *((army.id, army.name) for army in self.page.coming)]
        self.fields[f"ambush-{number}-by"] = forms.ChoiceField(
            label=_("Ambushing army"), choices=choices, required=False
        )
        self.fields[f"ambush-{number}-target"] = forms.ChoiceField(
            label=_("Target of the ambush"), choices=choices, required=False
        )

    def _armies(self, label: Any, besides: str = "") -> forms.MultipleChoiceField:
        choices = [(army.id, army.name) for army in self.page.coming if army.id != besides]
        return forms.MultipleChoiceField(
            label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple
        )

    # For the template.
    @property
    def may_add_side(self) -> bool:  # type: ignore[override]
        return self.counts["sides"] < MOST_SIDES

    @property
    def may_add_fort(self) -> bool:
        return self.counts["forts"] < MOST_FORTS

    @property
    def may_add_ambush(self) -> bool:
        return self.counts["ambushes"] < MOST_AMBUSHES

    @property
    def marks(self) -> dict[str, ArmyMark]:  # type: ignore[override]
        return {army.id: army.mark for army in self.page.candidates}

    @property
    def side_count(self) -> int:  # type: ignore[override]
        return self.counts["sides"]

    @property
    def grown(self) -> dict[str, int]:  # type: ignore[override]
        return {f"n-{name}": count for name, count in self.counts.items()}

    def name_of(self, side: int) -> forms.BoundField:
        return self[f"side-{side + 1}"]

    def special_of(self, army: str) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.endswith(army) and name != f"army-{army}"]

    def errors_of(self, army: str) -> Sequence[Any]:
        return self[f"army-{army}"].errors if f"army-{army}" in self.fields else ()

    @property
    def chips(self) -> list[tuple[forms.BoundField, str]]:  # type: ignore[override]
        return [(self[slug], slug) for slug in self.over_the_field()]

    @property
    def more_opened(self) -> bool:
        """Whether the fold with further settings opens: one of them is set."""
        names = ("wind", "ammunition", "except-wind", *(f"except-{slug}" for slug in self.over_the_field()))
        return any(self[name].value() or self[name].errors for name in names)

    @property
    def condition_rows(self) -> list[dict[str, Any]]:
        return [{"on": self[slug], "exempt": self[f"except-{slug}"], "slug": slug} for slug in self.over_the_field()]

    @property
    def wind_exempt(self) -> forms.BoundField:
        return self["except-wind"]

    @property
    def fort_rows(self) -> list[dict[str, Any]]:
        rows = []
        for number in range(self.counts["forts"]):
            stem = f"fort-{number}"
            parts = [
                [self[f"{stem}-part-{part}-{what}"] for what in ("kind", "material", "value")] for part in range(PARTS)
            ]
            rows.append(
                {"armies": self[f"{stem}-armies"], "place": self[f"{stem}-place"], "value": self[f"{stem}-value"],
                 "parts": parts, "detailed": any(part[2].value() not in (None, "") for part in parts)}
            )  # fmt: skip
        return rows

    @property
    def ambush_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"ambush-{n}-by"], self[f"ambush-{n}-target"]) for n in range(self.counts["ambushes"])]

    @property
    def has_forts(self) -> bool:
        return any(row["armies"].value() or row["armies"].errors for row in self.fort_rows)

    @property
    def has_ambush(self) -> bool:
        return any(by.value() or target.value() or by.errors or target.errors for by, target in self.ambush_rows)

    # Refusals.
    def clean(self) -> None:
        for number in range(self.counts["ambushes"]):
            by, target = self.cleaned_data.get(f"ambush-{number}-by"), self.cleaned_data.get(f"ambush-{number}-target")
            if bool(by) != bool(target):
                missing = "target" if by else "by"
                self.add_error(f"ambush-{number}-{missing}", _("Choose both the ambushing army and its target."))


def _whole(label: Any) -> forms.IntegerField:
    widget = forms.TextInput(attrs={"inputmode": "numeric", "size": 4})
    return forms.IntegerField(label=label, required=False, min_value=0, max_value=1000, widget=widget)


# Set-up values where armies met on the map (PF-4).

HIGH = frozenset({"hills", "mountains"})
"""Terrain in which the army that came first holds the height: advantageous terrain."""
BROKEN = frozenset({"hills", "mountains", "forest", "jungle", "swamp", "badlands", "glacier"})
"""Terrain that suits armies with mobility."""


def setup_at(meeting: Encounter) -> dict[str, str]:
    """Return values for the set-up form. A kingdom has the advantage in its own land. The GM may change everything."""
    parties = meeting.parties[:MOST_SIDES]
    fields = {"n-sides": str(len(parties))}
    if meeting.terrain.slug in BROKEN:
        fields["suits-mobility"] = "on"
    for number, party in enumerate(parties, 1):
        fields[f"side-{number}"] = party.kingdom.name
        for army in party.armies:
            fields[f"army-{army.pk}"] = str(number)
            if party.home:
                fields[f"battlefield-advantage-{army.pk}"] = "on"
            if party.first and meeting.terrain.slug in HIGH:
                fields[f"advantageous-terrain-{army.pk}"] = "on"
    return fields
