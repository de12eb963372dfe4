"""Form that shares an army's losses otherwise, once the battle is over (B-78)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.http import QueryDict

from battles.field.forms import CommandForm
from core.forms.form_fields import Whole
from core.text import render
from rules.breaking_point.battle.aftermath.tolls import may_share, own_shares
from rules.breaking_point.battle.state.battle_state import AFTERMATH, BattleNow, Body
from rules.breaking_point.battle.telling.words import body_name
from rules.core.errors import Refusal
from rules.law import Viewer

STEM = "unit-"


class SharingForm(CommandForm):
    """The points that the units of one army bear in one body, each to be set."""

    kind = "share"
    own_template = "battles/breaking_point/field/sharing.html"

    def __init__(self, battle: BattleNow, army: str, body: Body, version: int, data: QueryDict | None = None):
        super().__init__(version, data, auto_id=f"share-{army}-{body.key}-%s")
        self.army, self.body, self.concerns = army, body.id, army
        self.title, self.name = body_name(battle, body), battle.armies[army].name
        own = own_shares(battle, body, army)
        self.total = sum(share.points for share in own)
        for share in own:
            unit = battle.armies[army].units[share.unit]
            self.fields[f"{STEM}{share.unit}"] = Whole(label=unit.name, least=0, most=share.most, initial=share.points)

    def to_json(self) -> dict[str, Any]:
        units = {name.removeprefix(STEM): points for name, points in self.cleaned_data.items()}
        return {"type": self.kind, "army": self.army, "body": self.body, "units": units}

    @property
    def shares(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields]

    def refused(self, refusal: Refusal) -> None:
        for pointer, message in refusal.errors:
            name = f"{STEM}{pointer.rpartition('/')[2]}"
            self.add_error(name if name in self.fields else None, render(message))


def sharing_forms(
    battle: BattleNow, viewer: Viewer, version: int, data: QueryDict | None = None
) -> Iterator[SharingForm]:
    """One for each army this reader runs and each body in which it has something to share."""
    if battle.phase.kind != AFTERMATH:
        return
    sent = (data.get("army"), data.get("body")) if data is not None else None
    for army in battle.armies:
        for body in battle.bodies.values():
            if viewer.commands(army) and may_share(battle, body, army):
                yield SharingForm(battle, army, body, version, data if sent == (army, body.id) else None)
