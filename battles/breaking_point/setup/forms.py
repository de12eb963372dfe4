"""Set-up form of a breaking-point battle: opponents, ground, and the GM's settings (BP-4, BP-5). It produces the body
of POST battles/ of the API, so both share a parser and its refusals.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.marches.queries import Encounter
from battles.breaking_point.field.gm_forms import told_of
from battles.default.ui import FEWEST, PlainOpening, PlainSetup, ids_of
from battles.setup.seating import offer_only
from battles.setup.seats import SIDES
from core.clean_input import NAME_MAX, parse_whole
from core.text import render
from rules.breaking_point.battle.state.battle_state import ASSAULT, FIELD, FLEET
from rules.breaking_point.battle.state.conditions import CONDITIONS, GROUND, UNTESTED, WEATHER
from rules.breaking_point.spec import AIR, FORTIFICATIONS, LAND, SEA, SPACE
from rules.core.errors import Refusal
from rules.core.text import signed

KINDS = ((FIELD, _("field battle: contact and shooting groups")), (FLEET, _("fleet: each unit for itself")),
         (ASSAULT, _("assault on a fortified place")))  # fmt: skip
MEDIA = ((LAND, _("on land")), (AIR, _("in the air")), (SEA, _("at sea")), (SPACE, _("in space")))
CIRCUMSTANCES = 5  # usual range from −5 to +5 (B-16)


def count_from(data: QueryDict) -> int:
    """Return how many sides the form shows. The "add" button adds one."""
    count = (parse_whole(data.get("n-sides"), most=99) or FEWEST) + (data.get("add") == "sides")
    return min(len(SIDES), max(FEWEST, count))


class OpeningForm(PlainOpening):
    kind = forms.ChoiceField(label=_("Type of battle"), choices=KINDS, initial=FIELD)
    medium = forms.ChoiceField(label=_("Environment"), choices=MEDIA, initial=LAND)

    def __init__(self, page: PlainSetup, data: QueryDict | None = None, *, count: int = FEWEST):
        super().__init__(page, data, count=count)
        armies = [(str(army.pk), army.name) for army in page.available]
        for side in self.sides:
            self.fields[f"chief-{side}"] = forms.ChoiceField(
                label=_("Chief"), choices=[("", _("its best commander")), *armies], required=False
            )
            self.fields[f"circumstances-{side}"] = forms.TypedChoiceField(
                label=_("Circumstances"),
                choices=_circumstances(),
                coerce=int,
                required=False,
                empty_value=0,  # type: ignore[arg-type]
                initial=0,
            )
            self.fields[f"radio-{side}"] = forms.BooleanField(label=_("Commands by radio"), required=False)
        for condition in _over_the_field():
            self.fields[condition.slug] = forms.BooleanField(
                label=render(condition.name), help_text=render(told_of(condition)), required=False
            )
        self._add_place()

    def _add_place(self) -> None:
        kinds = [(slug, render(kind.name)) for slug, kind in FORTIFICATIONS.items()]
        self.fields["place"] = forms.CharField(label=_("Name of the place"), max_length=NAME_MAX, required=False)
        self.fields["place-kind"] = forms.ChoiceField(label=_("Type of place"), choices=kinds, required=False)
        self.fields["garrison"] = forms.IntegerField(
            label=_("Full garrison"), min_value=1, required=False,
            widget=forms.TextInput(attrs={"inputmode": "numeric"}),
            help_text=_("More than half of the full garrison is enough to hold the place. It has room for twice as "
                        "many."),
        )  # fmt: skip
        sides = [(str(n), _("Side %(number)s") % {"number": n + 1}) for n in range(len(self.sides))]
        self.fields["defender"] = forms.TypedChoiceField(
            label=_("Defender"),
            choices=sides,
            coerce=int,
            initial="1",
            required=False,
            empty_value=1,  # type: ignore[arg-type]
        )

    # For the template.
    @property
    def grown(self) -> dict[str, int]:  # type: ignore[override]
        return {"n-sides": len(self.sides)}

    def more_of(self, side: int, armies: Collection[str]) -> list[forms.BoundField]:
        slug = self.sides[side]
        chief = offer_only(self[f"chief-{slug}"], armies)
        return [chief, self[f"circumstances-{slug}"], self[f"radio-{slug}"]]

    @property
    def may_add_side(self) -> bool:  # type: ignore[override]
        return len(self.sides) < len(SIDES)

    @property
    def chips(self) -> list[tuple[forms.BoundField, str]]:  # type: ignore[override]
        """Fields of ground, weather, and the waiver of the command test."""
        return [(self[condition.slug], "") for condition in _over_the_field()]

    @property
    def place_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("place", "place-kind", "garrison", "defender")]

    # Body of POST battles/.
    def to_json(self) -> dict[str, Any]:
        data = self.cleaned_data
        told: dict[str, Any] = {
            "name": data["name"],
            "kind": data["kind"],
            "medium": data["medium"],
            "sides": list(self._sides()),
            "conditions": [{"condition": c.slug} for c in _over_the_field() if data[c.slug]],
        }
        if data["kind"] == ASSAULT:
            told["defender"] = data["defender"]
            told["place"] = {
                "name": data["place"] or render(FORTIFICATIONS[data["place-kind"]].name),
                "kind": data["place-kind"],
                "garrison": data["garrison"],
            }
        return told

    def _sides(self) -> Iterator[dict[str, Any]]:
        data = self.cleaned_data
        for side in self.sides:
            told = {"name": data[side], "armies": data[f"armies-{side}"]}
            told |= {"circumstances": data[f"circumstances-{side}"], "radio": data[f"radio-{side}"]}
            yield {**told, "chief": data[f"chief-{side}"]} if data[f"chief-{side}"] else told

    def clean(self) -> None:
        if self.cleaned_data.get("kind") == ASSAULT and not self.cleaned_data.get("garrison"):
            self.add_error("garrison", _("Enter the size of the full garrison."))

    def refused(self, refusal: Refusal) -> None:
        """Add every problem to its field, else to the form."""
        for pointer, message in refusal.errors:
            self.add_error(self._field_of(pointer), render(message))

    def _field_of(self, pointer: str) -> str | None:
        first, *rest = pointer.strip("/").split("/")
        match first:
            case "sides":
                number = parse_whole(rest[0]) if rest else None
                if number is None or number >= len(self.sides):
                    return None
                side, what = self.sides[number], rest[1] if len(rest) > 1 else ""
                return f"{what}-{side}" if f"{what}-{side}" in self.fields else side
            case "place":
                return {"kind": "place-kind", "garrison": "garrison"}.get(rest[0] if rest else "", "place")
            case "conditions":
                wanted = [c.slug for c in _over_the_field() if self.cleaned_data.get(c.slug)]
                number = parse_whole(rest[0]) if rest else None
                return wanted[number] if number is not None and number < len(wanted) else None
        return first if first in self.fields else None


def _over_the_field() -> list[Any]:
    """Return the conditions that need only a checkbox: ground, weather, and the waiver of the command test."""
    return [kind for kind in CONDITIONS.values() if kind.family in (GROUND, WEATHER) or kind.slug == UNTESTED]


def _circumstances() -> list[tuple[int, str]]:
    return [(n, signed(n) if n else "0") for n in range(-CIRCUMSTANCES, CIRCUMSTANCES + 1)]


# Set-up values where armies met on the map (BP-5).

GROUNDS: Mapping[str, str] = {
    "forest": "forest", "jungle": "forest", "hills": "rough", "badlands": "very-rough", "mountains": "very-rough",
    "glacier": "very-rough", "swamp": "swamp",
}  # fmt: skip
"""Ground of battle by terrain of travel; other terrain is open."""


def setup_at(meeting: Encounter) -> dict[str, str | Sequence[str]]:
    """Return values for the set-up form. Sides are named after their kingdoms by default."""
    parties = meeting.parties[: len(SIDES)]
    fields: dict[str, str | Sequence[str]] = {
        f"armies-{side}": ids_of(party) for side, party in zip(SIDES, parties, strict=False)
    }
    fields["n-sides"] = str(len(parties))
    if ground := GROUNDS.get(meeting.terrain.slug):
        fields[ground] = "on"
    return fields
