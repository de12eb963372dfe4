"""API shape of a board: the units, and what can be chosen given the picks (`?pick=unit&pick=hex&pick=target`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, cast

from rest_framework import serializers

from battles.codec.requests import Members
from core.api.serializers import Input
from core.text import render
from kingdom.map.api import STROKES, HexesMembers
from rules.hexbattle.board import Act, Board, BoardLegal, Counter, Piece, Step, Target
from rules.hexbattle.setup import MAP_COMMANDS, ChangeMap


def units_of(board: Board) -> list[dict[str, Any]]:
    """Every unit the reader knows of, in the order of lists."""
    return [_unit(counter) for counter in board.counters]


def _unit(counter: Counter) -> dict[str, Any]:
    return {
        "unit": counter.unit,
        "army": counter.army,
        "side": counter.side,
        "name": render(counter.name),
        "type": counter.glyph,
        "tag": counter.tag,
        "at": counter.at or None,
        "kind": "character" if counter.character else "troop",
        "states": [render(state) for state in counter.states],
        "can_act": counter.can_act,
        "done": counter.done,
    }


def lying_on(board: Board) -> dict[str, Any]:
    """Temporary terrain and effects on the map, and where units fell."""
    effects = [
        {
            "hex": one.hex,
            "effect": one.slug,
            "label": render(one.label),
            "left": one.left,
            "unit": one.unit or None,
            "about": render(one.about),
        }
        for one in board.effects
    ]
    return {
        "overlays": [{"hex": at, "terrain": slug} for at, slug in board.overlays.items()],
        "effects": effects,
        "losses": [{"hex": at, "name": render(name)} for at, name in board.losses],
    }


def choices_of(legal: BoardLegal) -> dict[str, Any]:
    """`able`: units that can act. `choices`: hexes, targets and acts of the picked unit. `way`: to the picked hex."""
    choices = [
        *(_step(step) for step in legal.steps),
        *(_target(target) for target in legal.targets),
        *(_act(act) for act in legal.acts),
    ]
    return {
        "picked": [one for one in legal.picked if one],
        "able": list(legal.able),
        "choices": choices,
        "way": list(legal.way),
        "must": render(legal.must) if legal.must else None,
        "does": render(legal.confirm.title) if legal.confirm else None,
    }


def _step(step: Step) -> dict[str, Any]:
    told = {"what": "hex", "id": step.hex, "cost": step.cost, "halts": step.kind == "halt"}
    return {**told, **_barred(step)}


def _target(target: Target) -> dict[str, Any]:
    told: dict[str, Any] = {
        "what": "target", "id": target.target, "at": target.at, "from": target.source or None, "how": target.how,
    }  # fmt: skip
    chance = None if target.chance is None else str(target.chance)
    lines = [render(line) for line in target.sum]
    outcomes = [_outcome(piece) for piece in target.outcomes]
    told |= {"chance": chance, "throw": render(target.throw), "sum": lines, "outcomes": outcomes}
    return {**told, **_barred(target)}


def _outcome(piece: Piece) -> dict[str, Any]:
    return {"slug": piece.slug, "label": render(piece.label), "chance": str(piece.chance)}


def _act(act: Act) -> dict[str, Any]:
    return {"what": "act", "id": act.slug, "label": render(act.label), **_barred(act)}


def _barred(one: Step | Target | Act) -> dict[str, Any]:
    return {"why_not": render(one.why_not)} if one.why_not else {}


# Map painter strokes on a battle's map, which the API takes by the same names (`rules.hexes.orders`)


MEMBERS = (
    "hexes", "at", "size", "terrain", "height", "there", "start", "to", "between", "obstacle", "hex", "text", "side",
    "add", "edge", "columns", "rows", "map", "kind", "seed", "river", "roads", "symmetric",
)  # fmt: skip


class ZoneInput(HexesMembers):
    """Add hexes to a side's zone; with `add` false, remove them."""

    side = serializers.IntegerField()
    add = serializers.BooleanField(required=False)


class HomeInput(Input):
    """Set the home edge of a side."""

    side = serializers.IntegerField()
    edge = serializers.CharField()


def _input(kind: str, known: type[Input]) -> type[Input]:
    """The input shape of a stroke on a battle's map; the command's type is the stroke's name."""
    reason = serializers.CharField(required=False, help_text="why the map changes during play")
    named = f"Battle{kind.title().replace('_', '')}Stroke"
    return cast("type[Input]", type(named, (known,), {"__doc__": known.__doc__, "command": None, "reason": reason}))


KNOWN: Mapping[str, type[Input]] = {**STROKES, "zone": ZoneInput, "home": HomeInput}
INPUTS: Mapping[str, type[Input]] = {kind: _input(kind, KNOWN[kind]) for kind in MAP_COMMANDS}
"""The API input shape of each stroke."""


def read_stroke(kind: str, members: Members, _sides: tuple[str, ...]) -> ChangeMap:
    """The stroke in document form. Whether it fits the map is checked by the law."""
    told = {name: members.raw(name) for name in MEMBERS if members.has(name)}
    return ChangeMap({"command": kind, **told}, members.text("reason", ""))


READERS: Mapping[str, Callable[[Members, tuple[str, ...]], Any]] = {
    kind: partial(read_stroke, kind) for kind in MAP_COMMANDS
}
