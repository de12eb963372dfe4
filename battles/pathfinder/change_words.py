"""Wording of changes to the world: slugs by their names, lists as lists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from core.text import render
from kingdom.chronicle.changes import Change
from rules.core.text import Said, Term, _, say
from rules.pathfinder.catalogues import NAMED_UNITS
from rules.pathfinder.ruleset import Ruleset

FIELDS: Mapping[str, Term] = {
    "hp": _("hit points"),
    "morale": _("morale"),
    "status": _("status"),
    "disease": _("disease"),
    "ill": _("ill"),
    "drain": _("energy drain"),
    "arrears": _("arrears"),
    "surcharge": _("potions to pay"),
    "tactics": _("tactics"),
    "resources": _("resources"),
    "commander": _("commander"),
    "created": _("new army"),
    "boons": _("boons"),
    "captures": _("times captured"),
    "ransom": _("ransom in BP"),
    "notorious": _("known for losing"),
    "economy": _("Economy"),
    "loyalty": _("Loyalty"),
    "stability": _("Stability"),
    "unrest": _("Unrest"),
    "treasury": _("treasury"),
}
STATUSES: Mapping[str, Term] = {
    "ready": _("ready"),
    "routed": _("routed"),
    "defeated": _("defeated"),
    "disbanded": _("disbanded"),
    "captured": _("captured"),
    "free": _("free"),
    "killed": _("killed"),
}


@dataclass(frozen=True)
class ShownChange:
    subject: str
    field: Said
    before: Any
    after: Any
    rule: str
    label: Said


def in_words(changes: Iterable[Change], law: Ruleset, names: Mapping[str, str]) -> list[ShownChange]:
    """`names`: what ids among the values are called (commanders)."""
    return [
        ShownChange(
            subject=change.subject,
            field=FIELDS.get(change.field, Term(change.field)),
            before=_value(change.field, change.before, law, names),
            after=_value(change.field, change.after, law, names),
            rule=change.rule,
            label=change.label,
        )
        for change in changes
    ]


def _value(field: str, value: Any, law: Ruleset, names: Mapping[str, str]) -> Any:
    match field, value:
        case _, None:
            return None
        case "status", str():
            return render(STATUSES.get(value, Term(value)))
        case "tactics", list() | tuple():
            return [_item(law.tactics, slug) for slug in value]
        case "resources", dict():
            return [_counted(_item(law.resources, slug), quantity) for slug, quantity in value.items()]
        case "boons", list() | tuple():
            return [_boon(law, boon) for boon in value]
        case "commander", str():
            return names.get(value, value)
        case "created", dict():
            return render(say(NAMED_UNITS, name=value.get("name"), count=value.get("count")))
    return value


def _item(catalogue: Mapping[str, Any], slug: str) -> str:
    return render(catalogue[slug].name) if slug in catalogue else slug


def _counted(name: str, quantity: int) -> str:
    return f"{name} × {quantity}" if quantity > 1 else name


def _boon(law: Ruleset, boon: Any) -> str:
    name, tactic = _item(law.boons, boon["boon"]), boon.get("tactic")
    return f"{name} ({_item(law.tactics, tactic)})" if tactic else name
