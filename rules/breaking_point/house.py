"""The house rules a campaign may set (B-1, B-12, B-20, B-69, B-80): what may be set, and what is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.breaking_point.arms import ACCURACY_MOST, ARMOUR_MOST, DAMAGE_MOST, MOBILITY_MOST, TOUGHNESS_MOST, Tables
from rules.breaking_point.own import CHARGE_MOST, Own, clean_own, with_own
from rules.breaking_point.spec import House, Machine, TroopType, Weapon
from rules.core.text import _
from rules.house import OVERLAY, OWN, HouseRule, HouseRules, ItemFigure, ItemFigures

UPKEEP_MOST = PRICE_MOST = 1_000
MARCH_MOST = 20  # hexes

HOUSE_RULES = HouseRules(
    rule="B-1",
    rules={
        "plain_die": HouseRule(
            _("The die"), False, rule="B-1",
            choices={
                False: _("A ten rolls on and adds, a one rolls on and subtracts"),
                True: _("One face of the die, whatever it shows"),
            },
        ),
        "halved_armour": HouseRule(
            _("Armour of ancient and medieval units"), True, rule="B-12",
            choices={True: _("Half of the armour counts: few wear all of it"), False: _("The whole armour counts")},
        ),
        "surprise_for_battle": HouseRule(
            _("Surprise"), False, rule="B-20",
            choices={
                False: _("Surprise lasts a round in the field"),
                True: _("Surprise lasts the whole battle everywhere"),
            },
        ),
        "upkeep": HouseRule(
            _("Weekly upkeep"), 0, rule="B-69", most=UPKEEP_MOST,
            help=_("For every hundred heads, the last ones too. 0: armies cost nothing."),
        ),
        "price": HouseRule(
            _("Price of a garrison"), 10, rule="B-80", most=PRICE_MOST,
            help=_("Build Points for every hundred heads, the last ones too: what money offered with terms is measured "
                   "by. 0: nobody takes money."),
        ),
        "march": HouseRule(
            _("Hexes a day of march"), 2, rule="B-69", least=1, most=MARCH_MOST,
            help=_("On the campaign’s map, for every army alike. Difficult ground takes twice as long."),
        ),
    },
    figures={
        "weapons": ItemFigures(_("Weapon"), {
            "damage": ItemFigure(_("damage"), _("Damage"), 1, DAMAGE_MOST),
            "accuracy": ItemFigure(_("accuracy"), _("Accuracy"), -ACCURACY_MOST, ACCURACY_MOST),
        }),
        "unit_types": ItemFigures(_("Type of troops"), {
            "toughness": ItemFigure(_("toughness"), _("Toughness"), 1, TOUGHNESS_MOST),
            "charge": ItemFigure(_("factor of power"), _("Power ×"), 1, CHARGE_MOST),
        }),
        "machines": ItemFigures(_("Machine"), {
            "toughness": ItemFigure(_("toughness"), _("Toughness"), 1, TOUGHNESS_MOST),
            "armour": ItemFigure(_("armour"), _("Armour"), 0, ARMOUR_MOST),
            "mobility": ItemFigure(_("mobility"), _("Mobility"), 0, MOBILITY_MOST),
        }),
    },
    own=clean_own,
)  # fmt: skip


def house_of(stored: Mapping[str, Any]) -> House:
    """The house rules as they are kept. What this law does not know is left aside."""
    known = {name: stored[name] for name in HOUSE_RULES.rules if name in stored}
    overlay, own = stored.get(OVERLAY, {}), stored.get(OWN, {})
    weapons = tables_of(overlay, own).weapons
    set_here = (*overlay.get("weapons", {}), *own.get("weapons", {}))
    changed = {slug: weapons[slug] for slug in set_here if slug in weapons}
    return House(**known, weapons=changed, overlay=overlay, own=own)


def tables_of(overlay: Mapping[str, Mapping[str, Mapping[str, Any]]], own: Own) -> Tables:
    """What documents of a campaign may name, with the figures it has set of it and what it has of its own."""
    law = Tables()
    weapons = _changed("weapons", law.weapons, overlay)
    machines = _changed("machines", law.machines, overlay)
    armed = {slug: replace(machine, weapons=_borne(machine, weapons)) for slug, machine in machines.items()}
    return with_own(Tables(weapons, armed, _changed("unit_types", law.types, overlay)), own)


def _changed[T: (Weapon, Machine, TroopType)](
    kind: str, items: Mapping[str, T], overlay: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> dict[str, T]:
    may = HOUSE_RULES.figures_of(kind)
    set_here = overlay.get(kind, {})
    return {
        slug: replace(item, **{name: value for name, value in set_here.get(slug, {}).items() if name in may})
        for slug, item in items.items()
    }


def _borne(machine: Machine, weapons: Mapping[str, Weapon]) -> tuple[Weapon, ...]:
    """What a machine bears, with the figures of this campaign."""
    return tuple(replace(weapons[arm.slug], number=arm.number, secondary=arm.secondary) for arm in machine.weapons)
