"""Form fields for abilities: rows grow and shrink on the server, so they need no JavaScript.

Field names: `ability-0` (the slug, hidden), `ability-0-value`, `ability-0-<option>`; the buttons
`add` (with `new-ability`) and `drop` (the row's number) re-render the form.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import QueryDict

from armies.pathfinder.forces import words
from core.shapes.typed import read_typed_whole
from rules.core.content import Item
from rules.core.text import Said, Term
from rules.pathfinder.catalogue.items import Ability, AbilityOption

MOST_ROWS = 40


@dataclass(slots=True)
class OptionField:
    """One option of a row, ready to draw: `choices` as (value, label, chosen)."""

    name: str
    label: Said
    kind: str
    choices: list[tuple[str, Said, bool]]
    checked: bool = False

    @property
    def chosen(self) -> bool:
        return any(chosen for _slug, _label, chosen in self.choices)


@dataclass(slots=True)
class AbilityRow:
    """One chosen ability as typed so far. `value` and `options` are raw until the rules read them."""

    index: int
    ability: Ability
    value: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    errors: list[Said] = field(default_factory=list)
    fields: list[OptionField] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"ability-{self.index}"

    @property
    def takes_value(self) -> bool:
        return self.ability.value == "required"

    def to_json(self) -> dict[str, Any]:
        """In the shape of the API, for the rules to check."""
        body: dict[str, Any] = {"ability": self.ability.slug}
        if self.takes_value:
            body["value"] = read_typed_whole(self.value)
        if chosen := {slug: value for slug, value in self.options.items() if value not in ("", [], False)}:
            body["options"] = chosen
        return body


def rows_from_data(data: QueryDict, ruleset: Any) -> list[AbilityRow]:
    """The rows as posted, in order; a dropped one left out, an added one at the end."""
    indexes = [index for index in range(MOST_ROWS) if f"ability-{index}" in data]
    rows = [_row(data, index, ruleset) for index in indexes if str(index) != data.get("drop")]
    if "add" in data and (new := ruleset.abilities.get(data.get("new-ability", ""))):
        rows.append(AbilityRow(0, new))
    return numbered((row for row in rows if row), ruleset)


def rows_from_unit(unit: Mapping[str, Any], ruleset: Any) -> list[AbilityRow]:
    """The rows of an army that exists."""
    found = (
        AbilityRow(
            0, ruleset.abilities[choice["ability"]], str(choice.get("value") or ""), dict(choice.get("options") or {})
        )
        for choice in unit["abilities"]
        if choice["ability"] in ruleset.abilities
    )
    return numbered(found, ruleset)


def _row(data: QueryDict, index: int, ruleset: Any) -> AbilityRow | None:
    ability = ruleset.abilities.get(data[f"ability-{index}"])
    if ability is None:
        return None
    row = AbilityRow(index, ability, data.get(f"ability-{index}-value", ""))
    row.options = {option.slug: _posted(data, f"{row.name}-{option.slug}", option) for option in ability.options}
    return row


def _posted(data: QueryDict, name: str, option: AbilityOption) -> Any:
    match option.kind:
        case "many":
            return data.getlist(name)
        case "flag":
            return name in data
        case _:
            return data.get(name, "")


def numbered(rows: Iterable[AbilityRow], ruleset: Any) -> list[AbilityRow]:
    """The rows counted from 0, with their option fields drawn."""
    counted = list(rows)[:MOST_ROWS]
    for index, row in enumerate(counted):
        row.index = index
        row.fields = [_field(row, option, ruleset) for option in row.ability.options]
    return counted


def _field(row: AbilityRow, option: AbilityOption, ruleset: Any) -> OptionField:
    value = row.options.get(option.slug)
    chosen = set(value) if isinstance(value, list | tuple) else {value}
    choices = [(slug, label, slug in chosen) for slug, label in _choices(option, ruleset)]
    return OptionField(
        f"{row.name}-{option.slug}", words.option_label(option.slug), option.kind, choices, value is True
    )


def _choices(option: AbilityOption, ruleset: Any) -> list[tuple[str, Said]]:
    match option.kind:
        case "many":
            return _named(ruleset.abilities)
        case "tactic":
            return _named({slug: item for slug, item in ruleset.tactics.items() if not item.always_known})
        case "creature_type":
            return _named(ruleset.creature_types)
        case _:
            return [(slug, words.choice_label(slug)) for slug in option.choices]


def _named(items: Mapping[str, Item]) -> list[tuple[str, Said]]:
    return [(slug, Term(item.name)) for slug, item in items.items()]
