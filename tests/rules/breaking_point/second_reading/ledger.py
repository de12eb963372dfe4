"""One account of what the armies of a siege lose: into its battles, out of them, and what they have left at its end.

B-47, B-48, B-49, B-55, B-56, B-60, B-68, B-71.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.rules.breaking_point.second_reading import units
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.siege import ON_FOOT, Camp, Siege, reached, share
from tests.rules.breaking_point.second_reading.units import Ground, Troop
from tests.rules.breaking_point.second_reading.war import Body, War

RIDING = Ground()
BEATEN = ("fled", "annihilated", "surrendered")
STANDING = ("field", "ready", "routed")


def camps(siege: Siege) -> tuple[Camp, Camp, Camp]:
    return siege.garrison, siege.contact, siege.shooting


def settle(camp: Camp) -> None:
    """Every unit keeps what it has lost: what others lose later is theirs."""
    camp.own = camp.points()


def joins(camp: Camp, troops: Sequence[Troop]) -> None:
    """Who comes later bears nothing of what was lost before."""
    settle(camp)
    camp.troops += troops
    camp.own += [0] * len(troops)


def weights(troop: Troop, factor: int) -> tuple[int, int]:
    """What one head is worth in the open, where it rides (B-71), and in the siege, behind its walls."""
    return units.a_head(troop, RIDING), units.a_head(troop, ON_FOOT) * factor


def brought(camp: Camp, storm: bool) -> list[int]:
    """What each of its units brings into a battle: the same heads out, in the points that count there (B-55, B-71)."""
    if storm:
        return camp.points()
    pairs = [weights(troop, camp.factor) for troop in camp.troops]
    return [points * ride // foot for points, (ride, foot) in zip(camp.points(), pairs, strict=True)]


def carried(siege: Siege, storm: bool) -> list[tuple[Troop, int]]:
    """What every unit of the siege brings into its battle."""
    return [pair for camp in camps(siege) for pair in zip(camp.troops, brought(camp, storm), strict=True)]


def takes_back(siege: Siege, war: War, before: Sequence[tuple[Troop, int]]) -> None:
    """What the battle has added to each unit, or a rally has brought back, is in the siege's account now (B-55)."""
    storm = war.kind == w.ASSAULT
    for body in war.bodies:
        had = [next((points for one, points in before if one is troop), 0) for troop in body.troops]
        walls = siege.garrison.factor if body.group == "garrison" else 1
        still = w.factor(war, body)
        more = body.losses - sum(had) * still // walls
        parts = shared_out(war, body, had, more)
        for troop, part in zip(body.troops, parts, strict=True):
            credit(siege, troop, part, still, storm)


def shared_out(war: War, body: Body, had: list[int], more: int) -> list[int]:
    """B-47: losses by the units' force; BP-4.11: what a rally brings back, to each its part of what it had lost."""
    if more >= 0:
        return share(more, [units.force(troop, war.ground(body)) for troop in body.troops])
    return [-part for part in share(-more, had)]


def credit(siege: Siege, troop: Troop, points: int, walls: int, storm: bool) -> None:
    for camp in camps(siege):
        for index, one in enumerate(camp.troops):
            if one is troop and points:
                ride, foot = weights(troop, camp.factor)
                worth = abs(points) * camp.factor // walls if storm else abs(points) * foot // ride // walls
                settle(camp)
                after = max(0, camp.own[index] + (worth if points > 0 else -worth))
                camp.losses += after - camp.own[index]
                camp.own[index] = after


# How a battle leaves the siege


def fates(war: War, camp: Camp) -> list[str]:
    """What became of each of its units; "" of who was not there."""
    return [fate_of(war, troop) for troop in camp.troops]


def fate_of(war: War, troop: Troop) -> str:
    return next((body.status for body in war.bodies if any(one is troop for one in body.troops)), "")


def stands(war: War, camps_of_side: Sequence[Camp], gone: Sequence[str]) -> bool:
    """Whether anybody of a side is left there: in the battle, or because they took no part in it."""
    if not any(fate for camp in camps_of_side for fate in fates(war, camp)):
        return True  # this battle has changed nothing for them
    for camp in camps_of_side:
        for troop, out in zip(camp.troops, camp.out(), strict=True):
            fate = fate_of(war, troop)
            if fate not in gone if fate else troop.strength > out:
                return True
    return False


def ends(siege: Siege, war: War) -> str:
    """B-56: who is broken in an assault and not rallied loses the place, and a reserve does not hold it (B-44); B-60.

    B-24: where both sides left before it there was no battle. Out of a sortie that left the field they are back inside.
    """
    storm = war.kind == w.ASSAULT
    left = ("withdrawn", *BEATEN)
    inside, outside = [siege.garrison], [siege.contact, siege.shooting]
    if storm and all(body.status == "withdrawn" for body in war.bodies):
        return "goes-on"
    fell = not stands(war, inside, left if storm else BEATEN)
    lifted = not stands(war, outside, BEATEN if storm else left)
    if not storm and lifted:
        return "lifted"  # nobody is before the place any more, who could take it?
    return "fell" if fell else "lifted" if lifted else "goes-on"


def closes(siege: Siege, how: str, storm: bool) -> None:
    if how == "lifted":
        siege.weeks, siege.status = 0, "lifted"
    elif how == "fell":
        siege.status = "taken" if storm else "unconditional"
    else:
        siege.status = "broken" if reached(siege.garrison) else "open"


# What is left at the end


@dataclass(frozen=True)
class Left:
    """Of one unit."""

    able: int
    wounded: int
    dead: int
    prisoners: int
    pieces: int | None


def taken(siege: Siege, war: War | None) -> bool:
    """B-56, B-59: whether the garrison are prisoners: all who surrender to terms, or in the battle itself."""
    if siege.status == "unconditional":
        return True
    return siege.status == "taken" and war is not None and "surrendered" in fates(war, siege.garrison)


def left(siege: Siege, war: War | None, winner: str) -> list[list[Left]]:
    """By body and unit. `winner`: "garrison" or "besieger", of the battle that ended the siege; "" where none did."""
    found = []
    for camp, side in zip(camps(siege), ("garrison", "besieger", "besieger"), strict=True):
        victor = side == winner
        points = camp.losses - camp.losses // 2 if victor else camp.losses  # B-78: before they are shared
        shared = share(points, camp.points()) if victor else camp.points()
        captive = side == "garrison" and taken(siege, war)
        fate = [""] * len(camp.troops) if captive or war is None else fates(war, camp)
        rows = zip(camp.troops, shared, fate, strict=True)
        found.append([left_of(troop, each, camp.factor, how, victor) for troop, each, how in rows])
    return found


def left_of(troop: Troop, points: int, factor: int, fate: str, victor: bool) -> Left:
    out = min(troop.strength, points // weights(troop, factor)[1])
    able = troop.strength - out
    dead, wounded, prisoners = -(-out // 2), out // 2, 0
    if victor or troop.engine:  # B-48, B-68
        dead, wounded = out, 0
    if fate in BEATEN and not victor:
        prisoners, wounded = wounded, 0
    if fate == "surrendered" and not victor:
        prisoners, able = prisoners + able, 0
    pieces = None if troop.pieces is None else troop.pieces * able // troop.strength
    return Left(able, wounded, dead, prisoners, pieces)
