"""Form fields of one unit, shared by armies and unit types."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.forces import words
from core.clean_input import parse_whole, read_typed_whole
from core.text import render
from kingdom.length_fields import LengthField, convert_to_feet, name_in_feet, reads_feet
from kingdom.models.base import make_natural_key
from rules.core.content import Item
from rules.core.errors import Refusal
from rules.core.text import Said, Term
from rules.pathfinder.catalogue.items import Ability, AbilityOption
from rules.pathfinder.catalogues import class_levels_of
from rules.pathfinder.documents import MOST_SPEED
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.spec import LOW

# Fields for abilities: rows are added and removed on the server, so that they need no JavaScript. Names of fields:
# `ability-0` (slug, hidden), `ability-0-value`, `ability-0-<option>`. The buttons `add` (with `new-ability`) and `drop`
# (number of the row) draw the form again.

MOST_ROWS = 40


@dataclass(slots=True)
class OptionField:
    """An option of a row. `choices`: (value, label, chosen)."""

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
    """A chosen ability as typed so far. `value` and `options` are not validated."""

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
    def class_levels(self) -> tuple[Said, ...]:
        return class_levels_of(self.ability)

    @property
    def takes_value(self) -> bool:
        return self.ability.value == "required"

    def to_json(self) -> dict[str, Any]:
        """The ability in the shape of the API, for the rules to validate."""
        body: dict[str, Any] = {"ability": self.ability.slug}
        if self.takes_value:
            body["value"] = read_typed_whole(self.value)
        if chosen := {slug: value for slug, value in self.options.items() if value not in ("", [], False)}:
            body["options"] = chosen
        return body


def rows_from_data(data: QueryDict, ruleset: Any) -> list[AbilityRow]:
    """The submitted rows in order, without a dropped one, and with an added one at the end."""
    indexes = [index for index in range(MOST_ROWS) if f"ability-{index}" in data]
    rows = [_row(data, index, ruleset) for index in indexes if str(index) != data.get("drop")]
    if "add" in data and (new := ruleset.abilities.get(data.get("new-ability", ""))):
        rows.append(AbilityRow(0, new))
    return numbered((row for row in rows if row), ruleset)


def rows_from_unit(unit: Mapping[str, Any], ruleset: Any) -> list[AbilityRow]:
    """Rows of an existing unit."""
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
    """The rows numbered from 0, with their option fields."""
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


HIGHEST_OFFERED = 30


def name_choices(items: Mapping[str, Item]) -> list[tuple[str, str]]:
    """Choices of a select, by name in the reader's language."""
    return [(slug, render(item.name)) for slug, item in items.items()]


def crs() -> list[tuple[str, str]]:
    ladder = (*LOW, *map(str, range(1, HIGHEST_OFFERED + 1)))
    return [(cr, cr) for cr in ladder]


def select(choices: Iterable[tuple[str, str]]) -> forms.Select:
    """A select whose choices the rules validate, so that page and API give the same refusal."""
    return forms.Select(choices=list(choices))


UNIT_FIELDS = ("unit_name", "cr", "hit_die", "level", "speed_m", "creature_type", "alignment", "ranged")


SPEEDS = ("speed_m", "mount_speed_m")
REDRAW = ("add", "drop", "preview", "find", "use")  # buttons that only draw the form again


def is_only_redrawn(sent: Mapping[str, Any]) -> bool:
    return any(button in sent for button in REDRAW)


