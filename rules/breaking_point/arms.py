"""Weapons and machines in an army's document: a slug of the tables, or one of its own (BP-2, BP-9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, NamedTuple

from rules.breaking_point.spec import IN_SHORT, RANGE_NAMES, Json, Machine, NameText, Rate, TroopType, Weapon
from rules.breaking_point.starter import ARMOURS, MACHINES_BY_SLUG, TROOP_TYPES, WEAPONS, Armour
from rules.core.errors import demand
from rules.core.shapes import KEPT, Each, InApi, Label, NeededIf, OneOf, WholeNumber, Wrong, shape_of
from rules.core.text import Term, _


class Tables(NamedTuple):
    """Tables that a document may name: the law's, or a campaign's."""

    weapons: Mapping[str, Weapon] = WEAPONS
    machines: Mapping[str, Machine] = MACHINES_BY_SLUG
    types: Mapping[str, TroopType] = TROOP_TYPES
    armours: Mapping[str, Armour] = ARMOURS


def listed_as[Entry](slug: str, catalogue: Mapping[str, Entry]) -> Entry:
    """Return an entry of a table. Raises `InvalidInput` if the table no longer has it."""
    demand(slug in catalogue, _("“{slug}” is no longer in the tables. Choose another entry."), slug=slug)
    return catalogue[slug]


WEAPONS_MOST = 12
DAMAGE_MOST, NUMBER_MOST, AREA_MOST, ACCURACY_MOST, MUNITIONS_MOST = 100_000, 1_000, 1_000, 20, 6
TOUGHNESS_MOST, ARMOUR_MOST, MOBILITY_MOST, MODIFIER_MOST = 100_000, 10_000, 20, 20
USUAL_MOBILITY = 3
OF_SHOTS = ("area", "bursts", "firearm", "siege", "munitions", "range")


# As documents hold them.

NO_WEAPON, NO_MACHINE = _("Weapon “{slug}” not found."), _("Machine “{slug}” not found.")
SOME_NUMBERS, SOME_WEAPONS = _("Must be a list of 1 to {most} numbers."), _("Must be a list of at most {most} weapons.")
SHOTS_ONLY = _("Only weapons that shoot have this. Enter a rate of fire first.")
UNCOUNTED = _("Leave empty to ignore this weapon.")

type ThingName = Annotated[NameText, Label(_("Name"))]
type HowMany = Annotated[int, WholeNumber(1, NUMBER_MOST), Label(_("Number"))]
type Secondary = Annotated[bool, Label(_("Secondary (half damage)"))]
type Modifier = Annotated[int, WholeNumber(-MODIFIER_MOST, MODIFIER_MOST), InApi(nullable=False)]


class ListedWeapon(NamedTuple):
    """Weapon of the tables, with the number that each head bears."""

    slug: Annotated[str, OneOf("weapons", NO_WEAPON), InApi(required=False)]
    number: HowMany = 1
    secondary: Secondary = False


class OwnWeapon(NamedTuple):
    """Weapon of its own, or `slug` of the table with the number each head bears. A bare slug is possible too."""

    name: ThingName
    damage: Annotated[
        int | None, WholeNumber(1, DAMAGE_MOST), Label(_("Damage")), NeededIf(lambda own: own.get("munitions") is None),
        InApi(nullable=False, required=True),
    ] = None  # fmt: skip
    rate: Annotated[
        Rate | None, Label(_("Rate of fire"), _("Shots per round, such as 2 or 1/4. Leave empty for a melee weapon.")),
        InApi("shots a round: “2”, “1/4”; none: a weapon of contact", nullable=False),
    ] = None  # fmt: skip
    range: Annotated[
        str | None, OneOf(RANGE_NAMES), NeededIf(lambda own: own.get("rate") is not None),
        Label(_("Range"), options={"": Term("–"), **IN_SHORT}), InApi(plain=True, nullable=False),
    ] = None  # fmt: skip
    area: Annotated[int, WholeNumber(1, AREA_MOST), Label(_("Area of effect"))] = 1
    number: HowMany = 1
    accuracy: Annotated[int, WholeNumber(-ACCURACY_MOST, ACCURACY_MOST), Label(_("Accuracy"))] = 0
    bursts: Annotated[bool, Label(_("Fires bursts: ×2"))] = False
    thrown: Annotated[bool, Label(_("Thrown weapon"))] = False
    secondary: Secondary = False
    firearm: Annotated[bool, Label(_("Firearm"))] = False
    siege: Annotated[bool, Label(_("Siege piece"))] = False
    munitions: Annotated[
        tuple[Annotated[int, WholeNumber(1, DAMAGE_MOST)], ...] | None,
        Each(MUNITIONS_MOST, 1, SOME_NUMBERS, SOME_NUMBERS), InApi(nullable=False),
        Label(_("Damage of each munition"), _("For several munitions (such as 40, 60), the average counts.")),
    ] = None  # fmt: skip

    def judged(self, wrong: Wrong) -> OwnWeapon:
        """Report inconsistent fields: a weapon either shoots or not, and a thrown one is a contact weapon (BP-2.2)."""
        if self.rate is not None and self.thrown:
            wrong("thrown", _("Thrown weapons are melee weapons: leave the rate of fire empty."))
        for name in OF_SHOTS if self.rate is None else ():
            if getattr(self, name) != self._field_defaults[name]:
                wrong(name, SHOTS_ONLY)
        mean = sum(self.munitions) // len(self.munitions) if self.munitions else self.damage
        return self._replace(damage=self.damage or mean)


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnMachine:
    """Machine of its own; a bare slug of the table is possible too. A missing modifier does not count."""

    name: Annotated[ThingName | None, InApi(nullable=False)] = None
    toughness: Annotated[int, WholeNumber(1, TOUGHNESS_MOST), Label(_("Toughness"))]
    armour: Annotated[int, WholeNumber(0, ARMOUR_MOST), Label(_("Armor"))]
    mobility: Annotated[
        int, WholeNumber(0, MOBILITY_MOST), Label(_("Mobility")), KEPT, InApi(required=True)
    ] = USUAL_MOBILITY  # fmt: skip
    control: Annotated[Modifier | None, Label(_("Control"), UNCOUNTED)] = None
    attack: Annotated[Modifier | None, Label(_("Attack"), UNCOUNTED)] = None
    defense: Annotated[Modifier | None, Label(_("Defense"))] = None


type Arm = Annotated[str, OneOf("weapons", NO_WEAPON)] | ListedWeapon
type Weapons = Annotated[
    tuple[Arm | OwnWeapon, ...],
    Each(WEAPONS_MOST, 0, SOME_WEAPONS, SOME_WEAPONS),
    Label(_("Weapons"), one=_("Weapon"), another=_("Another weapon")),
]
WEAPON, MACHINE = shape_of(OwnWeapon), shape_of(OwnMachine)


# As battles use them.


def weapon_from(kept: Json | str, tables: Tables, slug: str = "") -> Weapon:
    """Build the weapon from checked JSON. `slug` is that of a campaign's own weapon."""
    if isinstance(kept, str):
        return listed_as(kept, tables.weapons)
    if "slug" in kept:
        listed = listed_as(kept["slug"], tables.weapons)
        secondary = listed.secondary or kept.get("secondary", False)
        return replace(listed, number=kept.get("number", 1), secondary=secondary)
    given = {**kept, "slug": slug, "munitions": tuple(kept.get("munitions", ()))}
    if "rate" in kept:
        given["rate"] = Fraction(kept["rate"])
    return Weapon(**given)


