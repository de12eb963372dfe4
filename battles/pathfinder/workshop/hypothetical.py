"""Hypothetical army outside of any campaign, for forecasts: its format in the API, and its form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict

from armies.pathfinder.armies.forms import TroopForm
from armies.pathfinder.armies.unit_fields import is_only_redrawn
from battles.codec.requests import Members, read_whole
from battles.workshop.forms import pasted_field
from battles.workshop.matchups import read_written, with_written
from core.text import render
from kingdom.models import User
from rules.army_law import AT_RAISING, names_of
from rules.core.errors import Refusal, demand
from rules.core.text import Term, _
from rules.pathfinder.documents import mount_from_json, mount_to_json, unit_from_json, unit_to_json
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import MASS_COMBAT_FIGURES, ArmySpec, BoonChoice, CommanderSpec, TacticKnown

# Hypothetical army in the API's format, outside of any campaign, for forecasts.

LEVEL_MOST, BONUS_MOST, QUANTITY_MOST, COUNT_MOST, HP_MOST, MORALE = 60, 40, 100, 10_000_000, 100_000, 20
AS_IN_THE_WORLD = ("character_class", "kingdom", "status")  # members of stored armies without any effect here


def supposed(law: Ruleset, data: object, at: str) -> ArmySpec:
    """Parse the body of POST armies/ without its kingdom, with `commander` (a body), `tactics` and `resources`. Its
    name is its id. Raises `InvalidInput` with JSON pointers.
    """
    members = Members(data, at)
    name = members.text("name")
    for told in ("kingdom", *names_of(MASS_COMBAT_FIGURES, AT_RAISING)):
        members.raw(told)  # no effect here
    army = ArmySpec(
        id=name,
        name=name,
        unit=unit_from_json(members.raw("unit"), law, f"{at}/unit"),
        count=members.whole("count", 1, COUNT_MOST),
        mount=mount_from_json(members.raw("mount"), law, f"{at}/mount"),
        commander=_commander(law, members.raw("commander"), name, f"{at}/commander"),
        resources=_resources(law, members.raw("resources"), f"{at}/resources"),
        tactics=members.each("tactics", lambda item, place: _tactic(law, item, place)),
        hp=members.whole("hp", 1, HP_MOST) if members.raw("hp") is not None else None,
        morale=members.whole("morale", -MORALE, MORALE, 0),
    )
    members.done()
    return army


def _commander(law: Ruleset, data: object, army: str, at: str) -> CommanderSpec | None:
    if data is None:
        return None
    members = Members(data, at)
    for name in AS_IN_THE_WORLD:
        members.raw(name)
    found = CommanderSpec(
        id=f"{army}’s",
        name=members.text("name", "–"),
        level=members.whole("level", 1, LEVEL_MOST, 1),
        charisma_modifier=members.whole("charisma_modifier", -BONUS_MOST, BONUS_MOST, 0),
        soldier_ranks=members.whole("soldier_ranks", 0, LEVEL_MOST, 0),
        leadership_feat=members.flag("leadership_feat"),
        player_character=members.flag("player_character"),
        office=members.slug_or("office", None),
        office_boon=members.slug_or("office_boon", None),
        office_tactic=members.slug_or("office_tactic", None),
        boons=members.each("boons", lambda item, place: _boon(law, item, place)),
        notorious=members.flag("notorious"),
    )
    members.done()
    if found.office is not None:
        _known(law.offices, found.office, f"{at}/office", _("Office “{slug}” not found."))
        _known(law.boons, found.office_boon or "", f"{at}/office_boon", _("Boon “{slug}” not found."))
    return found


def _boon(law: Ruleset, data: object, at: str) -> BoonChoice:
    members = Members(data, at)
    boon = _known(law.boons, members.slug("boon"), f"{at}/boon", _("Boon “{slug}” not found."))
    tactic = members.slug_or("tactic", None)
    if tactic is not None:
        _known(law.tactics, tactic, f"{at}/tactic", NO_TACTIC)
    members.done()
    return BoonChoice(boon, tactic)


NO_TACTIC = _("Tactic “{slug}” not found.")


def _tactic(law: Ruleset, data: object, at: str) -> TacticKnown:
    if isinstance(data, str):
        return TacticKnown(_known(law.tactics, data, at, NO_TACTIC))
    members = Members(data, at)
    known = TacticKnown(_known(law.tactics, members.slug("tactic"), f"{at}/tactic", NO_TACTIC), members.flag("granted"))
    members.done()
    return known


def _resources(law: Ruleset, data: object, at: str) -> dict[str, int]:
    """Parse `{slug: quantity}`, or a list in the format of armies."""
    if data is None:
        return {}
    if isinstance(data, list):
        return dict(_resource(law, item, f"{at}/{place}") for place, item in enumerate(data))
    demand(isinstance(data, Mapping), _("Enter a JSON object."), field=at)
    assert isinstance(data, Mapping)
    return {
        _known(law.resources, slug, f"{at}/{slug}", NO_RESOURCE): read_whole(count, 0, QUANTITY_MOST, f"{at}/{slug}")
        for slug, count in data.items()
    }


NO_RESOURCE = _("Resource “{slug}” not found.")


def _resource(law: Ruleset, data: object, at: str) -> tuple[str, int]:
    members = Members(data, at)
    slug = _known(law.resources, members.slug("resource"), f"{at}/resource", NO_RESOURCE)
    found = slug, members.whole("quantity", 0, QUANTITY_MOST, 1)
    members.done()
    return found


def _known(items: Mapping[str, Any], slug: str, at: str, template: Term) -> str:
    demand(slug in items, template, field=at, slug=str(slug)[:60])
    return slug


# Form of a hypothetical army: the fields of raising one, or pasted JSON of the API.

# Described armies: the API's JSON body of an army within an address.


def parse_spec(text: str, law: Ruleset, army: str) -> ArmySpec:
    """Parse an army from JSON text; `army` is its id. Raises `InvalidInput`."""
    return spec_from_body(read_written(text), law, army)


def spec_from_body(data: object, law: Ruleset, army: str) -> ArmySpec:
    """Parse an army from its body. Raises `InvalidInput` with JSON pointers, also for impossible figures."""
    spec = replace(supposed(law, data, ""), id=army)
    law.sheet(spec)
    return spec


def body_of(spec: ArmySpec) -> dict[str, Any]:
    """Return an army's body, without its damage and history."""
    plain: dict[str, Any] = {"name": spec.name, "unit": unit_to_json(spec.unit), "count": spec.count}
    if spec.mount is not None:
        plain["mount"] = mount_to_json(spec.mount)
    if spec.resources:
        plain["resources"] = dict(spec.resources)
    if spec.tactics:
        plain["tactics"] = [{"tactic": known.tactic, "granted": known.granted} for known in spec.tactics]
    if spec.commander is not None and spec.commander.active:
        plain["commander"] = _commander_body(spec.commander)
    return plain


