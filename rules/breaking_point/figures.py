"""Figures of units and bodies: power, force, combat, defense, breaking point, mobility (BP-2, BP-9).

Powers are exact fractions, rounded down once at the end (B-2). Means are rounded down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from math import floor, prod
from typing import NamedTuple

from rules.adjustments import adjusted_by
from rules.breaking_point.spec import (
    BREAKING_POINT,
    COMBAT,
    DEFENSE,
    MEDIUM,
    ONE,
    RANGES,
    SHORT,
    Machine,
    Unit,
    Weapon,
)
from rules.core.errors import require
from rules.core.text import _

HALF = Fraction(1, 2)
NOTHING = Fraction(0)

NEVER_IN_A_MEAN = 200  # percent of a unit that never breaks, in a mean with others (B-11)
LEAST_BREAKING = 10
ROUNDED_TO = 5

GUNS, HEAVY_FOOT, LIGHT_FOOT, HEAVY_MOUNTED, LIGHT_MOUNTED, FLYING = range(6)
"""Mobilities (B-13), from lowest to highest."""

MAN = 5  # toughness of a person (BP-2.4)
HEAVY_FROM = 3  # least armour of heavy troops (BP-2.6)
ARTILLERY = "artillery"  # slug of the type that serves pieces


class Terms(NamedTuple):
    """Circumstances in which a power is used. `charging`: the ground lets the unit charge, and it is no assault.
    `short`: a shot at contact, by shooters under attack (BP-4.9). `armour` is the armour to beat (B-64), or 0.
    """

    charging: bool = True
    short: bool = False
    armour: int = 0


AS_LISTED = Terms()


class BodyFigures(NamedTuple):
    """Figures of a whole body.

    `combat` is bare; `contact_combat` and `shot_combat` are for tests (B-10). `power` and `fire_power` are for a charge
    and against no armour. `breaking` is in percent of the force, None if it never breaks. `contact_defense` is its
    defense at contact (BP-4.9).
    """

    strength: int
    power: int
    fire_power: int
    force: int
    combat: int
    contact_combat: int
    shot_combat: int
    defense: int
    breaking: int | None
    breaking_value: int | None
    mobility: int
    range: str
    contact_defense: int


# Weapons.


def damage_of(weapon: Weapon) -> Fraction:
    """Return the damage of one hit; the mean of several munitions (B-67)."""
    if weapon.munitions:
        return Fraction(sum(weapon.munitions), len(weapon.munitions))
    return Fraction(weapon.damage)


def hurts(weapon: Weapon, armour: int) -> bool:
    """Whether a weapon counts against this armour: its damage is at least half of it (BP-9)."""
    return 2 * damage_of(weapon) >= armour


def main_contact(unit: Unit) -> Weapon | None:
    """Return the main contact weapon, thrown ones aside: the first one, primary ones before secondary ones."""
    return _first(weapon for weapon in unit.weapons if not weapon.shoots and not weapon.thrown)


def thrown_weapon(unit: Unit) -> Weapon | None:
    return _first(weapon for weapon in unit.weapons if weapon.thrown)


def main_shot(unit: Unit) -> Weapon | None:
    """Return the weapon that heads shoot with: the first one, primary ones before secondary ones (BP-2.1)."""
    return _first(weapon for weapon in unit.weapons if weapon.shoots)


def shots_of(unit: Unit) -> tuple[Weapon, ...]:
    """Return the shooting weapons that count: all of a machine's (BP-9), otherwise the main one."""
    if unit.machine is not None:
        return tuple(weapon for weapon in unit.weapons if weapon.shoots)
    main = main_shot(unit)
    return () if main is None else (main,)


def _first(weapons: Iterable[Weapon]) -> Weapon | None:
    return min(weapons, key=lambda weapon: weapon.secondary, default=None)


# Powers.


