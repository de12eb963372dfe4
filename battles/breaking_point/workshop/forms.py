"""Workshop forms: two armies with units, commander and orders, and the ground (B-22, BP-5), in the query of the
address. Values for an army hold while it is picked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.breaking_point.armies.builder_choices import weapons_of
from battles.workshop.matchups import WRITTEN, Armies
from core.text import render
from rules.breaking_point.arms import ARMOUR_MOST
from rules.breaking_point.battle.state.battle_state import FieldMark
from rules.breaking_point.battle.state.conditions import CIRCUMSTANCES_MOST as WORST
from rules.breaking_point.battle.state.conditions import CONDITIONS as KINDS
from rules.breaking_point.battle.state.conditions import (
    COVER_MOST,
    DISTANCE,
    EQUIPPED,
    GROUND,
    NARROW,
    NO_SURPRISE,
    WEATHER,
)
from rules.breaking_point.documents import COMBAT_LEAST, COMBAT_MOST, COMMANDER_FIGURES, STRENGTH_MOST
from rules.breaking_point.figures import main_contact, main_shot
from rules.breaking_point.spec import FORTIFICATIONS, IN_SHORT, General, Host, Unit, Weapon
from rules.breaking_point.workshop.setting import BESIDES, USUAL, MatchUp, Plan
from rules.breaking_point.workshop.workshop_law import held, levers

TOGGLED = ("charge", "armour", "accuracy", "bursts", "commander", "art-of-war")
"""Traits that a checkbox can leave out. Units are left out by a strength of 0."""
CONTACT_CHOICES = (("", _("their better choice")), ("attack", _("attack")), ("shoot", _("shoot")),
                   ("hold", _("hold")))  # fmt: skip
SHOOTING_CHOICES = (("shoot", _("shoot at the front groups")), ("counter", _("shoot at their shooters")),
                    ("hold", _("hold fire")))  # fmt: skip
LED_BY = tuple(name for name in COMMANDER_FIGURES if name != "diplomacy")
"""Figures of a commander that count in a battle."""
BY_WORD = (NARROW, NO_SURPRISE)
"""GM's settings of the field that need only a checkbox."""
WALLS = tuple(FORTIFICATIONS)
GARRISON_MOST = 10_000_000
WHOLE = forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})


def build_number_field(label: Any, low: int, high: int) -> forms.IntegerField:
    widget = forms.TextInput(attrs={"autocomplete": "off"}) if low < 0 else WHOLE
    return forms.IntegerField(label=label, required=False, min_value=low, max_value=high, widget=widget)


@dataclass(frozen=True)
class TunedUnit:
    """Unit with its fields: heads, combat, armour and weapon."""

    name: str
    fields: tuple[forms.BoundField, ...]


