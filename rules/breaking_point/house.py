"""House rules of this law that a campaign may set (B-1, B-12, B-20, B-69, B-80), and those in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rules.breaking_point.arms import ACCURACY_MOST, ARMOUR_MOST, DAMAGE_MOST, MOBILITY_MOST, TOUGHNESS_MOST, Tables
from rules.breaking_point.own import CHARGE_MOST, Own, clean_own, with_own
from rules.breaking_point.spec import House, Machine, TroopType, Weapon
from rules.core.text import _
from rules.halts import empty_phases
from rules.house import OVERLAY, OWN, HouseRule, HouseRules, ItemFigure, ItemFigures

UPKEEP_MOST = PRICE_MOST = 1_000
MARCH_MOST = 20  # hexes

HOUSE_RULES = HouseRules(
    rule="B-1",
    rules={
        "plain_die": HouseRule(
            _("Die"), False, rule="B-1",
            choices={
                False: _("On a 10 roll again and add; on a 1 roll again and subtract"),
                True: _("A single roll without rerolls"),
            },
        ),
        "halved_armour": HouseRule(
            _("Armor of ancient and medieval units"), True, rule="B-12",
            choices={True: _("Half the armor counts, as few wear all of it"), False: _("All the armor counts")},
        ),
        "surprise_for_battle": HouseRule(
            _("Surprise"), False, rule="B-20",
            choices={
                False: _("Lasts one round in field battles"),
                True: _("Always lasts the whole battle"),
            },
        ),
        "upkeep": HouseRule(
            _("Weekly upkeep"), 0, rule="B-69", most=UPKEEP_MOST,
            help=_("Build Points per hundred heads or part of a hundred. Enter 0 for free armies."),
        ),
        "price": HouseRule(
            _("Price of a garrison"), 10, rule="B-80", most=PRICE_MOST,
            help=_(
                "Build Points per hundred heads or part of a hundred. Money offered in terms is compared to it. "
                "Enter 0 if garrisons can’t be bought."
            ),
        ),
        "march": HouseRule(
            _("Hexes per day of march"), 2, rule="B-69", least=1, most=MARCH_MOST,
            help=_("For all armies on the campaign map. Difficult ground takes twice as long."),
        ),
        "empty_phases": empty_phases(
            "B-19", _("The time before the first round where there is no command test. Undo steps back into it.")
        ),
    },
    figures={
        "weapons": ItemFigures(_("Weapon"), {
            "damage": ItemFigure(_("damage"), _("Damage"), 1, DAMAGE_MOST),
            "accuracy": ItemFigure(_("accuracy"), _("Accuracy"), -ACCURACY_MOST, ACCURACY_MOST),
        }),
        "unit_types": ItemFigures(_("Type of troops"), {
            "toughness": ItemFigure(_("toughness"), _("Toughness"), 1, TOUGHNESS_MOST),
            "charge": ItemFigure(_("power factor"), _("Power ×"), 1, CHARGE_MOST),
        }),
        "machines": ItemFigures(_("Machine"), {
            "toughness": ItemFigure(_("toughness"), _("Toughness"), 1, TOUGHNESS_MOST),
            "armour": ItemFigure(_("armor"), _("Armor"), 0, ARMOUR_MOST),
            "mobility": ItemFigure(_("mobility"), _("Mobility"), 0, MOBILITY_MOST),
        }),
    },
    own=clean_own,
)  # fmt: skip


def house_of(stored: Mapping[str, Any]) -> House:
    """Parse stored house rules. Unknown ones are ignored."""
    known = {name: stored[name] for name in HOUSE_RULES.rules if name in stored}
    overlay, own = stored.get(OVERLAY, {}), stored.get(OWN, {})
    weapons = tables_of(overlay, own).weapons
    set_here = (*overlay.get("weapons", {}), *own.get("weapons", {}))
    changed = {slug: weapons[slug] for slug in set_here if slug in weapons}
    return House(**known, weapons=changed, overlay=overlay, own=own)


def tables_of(overlay: Mapping[str, Mapping[str, Mapping[str, Any]]], own: Own) -> Tables:
    """Return a campaign's tables, with the figures it has changed and its own entries."""
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
    """Return a machine's weapons with this campaign's figures."""
    return tuple(replace(weapons[arm.slug], number=arm.number, secondary=arm.secondary) for arm in machine.weapons)
