"""The form in which an army is written that is in no campaign: the parts of raising one, or the API's JSON pasted."""

from __future__ import annotations

import json
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.forms.army import TroopForm
from armies.pathfinder.forms.unit import only_redrawn
from battles.pathfinder.written import body_of, spec_from_body, spec_from_text
from battles.selectors.contests import WRITTEN
from kingdom.text import render
from rules.errors import Refusal
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import ArmySpec

LONGEST = 6_000  # characters of an army in an address


class WrittenArmyForm(TroopForm):
    """`other`: what it begins from. What the form has no field for (gear, tactics, its commander) stays as it is."""

    pasted = forms.CharField(
        label=_("An army as the API tells it (JSON)"), required=False, max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("Pasted here it replaces what the fields above say."),
    )  # fmt: skip

    def __init__(self, law: Ruleset, other: ArmySpec, side: str, query: QueryDict, sent: QueryDict | None):
        self.law, self.side, self.query = law, side, query
        self.kept = body_of(other)
        unit = self.kept["unit"]
        super().__init__(sent, ruleset=law, unit=unit, initial=_initial(self.kept))
        for name in ("name", "count", "unit_name", "cr", "hit_die", "level", "speed_m", "creature_type", "alignment"):
            self.fields[name].required = not (sent is not None and sent.get("pasted"))

    @property
    def redrawn(self) -> bool:
        return self.is_bound and only_redrawn(self.data)

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
            return spec_from_text(pasted, self.law, "")
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
        query = QueryDict(mutable=True)
        for name, values in self.query.lists():
            if not name.startswith(f"{self.side}-"):
                query.setlist(name, values)
        query[f"{self.side}-army"] = WRITTEN
        query[f"{self.side}-body"] = json.dumps(body_of(self.spec), ensure_ascii=False, separators=(",", ":"))
        return query.urlencode()


def _initial(body: dict[str, Any]) -> dict[str, Any]:
    mount = body.get("mount") or {}
    ridden = {f"mount_{name}": value for name, value in mount.items() if value is not None}
    return {**ridden, "name": body["name"], "count": body["count"], "mounted": bool(mount)}
