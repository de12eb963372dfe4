"""Form of an army that is in no campaign: the parts of raising one, or the API's JSON pasted."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from armies.pathfinder.armies.forms import TroopForm
from armies.pathfinder.armies.unit_fields import is_only_redrawn
from battles.pathfinder.setup.written_army import body_of, parse_spec, spec_from_body
from battles.setup.army_forms import pasted_field
from battles.workshop.matchups import with_written
from core.text import render
from kingdom.models import User
from rules.core.errors import Refusal
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import ArmySpec


class WrittenArmyForm(TroopForm):
    """`other`: what it begins from. What the form has no field for (gear, tactics, its commander) stays as it is."""

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
        """The workshop's query with this army on its side."""
        return with_written(self.query, self.side, body_of(self.spec))


def _initial(body: dict[str, Any]) -> dict[str, Any]:
    mount = body.get("mount") or {}
    ridden = {f"mount_{name}": value for name, value in mount.items() if value is not None}
    return {**ridden, "name": body["name"], "count": body["count"], "mounted": bool(mount)}
