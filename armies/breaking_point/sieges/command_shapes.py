"""Shapes of siege commands for the OpenAPI document, one for each type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers

from core.api.serializers import Input, TypeField, build_typed_shape
from core.clean_input import BP_MAX
from kingdom.api.fields import WholeField
from rules.breaking_point.siege.siege_ends import OUTCOMES


class SiegeDieInput(Input):
    army = serializers.UUIDField()
    roll = serializers.CharField()
    values = serializers.ListField(child=WholeField(), max_length=5)


class SiegeCommandInput(Input):
    """A command of a siege: `dice` and `ask` of `terms`; `bombards`, `answers` and `hears` of `orders`; `army` of
    `join`; `outcome` and `losses` of `fought` (GM).
    """

    type = serializers.CharField()
    dice = SiegeDieInput(many=True, required=False)
    ask = serializers.BooleanField(required=False)
    money = WholeField(required=False, min_value=0, max_value=BP_MAX)
    bombards = serializers.BooleanField(required=False)
    answers = serializers.BooleanField(required=False)
    hears = serializers.BooleanField(required=False)
    army = serializers.UUIDField(required=False)
    outcome = serializers.ChoiceField(OUTCOMES, required=False)
    losses = serializers.DictField(child=WholeField(min_value=0), required=False)


MEMBERS: Mapping[str, tuple[str, ...]] = {
    "terms": ("dice", "ask", "money"),
    "assault": (),
    "sortie": (),
    "lift": (),
    "surrender": (),
    "relief": (),
    "orders": ("bombards", "answers", "hears"),
    "join": ("army",),
    "fought": ("outcome", "losses"),
}
"""Members of each command besides its type."""
NEEDED = {("join", "army"), ("fought", "outcome")}


def _siege_command(kind: str, members: tuple[str, ...]) -> Any:
    """Input serializer of this command, for the OpenAPI document."""
    fields = SiegeCommandInput().get_fields()
    for name in members:
        fields[name].required = (kind, name) in NEEDED
    told = {"__doc__": SIEGE_COMMANDS[kind], "__module__": __name__, **{name: fields[name] for name in members}}
    return type(f"Siege{kind.title()}Command", (Input,), {**told, "type": TypeField(kind)})


SIEGE_COMMANDS: Mapping[str, str] = {
    "terms": "Offer terms. `dice`: the faces of the open die, one after another. `money`: Build Points, paid if"
    " the terms are taken.",
    "assault": "Begin an assault.",
    "sortie": "Begin a sortie.",
    "lift": "Lift the siege.",
    "surrender": "Surrender the place.",
    "relief": "Begin a battle of relief.",
    "orders": "Standing orders of the besiegers and of the garrison.",
    "join": "An army joins the siege.",
    "fought": "End a battle of the siege by hand (GM).",
}
SIEGE_COMMAND = build_typed_shape(
    "SiegeCommand", {kind: _siege_command(kind, members) for kind, members in MEMBERS.items()}
)
