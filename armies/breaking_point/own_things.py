"""A campaign's own weapons, armours, machines and types of troops (BP-2, BP-9), as the arsenal declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.arsenal.own_things import OwnThings, ThingForm, ThingsByKind
from armies.breaking_point.armies.builder_choices import weapons_of
from core.shapes.forms import JsonDocument, choice_field
from rules.breaking_point.arms import OwnWeapon
from rules.breaking_point.house import (
    KINDS,
    MOST,
    RIDES,
    SHAPES,
    TYPES,
    WEAPONS,
    ArsenalMachine,
    OwnArmour,
    OwnType,
    bearing,
    taken,
)
from rules.core.text import Said

RIDING = [("", _("on foot")), ("mounted", _("on horseback")), ("chariots", _("in chariots")),
          ("beasts", _("the beasts fight"))]  # fmt: skip
BLUNDERBUSS = {"name": "Blunderbuss", "damage": 9, "rate": "1/4", "range": "short", "firearm": True}
WALKER = {"name": "Walker", "toughness": 120, "armour": 30, "mobility": 2, "attack": 1,
          "weapons": [{"slug": "blunderbuss", "number": 2}, "sword"]}  # fmt: skip
GRYPHONS = {"name": "Gryphon riders", "toughness": 30, "charge": 4, "mounted": True, "flies": True}


class ArsenalForm(ThingForm):
    """Form of an own entry. What a type of troops rides is one choice, and immunity to hunger is a checkbox."""

    rows_of = ("weapons",)

    def read_posted(self, sent: QueryDict) -> JsonDocument:
        thing = super().read_posted(sent)
        if self.kind == TYPES:
            chosen = sent.get("rides", "")
            thing |= {chosen: True} if chosen in RIDES else {}
            thing |= {"starves": False} if "fasts" in sent else {}
        return thing

    def show_more(self) -> JsonDocument:
        return _riding(self.thing) if self.kind == TYPES else {}

    def rearrange(self) -> None:
        if self.kind != TYPES:
            return
        about = _("Riders fight as if on foot where no charge is possible.")
        self.fields["rides"] = choice_field(_("Fighting style"), RIDING, about)
        self.fields["fasts"] = forms.BooleanField(label=_("Doesn’t need food"), required=False)
        for name in (*RIDES, "starves"):
            del self.fields[name]


def _riding(thing: Mapping[str, Any]) -> JsonDocument:
    rides = next((name for name in reversed(RIDES) if thing.get(name)), "")
    return {"rides": rides, "fasts": thing.get("starves") is False}


def _bearing(own: ThingsByKind, kind: str, slug: str) -> Said | None:
    return bearing(own, slug) if kind == WEAPONS else None


OWN_THINGS = OwnThings(
    kinds=KINDS,
    shapes=SHAPES,
    names={OwnWeapon: "OwnWeapon", OwnArmour: "OwnArmour", ArsenalMachine: "OwnMachine", OwnType: "OwnType"},
    silent=(OwnWeapon,),
    most=MOST,
    taken=taken,
    bearing=_bearing,
    offers=lambda law: {"weapons": weapons_of(law)},
    form=ArsenalForm,
    tables={TYPES: "units"},
    examples={
        "A weapon": ("weapons", BLUNDERBUSS),
        "An armour": ("armours", {"name": "Bark", "full": 3, "worn": 1}),
        "A machine": ("machines", WALKER),
        "A type of troops": ("unit_types", GRYPHONS),
    },
)
