"""What the sides of a drawn battle order, as this reading finds it legal."""

from __future__ import annotations

from math import floor
from random import Random

from tests.rules.breaking_point.second_reading import units
from tests.rules.breaking_point.second_reading import war as w
from tests.rules.breaking_point.second_reading.rounds import Order, Round, Will, covered
from tests.rules.breaking_point.second_reading.war import Body, War


def orders_of(war: War, rng: Random, mood: float) -> Round:
    """Orders of a round. `mood`: how often a body that can fight does."""
    bodies: dict[str, Order] = {}
    armies: dict[str, Will] = {}
    leaving: set[str] = set()
    for key in war.armies:
        will = armies[key] = will_of(war, key, rng)
        for body in war.bodies:
            if body.army == key and (body.status == "field" or (body.status == "ready" and will.commit)):
                bodies[body.id] = Order() if will.withdraw else order_of(war, body, rng, mood)
                if war.kind == w.FLEET and rng.random() < 0.05 and body.id not in war.surrounded:
                    leaving.add(body.id)
                    bodies[body.id] = Order()
    return Round(bodies, armies, frozenset(leaving))


def will_of(war: War, key: str, rng: Random) -> Will:
    will = Will()
    mine = [body for body in war.bodies if body.army == key]
    here = [body for body in mine if body.status == "field"]
    if any(body.status == "ready" for body in mine):
        will.commit = rng.random() < 0.3
    bound = any(map(war.stuck, here))
    if war.kind != w.FLEET and here and not will.commit and not bound and rng.random() < 0.06:
        will.withdraw = True
    if rng.random() < 0.15 and here:
        will.rally = rng.choice([body.id for body in here if not body.rallied] or [""])
    if war.kind == w.FLEET and commands_the_fleet(war, key):
        will.distance = rng.choice(("", "", "close", "open"))
    return will


def commands_the_fleet(war: War, key: str) -> bool:
    """One army a side has the wish: in the drawn battles every side has one."""
    return any(body.army == key and body.on_field for body in war.bodies)


def order_of(war: War, body: Body, rng: Random, mood: float) -> Order:
    order = Order("hold", "", rng.random() < 0.5 and not body.shoots_only, rng.random() < 0.8)
    choices = possibilities(war, body)
    if choices and rng.random() < mood:
        order.do, order.target = rng.choice(choices)
    return order


def possibilities(war: War, body: Body) -> list[tuple[str, str]]:
    """Every attack and shot this body may be ordered to."""
    if body.pursued_in == war.round:  # the round to come is the next
        return []
    found = []
    for target in war.bodies:
        if target.side == body.side or target.status != "field" or target.support:
            continue
        if may_strike(war, body) and not covered(war, target):
            found.append(("attack", target.id))
        if can_shoot(war, body) and may_be_shot(war, body, target):
            found.append(("shoot", target.id))
    return found


def may_strike(war: War, body: Body) -> bool:
    return war.kind != w.FLEET and not body.shoots_only and w.contact_power(war, body, None) > 0


def can_shoot(war: War, body: Body) -> bool:
    power = w.garrison_fire(war, body, 0) if body.group == "garrison" else w.fire(war, body, 0)
    return floor(power) + body.added("fire-power") > 0


def may_be_shot(war: War, body: Body, target: Body) -> bool:
    return not covered(war, target) or units.body_reach(body.troops) >= units.body_reach(target.troops)


def standing_answers(war: War, rng: Random) -> Round:
    """Before the command test: pursue, riposte and rally, should a withdrawal become a rout (B-24)."""
    bodies = {body.id: Order("hold", "", rng.random() < 0.5 and not body.shoots_only, rng.random() < 0.8)
              for body in war.bodies if body.status == "field"}  # fmt: skip
    return Round(bodies, {key: Will() for key in war.armies})
