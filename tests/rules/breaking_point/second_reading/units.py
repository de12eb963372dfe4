"""BP-2, BP-9: what a unit is worth, exactly; what a body of units is worth, dropped."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor

from tests.rules.breaking_point.second_reading.tables import HALF, KINDS, MEDIUM, RANKS, SHORT, Arm, Engine, Kind

NEVER_COUNTS = 200  # B-11, in a mixed body


@dataclass(frozen=True, slots=True)
class Troop:
    """A unit. `arms`: how many of which a head bears, or a piece, or a machine."""

    name: str
    kind: str
    group: str
    strength: int
    combat: int
    toughness: int
    armour: int
    arms: tuple[tuple[int, Arm], ...]
    pieces: int | None = None
    engine: Engine | None = None
    never: bool = False
    raised: int | None = None
    shield: bool = False
    reserve: bool = False
    starves: bool = True
    engineers: bool = False

    @property
    def sort(self) -> Kind:
        return KINDS[self.kind]

    @property
    def barred(self) -> bool:
        """B-7: rides or drives, so that ground can keep it from charging."""
        return bool(self.sort.mount)


@dataclass(frozen=True, slots=True)
class Ground:
    """What the field does to a charge (BP-5, B-42). `place`: an assault (BP-8), where flyers count `flyers` times."""

    grounds: frozenset[str] = frozenset()
    assault: bool = False
    flyers: int = 1

    def charges(self, troop: Troop) -> bool:
        if self.assault or self.grounds & {"forest", "very-rough", "swamp", "mud"}:
            return False
        return not ("rough" in self.grounds and troop.sort.mount == "chariot")


def times(troop: Troop, ground: Ground) -> int:
    """BP-2.2: the type's multiplier here, with what the GM gives flyers (BP-8)."""
    here = 1 if troop.barred and not ground.charges(troop) else troop.sort.times
    return here * (ground.flyers if troop.sort.flies else 1)


def hurts(arm: Arm, armour: int) -> bool:
    """BP-9: its damage is at least half the target's armour; B-67: of several munitions the mean."""
    return 2 * damage(arm) >= armour


def damage(arm: Arm) -> Fraction:
    return Fraction(sum(arm.munitions), len(arm.munitions)) if arm.munitions else Fraction(arm.damage)


def contact_power(troop: Troop, ground: Ground, armour: int = 0) -> Fraction:
    """BP-2.2."""
    hand = [arm for _, arm in troop.arms if arm.rate is None and hurts(arm, armour)]
    main = [arm for arm in hand if not arm.thrown]
    thrown = [arm for arm in hand if arm.thrown]
    if main:
        blow = damage(main[0]) + sum(floor(damage(arm) / 2) for arm in thrown[:1])
    elif thrown:
        blow = damage(thrown[0]) / 2
    else:
        return Fraction(0)
    return troop.strength * blow * times(troop, ground)


def one_arm(arm: Arm, machine: bool) -> Fraction:
    """BP-2.3, B-67: the fire power of one of it."""
    power = damage(arm) * (arm.rate or 0) * arm.area * (2 if arm.bursts else 1)
    near = (SHORT,) if machine else (SHORT, MEDIUM)
    if arm.reach in near:
        power *= HALF
    return power * HALF if machine and arm.secondary else power


def shot_arms(troop: Troop) -> list[tuple[int, Arm]]:
    """The weapons that make its fire power: of men the main one, of machines all."""
    shooting = [(number, arm) for number, arm in troop.arms if arm.rate is not None]
    return shooting if troop.engine else shooting[:1]


def fire_power(troop: Troop, armour: int = 0, *, contact: bool = False) -> Fraction:
    """BP-2.3. `contact`: as an assailed shooting group has it (BP-4.9)."""
    bearers = troop.strength if troop.pieces is None else troop.pieces
    total = Fraction(0)
    for number, arm in shot_arms(troop):
        power = number * one_arm(arm, troop.engine is not None) if hurts(arm, armour) else Fraction(0)
        if contact and arm.siege:
            power = Fraction(0)
        elif contact and not (arm.firearm or troop.engine):
            power *= HALF
        total += power
    return bearers * total


def toughness(troop: Troop, ground: Ground) -> int:
    """BP-2.4; B-7: in an assault riders and charioteers dismount."""
    return 5 if ground.assault and troop.sort.mount in ("horse", "chariot") else troop.toughness


def a_head(troop: Troop, ground: Ground) -> int:
    return toughness(troop, ground) + troop.armour


