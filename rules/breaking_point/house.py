"""House rules of this law that a campaign may set (B-1, B-12, B-20, B-69, B-80), those in force, and the campaign's own
weapons, armours, machines and troop types.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, NamedTuple

from rules.breaking_point.arms import (
    ACCURACY_MOST,
    ARMOUR_MOST,
    DAMAGE_MOST,
    MOBILITY_MOST,
    SOME_WEAPONS,
    TOUGHNESS_MOST,
    WEAPONS_MOST,
    Arm,
    OwnMachine,
    OwnWeapon,
    Tables,
    ThingName,
    weapon_from,
)
from rules.breaking_point.spec import House, Json, Machine, TroopType, Weapon
from rules.breaking_point.starter import Armour
from rules.core.shapes import DeclaredShape, Each, InApi, Label, WholeNumber, Wrong, shape_of
from rules.core.text import Said, Term, _, say
from rules.house import OVERLAY, OWN, OWN_MOST, HouseRule, HouseRules, ItemFigure, ItemFigures, read_own
from rules.pending import empty_phases

# Weapons, armours, machines and troop types of a campaign, beside the starter tables (BP-2, BP-9).
#
# They are stored among its house rules: `{"weapons": {slug: {…}}, "armours": …, "machines": …, "unit_types": …}`, in
# the format of a unit's own weapon or machine. Documents name them by slug.

WEAPONS, ARMOURS, MACHINES, TYPES = "weapons", "armours", "machines", "unit_types"
KINDS: Mapping[str, Term] = {
    WEAPONS: _("Weapon"),
    ARMOURS: _("Armor"),
    MACHINES: _("Machine"),
    TYPES: _("Type of troops"),
}
MOST = OWN_MOST
CHARGE_MOST = 100
RESERVED = ("own",)
RIDES = ("mounted", "chariots", "beasts")
TYPE_FLAGS = ("anywhere", *RIDES, "flies", "never")

type Own = Mapping[str, Mapping[str, Mapping[str, Any]]]
LAW = Tables()


def clean_own(given: object) -> dict[str, dict[str, Json]]:
    """Validate a campaign's own entries and return them in their stored form. Raises `InvalidInput`, as `read_own`."""
    return read_own(given, SHAPES, taken, lambda kept, _given: with_own(LAW, kept)._asdict())


def taken(kind: str, slug: str) -> bool:
    """Whether the law has an entry of this slug, or the slug has another meaning."""
    return slug in RESERVED or slug in table_of(LAW, kind)


def table_of(tables: Tables, kind: str) -> Mapping[str, Any]:
    found: Mapping[str, Mapping[str, Any]] = {
        WEAPONS: tables.weapons, ARMOURS: tables.armours, MACHINES: tables.machines, TYPES: tables.types,
    }  # fmt: skip
    return found[kind]


# Entries.


