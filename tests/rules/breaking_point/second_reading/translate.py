"""Plain values of the second reading as the engine takes them."""

from __future__ import annotations

from collections.abc import Sequence

from rules.breaking_point import spec

from .tables import KINDS, WALLS, Arm
from .units import Troop
from .war import Chief, Place


def weapon(number: int, arm: Arm) -> spec.Weapon:
    return spec.Weapon("", "a weapon", arm.damage, arm.rate, arm.reach, arm.area, number, arm.accuracy, arm.bursts,
                       arm.thrown, arm.secondary, arm.firearm, arm.siege, arm.munitions)  # fmt: skip


def unit_type(kind: str) -> spec.UnitType:
    found = KINDS[kind]
    return spec.UnitType(kind, kind, found.toughness, found.times, found.anywhere, bool(found.mount),
                         found.mount == "chariot", found.flies, found.never, found.starves)  # fmt: skip


def unit(troop: Troop) -> spec.Unit:
    weapons = tuple(weapon(number, arm) for number, arm in troop.arms)
    machine = None
    if troop.engine:
        e = troop.engine
        slug = f"{e.toughness}-{e.armour}-{e.control}-{e.attack}-{e.defense}"
        machine = spec.Machine(slug, slug, e.toughness, e.armour, e.mobility, e.control, e.attack, e.defense, weapons)
    return spec.Unit(troop.name, unit_type(troop.kind), troop.strength, troop.combat, troop.armour,
                     troop.group, troop.toughness, weapons, troop.reserve, troop.never, troop.raised, None,
                     troop.shield, troop.pieces, machine, starves=troop.starves, engineers=troop.engineers)  # type: ignore[arg-type] # fmt: skip


def general(key: str, chief: Chief | None) -> spec.General | None:
    if chief is None:
        return None
    return spec.General(key, key, chief.mental + 5, chief.presence + 5, chief.combat, chief.art, chief.diplomacy)


def host(key: str, troops: Sequence[Troop], chief: Chief | None) -> spec.Host:
    return spec.Host(key, key, "", tuple(unit(troop) for troop in troops), general(f"boss {key}", chief))


def place(found: Place | None) -> spec.Place | None:
    if found is None:
        return None
    wall = WALLS[found.kind]
    kind = spec.Fortification(found.kind, found.kind, wall.least, wall.most, wall.factor, wall.bonus, wall.shots_only)
    return spec.Place("place", "the place", kind, found.garrison)


def house(*, plain: bool, surprise_stays: bool) -> spec.House:
    return spec.House(plain_die=plain, surprise_for_battle=surprise_stays)
