"""Battles for tests: bodies with round figures, and dice that fall as they are told."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from rules.breaking_point.battle.battle_law import Fights
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state.battle_state import (
    ASSAULT,
    FLEET,
    BattleNow,
    BodyOrder,
    FieldMark,
    Opening,
    Order,
    Side,
)
from rules.breaking_point.spec import FORTIFICATIONS, General, Host, House, Machine, Place, TroopType, Unit, Weapon
from rules.core.dice import Rolled, Typed, TypedDie
from rules.law import OMNISCIENT, Viewer

MEN = TroopType("infantry", "Infantry", 5)
ARCHERS = TroopType("archers", "Archers", 5)
HORSE = TroopType("cavalry", "Cavalry", 12, charge=2, mounted=True)
CHARIOTS = TroopType("chariots", "Chariots", 15, charge=3, mounted=True, chariots=True)
TROLLS = TroopType("trolls", "Trolls", 15, charge=3, anywhere=True)
GRIFFINS = TroopType("griffins", "Griffins", 5, flies=True)
DEAD = TroopType("zombies", "Zombies", 10, never=True)
GUNNERS = TroopType("artillery", "Artillery", 5)
HULLS = TroopType("machines", "Machines", 0)
SWORD = Weapon("sword", "Sword", 10)
BOW = Weapon("longbow", "Longbow", 4, Fraction(1, 2), "long")
SLING = Weapon("sling", "Sling", 4, Fraction(1), "medium")
RIFLE = Weapon("rifle", "Rifle", 8, Fraction(1), "long", firearm=True)
GUN = Weapon("gun", "Gun", 80, Fraction(1, 4), "long", siege=True)
CANNON = Weapon("cannon", "Cannon", 100, Fraction(1), "long")


def foot(strength: int = 100, combat: int = 6, **given: Any) -> Unit:
    """Power 10, force 10 a head: with combat 6, 700 of 1000 break a hundred."""
    return Unit("Foot", MEN, strength, combat, 5, "contact", 5, (SWORD,), **given)


def horse(strength: int = 100, combat: int = 6, **given: Any) -> Unit:
    """Power 20 charging, force 12 a head."""
    return Unit("Horse", HORSE, strength, combat, 0, "contact", 12, (SWORD,), **given)


def archers(strength: int = 100, combat: int = 6, weapon: Weapon = BOW, **given: Any) -> Unit:
    """Fire power 2, force 5 a head."""
    return Unit("Archers", ARCHERS, strength, combat, 0, "shooting", 5, (weapon,), **given)


def guns(pieces: int = 10, combat: int = 6, **given: Any) -> Unit:
    """Fire power 20 a piece, four men of force 5 each."""
    return Unit("Guns", GUNNERS, pieces * 4, combat, 0, "shooting", 5, (GUN,), pieces=pieces, **given)


def dead(strength: int = 100) -> Unit:
    return Unit("Dead", DEAD, strength, 1, 0, "contact", 10, (SWORD,))


def hulls(strength: int = 10, combat: int = 6, *, mobility: int = 4, armour: int = 20, weapon: Weapon = CANNON) -> Unit:
    """Machines of force 100 with armour 20; fire power 100 each."""
    machine = Machine("hull", "Hull", 100 - armour, armour, mobility)
    return Unit("Hulls", HULLS, strength, combat, armour, "shooting", 100 - armour, (weapon,), machine=machine)


def general(**given: Any) -> General:
    """Command 10, rally 10."""
    return General("g", "Ney", **{"mental": 5, "presence": 5, "combat": 5, "art_of_war": 5, "diplomacy": 0, **given})


LED = general()


class Fight:
    """A battle of armies "a", "b", "c"…, one a side; `play` gives a command with these dice and nothing left over.

    `orders(a_contact=("attack", "b:contact"))`; dice: `a_contact__contact=(6,)`, `side_0__command=(5,)`.
    """

    def __init__(self, *armies: Any, led: Any = None, house: House | None = None, status: Any = None, **given: Any):
        self.law = Fights(house or House())
        names = "abcdef"[: len(armies)]
        given.setdefault("sides", tuple(Side(name.upper(), (name,)) for name in names))
        hosts = tuple(
            Host(name, name.upper(), "k", units if isinstance(units, tuple) else (units,), (led or {}).get(name),
                 (status or {}).get(name, "ready"))
            for name, units in zip(names, armies, strict=True)
        )  # fmt: skip
        marks = tuple(FieldMark(mark) if isinstance(mark, str) else mark for mark in given.pop("marks", ()))
        self.opening = self.law.check(Opening(armies=hosts, conditions=marks, **given))
        self.state: BattleNow = self.law.open(self.opening)
        self.events: tuple[Any, ...] = ()

    def play(self, command: Any, viewer: Viewer = OMNISCIENT, **dice: tuple[int, ...]) -> Fight:
        typed = [TypedDie(*_owner(name), faces) for name, faces in dice.items()]
        source = Typed(typed, ask=True)
        self.events = self.law.decide(self.state, command, source, viewer)
        self.state = self.law.fold(self.state, self.events)
        return self

    def command(self, *scores: int, **dice: tuple[int, ...]) -> Fight:
        """From the setup through the command test; by default all throw a 5."""
        if self.state.phase.kind == "setup":
            self.play(c.Next())
        thrown = scores or (5,) * len(self.state.sides)
        return self.play(c.Resolve(), **{f"side_{i}__command": (face,) for i, face in enumerate(thrown)}, **dice)

    def order(self, army: str, *, withdraw: bool = False, commit: bool = False, rally: str = "", distance: str = "",
              **bodies: Any) -> Fight:  # fmt: skip
        given = {key.replace("_", "-"): one if isinstance(one, BodyOrder) else BodyOrder(*one)
                 for key, one in bodies.items()}  # fmt: skip
        return self.play(c.GiveOrder(Order(army, given, withdraw, commit, rally, distance)))

    def resolve(self, **dice: tuple[int, ...]) -> Fight:
        return self.play(c.Resolve(), **dice)

    def mark(
        self, kind: str, value: Any = None, *, side: int | None = None, body: str = "", lift: bool = False,
        reason: str = "",
    ) -> Fight:  # fmt: skip
        return self.play(c.ChangeCondition(FieldMark(kind, value, side, body, reason), lift))

    def override(self, subject: str, field: str, value: Any) -> Fight:
        return self.play(c.Override(subject, field, value, "as I say"))

    def body(self, key: str) -> Any:
        return self.state.bodies[key]

    def of(self, kind: type) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    def one(self, kind: type) -> Any:
        (event,) = self.of(kind)
        return event


def _owner(name: str) -> tuple[str, str]:
    """ "side_0__command" → ("side-0", "command"); "a_reserve_contact__shot" → ("a:reserve-contact", "shot")."""
    owner, _mark, roll = name.partition("__")
    if owner.startswith("side_"):
        return owner.replace("_", "-"), roll
    army, colon, key = owner.partition("_")
    return f"{army}:{key.replace('_', '-')}" if colon else army, roll


def place(kind: str = "fort", garrison: int = 100) -> Place:
    return Place("p", "Ker", FORTIFICATIONS[kind], garrison)


def assault(outside: Any, inside: Any, *, kind: str = "fort", garrison: int = 100, **given: Any) -> Fight:
    """ "a" assaults the place that "b" holds."""
    return Fight(outside, inside, kind=ASSAULT, place=place(kind, garrison), defender=1, **given)


def fleets(*armies: Any, **given: Any) -> Fight:
    return Fight(*armies, kind=FLEET, **{"medium": "sea", **given})


def rolled(fight: Fight, command: Any) -> tuple[Any, ...]:
    """The events of a command, its dice thrown by the server; they are folded."""
    fight.events = fight.law.decide(fight.state, command, Rolled(), OMNISCIENT)
    fight.state = fight.law.fold(fight.state, fight.events)
    return fight.events


def with_losses(fight: Fight, **losses: int) -> Fight:
    """The same with bodies that have lost so much already (`a_contact=500`)."""
    bodies = dict(fight.state.bodies)
    for name, points in losses.items():
        key = ":".join(name.split("_", 1))
        bodies[key] = replace(bodies[key], losses=points)
    fight.state = fight.state.changed(bodies=bodies)
    return fight
