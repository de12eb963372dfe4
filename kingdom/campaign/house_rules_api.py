"""Schema of house rules for OpenAPI, as the rulesets declare them. The service validates them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers

from core.text import render
from rules.house import OFF, OVERLAY, OWN, HouseRule, HouseRules
from rules.registry import RULESETS

TYPES: Mapping[type, str] = {bool: "boolean", int: "integer", str: "string"}
OWN_TOLD = "What the campaign has beside the law's items, by kind and slug; where it is not given it stays as it is."


class HouseRulesField(serializers.DictField):
    """House rules of a campaign: only what differs from its ruleset."""


class HouseRulesSchema(OpenApiSerializerFieldExtension):
    target_class = HouseRulesField

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        component = ResolvedComponent(
            name="HouseRules", type=ResolvedComponent.SCHEMA, schema=house_rules_schema(), object=HouseRulesField
        )
        auto_schema.registry.register_on_missing(component)
        return component.ref


def house_rules_schema() -> dict[str, Any]:
    """Return the schema of the house rules of all rulesets."""
    declared = [law.house_rules for law in RULESETS.values()]
    names = dict.fromkeys(name for rules in declared for name in rules.rules)
    kinds = dict.fromkeys(kind for rules in declared for kind in rules.kinds)
    properties = {name: _any(_rule(rules.rules[name]) for rules in declared if name in rules.rules) for name in names}
    overlay = {kind: _any(_item(rules, kind) for rules in declared if kind in rules.kinds) for kind in kinds}
    items = {OVERLAY: _object(overlay)} if overlay else {}
    if any(rules.own is not None for rules in declared):
        items[OWN] = {
            "type": "object",
            "description": OWN_TOLD,
            "additionalProperties": {
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": {}},
            },
        }
    return _object({**properties, **items})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _any(shapes: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Return the shape if all are the same, else `anyOf`."""
    different: list[dict[str, Any]] = []
    different += (shape for shape in shapes if shape not in different)
    return different[0] if len(different) == 1 else {"anyOf": different}


def _rule(rule: HouseRule) -> dict[str, Any]:
    shape: dict[str, Any] = {"type": TYPES[type(rule.default)], "default": rule.default}
    said = [render(rule.name), render(rule.help)]
    if rule.choices:
        if not isinstance(rule.default, bool):  # a boolean needs no list of choices
            shape["enum"] = list(rule.choices)
        said += [f"`{str(value).lower()}`: {render(words)}" for value, words in rule.choices.items()]
    else:
        shape |= {"minimum": rule.least, "maximum": rule.most}
    return {**shape, "description": ". ".join(filter(None, [*said, rule.rule]))}


def _item(rules: HouseRules, kind: str) -> dict[str, Any]:
    """Return the schema of items of this kind, by slug."""
    numbers: dict[str, Any] = {
        name: {"type": "integer", "minimum": figure.least, "maximum": figure.most, "description": render(figure.words)}
        for name, figure in rules.figures_of(kind).items()
    }
    switch = {OFF: {"type": "boolean"}} if kind in rules.switches else {}
    return {"type": "object", "additionalProperties": _object({**switch, **numbers})}
