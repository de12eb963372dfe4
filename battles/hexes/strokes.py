"""Strokes of a painter on the map of a battle: what the API takes by their names (`rules.hexes.orders`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from rest_framework import serializers

from battles.codec.members import Members
from core.api.input_serializers import Input
from rules.hexbattle.setup import MAP_COMMANDS, ChangeMap

MEMBERS = (
    "hexes", "at", "size", "terrain", "height", "there", "start", "to", "between", "obstacle", "hex", "text", "side",
    "add", "edge", "columns", "rows", "map", "kind", "seed", "river", "roads", "symmetric",
)  # fmt: skip


REASON = serializers.CharField(required=False, help_text="why the map changes during play")
TOLD = "A change of the battle's map; its members are those of the same stroke on a campaign's map."
StrokeInput = cast(
    "type[Input]",
    type(
        "BattleStrokeInput",
        (Input,),
        {"__doc__": TOLD, "reason": REASON, **{name: serializers.JSONField(required=False) for name in MEMBERS}},
    ),
)


def read_stroke(kind: str, members: Members, _sides: tuple[str, ...]) -> ChangeMap:
    """The stroke as its document says it; whether it fits the map the law says."""
    told = {name: members.raw(name) for name in MEMBERS if members.has(name)}
    return ChangeMap({"command": kind, **told}, members.text("reason", ""))


READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Any]] = {
    kind: partial(read_stroke, kind) for kind in MAP_COMMANDS
}
