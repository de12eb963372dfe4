"""Form fields of a unit, its weapons and its machine. They judge nothing: the rules refuse, with a pointer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.inputs import NAME_MAX
from rules.breaking_point.spec import IN_SHORT

HUNGER = {"": _("hungers as its type does"), "yes": _("hungers"), "no": _("knows no hunger")}
GROUPS = {"contact": _("contact"), "shooting": _("shooting")}


def whole(label: Any, help_text: Any = "", minus: bool = False) -> forms.CharField:
    """A whole number; `minus`: it may be negative, so a phone shows all its signs."""
    keys = {"autocomplete": "off", "spellcheck": "false", "maxlength": "12"}
    widget = forms.TextInput(attrs=keys if minus else {**keys, "inputmode": "numeric"})
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def text(label: Any, help_text: Any = "", most: int = NAME_MAX) -> forms.CharField:
    widget = forms.TextInput(attrs={"maxlength": str(most)})
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def flag(label: Any, help_text: Any = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, help_text=help_text)


def hidden() -> forms.CharField:
    return forms.CharField(required=False, widget=forms.HiddenInput, strip=False)


def choice(label: Any, choices: Iterable[Any], help_text: Any = "", **attrs: str) -> forms.CharField:
    widget = forms.Select(choices=list(choices), attrs=attrs)
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def unit_fields() -> dict[str, forms.Field]:
    """What every unit is asked whatever it bears; the lists of the law are added by `forms.builder`."""
    return {
        "name": text(_("Name of the unit")),
        "strength": whole(_("Strength"), _("Heads; of machines, machines.")),
        "combat": whole(_("Combat"), minus=True),
        "armour": whole(_("Armour"), _("As it counts, already halved where your world does that.")),
        "shield": flag(_("Shields: it counts as heavy")),
        "group": choice(_("Group"), GROUPS.items()),
        "reserve": flag(_("In the reserve")),
        "pieces": whole(_("Pieces"), _("Guns and the like its weapons are counted by. Empty: every head bears them.")),
        "toughness": whole(_("Toughness"), _("Empty: that of its type, or of its machine.")),
        "mobility": whole(_("Mobility"), _("Empty: it follows from arms and type.")),
        "never": flag(_("Never breaks")),
        "starves": choice(_("In a siege"), HUNGER.items()),
        "engineers": flag(_("Engineers: they shorten sieges")),
        "breaking": whole(_("Breaking point, %"), _("Raised by the GM. Empty: 10 + 10 × combat.")),
        "extra": whole(_("Damage of a secondary weapon"), _("What the GM adds to the main one, half of it at most.")),
        "wounded": whole(_("Wounded")),
        "experience": whole(_("Experience")),
    }


def weapon_fields() -> dict[str, forms.Field]:
    """Beside which weapon it is."""
    return {"number": whole(_("How many")), "secondary": flag(_("Secondary: half"))}


def own_weapon_fields() -> dict[str, forms.Field]:
    """Of a weapon that no table has."""
    return {
        "name": text(_("What it is called")),
        "damage": whole(_("Damage")),
        "rate": text(_("Rate of fire"), _("Shots a round: 2, 1/4. Empty: a weapon of contact."), 12),
        "range": choice(_("Range"), [("", "–"), *((slug, _(name)) for slug, name in IN_SHORT.items())]),
        "area": whole(_("Area of effect")),
        "accuracy": whole(_("Accuracy"), minus=True),
        "bursts": flag(_("Fires bursts: ×2")),
        "munitions": text(_("Damages of its munitions"), _("Of several kinds the mean counts: 40, 60."), 80),
        "thrown": flag(_("Thrown")),
        "firearm": flag(_("A firearm")),
        "siege": flag(_("A siege piece")),
    }


def own_machine_fields() -> dict[str, forms.Field]:
    return {
        "name": text(_("What it is called")),
        "toughness": whole(_("Toughness")),
        "armour": whole(_("Armour")),
        "control": whole(_("Control"), _("Empty: it does not count."), minus=True),
        "attack": whole(_("Attack"), _("Empty: it does not count."), minus=True),
        "defense": whole(_("Defense"), minus=True),
        "mobility": whole(_("Mobility")),
    }


RIDES = {"": _("on foot"), "mounted": _("on horseback"), "chariots": _("in chariots"), "beasts": _("beasts fight")}


def own_type_fields() -> dict[str, forms.Field]:
    """Of a type of troops that no table has."""
    return {
        "name": text(_("What it is called")),
        "toughness": whole(_("Toughness")),
        "charge": whole(_("Power ×"), _("At the charge; empty: 1.")),
        "anywhere": flag(_("Its factor counts on any ground")),
        "rides": choice(_("Fights"), RIDES.items(), _("Who rides fights as foot where nobody can charge.")),
        "flies": flag(_("Flies")),
        "never": flag(_("Never breaks")),
        "fasts": flag(_("Knows no hunger")),
    }


def own_armour_fields() -> dict[str, forms.Field]:
    return {
        "name": text(_("What it is called")),
        "full": whole(_("Whole armour")),
        "worn": whole(_("As ancient and medieval units wear it"), _("Empty: half of it, 1 at least.")),
    }


def field_at(form: forms.BaseForm, pointer: str) -> str | None:
    """The field a pointer names, else that of its weapon, its machine or its unit; None: whatever is above all."""
    parts = pointer.strip("/").split("/")
    for depth in range(len(parts), 0, -1):
        place = "-".join(parts[:depth])
        found = next(
            (name for name in (place, f"{place}-slug", f"{place}-name", f"{place}-kept") if name in form.fields), None
        )
        if found:
            return found
    return None
