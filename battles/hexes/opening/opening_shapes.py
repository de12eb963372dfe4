"""API shape of opening a battle on hexes: the choice of its map."""

from __future__ import annotations

from functools import cache
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from core.api.ruleset_shapes import title_of
from rules import registry
from rules.hexes.starter import STARTERS

ABOUT = (
    "the map: the slug of one of the house ({starters}), a map as its file says it, or an object with the choices of a"
    " map that is made: `columns`, `rows`, `kind`, `seed`, `river`, `symmetric`"
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
    """The same serializer with `map`."""
    field: Any = MapChoiceField(required=False, help_text=ABOUT.format(starters=", ".join(STARTERS)))
    return type(f"{title_of(family)}HexOpening", (known,), {"__doc__": known.__doc__, "map": field})