class HostTunerForm(forms.Form):
    """Form of one side. `today` holds the two armies as they are; `host` is the picked one."""

    army = forms.ChoiceField(label=_("Army"))
    known = forms.CharField(widget=forms.HiddenInput, required=False)
    body = forms.CharField(widget=forms.HiddenInput, required=False)
    contact = forms.ChoiceField(label=_("Contact group"), choices=CONTACT_CHOICES, required=False)
    shooting = forms.ChoiceField(label=_("Shooting group"), choices=SHOOTING_CHOICES, required=False)
    pursue = forms.BooleanField(label=_("Pursue enemies that break"), required=False)
    commit = forms.BooleanField(label=_("Reserve fights from the start"), required=False)
    has = forms.MultipleChoiceField(label=_("Traits"), required=False, widget=forms.CheckboxSelectMultiple)
    circumstances = build_number_field(_("Circumstances"), -WORST, WORST)
    cover = build_number_field(_("Cover"), 0, COVER_MOST)
    combat = build_number_field(_("Extra combat"), -BESIDES, BESIDES)
    defense = build_number_field(_("Extra defense"), -BESIDES, BESIDES)

    def __init__(self, data: QueryDict, today: MatchUp, host: Host, picked: str, armies: Armies, law: Any):
        self.host, self.picked, self.law = host, picked, law
        prefix = "a" if host is today.opening.armies[0] else "b"
        self.owned = [
            (lever.slug, render(lever.name))
            for lever in levers(today)
            if lever.army == host.id and lever.slug in TOGGLED
        ]
        self.initially = self._as_it_stands()
        super().__init__(self._settled(data, prefix), prefix=prefix, label_suffix="")
        self._offer(armies)

    # Initial values.
    def _as_it_stands(self) -> dict[str, Any]:
        figures: dict[str, Any] = {}
        for place, unit in enumerate(self.host.units):
            figures |= {f"u{place}-strength": unit.strength, f"u{place}-combat": unit.combat,
                        f"u{place}-armour": unit.armour, f"u{place}-weapon": ""}  # fmt: skip
        leader = self.host.commander
        return {**figures, **{f"led-{name}": getattr(leader, name) if leader else "" for name in LED_BY}}

    def _settled(self, data: QueryDict, prefix: str) -> QueryDict:
        """Return the input for this army, else its current state."""
        same = data.get(f"{prefix}-known") == self.picked and f"{prefix}-contact" in data
        settled = QueryDict(mutable=True)
        for name in data if same else ():
            settled.setlist(name, data.getlist(name))
        if not same:
            settled.setlist(f"{prefix}-has", [slug for slug, _name in self.owned])
            usual = {"contact": USUAL.contact, "shooting": USUAL.shooting, "commit": "on", **self.initially}
            settled.update({f"{prefix}-{name}": str(value) for name, value in usual.items()})
        settled[f"{prefix}-army"] = settled[f"{prefix}-known"] = self.picked
        settled[f"{prefix}-body"] = data.get(f"{prefix}-body", "")
        return settled

    def _offer(self, armies: Armies) -> None:
        fields: dict[str, Any] = self.fields
        fields["army"].choices = [(group, [self._named(*army) for army in own]) for group, own in armies]
        fields["has"].choices = self.owned
        if not self._waits:
            del fields["commit"]
        offers = weapons_of(self.law)
        for place, unit in enumerate(self.host.units):
            fields[f"u{place}-strength"] = build_number_field(_("Heads"), 0, STRENGTH_MOST)
            fields[f"u{place}-combat"] = build_number_field(_("Combat"), COMBAT_LEAST, COMBAT_MOST)
            fields[f"u{place}-armour"] = build_number_field(_("Armor"), 0, ARMOUR_MOST)
            if unit.machine is None:
                fields[f"u{place}-weapon"] = forms.ChoiceField(
                    label=_("Weapon"), required=False, choices=self._weapons(unit, offers)
                )
        for name in LED_BY:
            entry = COMMANDER_FIGURES[name]
            fields[f"led-{name}"] = build_number_field(render(entry.name), entry.least, entry.most)

    def _named(self, pk: str, name: str) -> tuple[str, str]:
        """Return the choice; a described army has the name it was given."""
        return pk, self.host.name if pk == self.picked == WRITTEN else name

    def _weapons(self, unit: Unit, offers: Any) -> list[Any]:
        """Return its own weapons, and every other one with which its group can fight."""
        own = ", ".join(render(weapon.name) for weapon in unit.weapons) or "–"
        known = self.law.tables.weapons
        fits = [(title, [(slug, name) for slug, name in found if _fits(unit, known[slug])])
                for title, found in (group for group in offers if isinstance(group[1], list))]  # fmt: skip
        return [("", own), *((title, found) for title, found in fits if found)]

    @property
    def _waits(self) -> bool:
        return any(unit.reserve for unit in self.host.units)

    # For the template.
    @property
    def units(self) -> list[TunedUnit]:
        return [
            TunedUnit(unit.name, tuple(self[name] for name in self._names_of(place)))
            for place, unit in enumerate(self.host.units)
        ]

    def _names_of(self, place: int) -> list[str]:
        return [name for of in ("strength", "combat", "armour", "weapon")
                if (name := f"u{place}-{of}") in self.fields]  # fmt: skip

    @property
    def leader(self) -> list[forms.BoundField]:
        return [self[f"led-{name}"] for name in LED_BY]

    @property
    def led_by(self) -> str:
        return self.host.commander.name if self.host.commander else ""

    @property
    def does(self) -> list[forms.BoundField]:
        return [self[name] for name in ("contact", "shooting")]

    @property
    def ticks(self) -> list[forms.BoundField]:
        return [self[name] for name in ("pursue", "commit") if name in self.fields]

    @property
    def tuned(self) -> list[forms.BoundField]:
        return [self[name] for name in ("circumstances", "cover", "combat", "defense")]

    @property
    def units_tuned(self) -> bool:
        """Whether a unit or the leader differs from today, or was entered wrongly."""
        return any(self._differs(name) for name in self.initially)

    @property
    def is_tuned(self) -> bool:
        return any(field.value() not in (None, "", "0") or field.errors for field in self.tuned)

    def _differs(self, name: str) -> bool:
        return name in self.fields and (
            str(self[name].value() or "") != str(self.initially[name]) or bool(self[name].errors)
        )

    # Results.
    def asked(self, today: MatchUp) -> MatchUp:
        """Return the question with this army as the form describes it."""
        found = today.with_host(self._host())
        left_out = {slug for slug, _name in self.owned} - set(self.cleaned_data["has"])
        for slug in sorted(left_out):
            known = (lever.without for lever in levers(found) if (lever.army, lever.slug) == (self.host.id, slug))
            found = next(known, found)
        return replace(found, plans={**found.plans, self.host.id: self.plan()})

    def plan(self) -> Plan:
        given = self.cleaned_data
        numbers: dict[str, Any] = {name: given[name] or 0 for name in ("circumstances", "cover", "combat", "defense")}
        return Plan(given["contact"], given["shooting"] or USUAL.shooting, given["pursue"],
                    given.get("commit", USUAL.commit), **numbers)  # fmt: skip

    def _host(self) -> Host:
        units = tuple(unit for place, old in enumerate(self.host.units) if (unit := self._unit(place, old)).strength)
        return replace(self.host, units=units, commander=self._leader())

    def _unit(self, place: int, unit: Unit) -> Unit:
        """Return the unit as entered. Empty fields keep today's values; a unit without heads is left out."""
        given = {of: self.cleaned_data.get(f"u{place}-{of}") for of in ("strength", "combat", "armour", "weapon")}
        numbers: dict[str, Any] = {of: given[of] for of in ("strength", "combat", "armour") if given[of] is not None}
        pieces = unit.pieces
        if pieces is not None and unit.strength and numbers.get("strength", unit.strength) != unit.strength:
            pieces = pieces * numbers["strength"] // unit.strength
        weapons = _rearmed(unit, self.law.tables.weapons[given["weapon"]]) if given["weapon"] else unit.weapons
        return replace(unit, **numbers, pieces=pieces, weapons=weapons)

    def _leader(self) -> General | None:
        told = {name: self.cleaned_data.get(f"led-{name}") for name in LED_BY}
        old = self.host.commander
        if all(value is None for value in told.values()):
            return None
        usual = {name: entry.start for name, entry in COMMANDER_FIGURES.items()}
        figures = {**usual, **{name: value for name, value in told.items() if value is not None}}
        if old is None:
            return General(f"{self.host.id}’s", render(_("its commander")), **figures)
        return replace(old, **{name: figures[name] for name in LED_BY})


