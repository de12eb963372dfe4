"""Form fields of one unit, shared by armies and by the unit types they are raised from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.pathfinder.armies.ability_fields import AbilityRow, rows_from_data, rows_from_unit
from core.clean_input import parse_whole
from core.text import render
from kingdom.length_fields import LengthField, name_in_feet
from kingdom.models.natural import make_natural_key
from kingdom.units_of_measure import convert_to_feet, reads_feet
from rules.core.content import Item
from rules.core.errors import Refusal
from rules.core.text import Said, Term
from rules.pathfinder.documents import MOST_SPEED
from rules.pathfinder.ruleset import Ruleset
from rules.pathfinder.size import LOW

HIGHEST_OFFERED = 30


def name_choices(items: Mapping[str, Item]) -> list[tuple[str, str]]:
    """Choices of a select, by name in the reader's language."""
    return [(slug, render(item.name)) for slug, item in items.items()]


def crs() -> list[tuple[str, str]]:
    ladder = (*LOW, *map(str, range(1, HIGHEST_OFFERED + 1)))
    return [(cr, cr) for cr in ladder]


def select(choices: Iterable[tuple[str, str]]) -> forms.Select:
    """A select whose choices the rules check, so that one refusal speaks for page and API."""
    return forms.Select(choices=list(choices))


UNIT_FIELDS = ("unit_name", "cr", "hit_die", "level", "speed_m", "creature_type", "alignment", "ranged")


SPEEDS = ("speed_m", "mount_speed_m")
REDRAW = ("add", "drop", "preview", "find", "use")  # buttons that only draw the form anew


def is_only_redrawn(sent: Mapping[str, Any]) -> bool:
    return any(button in sent for button in REDRAW)


class UnitForm(forms.Form):
    """Fields of one unit. What the rules refuse comes back beside its field or ability (`add_refusal`)."""

    unit_name = forms.CharField(
        label=_("Unit"), max_length=120, help_text=_("One kind of soldier: orc warrior 1, knight…")
    )
    cr = forms.CharField(label=_("CR of one unit"), initial="1/2")
    hit_die = forms.CharField(label=_("Hit die"), initial="d10")
    level = forms.IntegerField(label=_("Level or HD"), initial=1)
    speed_m = LengthField(label=_("Speed (metres a round)"), in_feet=_("Speed (feet a round)"), initial=Decimal(9))
    creature_type = forms.CharField(label=_("Creature type"), initial="humanoid")
    alignment = forms.CharField(label=_("Alignment"), initial="N")
    ranged = forms.BooleanField(label=_("Carries ranged weapons of its own"), required=False)

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
        """`reader`: who fills it in, in their units of length."""
        super().__init__(data, initial={**(unit_initial(unit) if unit else {}), **(initial or {})})
        self.ruleset = ruleset
        self.rows: list[AbilityRow] = []
        self._draw_selects()
        self.feet = reads_feet(reader)
        for field in self.fields.values():
            if isinstance(field, LengthField):
                field.read_by(reader)
                field.error_messages["required"] = self._speed_refused()
        if data is not None:
            self.rows = rows_from_data(data, ruleset)
        elif unit:
            self.rows = rows_from_unit(unit, ruleset)

    def _draw_selects(self) -> None:
        for name, choices in self.offered().items():
            self.fields[name].widget = select(choices)

    def offered(self) -> dict[str, list[tuple[str, str]]]:
        """The choices of each select."""
        return {
            "cr": crs(),
            "hit_die": [(die, die) for die in self.ruleset.hit_dice],
            "creature_type": name_choices(self.ruleset.creature_types),
            "alignment": [(slug, render(Term(slug))) for slug in self.ruleset.alignments],
        }

    @property
    def offered_abilities(self) -> list[tuple[str, str]]:
        """Abilities not chosen yet, by name in the reader's language."""
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
        """Put every problem beside the field, or the ability, its pointer names."""
        for pointer, message in refusal.errors:
            place = pointer.strip("/")
            row = self._row_at(place)
            if row is not None:
                row.errors.append(message)
            field = None if row else self._field_at(place)
            self.add_error(field, self._speed_refused() if self.feet and field in SPEEDS else render(message))

    def told(self, refusal: Refusal) -> Said | str:
        """Why it is refused, in one sentence and in their measure."""
        fields = {self._field_at(pointer.strip("/")) for pointer, _message in refusal.errors}
        return self._speed_refused() if self.feet and fields and fields <= {*SPEEDS} else refusal.message

    def awaited(self) -> list[tuple[str, str]]:
        """What keeps it from having figures: fields by their labels, and what is wrong with each."""
        wrong = [(self.fields[name], errors) for name, errors in self.errors.items() if name in self.fields]
        return [(str(field.label), str(error)) for field, errors in wrong for error in errors]

    def _speed_refused(self) -> str:
        """The law's refusal of a speed, in the reader's measure."""
        if not self.feet:
            return _("Give a speed in metres a round, above 0 and at most {most}.").format(most=MOST_SPEED)
        most = convert_to_feet(Decimal(MOST_SPEED))
        return _("Give a speed in feet a round, above 0 and at most %(most)s.") % {"most": most}

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
    """What was sent, with this unit in the place of the one that stood there; all else stays as it was typed."""
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
    """What the form shows of a unit in the shape of the API."""
    shown = {name: unit[name] for name in UNIT_FIELDS if name != "unit_name"}
    return {**shown, "unit_name": unit["name"]}
