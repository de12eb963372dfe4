"""House rules a campaign may set (PF-HOUSE). What equals the ruleset's own rule is not kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingdom.inputs import BP_MAX, clean_whole
from rules.errors import InvalidInput, demand
from rules.registry import ruleset as find_ruleset
from rules.text import Said, Term, _, say

DEFAULTS: Mapping[str, Any] = {
    "minimum_damage": 1,
    "parting_shots": "enemies",
    "buildings_required": True,
    "recovery_cap": "none",
}

CHOICES: Mapping[str, Mapping[Any, Term]] = {
    "minimum_damage": {
        1: _("A hit always costs at least 1 hit point"),
        0: _("A hit may cost nothing"),
    },
    "parting_shots": {
        "enemies": _("Enemies strike at an army that routs"),
        "all": _("Every army strikes at an army that routs"),
    },
    "buildings_required": {
        True: _("Resources need their building"),
        False: _("Resources need no building"),
    },
    "recovery_cap": {
        "none": _("Rest heals all hit points"),
        "half": _("Rest heals up to half the hit points"),
    },
}


# What the overlay may set of a content item: kind → {field: (least, most)}.
OVERLAY: Mapping[str, Mapping[str, tuple[int, int]]] = {
    "resources": {"price": (0, BP_MAX), "consumption": (0, BP_MAX)},
    "boons": {"leadership": (0, 100)},
}


# What may be switched off: it stays on sheets by name and does nothing.
SWITCHES = ("tactics", "boons", "resources", "abilities", "conditions")


def clean_house_rules(given: object, *, ruleset: str) -> dict[str, Any]:
    """The house rules that differ from the ruleset's own. Raises `InvalidInput` with the rule's pointer."""
    if given is None:
        return {}
    rules = _object(given, "/house_rules")
    for name in rules:
        known = name in CHOICES or name == "overlay"
        demand(known, _("There is no house rule “{name}”."), field=f"/house_rules/{name}", name=str(name)[:60])
    kept = {name: _choice(name, rules[name]) for name in CHOICES if name in rules}
    kept = {name: value for name, value in kept.items() if value != DEFAULTS[name]}
    overlay = _overlay(rules.get("overlay") or {}, ruleset)
    return {**kept, "overlay": overlay} if overlay else kept


def _object(given: object, field: str) -> Mapping[str, Any]:
    if not isinstance(given, Mapping):
        raise InvalidInput(_("Give an object here."), field)
    return given


def _choice(name: str, value: object) -> object:
    """One of the rule's choices; `1` is not `True` here."""
    known = [choice for choice in CHOICES[name] if type(choice) is type(value) and choice == value]
    demand(known, _("One of: {known}."), field=f"/house_rules/{name}", known=", ".join(map(str, CHOICES[name])))
    return known[0]


def _overlay(given: object, ruleset: str) -> dict[str, dict[str, dict[str, int]]]:
    """`{kind: {slug: {field: number}}}` without what equals the book."""
    law = find_ruleset(ruleset)
    kept = {}
    for kind, items in _object(given, "/house_rules/overlay").items():
        field = f"/house_rules/overlay/{kind}"
        demand(kind in SWITCHES, _("House rules may change: {known}."), field=field, known=", ".join(SWITCHES))
        catalogue = getattr(law, kind)
        changed = {
            slug: _item(catalogue, kind, slug, values, f"{field}/{slug}")
            for slug, values in _object(items, field).items()
        }
        kept[kind] = {slug: values for slug, values in changed.items() if values}
    return {kind: items for kind, items in kept.items() if items}


def _item(catalogue: Mapping[str, Any], kind: str, slug: str, values: object, field: str) -> dict[str, int]:
    demand(slug in catalogue, _("There is no “{slug}” in {kind}."), field=field, slug=str(slug)[:60], kind=kind)
    cleaned: dict[str, int] = {}
    for name, value in _object(values, field).items():
        if name == "off":
            cleaned[name] = _switch(catalogue[slug], value, f"{field}/off")
            continue
        limits = OVERLAY.get(kind, {}).get(name)
        if limits is None:
            raise InvalidInput(_("This cannot be changed by a house rule."), f"{field}/{name}")
        cleaned[name] = clean_whole(value, field=f"{field}/{name}", least=limits[0], most=limits[1])
    return {name: value for name, value in cleaned.items() if value != getattr(catalogue[slug], name)}


def _switch(item: Any, value: object, field: str) -> bool:
    """Whether the item is off. What every army can always do stays on."""
    demand(isinstance(value, bool), _("Answer yes or no."), field=field)
    always = getattr(item, "always_known", False)
    demand(not (value and always), _("{item} cannot be switched off."), field=field, item=item.name)
    return bool(value)


def all_house_rules(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Every house rule with its value, the ruleset's own where the campaign sets none."""
    return {**DEFAULTS, "overlay": {}, **stored}


FIELD_WORDS: Mapping[str, Term] = {
    "price": _("price in BP"),
    "consumption": _("Consumption in BP"),
    "leadership": _("leadership needed"),
}


def told_rules(stored: Mapping[str, Any], ruleset: str) -> list[Said]:
    """House rules as kept, in words: those that choose, then what the overlay says of each item."""
    chosen: list[Said] = [CHOICES[name][stored[name]] for name in CHOICES if name in stored]
    law = find_ruleset(ruleset)
    items = (
        (kind, slug, values) for kind, found in stored.get("overlay", {}).items() for slug, values in found.items()
    )
    for kind, slug, values in items:
        item = getattr(law, kind).get(slug)
        chosen += [_told_item(item.name if item else slug, name, value) for name, value in values.items()]
    return chosen


def _told_item(item: Said | str, name: str, value: Any) -> Said:
    if name == "off":
        return say(_("{item}: switched off"), item=item)
    return say(_("{item}: {figure} {value}"), item=item, figure=FIELD_WORDS.get(name, name), value=value)