def force(troop: Troop, ground: Ground) -> int:
    return troop.strength * a_head(troop, ground)


def percent(troop: Troop) -> int | None:
    """BP-2.5."""
    if troop.never:
        return None
    return troop.raised if troop.raised is not None else max(10, 10 + 10 * troop.combat)


def modifiers(troop: Troop) -> Fraction:
    """BP-9, B-63: mean of those of control and attack that are given."""
    given = (
        [value for value in (troop.engine.control, troop.engine.attack) if value is not None] if troop.engine else []
    )
    return Fraction(sum(given), len(given)) if given else Fraction(0)


def test_rating(troop: Troop, shooting: bool) -> Fraction:
    """B-10: combat with the accuracy of the weapon in use and the machine's modifiers."""
    arms = [arm for _, arm in shot_arms(troop)] if shooting else [arm for _, arm in troop.arms if arm.rate is None]
    return troop.combat + modifiers(troop) + (arms[0].accuracy if arms else 0)


def guard(troop: Troop) -> int:
    """BP-2.5, BP-9: its defense."""
    return max(0, troop.combat + ((troop.engine.defense or 0) if troop.engine else 0))


def is_siege(troop: Troop) -> bool:
    return any(arm.siege for _, arm in troop.arms)


def mobility(troop: Troop) -> int:
    """B-13."""
    heavy = troop.armour >= 3 or troop.shield
    if troop.engine:
        return troop.engine.mobility
    if is_siege(troop):
        return 0
    if troop.sort.flies:
        return 5
    return (3 if heavy else 4) if troop.barred else (1 if heavy else 2)


# Bodies


def mean(troops: Sequence[Troop], values: Sequence[Fraction | int]) -> Fraction:
    heads = sum(troop.strength for troop in troops)
    return (
        sum((troop.strength * Fraction(value) for troop, value in zip(troops, values, strict=True)), Fraction(0))
        / heads
    )


def body_percent(troops: Sequence[Troop]) -> int | None:
    """BP-2.7, B-11."""
    each = [percent(troop) for troop in troops]
    if all(value is None for value in each):
        return None
    if len(troops) == 1:
        return each[0]
    return floor(mean(troops, [NEVER_COUNTS if value is None else value for value in each]) / 5) * 5


def body_combat(troops: Sequence[Troop]) -> int:
    return floor(mean(troops, [troop.combat for troop in troops]))


def body_test(troops: Sequence[Troop], shooting: bool) -> int:
    return floor(mean(troops, [test_rating(troop, shooting) for troop in troops]))


def body_guard(troops: Sequence[Troop], *, contact: bool) -> int:
    """BP-2.7; BP-4.9: at contact siege pieces defend with nothing."""
    return floor(mean(troops, [0 if contact and is_siege(troop) else guard(troop) for troop in troops]))


def body_armour(troops: Sequence[Troop]) -> int:
    """B-64, B-79: the armour to beat; of equally common machines the better."""
    machines = [troop for troop in troops if troop.engine]
    if 2 * sum(troop.strength for troop in machines) <= sum(troop.strength for troop in troops):
        return 0
    counts: dict[Engine | None, int] = {}
    for troop in machines:
        counts[troop.engine] = counts.get(troop.engine, 0) + troop.strength
    most = max(counts.values())
    return max(troop.armour for troop in machines if counts[troop.engine] == most)


def strongest_arm(troops: Sequence[Troop]) -> tuple[bool, str]:
    """B-26: of its strongest weapon, whether it is a siege piece and its range; "" where nothing shoots."""
    best, found = (Fraction(0), -1), (False, "")
    for troop in troops:
        bearers = troop.strength if troop.pieces is None else troop.pieces
        for number, arm in shot_arms(troop):
            power = (bearers * number * one_arm(arm, troop.engine is not None), RANKS.index(arm.reach))
            if power > best:
                best, found = power, (arm.siege, arm.reach)
    return found


def body_reach(troops: Sequence[Troop]) -> int:
    reach = strongest_arm(troops)[1]
    return RANKS.index(reach) if reach else -1


def most_mobile(troops: Sequence[Troop], *, without_pieces: bool) -> int:
    """B-13: the mobility of most heads, the lower of equals."""
    heads: dict[int, int] = {}
    for troop in troops:
        if not (without_pieces and is_siege(troop)):
            heads[mobility(troop)] = heads.get(mobility(troop), 0) + troop.strength
    return min((value for value, count in heads.items() if count == max(heads.values())), default=0)
