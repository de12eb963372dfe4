"""B-47 to B-51: what becomes of men, machines, pieces and baggage, and what is learnt."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tests.rules.breaking_point.second_reading import units
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.ends import shares
from tests.rules.breaking_point.second_reading.units import Troop
from tests.rules.breaking_point.second_reading.war import Body, War

CREW = {"fresh": 0, "engaged": 5, "battered": 25, "decimated": 50, "annihilated": 100}  # B-66
LOST = ("fled", "annihilated", "surrendered")


@dataclass
class Toll:
    """Of one unit: its heads, `pieces` lost, and what % of their crews the machines lost that are left."""

    points: int = 0
    dead: int = 0
    wounded: int = 0
    prisoners: int = 0
    pieces: int = 0
    crews: int = 0


def toll(war: War, body: Body, brought: int = 0) -> list[Toll]:
    """B-47, B-48, B-49, by unit. `brought`: what the siege of others in it has cost before (B-55)."""
    victor = body.side == war.winner
    fallen = max(0, body.losses - brought)
    points = fallen - fallen // 2 if victor else fallen
    found = []
    for troop, share in zip(body.troops, shares(war, body, points), strict=True):
        worth = units.a_head(troop, war.ground(body)) * w.factor(war, body)
        out = min(troop.strength, share // worth)
        each = Toll(share)
        if troop.engine and out < troop.strength:
            each.crews = CREW[w.state(war, body)]
        if victor or troop.engine:  # B-68: a machine out of action is destroyed
            each.dead = out
        else:
            each.dead = -(-out // 2)
            each.wounded = out - each.dead
            if body.status in LOST:
                each.prisoners, each.wounded = each.wounded, 0
        if body.status == "surrendered" and not victor:
            each.prisoners += troop.strength - out
        each.pieces = pieces_lost(war, body, troop)
        found.append(each)
    return found


def pieces_lost(war: War, body: Body, troop: Troop) -> int:
    """B-49: of a defeated side."""
    if war.winner in (None, body.side) or troop.pieces is None or not units.is_siege(troop):
        return 0
    if body.status in ("annihilated", "surrendered") or (body.status == "withdrawn" and body.left_guns):
        return troop.pieces
    return -(-3 * troop.pieces // 4) if body.status == "fled" else 0


def lost_share(war: War, side: int) -> Fraction:
    """Of its force, what a side lost, 100 % at most (B-72): uncommitted reserves have no part."""
    fought = [body for body in war.of(side) if not body.troops[0].reserve or body.came]
    whole = sum(w.force(war, body) for body in fought)
    return min(Fraction(1), Fraction(sum(body.losses for body in fought), whole)) if whole else Fraction(0)


def lessons(war: War) -> dict[int, int]:
    """B-50: points by side; none where everybody of a side had left before anybody could fight (BP-6, B-24)."""
    if war.round == 0 and all(body.status in ("field", "ready", "withdrawn") for body in war.bodies):
        return {side.index: 0 for side in war.sides}
    if war.winner is None:
        return {side.index: 12 for side in war.sides}
    mine = lost_share(war, war.winner)
    worst = max(lost_share(war, side.index) for side in war.sides if side.index != war.winner)
    won, lost = (25, 2) if worst >= 3 * mine else (22, 7) if 2 * worst >= 3 * mine else (18, 7)
    return {side.index: won if side.index == war.winner else lost for side in war.sides}
