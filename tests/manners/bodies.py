"""A body for every operation that takes one, made from the OpenAPI document and from what there is."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import yaml

from core.api.document_parts import BATTLE, CAMPAIGN, CROWN, HORDE, RAIDERS, WATCH, YSOLDE
from tests.manners.doors import PART

DOCUMENT = Path(__file__).resolve().parent.parent.parent / "openapi.yaml"
UNIT = {
    "name": "Orc",
    "cr": "1/3",
    "hit_die": "d10",
    "abilities": [{"ability": "spellcasting", "value": 3, "options": {"ranged": True}}],
}


@cache
def document() -> dict[str, Any]:
    """To be read, not changed."""
    return yaml.load(DOCUMENT.read_text(), yaml.CSafeLoader)


def operations(doc: dict[str, Any]) -> dict[tuple[str, str], dict[str, Any]]:
    """Every operation by method and path, its parameters named as the resolver's patterns name them."""
    return {
        (method.upper(), path): told
        for path, methods in doc["paths"].items()
        for method, told in methods.items()
        if method in ("get", "post", "put", "patch", "delete")
    }


def shape(path: str) -> str:
    """A path without the names of its parts: the document calls an id what the router calls pk."""
    return PART.sub("<>", path.replace("{", "<").replace("}", ">"))


def body_of(told: dict[str, Any], doc: dict[str, Any], table: SimpleNamespace) -> dict[str, Any] | None:
    """A plausible body, every member filled; None where none is taken."""
    taken = told.get("requestBody", {}).get("content", {}).get("application/json", {})
    if examples := taken.get("examples"):
        return _with_ids(next(iter(examples.values()))["value"], table)
    return _sample(taken["schema"], doc, table, "") if taken else None


def _with_ids(value: Any, table: SimpleNamespace) -> Any:
    """An example with the table's ids in place of those that stand in for some."""
    ids = {
        CAMPAIGN: table.campaign.pk, CROWN: table.crown.pk, HORDE: table.horde.pk, WATCH: table.watch.pk,
        RAIDERS: table.spare.pk, BATTLE: table.battle.pk, YSOLDE: table.watch.commander_id,
    }  # fmt: skip
    told = json.dumps(value)
    for stand_in, found in ids.items():
        told = told.replace(stand_in, str(found))
    return json.loads(told)


def _sample(schema: dict[str, Any], doc: dict[str, Any], table: SimpleNamespace, name: str) -> Any:
    if name in (there := known(table)):
        return there[name]
    if "$ref" in schema:
        return _sample(doc["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]], doc, table, name)
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return _sample(schema[several][0], doc, table, name)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {
                member: _sample(inner, doc, table, member) for member, inner in schema.get("properties", {}).items()
            }
        case "array":
            return [_sample(schema["items"], doc, table, name)]
        case "integer" | "number":
            return max(1, schema.get("minimum", 1))
        case "boolean":
            return False
        case "string":
            return "x"
    return {}


def known(table: SimpleNamespace) -> dict[str, Any]:
    ids = {"campaign": table.campaign.pk, "kingdom": table.crown.pk, "army": table.spare.pk, "stock": table.stock.pk,
           "commander": table.watch.commander_id}  # fmt: skip
    return {
        **{name: str(pk) for name, pk in ids.items()},
        "unit": UNIT, "mount": {"name": "Wolf", "cr": "1"}, "resource": "healing-potions", "players": ["ana"],
        "ruleset": "combat-de-masse", "dice": [], "alignment": "LN", "tactic": "dirty-fighters",
        "buildings": ["smithy"],
        "choices": {}, "house_rules": {"minimum_damage": 1, "overlay": {"boons": {"flexible-tactics": {"off": True}}}},
        "conditions": [{"condition": "fog", "except": [str(table.watch.pk)]}, {"condition": "fortification",
                        "armies": [str(table.watch.pk)], "parts": [{"kind": "wall", "material": "stone", "value": 4}]}],
        "sides": [{"name": "A", "armies": [str(table.watch.pk)]}, {"name": "B", "armies": [str(table.spare.pk)]}],
        "overcomes": [{"attacker": str(table.watch.pk), "defender": str(table.spare.pk)}],
        "sees_invisible": [], "cannot_leave": [], "engines_shoot": [], "magical": [], "ambush": None,
        "calendar": {"months": [{"name": "One", "days": 30}], "weekdays": ["A"] * 7,
                     "epoch": {"year": 1, "month": 1, "day": 1}},
        "boons": [{"boon": "defensive-tactics"}], "boon": "defensive-tactics", "office": None, "office_boon": None,
        "office_tactic": None, "units": [{"slug": "orc", "family": "other", "unit": UNIT}],
    }  # fmt: skip
