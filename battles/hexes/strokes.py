"""Strokes of a painter on the map of a battle: what the API takes by their names (`rules.hexes.orders`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from rest_framework import serializers

from battles.codec.requests import Members
from core.api.serializers import Input
from kingdom.map.api import STROKES, HexesMembers
from rules.hexbattle.setup import MAP_COMMANDS, ChangeMap

MEMBERS = (
    "hexes", "at", "size", "terrain", "height", "there", "start", "to", "between", "obstacle", "hex", "text", "side",
    "add", "edge", "columns", "rows", "map", "kind", "seed", "river", "roads", "symmetric",
)  # fmt: skip


class ZoneInput(HexesMembers):
    """Hexes that belong to a side's zone; `add` false takes them away."""

    side = serializers.IntegerField()
    add = serializers.BooleanField(required=False)


class HomeInput(Input):
    """The edge a side comes from and flees to."""

    side = serializers.IntegerField()
    edge = serializers.CharField()


def _input(kind: str, known: type[Input]) -> type[Input]:
    """The same stroke on the map of a battle: its name is the command's type."""
    reason = serializers.CharField(required=False, help_text="why the map changes during play")
    named = f"Battle{kind.title().replace('_', '')}Stroke"
    return cast("type[Input]", type(named, (known,), {"__doc__": known.__doc__, "command": None, "reason": reason}))


KNOWN: Mapping[str, type[Input]] = {**STROKES, "zone": ZoneInput, "home": HomeInput}
INPUTS: Mapping[str, type[Input]] = {kind: _input(kind, KNOWN[kind]) for kind in MAP_COMMANDS}
"""What the API's document says of each stroke."""


def read_stroke(kind: str, members: Members, _sides: tuple[str, ...]) -> ChangeMap:
    """The stroke as its document says it; whether it fits the map the law says."""
    told = {name: members.raw(name) for name in MEMBERS if members.has(name)}
    return ChangeMap({"command": kind, **told}, members.text("reason", ""))


READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Any]] = {
    kind: partial(read_stroke, kind) for kind in MAP_COMMANDS
}