def contact_power(unit: Unit, terms: Terms = AS_LISTED) -> Fraction:
    """Return the attack power at contact (BP-2.2)."""
    blow = sum((damage for _reason, _weapon, damage in blows(unit, terms.armour)), start=NOTHING)
    return unit.strength * blow * charge_factor(unit, terms.charging)


def blows(unit: Unit, armour: int = 0) -> list[tuple[str, Weapon, Fraction]]:
    """Return (reason, weapon, damage) of everything a head strikes with (BP-2.2, B-9).

    That is the main weapon, half of a thrown one besides (rounded down), and the GM's extra damage. A thrown weapon
    alone counts half.
    """
    main, thrown = (_hurting(found, armour) for found in (main_contact(unit), thrown_weapon(unit)))
    if main is None:
        return [] if thrown is None else [("alone", thrown, damage_of(thrown) * thrown.number * HALF)]
    found = [("main", main, damage_of(main) * main.number)]
    if thrown is not None:
        found.append(("besides", thrown, Fraction(floor(damage_of(thrown) * thrown.number * HALF))))
    return [*found, ("extra", main, Fraction(_extra(unit, main)))]


def _hurting(weapon: Weapon | None, armour: int) -> Weapon | None:
    return weapon if weapon is not None and hurts(weapon, armour) else None


def _extra(unit: Unit, weapon: Weapon) -> int:
    """Return the GM's extra damage for a secondary weapon, added to the main weapon of the unit's group (B-9)."""
    contact, shot = main_contact(unit), main_shot(unit)
    main = (contact or shot) if unit.group == "contact" else (shot or contact)
    return unit.extra if weapon is main else 0


def charge_factor(unit: Unit, charging: bool = True) -> int:
    """Return its type's factor of a charge, if it applies (BP-2.2, B-6, B-7)."""
    return unit.type.charge if charging or unit.type.anywhere else 1


def fire_power(unit: Unit, terms: Terms = AS_LISTED) -> Fraction:
    """Return the fire power of all shooting weapons that count (BP-2.3, BP-9)."""
    return sum((weapon_power(unit, weapon, terms) for weapon in shots_of(unit)), start=NOTHING)


def weapon_power(unit: Unit, weapon: Weapon, terms: Terms = AS_LISTED) -> Fraction:
    """Return the fire power of one weapon in all hands, with its factors."""
    return bare_power(unit, weapon) * prod((factor for _reason, factor in shot_factors(unit, weapon, terms)), start=ONE)


def bare_power(unit: Unit, weapon: Weapon) -> Fraction:
    """Return bearers × damage × number × rate × area (BP-2.3)."""
    return bearers(unit) * (damage_of(weapon) + _extra(unit, weapon)) * weapon.number * (weapon.rate or 0) * weapon.area


def bearers(unit: Unit) -> int:
    """Return the number of bearers of its shooting weapons: pieces, or else heads or machines."""
    return unit.strength if unit.pieces is None else unit.pieces


def shot_factors(unit: Unit, weapon: Weapon, terms: Terms = AS_LISTED) -> list[tuple[str, Fraction]]:
    """Return (reason, factor) of everything that changes a fire power: armour, bursts, range, secondary, contact."""
    near = SHORT if unit.machine is not None else MEDIUM  # B-67
    found = [
        ("armour", NOTHING, not hurts(weapon, terms.armour)),
        ("bursts", Fraction(2), weapon.bursts),
        ("range", HALF, RANGES.index(weapon.range) <= RANGES.index(near)),
        ("secondary", HALF, weapon.secondary and unit.machine is not None),
        ("contact", NOTHING, terms.short and weapon.siege),
        ("contact", HALF, terms.short and unit.machine is None and not (weapon.firearm or weapon.siege)),
    ]
    return [(reason, factor) for reason, factor, holds in found if holds]


# Other figures.


def unit_force(unit: Unit) -> int:
    """Return the force (BP-2.4)."""
    return unit.strength * unit.a_head


