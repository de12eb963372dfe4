"""Weapons and machines as the document of an army has them: a slug of the tables, or one of their own (BP-2, BP-9)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from rules.breaking_point.reading import SHOWN, Fields, Json, Problems
from rules.breaking_point.spec import RANGE_NAMES, RANGES, Machine, TroopType, Weapon
from rules.breaking_point.starter import ARMOURS, MACHINES_BY_SLUG, TROOP_TYPES, WEAPONS, Armour
from rules.core.errors import demand
from rules.core.text import _


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


LISTED = ("slug", "number", "secondary")
FLAGS = ("bursts", "thrown", "secondary", "firearm", "siege")
OWN = ("name", "damage", "rate", "range", "area", "number", "accuracy", "munitions", *FLAGS)
OF_SHOTS = ("area", "bursts", "firearm", "siege", "munitions", "range")
MACHINE = ("name", "toughness", "armour", "mobility", "control", "attack", "defense")

WEAPONS_MOST = 12
DAMAGE_MOST, NUMBER_MOST, AREA_MOST, ACCURACY_MOST, MUNITIONS_MOST = 100_000, 1_000, 1_000, 20, 6
TOUGHNESS_MOST, ARMOUR_MOST, MOBILITY_MOST, MODIFIER_MOST = 100_000, 10_000, 20, 20
USUAL_MOBILITY = 3


# weapons


def clean_weapon(data: object, tables: Tables, at: str, problems: Problems) -> Json | str:
    """As it is kept."""
    if isinstance(data, str):
        return _known(data, tables, at, problems)
    if isinstance(data, Mapping) and data.get("slug") is not None:
        return _clean_listed(data, tables, at, problems)
    return clean_own_weapon(Fields(data, at, problems, OWN))


def clean_borne(data: object, tables: Tables, at: str, problems: Problems) -> Json | str:
    """The same of a weapon that has to stand in the tables."""
    if isinstance(data, Mapping) and data.get("slug") is not None:
        return _clean_listed(data, tables, at, problems)
    return _known(data if isinstance(data, str) else "", tables, at, problems)


def _known(slug: str, tables: Tables, at: str, problems: Problems) -> str:
    if slug not in tables.weapons:
        Fields({}, at, problems, ()).wrong("", _("There is no weapon “{slug}”."), slug=slug[:SHOWN])
    return slug


def _clean_listed(data: Mapping[str, Any], tables: Tables, at: str, problems: Problems) -> Json | str:
    fields = Fields(data, at, problems, LISTED)
    slug = _known(str(data["slug"]), tables, f"{at}/slug", problems)
    number, secondary = fields.whole("number", 1, NUMBER_MOST, 1), fields.flag("secondary")
    more = {"number": number} if number != 1 else {}
    if secondary:
        more["secondary"] = True
    return {"slug": slug, **more} if more else slug


def clean_own_weapon(fields: Fields) -> Json:
    rate = fields.rate("rate")
    munitions = fields.wholes("munitions", 1, DAMAGE_MOST, MUNITIONS_MOST)
    mean = sum(munitions) // len(munitions) if munitions else None
    kept: Json = {"name": fields.text("name"), "damage": fields.whole("damage", 1, DAMAGE_MOST, mean)}
    if rate is not None:
        kept |= {"rate": str(rate), "range": fields.one_of("range", RANGES, names=RANGE_NAMES)}
    kept |= _numbers(fields) | {name: True for name in FLAGS if fields.flag(name)}
    if munitions:
        kept["munitions"] = list(munitions)
    _refuse_mixture(fields)
    return kept


def _numbers(fields: Fields) -> Json:
    asked = {"area": (1, AREA_MOST, 1), "number": (1, NUMBER_MOST, 1), "accuracy": (-ACCURACY_MOST, ACCURACY_MOST, 0)}
    found = {name: (fields.whole(name, low, high, usual), usual) for name, (low, high, usual) in asked.items()}
    return {name: value for name, (value, usual) in found.items() if value != usual}


def _refuse_mixture(fields: Fields) -> None:
    """A weapon shoots or it does not; what is thrown is a weapon of contact (BP-2.2)."""
    if fields.has("rate"):
        if fields.body.get("thrown"):
            fields.wrong("thrown", _("What is thrown has no rate of fire: it is a weapon of contact."))
        return
    for name in OF_SHOTS:
        value = fields.body.get(name)
        if value and not (name == "area" and value == 1):
            fields.wrong(name, _("Only a weapon that shoots has this: give its rate of fire."))


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
        return _clean_listed(
            {"slug": weapon.slug, "number": weapon.number, "secondary": weapon.secondary and not listed.secondary},
            tables, "", [],
        )  # fmt: skip
    given: Json = {name: getattr(weapon, name) for name in OWN if name not in ("rate", "munitions")}
    given |= {"name": str(weapon.name), "munitions": list(weapon.munitions) or None}
    if weapon.rate is not None:
        given["rate"] = str(weapon.rate)
    else:
        given = {name: value for name, value in given.items() if name not in OF_SHOTS}
    return clean_own_weapon(Fields(given, "", [], OWN))


# machines


def clean_machine(data: object, tables: Tables, at: str, problems: Problems) -> Json | str:
    if isinstance(data, str):
        if data not in tables.machines:
            Fields({}, at, problems, ()).wrong("", _("There is no machine “{slug}”."), slug=data[:SHOWN])
        return data
    fields = Fields(data, at, problems, MACHINE)
    kept: Json = {"name": fields.text("name")} if fields.has("name") else {}
    return {**kept, **clean_own_machine(fields)}


def clean_own_machine(fields: Fields) -> Json:
    """Its figures, without its name and its arms."""
    kept: Json = {"toughness": fields.whole("toughness", 1, TOUGHNESS_MOST)}
    kept["armour"] = fields.whole("armour", 0, ARMOUR_MOST)
    kept["mobility"] = fields.whole("mobility", 0, MOBILITY_MOST, USUAL_MOBILITY)
    for name in ("control", "attack", "defense"):
        if fields.has(name):
            kept[name] = fields.whole(name, -MODIFIER_MOST, MODIFIER_MOST)
    return kept


def machine_from(kept: Json | str, tables: Tables, name: str) -> Machine:
    """Of what was cleaned; one of their own without a name is called like its unit."""
    if isinstance(kept, str):
        return listed_as(kept, tables.machines)
    return Machine(**{"slug": "", "name": name, **kept})


def machine_to_json(machine: Machine, tables: Tables) -> Json | str:
    if tables.machines.get(machine.slug) == machine:
        return machine.slug
    given = {name: getattr(machine, name) for name in MACHINE} | {"name": str(machine.name)}
    return clean_machine(given, tables, "", [])
