"""Form of a campaign's own weapon, armour, machine or type of troops.

It judges nothing: the law refuses, with a pointer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.breaking_point.armies import unit_fields
from armies.breaking_point.armies.builder_choices import NOTHING, weapons_of
from armies.breaking_point.armies.posted_document import (
    MACHINE,
    collect_members,
    flatten_weapon,
    read_own_weapon,
    read_weapons,
)
from core.text import render
from rules.breaking_point.arms import WEAPONS_MOST
from rules.breaking_point.own import ARMOURS, MACHINES, RIDES, TYPES, WEAPONS
from rules.breaking_point.reading import Json
from rules.core.errors import Refusal

MORE_ROWS = 3
TYPE_FLAGS = ("anywhere", "flies", "never")


class ThingForm(forms.Form):
    """`thing`: as it is kept; `sent`: as it was typed."""

    def __init__(self, kind: str, law: Any, thing: Mapping[str, Any] | None = None, sent: QueryDict | None = None):
        self.kind = kind
        self.thing: Json = dict(thing or {}) if sent is None else _posted(kind, sent)
        shown = _flat(kind, self.thing)
        super().__init__(None if sent is None else shown, initial=shown)
        self.fields.update(_FIELDS[kind]())
        self.rows: list[list[forms.BoundField]] = []
        if kind == MACHINES:
            for place in range(min(len(self.thing.get("weapons", ())) + MORE_ROWS, WEAPONS_MOST)):
                row = dict(_row(f"weapons-{place}-", law))
                self.fields.update(row)
                self.rows.append([self[name] for name in row])

    @property
    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if not name.startswith("weapons-")]

    def add_refusal(self, refusal: Refusal) -> None:
        """Put every problem beside the field its pointer names, or above all."""
        for pointer, message in refusal.errors:
            self.add_error(unit_fields.find_field(self, pointer.removeprefix("/thing")), render(message))


def _row(at: str, law: Any) -> Iterator[tuple[str, forms.Field]]:
    yield f"{at}slug", unit_fields.build_choice_field(_("Weapon"), [NOTHING, *weapons_of(law)])
    yield from ((at + name, field) for name, field in unit_fields.weapon_fields().items())


def _weapon_fields() -> dict[str, forms.Field]:
    return {**unit_fields.own_weapon_fields(), "secondary": unit_fields.build_flag_field(_("Secondary: half"))}


_FIELDS = {
    WEAPONS: _weapon_fields,
    ARMOURS: unit_fields.own_armour_fields,
    MACHINES: unit_fields.own_machine_fields,
    TYPES: unit_fields.own_type_fields,
}


def _posted(kind: str, data: QueryDict) -> Json:
    if kind == WEAPONS:
        return read_own_weapon(data, "")
    if kind == ARMOURS:
        return collect_members(data, "", ("name",), ("full", "worn"), ())
    if kind == MACHINES:
        borne = list(read_weapons(data, ""))
        return {**collect_members(data, "", ("name",), MACHINE, ()), **({"weapons": borne} if borne else {})}
    typed = collect_members(data, "", ("name",), ("toughness", "charge"), TYPE_FLAGS)
    chosen = data.get("rides", "")
    rides = {chosen: True} if chosen in RIDES else {}
    return {**typed, **rides, **({"starves": False} if "fasts" in data else {})}


def _flat(kind: str, thing: Json) -> Json:
    shown = {name: value for name, value in thing.items() if name != "weapons"}
    if kind == WEAPONS:
        return flatten_weapon("", thing)
    if kind == MACHINES:
        for place, borne in enumerate(thing.get("weapons", ())):
            shown |= flatten_weapon(f"weapons-{place}-", borne)
    if kind == TYPES:
        shown["rides"] = next((name for name in reversed(RIDES) if thing.get(name)), "")
        shown["fasts"] = thing.get("starves") is False
    return shown