def _fits(unit: Unit, weapon: Weapon) -> bool:
    """Whether the weapon suits the unit's group: shooters need a shooting one, and contact units cannot use siege
    pieces (BP-4.9).
    """
    if unit.group == "shooting":
        return weapon.shoots
    return not weapon.siege and not weapon.thrown


def _rearmed(unit: Unit, weapon: Weapon) -> tuple[Weapon, ...]:
    """Return the unit's weapons with this one replacing the main weapon of its kind."""
    main = main_shot(unit) if weapon.shoots else main_contact(unit)
    others = tuple(held for held in unit.weapons if held is not main)
    return (replace(weapon, number=main.number if main else 1), *others)


class BattlefieldForm(forms.Form):
    """Form of the ground, for many armies, or for two of which one may hold a `place`."""

    distance = forms.ChoiceField(label=_("Distance"), required=False)
    place = forms.ChoiceField(label=_("Fortified place"), required=False)
    holder = forms.ChoiceField(label=_("Defender"), required=False)
    garrison = build_number_field(_("Full garrison"), 1, GARRISON_MOST)

    def __init__(self, data: QueryDict, *, names: Mapping[str, str] | None = None):
        """Build the form. `names` are those of two armies by side, None for many armies."""
        super().__init__(data, prefix="field", label_suffix="")
        fields: dict[str, Any] = self.fields
        self.over = [kind for kind in KINDS.values() if kind.family in (GROUND, WEATHER) or kind.slug in BY_WORD]
        for kind in self.over:
            fields[kind.slug] = forms.BooleanField(label=render(kind.name), required=False)
        fields["distance"].choices = [("", _("usual")), *((slug, render(name)) for slug, name in IN_SHORT.items())]
        if names is None:
            for name in ("place", "holder", "garrison"):
                del fields[name]
            return
        fields["place"].choices = [("", _("none: in the open"))] + [
            (slug, render(kind.name)) for slug, kind in FORTIFICATIONS.items()
        ]
        fields["holder"].choices = list(names.items())
        fields[EQUIPPED] = forms.BooleanField(label=render(KINDS[EQUIPPED].name), required=False)

    @property
    def is_set(self) -> bool:
        """Whether anything is set, or was entered wrongly."""
        return not self.is_valid() or bool(self.conditions()) or bool(self.cleaned_data.get("place"))

    def conditions(self) -> tuple[FieldMark, ...]:
        given = self.cleaned_data
        told = [FieldMark(kind.slug) for kind in self.over if given[kind.slug]]
        if given["distance"]:
            told.append(FieldMark(DISTANCE, given["distance"]))
        if given.get("place") and given.get(EQUIPPED):
            told.append(FieldMark(EQUIPPED))
        return tuple(told)

    def asked(self, today: MatchUp) -> MatchUp:
        """Return the question on this ground."""
        found, given = today.with_opening(conditions=self.conditions()), self.cleaned_data
        if not given.get("place"):
            return found
        holder = found.opening.armies["ab".index(given["holder"] or "b")]
        return held(found, holder.id, 1 + WALLS.index(given["place"]), given["garrison"])

    def _ticks(self, *families: str) -> Iterator[forms.BoundField]:
        return (self[kind.slug] for kind in self.over if kind.family in families)

    @property
    def ground(self) -> list[forms.BoundField]:
        return list(self._ticks(GROUND))

    @property
    def weather(self) -> list[forms.BoundField]:
        return [*self._ticks(WEATHER), *(self[slug] for slug in BY_WORD)]

    @property
    def walls(self) -> list[forms.BoundField]:
        return [self[name] for name in ("place", "holder", "garrison", EQUIPPED) if name in self.fields]