def weapon_to_json(weapon: Weapon, tables: Tables) -> Json | str:
    """Return the shortest JSON that reads back as this weapon."""
    listed = tables.weapons.get(weapon.slug)
    if listed is not None and weapon == replace(listed, number=weapon.number, secondary=weapon.secondary):
        borne = ListedWeapon(weapon.slug, weapon.number, weapon.secondary and not listed.secondary)
        return weapon.slug if borne == ListedWeapon(weapon.slug) else shape_of(ListedWeapon).write(borne)
    given: Json = {name: getattr(weapon, name) for name in OwnWeapon._fields}
    usual = {} if weapon.rate is not None else {name: OwnWeapon._field_defaults[name] for name in OF_SHOTS}
    perhaps = {"munitions": weapon.munitions or None, "range": weapon.range or None}
    return WEAPON.write(OwnWeapon(**{**given, **perhaps, **usual, "name": str(weapon.name)}))


def machine_from(kept: Json | str, tables: Tables, name: str) -> Machine:
    """Build the machine from checked JSON. A machine without a name takes its unit's."""
    if isinstance(kept, str):
        return listed_as(kept, tables.machines)
    return Machine(**{"slug": "", "name": name, **kept})


def machine_to_json(machine: Machine, tables: Tables) -> Json | str:
    if tables.machines.get(machine.slug) == machine:
        return machine.slug
    given = {name: getattr(machine, name) for name in MACHINE.members}
    return MACHINE.write(OwnMachine(**{**given, "name": str(machine.name)}))
