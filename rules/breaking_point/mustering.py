"""Muster of an army: what it is to the law of a battle that is not its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rules.breaking_point.figures import is_heavy, mean, unit_force
from rules.breaking_point.lines import command_lines
from rules.breaking_point.spec import SHOOTING, Host, Unit
from rules.muster import Muster, MusteredLeader, MusteredTroops, TroopTag, size_of

GREEN, REGULAR, VETERAN, ELITE = 1, 4, 7, 10
"""The combat from which on troops are called so (BP-2.5); below they are poor."""
RATINGS = ((ELITE, Fraction(8)), (VETERAN, Fraction(4)), (REGULAR, Fraction(2)), (GREEN, Fraction(1)))
POOR = Fraction(1, 3)
SPIRITS = ((ELITE, 2), (VETERAN, 1), (REGULAR, 0), (GREEN, -1))
LOWEST_SPIRIT = -2
MONSTROUS, MONSTER_RATING = 50, Fraction(8)
"""Toughness of a monster, and how strong one is at least."""
HEAVY, LIGHT = 4, 1
"""How well who is heavy, and who wears any armour, is guarded."""
TROLLS, DINOSAURS = "trolls", "dinosaurs"


def muster_of(host: Host) -> Muster | None:
    """None where it has nobody who can fight: wounded men go to no battle (B-48)."""
    units = [unit for unit in host.units if unit.strength]
    if not units:
        return None
    heads = sum(unit.strength for unit in units)
    leader = host.commander
    return Muster(
        host.id,
        host.name,
        host.kingdom,
        size_of(heads),
        tuple(_troops(unit) for unit in units),
        heads,
        heads + sum(unit.wounded for unit in host.units),
        spirit=_spirit(units),
        leader=MusteredLeader(leader.id, leader.name, command_lines(leader, units).total) if leader else None,
    )


def _spirit(units: Sequence[Unit]) -> int:
    """By the mean combat of those who fight, as its quality is called (BP-2.5, BP-2.7)."""
    combat = mean(units, lambda unit: unit.combat)
    return next((spirit for least, spirit in SPIRITS if combat >= least), LOWEST_SPIRIT)


def _rating(unit: Unit) -> Fraction:
    """By its quality; a monster counts as one however green."""
    rating = next((rating for least, rating in RATINGS if unit.combat >= least), POOR)
    return max(rating, MONSTER_RATING) if unit.machine is None and unit.type.toughness >= MONSTROUS else rating


def _troops(unit: Unit) -> MusteredTroops:
    force, rating, tags = unit_force(unit), _rating(unit), frozenset(_tags(unit))
    return MusteredTroops(unit.name, unit.strength, force, rating, tags, _protection(unit))


def _protection(unit: Unit) -> int:
    return HEAVY if is_heavy(unit) else LIGHT if unit.armour else 0


def _tags(unit: Unit) -> Iterator[TroopTag]:
    kind = unit.type
    if kind.flies:
        yield "flies"
    if kind.mounted:
        yield "rides"
    if kind.slug == TROLLS:
        yield "giant"
    if unit.group == SHOOTING:
        yield "shoots"
    if is_heavy(unit):
        yield "armored"
    if kind.slug == DINOSAURS:
        yield "beast"
        yield "animal"
    if kind.never:
        yield "undead"
        yield "mindless"
