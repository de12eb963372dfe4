"""Plain values of the second reading as the engine takes them."""

from __future__ import annotations

from collections.abc import Sequence

from rules.breaking_point import spec
from tests.rules.breaking_point.second_reading.tables import KINDS, WALLS, Arm
from tests.rules.breaking_point.second_reading.units import Troop
from tests.rules.breaking_point.second_reading.war import Chief, Place


def weapon(number: int, arm: Arm) -> spec.Weapon:
    return spec.Weapon(
        slug="", name="a weapon", damage=arm.damage, rate=arm.rate, range=arm.reach, area=arm.area, number=number,
        accuracy=arm.accuracy, bursts=arm.bursts, thrown=arm.thrown, secondary=arm.secondary, firearm=arm.firearm,
        siege=arm.siege, munitions=arm.munitions,
    )  # fmt: skip


def unit_type(kind: str) -> spec.TroopType:
    found = KINDS[kind]
    return spec.TroopType(
        slug=kind, name=kind, toughness=found.toughness, charge=found.times, anywhere=found.anywhere,
        mounted=bool(found.mount), chariots=found.mount == "chariot", beasts=found.mount == "elephant",
        flies=found.flies, never=found.never,
        starves=found.starves,
    )  # fmt: skip


def unit(troop: Troop) -> spec.Unit:
    weapons = tuple(weapon(number, arm) for number, arm in troop.arms)
    machine = None
    if troop.engine:
        e = troop.engine
        slug = f"{e.toughness}-{e.armour}-{e.control}-{e.attack}-{e.defense}"
        machine = spec.Machine(
            slug=slug, name=slug, toughness=e.toughness, armour=e.armour, mobility=e.mobility, control=e.control,
            attack=e.attack, defense=e.defense, weapons=weapons,
        )  # fmt: skip
    return spec.Unit(
        name=troop.name, type=unit_type(troop.kind), strength=troop.strength, combat=troop.combat, armour=troop.armour,
        group=troop.group, toughness=troop.toughness, weapons=weapons, reserve=troop.reserve,  # type: ignore[arg-type]
        never=troop.never, breaking=troop.raised, shield=troop.shield, pieces=troop.pieces, machine=machine,
        starves=troop.starves, engineers=troop.engineers,
    )  # fmt: skip


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
