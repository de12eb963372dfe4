"""Form that raises or changes an army of many units."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from armies.breaking_point.armies import unit_fields as armies_unit_fields
from armies.breaking_point.armies.builder_choices import build_choices, describe_unit
from armies.breaking_point.armies.draft_rows import HostDraft, draft_from_army, mark_of, read_draft
from armies.breaking_point.armies.posted_document import flat_units, rest_of
from armies.breaking_point.specs import add_spoils
from armies.default.forms import copies_field
from armies.models import Army, Commander
from core.text import render
from kingdom.models import Kingdom
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.parse import UNITS_MOST
from rules.breaking_point.reading import Json
from rules.core.errors import Refusal

FIRST = ("name", "type", "strength", "group", "combat", "quality")
KEPT = ("armour", "worn", "shield")
MORE = (
    "reserve", "pieces", "machine", "toughness", "mobility", "breaking", "never", "engineers", "starves", "extra",
    "wounded", "experience",
)  # fmt: skip
FIELDS_MOST = 320  # of all units together: a request may have a thousand, and a page of so many is quick to draw
TABLE_MOST = 60_000
OF_UNIT = re.compile(r"/units/(\d{1,3})(?:/|$)")


@dataclass(frozen=True, slots=True)
class WeaponRow:
    """`own`: the fields of a weapon that no table has, else none."""

    slug: forms.BoundField
    beside: Sequence[forms.BoundField]
    own: Sequence[forms.BoundField]


@dataclass(frozen=True, slots=True)
class UnitRows:
    """A unit as it is drawn. `open`: it is new, or something in it was refused."""

    place: int
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

    @property
    def name(self) -> str:
        return f"units-{self.place}"


@dataclass(frozen=True, slots=True)
class FoldedUnit:
    """A unit without fields: it travels whole."""

    place: int
    title: str
    about: str
    kept: forms.BoundField
    folded = True

    @property
    def name(self) -> str:
        return f"units-{self.place}"


def spread(draft: HostDraft, wrong: Iterable[int]) -> frozenset[int]:
    """The units that have fields: all of them where a request has room for that, else those somebody works on."""
    if sum(map(_weight, draft.units)) <= FIELDS_MOST:
        return frozenset(range(len(draft.units)))
    found: set[int] = set()
    room = FIELDS_MOST
    for place in dict.fromkeys((draft.new, *wrong, *sorted(draft.spread, reverse=True))):
        if 0 <= place < len(draft.units) and (not found or _weight(draft.units[place]) <= room):
            found.add(place)
            room -= _weight(draft.units[place])
    return frozenset(found)


def _weight(unit: Mapping[str, Any]) -> int:
    """How many fields it has, about."""
    return 32 + sum(14 if isinstance(weapon, Mapping) else 3 for weapon in unit.get("weapons", ()))


class BuilderForm(forms.Form):
    """Name, commander and units. What the law refuses comes back beside its field (`add_refusal`). `army`: the one that
    is changed, where there is one.
    """

    units_most = UNITS_MOST
    army: Army | None = None

    name = forms.CharField(label=_("Name of the army"), max_length=120)
    copies = copies_field()
    commander = forms.ModelChoiceField(
        Commander.objects.none(), label=_("Commander"), required=False, empty_label=_("none yet")
    )
    revealed = forms.BooleanField(label=_("Everyone at the table may read its sheet"), required=False)
    table = forms.CharField(
        label=_("Units as CSV"),
        required=False,
        max_length=TABLE_MOST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("Paste a table as “Units as CSV” on an army’s page gives it: it replaces the units above."),
    )

    mark = armies_unit_fields.build_hidden_field()

    def __init__(
        self,
        *,
        kingdom: Kingdom,
        army: Army | None = None,
        gm: bool = False,
        sent: QueryDict | None = None,
        draft: HostDraft | None = None,
    ):
        """`sent`: what is to be judged; `draft`: what stands in the form, not to be judged yet."""
        self.law: Any = get_ruleset(kingdom.campaign)
        self.offers = build_choices(self.law)
        if draft is None:
            draft = read_draft(sent, self.law) if sent is not None else draft_from_army(army)
        self.army = army
        mark = mark_of(army) if army else ""
        self._overtaken = sent is not None and draft.head.get("mark", mark) != mark
        if self._overtaken:
            draft.head["mark"] = mark
        shown = self._stand(draft, judged=sent is not None)
        super().__init__(None if sent is None else shown, initial=shown)
        self._open_to(kingdom, army, gm)
        self._lay_out()

    def _stand(self, draft: HostDraft, judged: bool = False) -> Json:
        """Take in what stands in the form, and answer what its fields show."""
        self.units, self.new = draft.units, draft.new
        self._refusal = self._refused() if judged else None
        self.spread = spread(draft, self._wrong())
        return {**draft.head, **flat_units(draft.units, self.spread)}

    def _open_to(self, kingdom: Kingdom, army: Army | None, gm: bool) -> None:
        """A new army may get its commander here; only the GM reveals."""
        if army is None:
            free = Commander.objects.filter(kingdom=kingdom, status=Commander.Status.FREE, army=None)
            self.fields["commander"].queryset = free  # type: ignore[attr-defined]
            del self.fields["mark"]
        else:
            del self.fields["commander"], self.fields["copies"]
        if army is not None or not gm:
            del self.fields["revealed"]

    # fields

    def _lay_out(self) -> None:
        for place, unit in enumerate(self.units):
            at = f"units-{place}-"
            if place not in self.spread:
                self.fields[f"{at}kept"] = armies_unit_fields.build_hidden_field()
                continue
            self.fields.update(self._fields_of(at, unit))
            if rest_of(unit):
                self.fields[f"{at}rest"] = armies_unit_fields.build_hidden_field()

    def _fields_of(self, at: str, unit: Mapping[str, Any]) -> Iterator[tuple[str, forms.Field]]:
        lists: dict[str, forms.Field] = {
            "type": armies_unit_fields.build_choice_field(_("Type"), self.offers.types),
            "quality": armies_unit_fields.build_choice_field(_("or by its quality"), self.offers.qualities),
            "worn": armies_unit_fields.build_choice_field(_("or from the list"), self.offers.armours),
            "machine": armies_unit_fields.build_choice_field(_("Machine"), self.offers.machines),
        }
        yield from ((at + name, field) for name, field in {**armies_unit_fields.unit_fields(), **lists}.items())
        if isinstance(unit.get("machine"), Mapping):
            yield from (
                (f"{at}machine-{name}", field) for name, field in armies_unit_fields.own_machine_fields().items()
            )
        for place, weapon in enumerate((*unit.get("weapons", ()), None)):
            yield from self._weapon_fields(f"{at}weapons-{place}-", weapon)

    def _weapon_fields(self, at: str, weapon: Any) -> Iterator[tuple[str, forms.Field]]:
        label = _("Another weapon") if weapon is None else _("Weapon")
        yield f"{at}slug", armies_unit_fields.build_choice_field(label, self.offers.weapons)
        if weapon is None:
            return
        own = isinstance(weapon, Mapping) and "slug" not in weapon
        asked = {**armies_unit_fields.weapon_fields(), **(armies_unit_fields.own_weapon_fields() if own else {})}
        yield from ((at + name, field) for name, field in asked.items())

    # drawn

    @property
    def rows(self) -> list[UnitRows | FoldedUnit]:
        return [
            self._rows_of(place, unit) if place in self.spread else self._folded(place, unit)
            for place, unit in enumerate(self.units)
        ]

    def _folded(self, place: int, unit: Mapping[str, Any]) -> FoldedUnit:
        kept = self[f"units-{place}-kept"]
        return FoldedUnit(place, str(unit.get("name", "")), describe_unit(unit, self.law), kept)

    @property
    def room(self) -> bool:
        """Whether there may be one more."""
        return len(self.units) < UNITS_MOST

    def _rows_of(self, place: int, unit: Mapping[str, Any]) -> UnitRows:
        at = f"units-{place}-"
        wrong = any(name.startswith(at) for name in self.errors) if self.is_bound else False
        more = self._bound_all(at, MORE)
        machine = [self[name] for name in self.fields if name.startswith(f"{at}machine-")]
        return UnitRows(
            place=place,
            title=str(unit.get("name", "")),
            about=describe_unit(unit, self.law),
            is_new=place == self.new,
            first=self._bound_all(at, FIRST),
            armour=self._bound_all(at, KEPT),
            weapons=tuple(self._weapon_rows(at, unit)),
            more=more,
            machine=machine,
            rest=self[f"{at}rest"] if f"{at}rest" in self.fields else None,
            open=wrong or place == self.new or len(self.units) == 1,
            more_open=any(field.errors for field in (*more, *machine)),
        )

    def _bound_all(self, at: str, names: Iterable[str]) -> list[forms.BoundField]:
        return [self[at + name] for name in names]

    def _weapon_rows(self, at: str, unit: Mapping[str, Any]) -> Iterator[WeaponRow]:
        beside, own = armies_unit_fields.weapon_fields(), armies_unit_fields.own_weapon_fields()
        for place in range(len(unit.get("weapons", ())) + 1):
            row = f"{at}weapons-{place}-"
            asked = [self[row + name] for name in beside if row + name in self.fields]
            typed = [self[row + name] for name in own if row + name in self.fields]
            yield WeaponRow(self[f"{row}slug"], asked, typed)

    # refusals

    def clean(self) -> Any:
        """What the law says of the units stands beside what the fields say, all at once."""
        if self._refusal is not None:
            self.add_refusal(self._refusal)
        if self._overtaken:
            self.add_error(None, gettext(
                "This army has changed since this page was drawn. Look at it beside this; saved once more, what stands "
                "here takes its place."
            ))  # fmt: skip
        return super().clean()

    def _refused(self) -> Refusal | None:
        try:
            self.law.armies.read(self.document())
        except Refusal as refusal:
            return refusal
        return None

    def _wrong(self) -> Iterator[int]:
        """The units of which something was refused."""
        for pointer, _message in self._refusal.errors if self._refusal else ():
            if found := OF_UNIT.match(pointer):
                yield int(found[1])

    def add_refusal(self, refusal: Refusal) -> None:
        """Put every problem beside the field its pointer names, else at its weapon, at its unit, or above all."""
        for pointer, message in refusal.errors:
            self.add_error(armies_unit_fields.find_field(self, pointer.removeprefix("/sheet")), render(message))

    def refuse_alone(self, refusal: Refusal) -> None:
        """The same where nothing else was to be judged yet."""
        self._errors, self.cleaned_data = ErrorDict(), {}
        self.add_refusal(refusal)

    def document(self) -> Json:
        """The army's document, for the law to judge."""
        return add_spoils(self.army, {"units": self.units})
