"""House rules of a campaign, as its ruleset declares them (`rules.house`). Defaults are not stored."""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent
from rest_framework import serializers

from core.clean_input import clean_whole
from core.text import render
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, _, say
from rules.house import OFF, OVERLAY, OWN, HouseRule, HouseRules
from rules.law import Law
from rules.registry import RULESETS
from rules.registry import ruleset as find_ruleset


def clean_house_rules(given: object, *, ruleset: str) -> dict[str, Any]:
    """Return the house rules that differ from the ruleset's defaults. Raises `InvalidInput` with the rule's pointer."""
    if given is None:
        return {}
    law = find_ruleset(ruleset)
    known, rules = law.house_rules.rules, _object(given, "/house_rules")
    for name in rules:
        found = name in known or name == OVERLAY or (name == OWN and law.house_rules.own is not None)
        demand(found, _("Unknown house rule “{name}”."), field=f"/house_rules/{name}", name=str(name)[:60])
    chosen = {name: _setting(rule, name, rules[name]) for name, rule in known.items() if name in rules}
    kept = {name: value for name, value in chosen.items() if value != known[name].default}
    items = {OVERLAY: _overlay(rules.get(OVERLAY) or {}, law), OWN: _own(rules.get(OWN) or {}, law)}
    return kept | {name: found for name, found in items.items() if found}


