"""The form that raises an army or changes what it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from armies.forms.abilities import AbilityRow, rows_from_data, rows_from_unit
from armies.models import Army, Commander
from armies.selectors.army_page import candidates_for
from kingdom.models import Kingdom
from kingdom.selectors import ruleset_of
from kingdom.text import render
from rules.content import Item
from rules.errors import Refusal
from rules.pathfinder.size import LOW

HIGHEST_OFFERED = 30


def named(items: Mapping[str, Item]) -> list[tuple[str, str]]:
    """Choices of a select, by name in the reader's language."""
    return [(slug, render(item.name)) for slug, item in items.items()]


def crs() -> list[tuple[str, str]]:
    ladder = (*LOW, *map(str, range(1, HIGHEST_OFFERED + 1)))
    return [(cr, cr) for cr in ladder]


def select(choices: Iterable[tuple[str, str]]) -> forms.Select:
    """A select whose choices the rules check, so that one refusal speaks for page and API."""
    return forms.Select(choices=list(choices))


class ArmyForm(forms.Form):
    """Fields of the unit and the army. What the rules refuse comes back beside its field (`add_refusal`)."""

    name = forms.CharField(label=_("Name of the army"), max_length=120)
    count = forms.IntegerField(label=_("Head count"), initial=100)
    unit_name = forms.CharField(
        label=_("Unit"), max_length=120, help_text=_("One kind of soldier: orc warrior 1, knight…")
    )
    cr = forms.CharField(label=_("CR of one unit"), initial="1/2")
    hit_die = forms.CharField(label=_("Hit die"), initial="d10")
    level = forms.IntegerField(label=_("Level or HD"), initial=1)
    speed_m = forms.DecimalField(label=_("Speed (metres a round)"), initial=Decimal(9), max_digits=6, decimal_places=2)
    creature_type = forms.CharField(label=_("Creature type"), initial="humanoid")
    alignment = forms.CharField(label=_("Alignment"), initial="N")
    ranged = forms.BooleanField(label=_("Carries ranged weapons of its own"), required=False)
    mounted = forms.BooleanField(label=_("Cavalry: the units ride"), required=False)
    mount_name = forms.CharField(label=pgettext_lazy("animal", "Mount"), max_length=120, required=False)
    mount_cr = forms.CharField(label=_("CR of the mount"), required=False)
    mount_speed_m = forms.DecimalField(
        label=_("Speed of the mount (metres)"), required=False, max_digits=6, decimal_places=2
    )
    mount_creature_type = forms.CharField(label=_("Kind of mount"), initial="animal", required=False)
    commander = forms.ModelChoiceField(
        Commander.objects.none(), label=_("Commander"), required=False, empty_label=_("none yet")
    )
    revealed = forms.BooleanField(label=_("Everyone at the table may read its sheet"), required=False)

    POINTERS = {"unit/name": "unit_name"}
    GROUPS = {
        "unit": ("unit_name", "cr", "hit_die", "level", "speed_m", "creature_type", "alignment", "ranged"),
        "mount": ("mount_name", "mount_cr", "mount_speed_m", "mount_creature_type"),
    }

    def __init__(self, data: QueryDict | None = None, *, kingdom: Kingdom, army: Army | None = None, gm: bool = False):
        super().__init__(data, initial=initial_of(army) if army else None)
        self.ruleset = ruleset_of(kingdom.campaign)
        self.rows: list[AbilityRow] = []
        self._draw_selects()
        self._open_to(kingdom, army, gm)
        if data is not None:
            self.rows = rows_from_data(data, self.ruleset)
        elif army:
            self.rows = rows_from_unit(army.unit, self.ruleset)

    def _draw_selects(self) -> None:
        types = named(self.ruleset.creature_types)
        offered = {
            "cr": crs(),
            "hit_die": [(die, die) for die in self.ruleset.hit_dice],
            "creature_type": types,
            "alignment": [(alignment, alignment) for alignment in self.ruleset.alignments],
            "mount_cr": [("", "–"), *crs()],
            "mount_creature_type": types,
        }
        for name, choices in offered.items():
            self.fields[name].widget = select(choices)

    def _open_to(self, kingdom: Kingdom, army: Army | None, gm: bool) -> None:
        """A new army may get its commander here; only the GM reveals."""
        if army is None:
            candidates = [commander.pk for commander in candidates_for(kingdom)]
            self.fields["commander"].queryset = Commander.objects.filter(pk__in=candidates)
        else:
            del self.fields["commander"], self.fields["revealed"]
            return
        if not gm:
            del self.fields["revealed"]

    @property
    def offered_abilities(self) -> list[tuple[str, str]]:
        """Abilities not chosen yet, by name in the reader's language."""
        taken = {row.ability.slug for row in self.rows}
        found = ((slug, label) for slug, label in named(self.ruleset.abilities) if slug not in taken)
        return sorted(found, key=lambda pair: pair[1].casefold())

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

    def mount(self) -> dict[str, Any] | None:
        given = self.cleaned_data
        if not given["mounted"]:
            return None
        speed = given["mount_speed_m"]
        return {
            "name": given["mount_name"],
            "cr": given["mount_cr"] or None,
            "speed_m": None if speed is None else float(speed),
            "creature_type": given["mount_creature_type"] or "animal",
        }

    def add_refusal(self, refusal: Refusal) -> None:
        """Put every problem beside the field, or the ability, its pointer names."""
        for pointer, message in refusal.errors:
            place = pointer.strip("/")
            row = self._row_at(place)
            if row is not None:
                row.errors.append(message)
            self.add_error(None if row else self._field_at(place), render(message))

    def _row_at(self, place: str) -> AbilityRow | None:
        parts = place.split("/")
        if parts[:2] != ["unit", "abilities"] or len(parts) < 3 or not parts[2].isdigit():
            return None
        return next((row for row in self.rows if row.index == int(parts[2])), None)

    def _field_at(self, place: str) -> str | None:
        parts = place.split("/")
        tail = {"unit": parts[-1], "mount": f"mount_{parts[-1]}"}.get(parts[0], parts[0])
        name = self.POINTERS.get(place, tail)
        return name if name in self.fields else None


def initial_of(army: Army) -> dict[str, Any]:
    """What the form shows of an army that exists."""
    unit, mount = army.unit, army.mount or {}
    shown = {name: unit[name] for name in ("cr", "hit_die", "level", "speed_m", "creature_type", "alignment", "ranged")}
    ridden = {f"mount_{name}": mount.get(name) for name in ("name", "cr", "speed_m", "creature_type")}
    return {
        **shown,
        **{name: value for name, value in ridden.items() if value is not None},
        "name": army.name,
        "count": army.count,
        "unit_name": unit["name"],
        "mounted": bool(army.mount),
    }


class CorrectionForm(forms.Form):
    """What the GM may set outright."""

    hp = forms.IntegerField(label=_("Hit points"))
    morale = forms.IntegerField(label=_("Morale"))
    status = forms.ChoiceField(label=_("Status"), choices=Army.Status)
    arrears = forms.BooleanField(label=_("In arrears"), required=False)
    disease = forms.IntegerField(label=_("Penalty from disease"))
    drain = forms.IntegerField(label=_("Penalty from energy drain"))
    revealed = forms.BooleanField(label=_("Everyone at the table may read its sheet"), required=False)

    def __init__(self, data: QueryDict | None = None, *, army: Army):
        super().__init__(data, initial={name: getattr(army, name) for name in self.base_fields})
        self.fields["hp"].help_text = _("0 to %(most)s") % {"most": army.hp_max}
