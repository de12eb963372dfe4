"""Forms of armies of several units, of their commanders, and of units that have fought."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.breaking_point.armies.builder_choices import NOTHING, build_choices, describe_unit
from armies.default.forms import PlainCommanderForm
from armies.documents.drafts import DocumentDraft
from armies.documents.forms import DocumentForm
from armies.models import Army, Commander
from core.forms.form_fields import Whole, said
from core.shapes.forms import CatalogueChoices, JsonDocument, choice_field, rows_in
from rules.breaking_point.documents import COMMANDER_FIGURES, UNIT, UNITS_MOST

FIRST = ("name", "type", "strength", "group", "combat", "quality")
KEPT = ("armour", "worn", "shield")
MORE = tuple(dict.fromkeys((
    "reserve", "pieces", "machine", "toughness", "mobility", "breaking", "never", "engineers", "starves",
    *(key for key in UNIT.members if key not in (*FIRST, *KEPT, "weapons")),
)))  # fmt: skip


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """Fields of a weapon. `own`: the figures of a weapon that is in no table, else empty."""

    slug: forms.BoundField
    beside: Sequence[forms.BoundField]
    own: Sequence[forms.BoundField]


@dataclass(frozen=True, slots=True)
class UnitRows:
    """Fields of a unit. `open`: it is new, or something in it was refused."""

    name: str
    title: str
    about: str
    is_new: bool
    first: Sequence[forms.BoundField]
    armour: Sequence[forms.BoundField]
    weapons: Sequence[WeaponRow]
    more: Sequence[forms.BoundField]
    machine: Sequence[forms.BoundField]
    rest: forms.BoundField | None
    open: bool
    more_open: bool
    folded = False


class BuilderForm(DocumentForm):
    """Form of an army's units, with lists of qualities and armours that fill in their figures."""

    units_most = UNITS_MOST

    @property
    def offers(self) -> CatalogueChoices:
        return build_choices(self.law)

    def about(self, name: str, entry: Mapping[str, Any]) -> str:
        return describe_unit(entry, self.law)

    def more_fields(self, name: str, at: str) -> Mapping[str, forms.Field]:
        return {
            f"{at}quality": choice_field(_("or choose a quality"), [NOTHING, *self._catalogues["qualities"]]),
            f"{at}worn": choice_field(_("or choose from the list"), [NOTHING, *self._catalogues["armours"]]),
        }

    # For the template.

    @property
    def units(self) -> list[JsonDocument]:
        return self.draft.lists["units"].entries

    @property
    def rows(self) -> list[Any]:
        return self.rows_of("units")

    @property
    def room(self) -> bool:
        """Whether another unit may be added."""
        return len(self.units) < UNITS_MOST

    def row_of(self, name: str, place: int, entry: Mapping[str, Any]) -> UnitRows:
        row, at = super().row_of(name, place, entry), f"{name}-{place}-"
        more = self._bound_all(at, MORE)
        machine = [field for field in row.fields if field.name.startswith(f"{at}machine-")]
        return UnitRows(
            row.name, row.title, row.about, row.is_new, self._bound_all(at, FIRST), self._bound_all(at, KEPT),
            weapons=[WeaponRow(slug, beside[:2], beside[2:]) for slug, *beside in rows_in(self, f"{at}weapons-")],
            more=more, machine=machine, rest=row.rest, open=row.open,
            more_open=any(field.errors for field in (*more, *machine)),
        )  # fmt: skip

    def _bound_all(self, at: str, names: Iterable[str]) -> list[forms.BoundField]:
        return [self[at + name] for name in names]


def with_units(draft: DocumentDraft, units: list[JsonDocument]) -> DocumentDraft:
    """The draft with these units instead of its own."""
    return draft.with_list("units", draft.lists["units"]._replace(entries=units))


# Form of a commander (BP-3), with help for each characteristic and skill.


class CommanderForm(PlainCommanderForm):
    """Name and figures; for the GM also status, absence and ransom of an existing commander."""

    def __init__(self, data: QueryDict | None = None, *, commander: Commander | None = None, gm: bool = False):
        super().__init__(data, commander=commander, gm=gm)
        kept = commander.sheet if commander else {}
        figures: dict[str, forms.Field] = {
            slug: Whole(label=said(entry.name), least=entry.least, most=entry.most, help_text=said(entry.help),
                        initial=kept.get(slug, entry.start))
            for slug, entry in COMMANDER_FIGURES.items()
        }  # fmt: skip
        self.fields = {"name": self.fields["name"], **figures, **self.fields}

    def given(self) -> dict[str, Any]:
        return self.cleaned_data


# Forms of units that have fought.


class OneUnitForm(forms.Form):
    """Base of forms about one unit of an army, chosen by its number."""

    unit = forms.TypedChoiceField(label=_("Unit"), coerce=int)

    def __init__(self, data: Any = None, *, army: Army):
        super().__init__(data, auto_id=f"{self.prefix_of_ids}-%s")
        units = army.sheet.get("units", ())
        field: Any = self.fields["unit"]
        field.choices = [(place, unit["name"]) for place, unit in enumerate(units) if self.concerns(unit)]

    prefix_of_ids = "unit"

    def concerns(self, unit: dict[str, Any]) -> bool:
        return True


class RecruitsForm(OneUnitForm):
    prefix_of_ids = "recruits"
    men = Whole(label=_("Recruits"), least=1, most=1_000_000)
    combat = Whole(label=_("Recruits’ combat"), least=-20, most=30, initial=0)


class GrantForm(OneUnitForm):
    prefix_of_ids = "grant"
    points = Whole(label=_("Points"), least=-10_000, most=10_000, help_text=_("A negative number takes points back."))


class WoundedForm(OneUnitForm):
    prefix_of_ids = "wounded"
    back = Whole(label=_("Recovered"), least=0, most=1_000_000, initial=0)
    dead = Whole(label=_("Dead"), least=0, most=1_000_000, initial=0)

    def concerns(self, unit: dict[str, Any]) -> bool:
        return bool(unit.get("wounded"))
