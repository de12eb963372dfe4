"""One day: healing, illness, drain (PF-7.1, PF-7.3, PF-7.5)."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.armies.pathfinder.weeks.oracle.checks import passes
from tests.armies.pathfinder.weeks.oracle.world import Army, Realm, World


@dataclass
class Deeds:
    """Armies in an open battle, those that fought on the first day, and those ordered to move."""

    fighting: set[str] = field(default_factory=set)
    fought: set[str] = field(default_factory=set)
    march: set[str] = field(default_factory=set)


def heal(army: Army, amount: int, half: bool) -> None:
    """Up to the maximum, or half of it; what is there stays (R-68, R-75)."""
    limit = army.hp_max // 2 if half else army.hp_max
    army.hp = max(army.hp, min(limit, army.hp + amount))


def a_rest(army: Army) -> int:
    return max(1, army.acr)


def moves(army: Army, day: int, deeds: Deeds) -> bool:
    return army.id in deeds.march or army.marching(day)


def rests(army: Army, day: int, first: bool, deeds: Deeds) -> bool:
    fought = first and army.id in deeds.fought
    return not (moves(army, day, deeds) or fought or army.id in deeds.fighting or army.rested_on == day)


def rally(world: World, realm: Realm, day: int, dice) -> bool:
    """One Loyalty check a day; one made by hand stands (R-79)."""
    if (realm.id, day) in world.rest_checks:
        return world.rest_checks[realm.id, day]
    return passes(realm, "loyalty", dice.face(realm.id, "rally", 20))


def sicken(army: Army, realm: Realm, dice) -> None:
    """PF-7.3, R-77."""
    if army.ill:
        army.disease += 1
        army.ill = not passes(realm, "stability", dice.face(army.id, "disease", 20), army.disease)
    elif army.disease:
        army.disease -= 1


def army_day(world: World, army: Army, day: int, first: bool, deeds: Deeds, rallied: set[str], dice) -> None:
    if army.id not in deeds.fighting and army.rested_on != day:
        heal(army, army.regrowth, world.half)
    if rests(army, day, first, deeds):
        heal(army, a_rest(army) * (2 if army.kingdom in rallied else 1), world.half)
    if moves(army, day, deeds):
        army.foraging = None
    sicken(army, world.realms[army.kingdom], dice)
    army.drain = 0
