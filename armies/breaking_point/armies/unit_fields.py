"""Form fields of a unit, its weapons and its machine. They judge nothing: the rules refuse, with a pointer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.clean_input import NAME_MAX
from rules.breaking_point.spec import IN_SHORT

HUNGER = {"": _("hungers as its type does"), "yes": _("hungers"), "no": _("knows no hunger")}
GROUPS = {"contact": _("contact"), "shooting": _("shooting")}


def build_number_field(label: Any, help_text: Any = "", minus: bool = False) -> forms.CharField:
    """A whole number; `minus`: it may be negative, so a phone shows all its signs."""
    keys = {"autocomplete": "off", "spellcheck": "false", "maxlength": "12"}
    widget = forms.TextInput(attrs=keys if minus else {**keys, "inputmode": "numeric"})
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def build_text_field(label: Any, help_text: Any = "", most: int = NAME_MAX) -> forms.CharField:
    widget = forms.TextInput(attrs={"maxlength": str(most)})
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def build_flag_field(label: Any, help_text: Any = "") -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, help_text=help_text)


def build_hidden_field() -> forms.CharField:
    return forms.CharField(required=False, widget=forms.HiddenInput, strip=False)


def build_choice_field(label: Any, choices: Iterable[Any], help_text: Any = "", **attrs: str) -> forms.CharField:
    widget = forms.Select(choices=list(choices), attrs=attrs)
    return forms.CharField(label=label, required=False, widget=widget, help_text=help_text)


def unit_fields() -> dict[str, forms.Field]:
    """What every unit is asked whatever it bears; the lists of the law are added by `forms.builder`."""
    return {
        "name": build_text_field(_("Name of the unit")),
        "strength": build_number_field(_("Strength"), _("Heads; of machines, machines.")),
        "combat": build_number_field(_("Combat"), minus=True),
        "armour": build_number_field(_("Armour"), _("As it counts, already halved where your world does that.")),
        "shield": build_flag_field(_("Shields: it counts as heavy")),
        "group": build_choice_field(_("Group"), GROUPS.items()),
        "reserve": build_flag_field(_("In the reserve")),
        "pieces": build_number_field(
            _("Pieces"), _("Guns and the like its weapons are counted by. Empty: every head bears them.")
        ),
        "toughness": build_number_field(_("Toughness"), _("Empty: that of its type, or of its machine.")),
        "mobility": build_number_field(_("Mobility"), _("Empty: it follows from arms and type.")),
        "never": build_flag_field(_("Never breaks")),
        "starves": build_choice_field(_("In a siege"), HUNGER.items()),
        "engineers": build_flag_field(_("Engineers: they shorten sieges")),
        "breaking": build_number_field(_("Breaking point, %"), _("Raised by the GM. Empty: 10 + 10 × combat.")),
        "extra": build_number_field(
            _("Damage of a secondary weapon"), _("What the GM adds to the main one, half of it at most.")
        ),
        "wounded": build_number_field(_("Wounded")),
        "experience": build_number_field(_("Experience")),
    }


def weapon_fields() -> dict[str, forms.Field]:
    """Beside which weapon it is."""
    return {"number": build_number_field(_("How many")), "secondary": build_flag_field(_("Secondary: half"))}


def own_weapon_fields() -> dict[str, forms.Field]:
    """Of a weapon that no table has."""
    return {
        "name": build_text_field(_("What it is called")),
        "damage": build_number_field(_("Damage")),
        "rate": build_text_field(_("Rate of fire"), _("Shots a round: 2, 1/4. Empty: a weapon of contact."), 12),
        "range": build_choice_field(_("Range"), [("", "–"), *((slug, _(name)) for slug, name in IN_SHORT.items())]),
        "area": build_number_field(_("Area of effect")),
        "accuracy": build_number_field(_("Accuracy"), minus=True),
        "bursts": build_flag_field(_("Fires bursts: ×2")),
        "munitions": build_text_field(
            _("Damages of its munitions"), _("Of several kinds the mean counts: 40, 60."), 80
        ),
        "thrown": build_flag_field(_("Thrown")),
        "firearm": build_flag_field(_("A firearm")),
        "siege": build_flag_field(_("A siege piece")),
    }


def own_machine_fields() -> dict[str, forms.Field]:
    return {
        "name": build_text_field(_("What it is called")),
        "toughness": build_number_field(_("Toughness")),
        "armour": build_number_field(_("Armour")),
        "control": build_number_field(_("Control"), _("Empty: it does not count."), minus=True),
        "attack": build_number_field(_("Attack"), _("Empty: it does not count."), minus=True),
        "defense": build_number_field(_("Defense"), minus=True),
        "mobility": build_number_field(_("Mobility")),
    }


RIDES = {"": _("on foot"), "mounted": _("on horseback"), "chariots": _("in chariots"), "beasts": _("beasts fight")}


def own_type_fields() -> dict[str, forms.Field]:
    """Of a type of troops that no table has."""
    return {
        "name": build_text_field(_("What it is called")),
        "toughness": build_number_field(_("Toughness")),
        "charge": build_number_field(_("Power ×"), _("At the charge; empty: 1.")),
        "anywhere": build_flag_field(_("Its factor counts on any ground")),
        "rides": build_choice_field(_("Fights"), RIDES.items(), _("Who rides fights as foot where nobody can charge.")),
        "flies": build_flag_field(_("Flies")),
        "never": build_flag_field(_("Never breaks")),
        "fasts": build_flag_field(_("Knows no hunger")),
    }


def own_armour_fields() -> dict[str, forms.Field]:
    return {
        "name": build_text_field(_("What it is called")),
        "full": build_number_field(_("Whole armour")),
        "worn": build_number_field(_("As ancient and medieval units wear it"), _("Empty: half of it, 1 at least.")),
    }


def find_field(form: forms.BaseForm, pointer: str) -> str | None:
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