class UnitForm(forms.Form):
    """Fields of one unit. The rules' messages stand beside their field or ability (`add_refusal`)."""

    unit_name = forms.CharField(
        label=_("Unit"), max_length=120, help_text=_("A single type of soldier: orc warrior 1, knight…")
    )
    cr = forms.CharField(label=_("CR of one unit"), initial="1/2")
    hit_die = forms.CharField(label=_("Hit die"), initial="d10")
    level = forms.IntegerField(label=_("Level or HD"), initial=1)
    speed_m = LengthField(label=_("Speed (meters per round)"), in_feet=_("Speed (feet per round)"), initial=Decimal(9))
    creature_type = forms.CharField(label=_("Creature type"), initial="humanoid")
    alignment = forms.CharField(label=_("Alignment"), initial="N")
    ranged = forms.BooleanField(label=_("Carries its own ranged weapons"), required=False)

    POINTERS = {"unit/name": "unit_name"}
    GROUPS: Mapping[str, tuple[str, ...]] = {"unit": UNIT_FIELDS}

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        ruleset: Ruleset,
        unit: Mapping[str, Any] | None = None,
        initial: Mapping[str, Any] | None = None,
        reader: Any = None,
    ):
        """`reader`: the user who fills it in, whose units of length it uses."""
        super().__init__(data, initial={**(unit_initial(unit) if unit else {}), **(initial or {})})
        self.ruleset = ruleset
        self.rows: list[AbilityRow] = []
        self._draw_selects()
        self.feet = reads_feet(reader)
        for drawn in self.fields.values():
            if isinstance(drawn, LengthField):
                drawn.read_by(reader)
                drawn.error_messages["required"] = self._speed_refused()
        if data is not None:
            self.rows = rows_from_data(data, ruleset)
        elif unit:
            self.rows = rows_from_unit(unit, ruleset)

    def _draw_selects(self) -> None:
        for name, choices in self.offered().items():
            self.fields[name].widget = select(choices)

    def offered(self) -> dict[str, list[tuple[str, str]]]:
        """Choices of each select."""
        return {
            "cr": crs(),
            "hit_die": [(die, die) for die in self.ruleset.hit_dice],
            "creature_type": name_choices(self.ruleset.creature_types),
            "alignment": [(slug, render(Term(slug))) for slug in self.ruleset.alignments],
        }

    @property
    def offered_abilities(self) -> list[tuple[str, str]]:
        """Abilities that are not chosen yet, by name in the reader's language."""
        taken = {row.ability.slug for row in self.rows}
        found = ((slug, label) for slug, label in name_choices(self.ruleset.abilities) if slug not in taken)
        return sorted(found, key=lambda pair: make_natural_key(pair[1]))

    def unit(self) -> dict[str, Any]:
        """The unit in the shape of the API."""
        given = self.cleaned_data
        plain = {name: given[name] for name in ("cr", "hit_die", "level", "creature_type", "alignment", "ranged")}
        abilities = [row.to_json() for row in self.rows]
        return {
            **plain,
            "name": given.get("unit_name") or "–",
            "speed_m": float(given["speed_m"]),
            "abilities": abilities,
        }

    def add_refusal(self, refusal: Refusal) -> None:
        """Adds every message to the field or ability that its pointer names."""
        for pointer, message in refusal.errors:
            place = pointer.strip("/")
            row = self._row_at(place)
            if row is not None:
                row.errors.append(message)
            field = None if row else self._field_at(place)
            self.add_error(field, self._speed_refused() if self.feet and field in SPEEDS else render(message))

    def told(self, refusal: Refusal) -> Said | str:
        """The refusal in one sentence, in the reader's units of length."""
        fields = {self._field_at(pointer.strip("/")) for pointer, _message in refusal.errors}
        return self._speed_refused() if self.feet and fields and fields <= {*SPEEDS} else refusal.message

    def awaited(self) -> list[tuple[str, str]]:
        """Reasons why there is no preview yet: labels of invalid fields, with their messages."""
        wrong = [(self.fields[name], errors) for name, errors in self.errors.items() if name in self.fields]
        return [(str(field.label), str(error)) for field, errors in wrong for error in errors]

    def _speed_refused(self) -> str:
        """The refusal of a speed, in the reader's units of length."""
        if not self.feet:
            return _("Enter a speed in meters per round, above 0 and at most {most}.").format(most=MOST_SPEED)
        most = convert_to_feet(Decimal(MOST_SPEED))
        return _("Enter a speed in feet per round, above 0 and at most %(most)s.") % {"most": most}

    def _row_at(self, place: str) -> AbilityRow | None:
        parts = place.split("/")
        if parts[:2] != ["unit", "abilities"] or len(parts) < 3:
            return None
        return next((row for row in self.rows if row.index == parse_whole(parts[2])), None)

    def _field_at(self, place: str) -> str | None:
        parts = place.split("/")
        tail = {"unit": parts[-1], "mount": f"mount_{parts[-1]}"}.get(parts[0], parts[0])
        name = self.POINTERS.get(place, tail)
        return name if name in self.fields else None


def with_unit(data: QueryDict, unit: Mapping[str, Any], ruleset: Ruleset) -> QueryDict:
    """The submitted data with this unit in place of the earlier one; all else stays as typed."""
    kept = data.copy()
    replaced = (*UNIT_FIELDS, name_in_feet("speed_m"))
    for name in [name for name in kept if name.startswith("ability-") or name in replaced]:
        del kept[name]
    for name, value in unit_initial(unit).items():
        if value is not False:
            kept[name] = "on" if value is True else str(value)
    for row in rows_from_unit(unit, ruleset):
        kept[row.name] = row.ability.slug
        kept[f"{row.name}-value"] = row.value
        for option, value in row.options.items():
            if isinstance(value, list):
                kept.setlist(f"{row.name}-{option}", value)
            elif value:
                kept[f"{row.name}-{option}"] = "on" if value is True else str(value)
    return kept


def unit_initial(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Initial values for a unit in the shape of the API."""
    shown = {name: unit[name] for name in UNIT_FIELDS if name != "unit_name"}
    return {**shown, "unit_name": unit["name"]}
