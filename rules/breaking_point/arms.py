"""Weapons and machines as the document of an army has them: a slug of the tables, or one of their own (BP-2, BP-9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Annotated, NamedTuple

from rules.breaking_point.reading import Json, NameText, Rate
from rules.breaking_point.spec import IN_SHORT, RANGE_NAMES, Machine, TroopType, Weapon
from rules.breaking_point.starter import ARMOURS, MACHINES_BY_SLUG, TROOP_TYPES, WEAPONS, Armour
from rules.core.errors import demand
from rules.core.shapes import KEPT, Each, InApi, Label, NeededIf, OneOf, WholeNumber, Wrong, shape_of
from rules.core.text import Term, _


class Tables(NamedTuple):
    """What a document may name: the law's own, or what a campaign has made of it."""

    weapons: Mapping[str, Weapon] = WEAPONS
    machines: Mapping[str, Machine] = MACHINES_BY_SLUG
    types: Mapping[str, TroopType] = TROOP_TYPES
    armours: Mapping[str, Armour] = ARMOURS


def listed_as[Entry](slug: str, catalogue: Mapping[str, Entry]) -> Entry:
    """What a document names. Raises `InvalidInput` where the tables have it no more."""
    demand(slug in catalogue, _("The tables have no “{slug}” any more."), slug=slug)
    return catalogue[slug]


WEAPONS_MOST = 12
DAMAGE_MOST, NUMBER_MOST, AREA_MOST, ACCURACY_MOST, MUNITIONS_MOST = 100_000, 1_000, 1_000, 20, 6
TOUGHNESS_MOST, ARMOUR_MOST, MOBILITY_MOST, MODIFIER_MOST = 100_000, 10_000, 20, 20
USUAL_MOBILITY = 3
OF_SHOTS = ("area", "bursts", "firearm", "siege", "munitions", "range")


# as documents have them

NO_WEAPON, NO_MACHINE = _("There is no weapon “{slug}”."), _("There is no machine “{slug}”.")
SOME_NUMBERS, SOME_WEAPONS = _("Give a list of 1 to {most} numbers."), _("Give a list of at most {most} weapons.")
SHOTS_ONLY = _("Only a weapon that shoots has this: give its rate of fire.")
UNCOUNTED = _("Empty: it does not count.")

type ThingName = Annotated[NameText, Label(_("What it is called"))]
type HowMany = Annotated[int, WholeNumber(1, NUMBER_MOST), Label(_("Number"))]
type Secondary = Annotated[bool, Label(_("Secondary: half"))]
type Modifier = Annotated[int, WholeNumber(-MODIFIER_MOST, MODIFIER_MOST), InApi(nullable=False)]


class ListedWeapon(NamedTuple):
    """A weapon of the tables, with how many of it each bears."""

    slug: Annotated[str, OneOf("weapons", NO_WEAPON), InApi(required=False)]
    number: HowMany = 1
    secondary: Secondary = False


class OwnWeapon(NamedTuple):
    """A weapon of their own, or `slug` of the table with how many of it each bears. A slug alone does, too."""

    name: ThingName
    damage: Annotated[
        int | None, WholeNumber(1, DAMAGE_MOST), Label(_("Damage")), NeededIf(lambda own: own.get("munitions") is None),
        InApi(nullable=False, required=True),
    ] = None  # fmt: skip
    rate: Annotated[
        Rate | None, Label(_("Rate of fire"), _("Shots a round: 2, 1/4. Empty: a weapon of contact.")),
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
    thrown: Annotated[bool, Label(_("Thrown"))] = False
    secondary: Secondary = False
    firearm: Annotated[bool, Label(_("A firearm"))] = False
    siege: Annotated[bool, Label(_("A siege piece"))] = False
    munitions: Annotated[
        tuple[Annotated[int, WholeNumber(1, DAMAGE_MOST)], ...] | None,
        Each(MUNITIONS_MOST, 1, SOME_NUMBERS, SOME_NUMBERS), InApi(nullable=False),
        Label(_("Damages of its munitions"), _("Of several kinds the mean counts: 40, 60.")),
    ] = None  # fmt: skip

    def judged(self, wrong: Wrong) -> OwnWeapon:
        """A weapon shoots or it does not; what is thrown is a weapon of contact (BP-2.2)."""
        if self.rate is not None and self.thrown:
            wrong("thrown", _("What is thrown has no rate of fire: it is a weapon of contact."))
        for name in OF_SHOTS if self.rate is None else ():
            if getattr(self, name) != self._field_defaults[name]:
                wrong(name, SHOTS_ONLY)
        mean = sum(self.munitions) // len(self.munitions) if self.munitions else self.damage
        return self._replace(damage=self.damage or mean)


@dataclass(frozen=True, kw_only=True, slots=True)
class OwnMachine:
    """A machine of their own; a slug of the table alone does, too. A modifier not given does not count."""

    name: Annotated[ThingName | None, InApi(nullable=False)] = None
    toughness: Annotated[int, WholeNumber(1, TOUGHNESS_MOST), Label(_("Toughness"))]
    armour: Annotated[int, WholeNumber(0, ARMOUR_MOST), Label(_("Armour"))]
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


# as battles have them


def weapon_from(kept: Json | str, tables: Tables, slug: str = "") -> Weapon:
    """Of what was cleaned. `slug`: of one that a campaign has of its own."""
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
    """The shortest that reads back as this weapon."""
    listed = tables.weapons.get(weapon.slug)
    if listed is not None and weapon == replace(listed, number=weapon.number, secondary=weapon.secondary):
        borne = ListedWeapon(weapon.slug, weapon.number, weapon.secondary and not listed.secondary)
        return weapon.slug if borne == ListedWeapon(weapon.slug) else shape_of(ListedWeapon).write(borne)
    given: Json = {name: getattr(weapon, name) for name in OwnWeapon._fields}
    usual = {} if weapon.rate is not None else {name: OwnWeapon._field_defaults[name] for name in OF_SHOTS}
    perhaps = {"munitions": weapon.munitions or None, "range": weapon.range or None}
    return WEAPON.write(OwnWeapon(**{**given, **perhaps, **usual, "name": str(weapon.name)}))


def machine_from(kept: Json | str, tables: Tables, name: str) -> Machine:
    """Of what was cleaned; one of their own without a name is called like its unit."""
    if isinstance(kept, str):
        return listed_as(kept, tables.machines)
    return Machine(**{"slug": "", "name": name, **kept})


def machine_to_json(machine: Machine, tables: Tables) -> Json | str:
    if tables.machines.get(machine.slug) == machine:
        return machine.slug
    given = {name: getattr(machine, name) for name in MACHINE.members}
    return MACHINE.write(OwnMachine(**{**given, "name": str(machine.name)}))
