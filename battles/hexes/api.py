"""API of battles on hexes: the board with its units and what can be chosen given the picks, and the map a battle opens
on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from battles.codec.requests import Members
from battles.default.ui import PlainBattleMembers
from core.api.serializers import Input, title_of
from core.text import render
from kingdom.map.api import STROKES, HexesMembers, MapDocumentSerializer
from rules import registry
from rules.hexbattle.board import Act, Board, BoardLegal, Counter, Piece, Step, Target
from rules.hexbattle.setup import MAP_COMMANDS, ChangeMap
from rules.hexes.battlefields import STARTERS

# Serializers of a board in the API: the map, the units on it, and what can be chosen (`battles.hexes.api`).


class HexUnitSerializer(serializers.Serializer):
    """A unit known to the reader. `at`: its hex; null in the reserve or once it has left the battle."""

    unit = serializers.CharField(read_only=True)
    army = serializers.CharField(read_only=True)
    side = serializers.IntegerField(read_only=True)
    name = serializers.CharField(read_only=True)
    type = serializers.CharField(read_only=True, help_text="what it is drawn as")
    tag = serializers.CharField(read_only=True, help_text="letters and a number at the foot of its counter")
    at = serializers.CharField(read_only=True, allow_null=True)
    kind = serializers.ChoiceField(choices=["troop", "character"], read_only=True)
    states = serializers.ListField(child=serializers.CharField(), read_only=True)
    can_act = serializers.BooleanField(read_only=True)
    done = serializers.BooleanField(read_only=True)


class HexOutcomeSerializer(serializers.Serializer):
    """One possible result of an attack. `chance`: an exact fraction, like "5/36"."""

    slug = serializers.CharField(read_only=True)
    label = serializers.CharField(read_only=True)  # type: ignore[assignment]
    chance = serializers.CharField(read_only=True)


class HexChoiceSerializer(serializers.Serializer):
    """Something that can be picked next: a `hex` to go to, a `target` to attack (from the best hex, or the one picked),
    or an `act`. `id`: the value to pick. `why_not`: the reason if it isn't possible.
    """

    what = serializers.ChoiceField(choices=["hex", "target", "act"], read_only=True)
    id = serializers.CharField(read_only=True)
    why_not = serializers.CharField(read_only=True, required=False)
    cost = serializers.IntegerField(read_only=True, required=False, help_text="of a hex: the points it takes")
    halts = serializers.BooleanField(read_only=True, required=False, help_text="of a hex: the unit must stop there")
    at = serializers.CharField(read_only=True, required=False, help_text="of a target: its hex")
    how = serializers.CharField(read_only=True, required=False, help_text="of a target: the kind of attack")
    chance = serializers.CharField(read_only=True, required=False, allow_null=True, help_text="an exact fraction")
    throw = serializers.CharField(read_only=True, required=False, help_text="the throw in short: 2D6 + 3")
    sum = serializers.ListField(child=serializers.CharField(), read_only=True, required=False)
    outcomes = HexOutcomeSerializer(many=True, read_only=True, required=False)
    label = serializers.CharField(read_only=True, required=False, help_text="an act's name")  # type: ignore[assignment]

    def get_fields(self) -> dict[str, serializers.Field]:
        """Add `from`, which is a keyword in Python."""
        about = "of a target: the hex it is attacked from"
        begun = serializers.CharField(read_only=True, required=False, allow_null=True, help_text=about)
        return {**super().get_fields(), "from": begun}


class HexEffectSerializer(serializers.Serializer):
    """An effect on a hex. `left`: turns left, null if it stays. `unit`: the unit it moves along with, null for the hex
    itself. `about`: what it does.
    """

    hex = serializers.CharField(read_only=True)
    effect = serializers.CharField(read_only=True)
    label = serializers.CharField(read_only=True)  # type: ignore[assignment]
    left = serializers.IntegerField(read_only=True, allow_null=True)
    unit = serializers.CharField(read_only=True, allow_null=True)
    about = serializers.CharField(read_only=True)


class HexOverlaySerializer(serializers.Serializer):
    """Temporary terrain over that of the map."""

    hex = serializers.CharField(read_only=True)
    terrain = serializers.CharField(read_only=True)


class HexLossSerializer(serializers.Serializer):
    """A unit that fell, and its hex."""

    hex = serializers.CharField(read_only=True)
    name = serializers.CharField(read_only=True)


class HexBattleMembers(PlainBattleMembers):
    """`picked`: the valid part of `?pick=`; `choices`, `way`, `must` and `does` depend on it."""

    map = MapDocumentSerializer(read_only=True)
    overlays = HexOverlaySerializer(many=True, read_only=True)
    units = HexUnitSerializer(many=True, read_only=True)
    effects = HexEffectSerializer(many=True, read_only=True)
    losses = HexLossSerializer(many=True, read_only=True)
    picked = serializers.ListField(child=serializers.CharField(), read_only=True)
    able = serializers.ListField(child=serializers.CharField(), read_only=True, help_text="units that can act now")
    choices = HexChoiceSerializer(many=True, read_only=True)
    way = serializers.ListField(child=serializers.CharField(), read_only=True, help_text="the path to the hex picked")
    must = serializers.CharField(read_only=True, allow_null=True, help_text="what has to be done first")
    does = serializers.CharField(read_only=True, allow_null=True, help_text="what the picks come to, in words")


# API shape of a board: the units, and what can be chosen given the picks (`?pick=unit&pick=hex&pick=target`).


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


# API shape of opening a battle on hexes: the choice of its map.

ABOUT = (
    "the map: the slug of a built-in one ({starters}), a map in the format of its file, or an object with the choices"
    " for a generated one: `columns`, `rows`, `kind`, `seed`, `river`, `symmetric`"
)


CHOICES: dict[str, Any] = {
    "columns": {"type": "integer"},
    "rows": {"type": "integer"},
    "kind": {"type": "string"},
    "seed": {"type": "string"},
    "river": {"type": "boolean"},
    "symmetric": {"type": "boolean"},
}
"""Members of the options of a generated map. A map's file has those described in `docs/files.md`."""


@extend_schema_field({"oneOf": [
    {"type": "string", "enum": list(STARTERS)},
    {"type": "object", "properties": CHOICES, "additionalProperties": True},
]})  # fmt: skip
class MapChoiceField(serializers.JSONField):
    """A map's slug, or an object."""


def asks_map(family: str) -> bool:
    """Whether battles of this family of laws open on a map of their own."""
    laws = [law for law in registry.RULESETS.values() if law.family == family]
    return any("map" in getattr(law.battle.shapes.opening, "__annotations__", {}) for law in laws)


@cache
def with_map(known: type[serializers.Serializer], family: str) -> type[serializers.Serializer]:
    """Return the serializer class extended by the field `map`."""
    field: Any = MapChoiceField(required=False, help_text=ABOUT.format(starters=", ".join(STARTERS)))
    return type(f"{title_of(family)}HexOpening", (known,), {"__doc__": known.__doc__, "map": field})
