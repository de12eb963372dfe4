"""How bodies leave: withdrawals, rallies, the end; and how losses fall on units (B-47)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.rules.breaking_point.second_reading import units
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.war import Army, Body, Side, War

if TYPE_CHECKING:
    from tests.rules.breaking_point.second_reading.rounds import Round


def goes(war: War, body: Body, how: str) -> None:
    body.status = how
    war.tell("gone", body.id, how)


def faster(mine: int, theirs: list[int]) -> int:
    """B-13: +2 above every enemy, −2 below any."""
    if theirs and mine > max(theirs):
        return 2
    return -2 if theirs and mine < max(theirs) else 0


def declared(war: War, side: Side, margin: int) -> None:
    """BP-4.2, B-24."""
    bodies = [body for body in war.of(side.index) if body.status in ("field", "ready")]
    if margin >= 2:
        war.tell("withdrawal", f"side-{side.index}", "away", margin >= 5)
        for body in bodies:
            body.left_guns = margin < 5
            goes(war, body, "withdrawn")
    elif margin <= -5:
        war.tell("withdrawal", f"side-{side.index}", "routed", False)
        routs(war, [body for body in bodies if body.status == "field"], -2)
        for body in bodies:
            if body.status == "ready":  # it is not there to rout
                punish(war, body, -2)
    else:
        war.tell("withdrawal", f"side-{side.index}", "stays", False)
        for body in bodies:
            punish(war, body, -2)


def punish(war: War, body: Body, penalty: int) -> None:
    """B-36: for the battle; the worst stands."""
    if penalty < body.failed_to_leave:
        body.failed_to_leave = penalty
        war.tell("penalty", body.id, penalty)


def routs(war: War, bodies: list[Body], penalty: int) -> None:
    """A failure by 5; those who never break (B-11) are punished as for a lesser one."""
    from tests.rules.breaking_point.second_reading.attacks import rout

    for body in bodies:
        if body.percent is None:
            punish(war, body, penalty)
        elif body.status == "field":
            rout(war, body)


def withdraw(war: War, army: Army, bodies: list[Body], orders: Round) -> None:
    """B-35, B-36."""
    who = bodies[0].id if war.kind == w.FLEET else army.id
    ids = {body.id for body in bodies}
    sides = sorted({body.side for body in war.bodies if body.on_field and orders.of(body).do != "hold"
                    and orders.of(body).target in ids and body.side != army.side
                    and not orders.will(body.army).withdraw and body.id not in orders.leaving})  # fmt: skip
    if not sides:
        leave(war, army, bodies, who, "free", guns=True)
        return
    troops = [troop for body in bodies for troop in body.troops]
    die = war.throw(who, "withdraw")
    mobility = faster(units.most_mobile(troops, without_pieces=True), [w.side_mobility(war, side) for side in sides])
    score = w.own_command(war, army, troops) + mobility + die.value
    score += war.sides[army.side].circumstances + war.retreats.get(army.side, 0)  # B-77, B-82
    best = max(w.command(war, war.sides[side]) + war.sides[side].circumstances
               + war.throw(f"side-{side}", "withdraw").value for side in sides)  # fmt: skip
    margin = score - best
    war.tell("opposed", who, die, score, best)
    if margin >= 2:
        leave(war, army, bodies, who, "away", guns=margin >= 5)
    elif margin <= -5:
        war.tell("withdrawal", who, "routed", False)
        routs(war, bodies, -4)
    else:
        war.tell("withdrawal", who, "stays", False)
        for body in bodies:
            punish(war, body, -2 if margin >= 0 else -4)


def leave(war: War, army: Army, bodies: list[Body], who: str, how: str, *, guns: bool) -> None:
    war.tell("withdrawal", who, how, guns)
    rest = (
        [] if war.kind == w.FLEET else [body for body in war.bodies if body.army == army.id and body.status == "ready"]
    )
    for body in bodies + rest:
        body.left_guns = not guns
        goes(war, body, "withdrawn")


def rallies(war: War, orders: Round) -> None:
    """BP-4.11, B-38: one attempt an army; who is not rallied is gone (B-37, B-56)."""
    for key, army in war.armies.items():
        routed = [body for body in war.bodies if body.army == key and body.status == "routed" and not body.rallied]
        named = orders.will(key).rally
        if routed:
            rally(war, army, next((body for body in routed if body.id == named), routed[0]))
    for body in war.bodies:
        if body.status == "routed":
            goes(war, body, "surrendered" if war.stuck(body) else "fled")


def rally(war: War, army: Army, body: Body) -> None:
    body.rallied = True
    reserve = body.troops[0].reserve  # BP-7: an army of its own, with its own figures
    combat = units.body_combat([troop for troop in army.troops if troop.reserve == reserve])
    die = war.throw(army.id, "rally")
    leader = w.commander(war, army)
    score = (leader.rally if leader else combat) + die.value
    margin = score - (20 - combat)
    back = 0
    if margin >= 0:
        body.status = "field"
        back = min(body.losses, body.losses * 10 * (margin // 2) // 100)
        body.losses -= back
    war.tell("rally", body.id, die, score, 20 - combat, margin >= 0, back)


def judge(war: War) -> None:
    """B-45."""
    stand = [body for body in war.bodies if (body.on_field or body.status == "ready") and not body.support]
    left = sorted({body.side for body in stand})
    if len(left) <= 1:
        war.over, war.winner = True, left[0] if left else None
    elif war.quiet >= 2 or war.round >= war.last:
        war.over, war.winner = True, None
    if war.over:
        war.tell("end", war.winner)


def shares(war: War, body: Body, points: int) -> list[int]:
    """B-47: by the units' force, dropped; the rest one by one to the largest remainders, ties in order."""
    forces = [units.force(troop, war.ground(body)) for troop in body.troops]
    whole = sum(forces)
    found = [points * each // whole for each in forces]
    ranked = sorted(range(len(forces)), key=lambda index: -(points * forces[index] % whole))
    for index in ranked[: points - sum(found)]:
        found[index] += 1
    return found