def _object(given: object, field: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise InvalidInput(_("Enter a JSON object here."), field)
    return given


def _setting(rule: HouseRule, name: str, value: object) -> Any:
    field = f"/house_rules/{name}"
    if not rule.choices:
        return clean_whole(value, field=field, least=rule.least, most=rule.most)
    demand(rule.knows(value), _("Choose one of: {known}."), field=field, known=", ".join(map(str, rule.choices)))
    return value


def _overlay(given: object, law: Law) -> dict[str, dict[str, dict[str, Any]]]:
    """Return `{kind: {slug: {figure: number}}}` without numbers that equal the rulebook's."""
    kept = {}
    for kind, items in _object(given, f"/house_rules/{OVERLAY}").items():
        field, kinds = f"/house_rules/{OVERLAY}/{kind}", law.house_rules.kinds
        demand(kind in kinds, _("House rules can only change: {known}."), field=field, known=", ".join(kinds))
        changed = {
            slug: _item(law, kind, slug, values, f"{field}/{slug}") for slug, values in _object(items, field).items()
        }
        kept[kind] = {slug: values for slug, values in changed.items() if values}
    return {kind: items for kind, items in kept.items() if items}


def _item(law: Law, kind: str, slug: str, values: object, field: str) -> dict[str, Any]:
    catalogue = law.catalogues[kind].items
    demand(slug in catalogue, _("Unknown “{slug}” in {kind}."), field=field, slug=str(slug)[:60], kind=kind)
    item, cleaned = catalogue[slug], dict[str, Any]()
    for name, value in _object(values, field).items():
        if name == OFF and kind in law.house_rules.switches:
            cleaned[name] = _switch(law.house_rules, kind, item, value, f"{field}/{OFF}")
            continue
        limits = law.house_rules.figures_of(kind).get(name)
        if limits is None:
            raise InvalidInput(_("House rules can’t change this. Remove it."), f"{field}/{name}")
        cleaned[name] = clean_whole(value, field=f"{field}/{name}", least=limits.least, most=limits.most)
    return {name: value for name, value in cleaned.items() if value != getattr(item, name, False)}


def _switch(declared: HouseRules, kind: str, item: Any, value: object, field: str) -> bool:
    """Return whether the item is switched off. Raises `InvalidInput`."""
    demand(isinstance(value, bool), _("Use true or false."), field=field)
    may = declared.may_do_without(kind, item)
    demand(not value or may, _("{item} can’t be switched off."), field=field, item=item.name)
    return bool(value)


def _own(given: object, law: Law) -> dict[str, dict[str, Any]]:
    """Return the campaign's own items, validated by the ruleset. Raises `InvalidInput`."""
    if law.house_rules.own is None:
        return {}
    try:
        return law.house_rules.own(given)
    except InvalidInput as refusal:
        raise refusal.below(f"/house_rules/{OWN}") from None


def all_house_rules(stored: Mapping[str, Any], ruleset: str) -> dict[str, Any]:
    """Return every house rule with its value, the default where the campaign sets none."""
    return {**find_ruleset(ruleset).house_rules.defaults, OVERLAY: {}, **stored}


def house_rules_in_words(stored: Mapping[str, Any], ruleset: str) -> list[Said]:
    """Return house rules in words: those with a choice, then those of items.

    The campaign may have changed its ruleset: rules this one does not know are worded by another.
    """
    laws = [find_ruleset(ruleset), *(law for slug, law in RULESETS.items() if slug != ruleset)]
    items = _items_in_words(stored.get(OVERLAY, {}), laws)
    return [*_rules_in_words(stored, laws), *items, *_own_in_words(stored, laws)]


def _rules_in_words(stored: Mapping[str, Any], laws: list[Law]) -> Iterator[Said]:
    known = ChainMap(*(dict(law.house_rules.rules) for law in laws))
    own = [*laws[0].house_rules.rules, *(name for name in stored if name not in laws[0].house_rules.rules)]
    for name in own:
        if name in stored and name in known:
            yield known[name].in_words(stored[name])


def _items_in_words(overlay: Mapping[str, Any], laws: list[Law]) -> Iterator[Said]:
    for kind, items in overlay.items():
        law = next((law for law in laws if kind in law.house_rules.kinds), laws[0])
        catalogue = law.catalogues[kind].items if kind in law.catalogues else {}
        for slug, values in items.items():
            item = catalogue[slug].name if slug in catalogue else slug
            yield from (_change_in_words(law, kind, item, name, value) for name, value in values.items())


def _change_in_words(law: Law, kind: str, item: Said | str, name: str, value: Any) -> Said:
    if name == OFF:
        return say(_("{item}: switched off"), item=item)
    figure = law.house_rules.figures_of(kind).get(name)
    return say(_("{item}: {figure} {value}"), item=item, figure=figure.words if figure else name, value=value)


def _own_in_words(stored: Mapping[str, Any], laws: list[Law]) -> Iterator[Said]:
    """Yield each of the campaign's own items with its figures, worded by the first ruleset that takes them."""
    law = next((law for law in laws if _takes(law, stored.get(OWN))), None)
    if law is None:
        return
    catalogues = law.with_house({OWN: stored[OWN]}).catalogues
    for kind, items in stored[OWN].items():
        known = catalogues.get(kind)
        for slug in items:
            if known is not None and slug in known.items:
                item = known.items[slug]
                yield say(_("{item} ({facts})"), item=item.name, facts=list(known.facts(item)))


def _takes(law: Law, own: Any) -> bool:
    """Whether these are a campaign's own items under this ruleset."""
    if not own or law.house_rules.own is None:
        return False
    try:
        return bool(law.house_rules.own(own))
    except InvalidInput:
        return False


# Schema of house rules for OpenAPI, as the rulesets declare them. The service validates them.

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
    overlay = {kind: _any(_item_schema(rules, kind) for rules in declared if kind in rules.kinds) for kind in kinds}
    items = {OVERLAY: _object_schema(overlay)} if overlay else {}
    if any(rules.own is not None for rules in declared):
        items[OWN] = {
            "type": "object",
            "description": OWN_TOLD,
            "additionalProperties": {
                "type": "object",
                "additionalProperties": {"type": "object", "additionalProperties": {}},
            },
        }
    return _object_schema({**properties, **items})


def _object_schema(properties: dict[str, Any]) -> dict[str, Any]:
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
    return {**shape, "description": ". ".join(part.rstrip(".") for part in [*said, rule.rule] if part)}


def _item_schema(rules: HouseRules, kind: str) -> dict[str, Any]:
    """Return the schema of items of this kind, by slug."""
    numbers: dict[str, Any] = {
        name: {"type": "integer", "minimum": figure.least, "maximum": figure.most, "description": render(figure.words)}
        for name, figure in rules.figures_of(kind).items()
    }
    switch = {OFF: {"type": "boolean"}} if kind in rules.switches else {}
    return {"type": "object", "additionalProperties": _object_schema({**switch, **numbers})}
