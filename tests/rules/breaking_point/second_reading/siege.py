"""BP-8 by the week: B-57 to B-60."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import floor
from typing import Any

from tests.rules.breaking_point.second_reading import units
from tests.rules.breaking_point.second_reading.attacks import ROWS
from tests.rules.breaking_point.second_reading.dice import Open
from tests.rules.breaking_point.second_reading.units import Ground, Troop
from tests.rules.breaking_point.second_reading.war import Chief, Place

ON_FOOT = Ground(assault=True)  # B-71: cavalry and charioteers count as foot from the first day
PENALTY = {"fresh": 0, "engaged": -1, "battered": -2, "decimated": -5, "annihilated": -5}


@dataclass
class Camp:
    """One body of a siege: its units, what it has lost in points, the factor of its walls."""

    troops: list[Troop]
    losses: int = 0
    factor: int = 1
    own: list[int] = field(default_factory=list)  # by unit: lost by it alone, no longer shared

    @property
    def force(self) -> int:
        return self.factor * sum(units.force(troop, ON_FOOT) for troop in self.troops)

    @property
    def value(self) -> int | None:
        percent = units.body_percent(self.troops) if self.troops else None
        return None if percent is None else self.force * percent // 100

    @property
    def state(self) -> str:
        if self.losses >= 2 * self.force:
            return "annihilated"
        if self.losses >= self.force:
            return "decimated"
        return "battered" if 2 * self.losses >= self.force else "engaged" if self.losses else "fresh"

    def out(self) -> list[int]:
        """B-47: men out of each unit."""
        worth = [units.a_head(troop, ON_FOOT) * self.factor for troop in self.troops]
        return [min(troop.strength, points // each)
                for troop, points, each in zip(self.troops, self.points(), worth, strict=True)]  # fmt: skip

    def points(self) -> list[int]:
        """What each unit has lost."""
        forces = [units.force(troop, ON_FOOT) for troop in self.troops]
        own = self.own or [0] * len(forces)
        common = share(self.losses - sum(own), forces)
        return [one + other for one, other in zip(common, own, strict=True)]

    def heads(self) -> int:
        return sum(troop.strength - out for troop, out in zip(self.troops, self.out(), strict=True))


@dataclass
class Siege:
    """`aim`: what the guns of the place shoot at, where the law leaves them the choice."""

    place: Place
    garrison: Camp
    contact: Camp
    shooting: Camp
    chief: Chief | None
    owners: tuple[str, str]
    weeks: int = 0
    thin: int = 0
    status: str = "open"
    plain: bool = False
    bombards: bool = True
    answers: bool = True  # B-58: the guns in the place may

    @property
    def besiegers(self) -> int:
        return self.contact.heads() + self.shooting.heads()

    @property
    def engineers(self) -> int:
        pairs = (pair for camp in (self.contact, self.shooting) for pair in zip(camp.troops, camp.out(), strict=True))
        return sum(troop.strength - out for troop, out in pairs if troop.engineers)


def share(points: int, forces: list[int]) -> list[int]:
    """B-47: dropped; the points over one by one to the largest remainders, ties in order."""
    whole = sum(forces)
    found = [points * each // whole for each in forces] if whole else [0] * len(forces)
    ranked = sorted(range(len(forces)), key=lambda index: -(points * forces[index] % whole) if whole else 0)
    for index in ranked[: points - sum(found)] if whole else []:
        found[index] += 1
    return found


def guns(camp: Camp) -> list[Troop]:
    """Its pieces; twice the force ends the count (B-33)."""
    return [troop for troop in camp.troops if units.is_siege(troop) and camp.state != "annihilated"]


def hold(siege: Siege) -> int:
    """Weeks it can hold: combat × force factor, halved by engineers (down). Bare combat (B-10), as it came."""
    weeks = max(0, units.body_combat(siege.garrison.troops)) * siege.place.factor
    enough = siege.engineers and 2 * siege.engineers >= siege.garrison.heads()
    return weeks // 2 if enough else weeks


def shot(camp: Camp, target: Camp, bonus: int, die: Callable[[], Open]) -> tuple[Any, ...] | None:
    """B-58: the pieces of a camp shoot once, at medium distance, capped."""
    pieces = guns(camp)
    armour = units.body_armour(target.troops)
    power = sum((units.fire_power(troop, armour) for troop in pieces), Fraction(0))
    power = floor(power / (1 if camp.state in ("fresh", "engaged") else 2))
    if not power or not target.heads():
        return None
    faces = die()
    margin = units.body_test(pieces, True) + PENALTY[camp.state] + faces.value
    margin -= 10 + units.body_guard(target.troops, contact=False) // 2 + bonus
    fell = power * (10 + 10 * (margin // 2)) // 100 if margin >= 0 else 0
    if target.value is not None:
        fell = min(fell, target.value)
    return faces, margin, power, min(fell, 2 * target.force - target.losses)


def week(siege: Siege, throw: Callable[[str], Open], aim: str) -> list[tuple[Any, ...]]:
    """Bombardment, two to one, the count, hunger, breaking. `throw`: by the owner of the die."""
    story: list[tuple[Any, ...]] = []
    target = siege.contact if aim == "contact" else siege.shooting
    theirs = answer = None
    if siege.bombards:
        theirs = shot(siege.shooting, siege.garrison, siege.place.bonus, lambda: throw(siege.owners[0]))
    if siege.answers and target.troops:
        answer = shot(siege.garrison, target, 0, lambda: throw(siege.owners[1]))
    for name, fell, camp in (("garrison", theirs, siege.garrison), (aim, answer, target)):
        if fell:
            story.append(("bombarded", name, *fell))
            camp.losses += fell[-1]
    weeks = hold(siege)
    if siege.besiegers < 2 * siege.garrison.heads():
        siege.thin += 1
        story.append(("thin", siege.thin))
        if siege.thin >= 2:
            siege.weeks, siege.status = 0, "lifted"
            return [*story, ("lifted",)]
    else:
        siege.thin, siege.weeks = 0, siege.weeks + 1
        story.append(("counted", siege.weeks, weeks))
        story += starve(siege, weeks)
    if reached(siege.garrison):
        siege.status = "broken"
        story.append(("broken", siege.garrison.losses))
    return story


def starve(siege: Siege, weeks: int) -> list[tuple[Any, ...]]:
    """A tenth of the initial force of those who eat, at every full tenth of the time beyond it."""
    beyond = siege.weeks - weeks
    if beyond <= 0 or beyond % max(1, weeks // 10):
        return []
    camp = siege.garrison
    forces = [units.force(troop, ON_FOOT) if troop.starves and not troop.engine else 0 for troop in camp.troops]
    points = camp.factor * sum(forces) // 10
    if 0 in forces:  # what all have lost till now is shared, and then what those who eat lose beside
        borne = zip(camp.points(), share(points, forces), strict=True)
        camp.own = [one + other for one, other in borne]
    camp.losses += points
    return [("starved", points)] if points else []


def reached(camp: Camp) -> bool:
    """B-34, B-57: in a siege reaching the value, or the force, is enough."""
    value = camp.force if camp.value is None else min(camp.force, camp.value)
    return camp.losses >= value


def ratio(mine: int | Fraction, theirs: int | Fraction) -> int:
    if theirs == 0:
        return 5 if mine else 0
    return next((bonus for many, few, bonus in ROWS if mine * few >= theirs * many), 0)


def power_on_the_sheet(camp: Camp) -> int:
    """What is left of it, power and fire power; a piece serves while it has its share of crew (B-49)."""
    left = standing(camp)
    return floor(sum(units.contact_power(troop, ON_FOOT) for troop in left)) + floor(
        sum(units.fire_power(troop) for troop in left)
    )


def standing(camp: Camp) -> list[Troop]:
    """Its units with the heads they have left."""
    found = []
    for troop, out in zip(camp.troops, camp.out(), strict=True):
        heads = troop.strength - out
        pieces = None if troop.pieces is None else troop.pieces * heads // troop.strength
        if heads:
            found.append(replace(troop, strength=heads, pieces=pieces))
    return found


def terms_difficulty(siege: Siege) -> int:
    """The whole time of the place, less 2 for each tenth lost: of 16 weeks, 20 % lost, 12."""
    return hold(siege) - 2 * (10 * siege.garrison.losses // siege.garrison.force)


def bought(siege: Siege, money: int, a_hundred: int) -> int:
    """B-80: 1 for each 5 % of the garrison's price, at most 4. The price is the campaign's, by hundreds begun."""
    hundreds = (siege.garrison.heads() + 99) // 100
    return 0 if not hundreds * a_hundred else min(4, floor(Fraction(money * 100, 5 * hundreds * a_hundred)))


def terms(siege: Siege, die: Open, money: int = 0, a_hundred: int = 0) -> tuple[int, str]:
    """B-59: its margin, and "refused", "honours" or "unconditional". Nobody commands: combat alone."""
    besiegers = [*standing(siege.contact), *standing(siege.shooting)]
    chief = siege.chief
    alone = units.body_combat(besiegers) if besiegers else 0
    own = chief.presence + chief.combat + chief.diplomacy if chief else alone
    mine = power_on_the_sheet(siege.contact) + power_on_the_sheet(siege.shooting)
    score = die.value + own + ratio(mine, power_on_the_sheet(siege.garrison))
    margin = score + bought(siege, money, a_hundred) - terms_difficulty(siege)
    return margin, "unconditional" if margin >= 5 else "honours" if margin >= 0 else "refused"