def unit_breaking(unit: Unit) -> int | None:
    """Return the breaking point in percent; None if it never breaks (BP-2.5, B-11)."""
    if unit.never or unit.type.never:
        return None
    found = unit.breaking if unit.breaking is not None else max(LEAST_BREAKING, 10 + 10 * unit.combat)
    return max(LEAST_BREAKING, found + adjusted_by(unit.adjustments, BREAKING_POINT))


def test_combat(unit: Unit, shooting: bool) -> Fraction:
    """Return combat for tests: with the weapon's accuracy, or the mean of its machine's modifiers (B-10, B-63), and
    with adjustments (B-41).
    """
    combat = unit.combat + adjusted_by(unit.adjustments, COMBAT)
    if unit.machine is not None:
        given = [modifier for modifier in (unit.machine.control, unit.machine.attack) if modifier is not None]
        return combat + (Fraction(sum(given), len(given)) if given else NOTHING)
    weapon = main_shot(unit) if shooting else main_contact(unit) or thrown_weapon(unit)
    return Fraction(combat + (weapon.accuracy if weapon is not None else 0))


test_combat.__test__ = False  # type: ignore[attr-defined] # keeps pytest from collecting it


def unit_defense(unit: Unit, contact: bool = False) -> int:
    """Return the defense (BP-2.5, BP-9). Siege pieces have none at contact (BP-4.9)."""
    if contact and besieges(unit):
        return 0
    found = max(0, unit.combat + (unit.machine.defense or 0 if unit.machine is not None else 0))
    return max(0, found + adjusted_by(unit.adjustments, DEFENSE))


def besieges(unit: Unit) -> bool:
    """Whether the unit's pieces cannot fight at contact (BP-4.9)."""
    return any(weapon.siege for weapon in shots_of(unit))


def of_pieces(unit: Unit) -> bool:
    """Whether the unit serves pieces such as guns. A side's mobility ignores them, and a fleeing side leaves them
    behind (B-13, B-49).
    """
    return unit.machine is None and (unit.type.slug == ARTILLERY or besieges(unit))


def served(unit: Unit, heads: int) -> int | None:
    """Return the number of pieces that still have their full crew (B-49)."""
    if unit.pieces is None:
        return None
    return unit.pieces * heads // unit.strength if unit.strength else 0


def dismounted(unit: Unit) -> Unit:
    """Return the unit as it fights in an assault: riders and charioteers dismount (B-7)."""
    if not unit.type.mounted or unit.type.beasts:
        return unit
    return replace(unit, toughness=MAN)


def as_foot(unit: Unit) -> Unit:
    """Return the unit as it counts in a siege: riders and drivers dismount and lose their charge (B-7, B-71)."""
    if not unit.type.mounted or unit.machine is not None:
        return unit
    return replace(dismounted(unit), type=replace(unit.type, charge=1))


def is_heavy(unit: Unit) -> bool:
    return unit.armour >= HEAVY_FROM or unit.shield


def unit_mobility(unit: Unit) -> int:
    """Return the mobility (B-13)."""
    if unit.mobility is not None:
        return unit.mobility
    if unit.machine is not None:
        return unit.machine.mobility
    if of_pieces(unit):
        return GUNS
    if unit.type.flies:
        return FLYING
    if unit.type.mounted:
        return HEAVY_MOUNTED if is_heavy(unit) else LIGHT_MOUNTED
    return HEAVY_FOOT if is_heavy(unit) else LIGHT_FOOT


def unit_range(unit: Unit) -> str:
    """Return the range of its strongest shooting weapon; "" without one."""
    return range_of([unit])


# Bodies.