class OwnArmour(NamedTuple):
    """Armor. `worn` defaults to half of `full`."""

    name: ThingName
    full: Annotated[int, WholeNumber(0, ARMOUR_MOST), Label(_("Full armor"))]
    worn: Annotated[
        int | None, WholeNumber(0, ARMOUR_MOST), InApi(nullable=False),
        Label(_("Ancient and medieval armor"), _("Leave empty for half of it, at least 1.")),
    ] = None  # fmt: skip

    def judged(self, wrong: Wrong) -> OwnArmour:
        """Fill in `worn`: half of the armour, at least 1 (B-12)."""
        return self if self.worn is not None else self._replace(worn=max(self.full // 2, min(self.full, 1)))


@dataclass(frozen=True, kw_only=True, slots=True)
class ArsenalMachine(OwnMachine):
    """Machine with its weapons."""

    name: ThingName
    weapons: Annotated[
        tuple[Arm, ...], Each(WEAPONS_MOST, 0, SOME_WEAPONS, SOME_WEAPONS),
        Label(_("Weapons"), one=_("Weapon"), another=_("Weapon")),
    ] = ()  # fmt: skip


class OwnType(NamedTuple):
    name: ThingName
    toughness: Annotated[int, WholeNumber(1, TOUGHNESS_MOST), Label(_("Toughness"))]
    charge: Annotated[
        int, WholeNumber(1, CHARGE_MOST), Label(_("Power ×"), _("Multiplier of a charge. Leave empty for 1."))
    ] = 1  # fmt: skip
    starves: bool = True
    anywhere: Annotated[bool, Label(_("Its factor counts on any ground"))] = False
    mounted: bool = False
    chariots: bool = False
    beasts: bool = False
    flies: Annotated[bool, Label(_("Flies"))] = False
    never: Annotated[bool, Label(_("Never breaks"))] = False

    def judged(self, wrong: Wrong) -> OwnType:
        return self._replace(mounted=self.mounted or self.chariots or self.beasts)


SHAPES: Mapping[str, DeclaredShape] = {
    WEAPONS: shape_of(OwnWeapon, ("number",)),
    ARMOURS: shape_of(OwnArmour),
    MACHINES: shape_of(ArsenalMachine),
    TYPES: shape_of(OwnType),
}


# Tables.


def with_own(tables: Tables, own: Own) -> Tables:
    """Return the tables with the campaign's own entries, which were checked."""
    weapons = {**tables.weapons, **{slug: weapon_of(slug, kept) for slug, kept in own.get(WEAPONS, {}).items()}}
    armed = tables._replace(weapons=weapons)
    machines = {slug: _machine_of(slug, kept, armed) for slug, kept in own.get(MACHINES, {}).items()}
    armours = {slug: Armour(slug, Term(kept["name"]), kept["full"], kept["worn"])
               for slug, kept in own.get(ARMOURS, {}).items()}  # fmt: skip
    types = {slug: TroopType(slug, **kept) for slug, kept in own.get(TYPES, {}).items()}
    return Tables(
        weapons, {**tables.machines, **machines}, {**tables.types, **types}, {**tables.armours, **armours}
    )  # fmt: skip


def weapon_of(slug: str, kept: Mapping[str, Any]) -> Weapon:
    return weapon_from(dict(kept), LAW, slug)


def _machine_of(slug: str, kept: Mapping[str, Any], tables: Tables) -> Machine:
    arms = tuple(weapon_from(one, tables) for one in kept.get("weapons", ()) if _there(one, tables))
    return Machine(slug, **{**kept, "weapons": arms})


def _there(borne: Json | str, tables: Tables) -> bool:
    return (borne if isinstance(borne, str) else borne["slug"]) in tables.weapons


# Use.


def named_by(unit: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield (kind, slug) of every item of the tables that a unit's document refers to."""
    yield TYPES, str(unit.get("type", ""))
    if isinstance(machine := unit.get("machine"), str):
        yield MACHINES, machine
    for borne in unit.get("weapons", ()):
        if isinstance(borne, str):
            yield WEAPONS, borne
        elif "slug" in borne:
            yield WEAPONS, str(borne["slug"])


def unknown_to(tables: Tables, unit: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the first (kind, slug) of a unit's document that these tables lack, or None."""
    return next(((kind, slug) for kind, slug in named_by(unit) if slug not in table_of(tables, kind)), None)


def bearing(own: Own, weapon: str) -> Said | None:
    """Name one of the campaign's machines that bears this weapon, or None."""
    for kept in own.get(MACHINES, {}).values():
        if any(found == (WEAPONS, weapon) for found in named_by(kept)):
            return say(_("the machine {machine}"), machine=kept["name"])
    return None


# House rules of this law that a campaign may set (B-1, B-12, B-20, B-69, B-80), and those in force.

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
            choices={True: _("Half the armor counts: few troops wear a full set"), False: _("All the armor counts")},
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
                "Build Points per hundred heads or part of a hundred. Money offered in terms is compared to this. "
                "Enter 0 if garrisons can’t be bought."
            ),
        ),
        "march": HouseRule(
            _("Hexes per day of march"), 2, rule="B-69", least=1, most=MARCH_MOST,
            help=_("For all armies on the campaign map. Difficult ground takes twice as long."),
        ),
        "empty_phases": empty_phases(
            "B-19", _("The time before the first round, in battles without a command test. Undo can return to it.")
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
