"""Form of a hypothetical army: the fields of raising one, or pasted JSON of the API."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict

from armies.pathfinder.armies.forms import TroopForm
from armies.pathfinder.armies.unit_fields import is_only_redrawn
from battles.pathfinder.workshop.hypothetical import supposed
from battles.setup.army_forms import pasted_field
from battles.workshop.matchups import read_written, with_written
from core.text import render
from kingdom.models import User
from rules.core.errors import Refusal
from rules.pathfinder.documents import mount_to_json, unit_to_json
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import ArmySpec, CommanderSpec

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

    def clean(self) -> None:
        if self.errors or self.redrawn:
            return
        try:
            self.spec = self._read()
        except Refusal as refusal:
            self.add_refusal(refusal)

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