TOLD = ("name", "level", "charisma_modifier", "soldier_ranks", "leadership_feat", "notorious", "office", "office_boon",
        "office_tactic")  # fmt: skip


def _commander_body(spec: CommanderSpec) -> dict[str, Any]:
    told = {name: value for name in TOLD if (value := getattr(spec, name)) not in (None, False, 0)}
    return {**told, "boons": [{"boon": choice.boon, "tactic": choice.tactic} for choice in spec.boons]}


class WrittenArmyForm(TroopForm):
    """Form of a described army. It starts from `other`; what it has no field for (resources, tactics, commander) is
    kept.
    """

    pasted = pasted_field()

    def __init__(
        self, law: Ruleset, other: ArmySpec, side: str, query: QueryDict, sent: QueryDict | None, reader: User
    ):
        self.law, self.side, self.query = law, side, query
        self.kept = body_of(other)
        unit = self.kept["unit"]
        super().__init__(sent, ruleset=law, unit=unit, initial=_initial(self.kept), reader=reader)
        for name in ("name", "count", "unit_name", "cr", "hit_die", "level", "speed_m", "creature_type", "alignment"):
            self.fields[name].required = not (sent is not None and sent.get("pasted"))

    @property
    def redrawn(self) -> bool:
        return self.is_bound and is_only_redrawn(self.data)

    @property
    def units(self) -> list[forms.BoundField]:
        return [self[name] for name in self.GROUPS["unit"]]

    @property
    def riding(self) -> list[forms.BoundField]:
        return [self[name] for name in self.GROUPS["mount"]]

    def clean(self) -> dict[str, Any]:
        if self.redrawn:
            return self.cleaned_data
        given = super().clean()
        if not self.errors:
            try:
                self.spec = self._read()
            except Refusal as refusal:
                self.add_refusal(refusal)
        return given

    def _read(self) -> ArmySpec:
        if pasted := self.cleaned_data["pasted"]:
            return parse_spec(pasted, self.law, "")
        given = {"name": self.cleaned_data["name"], "count": self.cleaned_data["count"]}
        return spec_from_body({**self.kept, **given, "unit": self.unit(), "mount": self.mount()}, self.law, "")

    def add_refusal(self, refusal: Refusal) -> None:
        if not self.cleaned_data.get("pasted"):
            return super().add_refusal(refusal)
        for _pointer, message in refusal.errors:
            self.add_error("pasted", render(message))
        return None

    def address(self) -> str:
        """Return the workshop's query with this army on its side."""
        return with_written(self.query, self.side, body_of(self.spec))


def _initial(body: dict[str, Any]) -> dict[str, Any]:
    mount = body.get("mount") or {}
    ridden = {f"mount_{name}": value for name, value in mount.items() if value is not None}
    return {**ridden, "name": body["name"], "count": body["count"], "mounted": bool(mount)}
