"""Sieges for tests: a place, who is in it and who is before it, and dice that fall as they are told."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.breaking_point.siege.siege_state import Siege, lay_siege
from rules.breaking_point.spec import (
    FORTIFICATIONS,
    Fortification,
    General,
    Host,
    Machine,
    Place,
    TroopType,
    Unit,
    Weapon,
)
from rules.core.dice import Dice, Typed, TypedDie

MEN = TroopType("infantry", "Infantry", 5)
CREW = TroopType("artillery", "Artillery", 5)
DEAD = TroopType("zombies", "Zombies", 10, never=True, starves=False)
TRENCH, FORT, FORTRESS = FORTIFICATIONS.values()
SWORD = Weapon("sword", "Sword", 4)
GUN = Weapon("8-pounder", "8-pounder", 80, Fraction(1, 4), "long", siege=True)
BOW = Weapon("longbow", "Longbow", 4, Fraction(1, 2), "long")
ROBOT = Machine("robot", "Robot", 80, 40, 3)


def foot(strength: int = 100, combat: int = 8, **given: Any) -> Unit:
    """Force 500 a hundred: toughness 5, no armour."""
    return Unit("Foot", MEN, strength, combat, 0, "contact", 5, (SWORD,), **given)


def guns(pieces: int = 10, combat: int = 6, **given: Any) -> Unit:
    """Fire power 20 a piece, four men each."""
    return Unit("Guns", CREW, pieces * 4, combat, 1, "shooting", 5, (GUN,), pieces=pieces, **given)


def undead(strength: int = 100, combat: int = 1) -> Unit:
    return Unit("Dead", DEAD, strength, combat, 0, "contact", 10, (SWORD,))


def robots(strength: int = 10) -> Unit:
    return Unit("Robots", MEN, strength, 6, 40, "shooting", 80, (BOW,), machine=ROBOT)


def general(**given: Any) -> General:
    figures = {"mental": 5, "presence": 8, "combat": 5, "art_of_war": 5, "diplomacy": 2, **given}
    return General("g", "Ney", **figures)


def army(name: str, *units: Unit, led: General | None = None) -> Host:
    return Host(name, name, "kingdom", units, led)


def siege(
    inside: tuple[Unit, ...] = (foot(),),
    outside: tuple[Unit, ...] = (foot(1000, 5),),
    *,
    kind: Fortification = FORT,
    garrison: int = 100,
    led: General | None = None,
    **given: Any,
) -> Siege:
    """One army inside ("in") and one outside ("out")."""
    place = Place("p", "Ker", kind, garrison)
    begun = lay_siege(place, [army("in", *inside)], [army("out", *outside, led=led)])
    return replace(begun, **given)


def falling(**faces: tuple[int, ...]) -> Dice:
    """`out_shot=(5,)`: the faces of army "out" for "shot". Nothing else may be thrown, and nothing be left over."""
    typed = [TypedDie(*name.split("_", 1), values) for name, values in faces.items()]
    return Typed(typed, ask=True)