def body_figures(units: Sequence[Unit], *, factor: int = 1) -> BodyFigures:
    """Return the figures of units that fight as one body (BP-2.7). `factor` of a fortification multiplies their force
    (BP-8).
    """
    force = factor * sum(unit_force(unit) for unit in units)
    breaking = breaking_of(units)
    return BodyFigures(
        strength=sum(unit.strength for unit in units),
        power=floor(sum((contact_power(unit) for unit in units), start=NOTHING)),
        fire_power=floor(sum((fire_power(unit) for unit in units), start=NOTHING)),
        force=force,
        combat=mean(units, lambda unit: unit.combat),
        contact_combat=mean(units, lambda unit: test_combat(unit, shooting=False)),
        shot_combat=mean(units, lambda unit: test_combat(unit, shooting=True)),
        defense=mean(units, unit_defense),
        breaking=breaking,
        breaking_value=None if breaking is None else force * breaking // 100,
        mobility=mobility_of(units),
        range=range_of(units),
        contact_defense=mean(units, lambda unit: unit_defense(unit, contact=True)),
    )


def mean(units: Sequence[Unit], figure: Callable[[Unit], int | Fraction]) -> int:
    """Return the mean weighted by strength, rounded down, also below zero (B-2). 0 without units."""
    strength = sum(unit.strength for unit in units)
    return sum(unit.strength * figure(unit) for unit in units) // (strength or 1)


def breaking_of(units: Sequence[Unit]) -> int | None:
    """Return a body's breaking point in percent: the mean of its units, rounded down to 5 %; None if none ever breaks
    (B-11).
    """
    known = [unit_breaking(unit) for unit in units]
    if all(found is None for found in known):
        return None
    if len(units) == 1:
        return known[0]
    return mean(units, _breaking_in_a_mean) // ROUNDED_TO * ROUNDED_TO


def _breaking_in_a_mean(unit: Unit) -> int:
    found = unit_breaking(unit)
    return NEVER_IN_A_MEAN if found is None else found


def mobility_of(units: Iterable[Unit], *, without_pieces: bool = False) -> int:
    """Return the mobility of most heads; on a tie the lower one. `without_pieces` is for a side (B-13). 0 without
    units.
    """
    heads: Counter[int] = Counter()
    for unit in units:
        if not (without_pieces and of_pieces(unit)):
            heads[unit_mobility(unit)] += unit.strength
    return min(heads, key=lambda mobility: (-heads[mobility], mobility), default=0)


def range_of(units: Iterable[Unit]) -> str:
    """Return the range of the weapon that adds most to the fire power; on a tie the longer one (B-26). "" if nobody
    shoots.
    """
    shots = [(weapon_power(unit, weapon), RANGES.index(weapon.range)) for unit in units for weapon in shots_of(unit)]
    return RANGES[max(shots)[1]] if shots else ""


def armour_to_beat(units: Sequence[Unit]) -> int:
    """Return the armour of the most common machine if more than half of the heads are machines, else 0 (B-64). On a tie
    the better armour counts (B-79).
    """
    machines: Counter[Machine] = Counter()
    for unit in units:
        if unit.machine is not None:
            machines[unit.machine] += unit.strength
    if 2 * machines.total() <= sum(unit.strength for unit in units):
        return 0
    most = max(machines.values())
    return max(unit.armour for unit in units if unit.machine is not None and machines[unit.machine] == most)


# Experience and what it buys (BP-6, B-50). The campaign decides who grants it.

LEAST_COST = 1


def training_cost(combat: int) -> int:
    """Return the experience points for raising combat to this value."""
    return max(LEAST_COST, combat)


def trained(unit: Unit) -> Unit:
    """Return the unit with one more combat, paid with experience. Raises `IllegalCommand` if it has too few points."""
    combat = unit.combat + 1
    cost = training_cost(combat)
    short = _("{unit}: {has} points of experience. Raising combat to {combat} costs {cost}.")
    told = {"unit": unit.name, "has": unit.experience, "combat": combat, "cost": cost}
    require(unit.experience >= cost, short, field="/unit", **told)
    return replace(unit, combat=combat, experience=unit.experience - cost)


def with_recruits(strength: int, combat: int, men: int, their_combat: int) -> int:
    """Return the combat of a unit after taking in recruits: the mean weighted by strength, rounded down (B-50)."""
    return (strength * combat + men * their_combat) // (strength + men)
