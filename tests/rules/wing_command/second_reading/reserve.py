"""Reinforcements and the GM's hand (W-32, WC-11, HX-9.4, H-9)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading import moves
from tests.rules.hexes.second_reading.ground import LETTER_OF, Land, Place, apart, place
from tests.rules.hexes.second_reading.sides import from_home
from tests.rules.wing_command.second_reading import acting, host
from tests.rules.wing_command.second_reading.host import Situation, Unit, demand

# Reinforcements (W-32)


def reinforce(now: Situation, dice: Any, army: dict[str, Any], side: int) -> None:
    """A new wing, never a seventh, not in the last two turns. `army`: its wing and units as a situation has them."""
    demand(len(host.wings_of(now, side)) < 6, "W-32 never a seventh")
    demand(now["turn"] <= now["options"]["turn_limit"] - 2, "W-32 not in the last two turns")
    now["wings"][army["wing"]["id"]] = army["wing"] | {"side": side}
    now["units"] |= {unit["id"]: unit | {"side": side} for unit in army["units"]}


def entering(now: Situation, unit: Unit, posture: str, points: int) -> moves.Unit:
    """How it comes onto the map: over its home edge; in the reserve no order binds it."""
    land: Land = now["land"]
    edge = [at for at in land.letters if from_home(land, unit["side"], at) == 0]
    return host.mover(now, unit, posture, points)._replace(entry=frozenset(edge))


def route(land: Land, how: moves.Unit, target: Place) -> list[Place]:
    """HX-3.2, H-10: the cheapest way from off the map."""
    left = moves.reach(land, how, None).get(target)
    demand(left is not None, "HX-3.1 no way")
    found, hexes = moves.costs(land, how, None), [target]
    while left:
        last = len(hexes) == 1
        for near in (None, *land.around(hexes[0])):
            taken = moves.step(land, how, near, hexes[0]) if near or hexes[0] in how.entry else None
            before = 0 if near is None else found.get((near, True))
            if taken and (taken.goes_on or last) and before == left - taken.points:
                left = before
                hexes = [near, *hexes] if near else hexes
                break
        else:
            raise AssertionError(hexes)
    return hexes


def enter(now: Situation, dice: Any, unit: Unit, told: dict[str, Any]) -> None:
    """The first hex of its path lies on its home edge and is paid like any other."""
    going = now["stumbled"] and dict(now["stumbled"])
    posture = told["posture"] or unit["posture"]
    changes = posture != unit["posture"]
    demand(not told["stay"] and not told["exit"], "W-54, HX-6.3")
    demand(not (going and (changes or told["effort"])), "H-9 no posture, no second effort")
    demand(not changes or posture != "infiltrating" or unit["infiltrate"], "WC-9.9 marked so")
    demand(not changes or "flight" not in posture or unit["fly"], "WC-9.9 flies")
    points = going["left"] if going else host.moves_by(now, unit)
    how = entering(now, unit, posture, points + (max(1, points // 2) if told["effort"] else 0))
    demand(not told["to"] or place(told["to"]) in now["land"], "off the map")
    hexes = route(now["land"], how, place(told["to"])) if told["to"] else [*map(place, told["path"])]
    demand(hexes and hexes[0] in how.entry, "W-32 from its home edge")
    cost = paid(now["land"], how, hexes)
    demand(hexes[-1] not in how.held and host.could_stand(now, unit, hexes[-1], posture), "ends where it can stand")
    if told["effort"]:
        demand(unit["fatigue"] < 2 and cost > points, "W-22")
        demand(not host.beside(hexes[-1], host.threats(now, unit["side"])), "W-22 not adjacent")
    fresh = {"before": [], "clear": 0, "out": unit["posture"] == "infiltrating", "effort": told["effort"]}
    going = (going or fresh) | {"bound": False, "entered": True}
    tired = told["effort"] or going["effort"]
    demand(not tired or not told["attack"] or told["attack"]["how"] == "missile", "W-22 never melee")
    way: list[Any] = [None, *hexes]
    acting.check_attack(now, unit, way, posture, told, going)
    unit["posture"] = posture
    acting.walk(now, dice, unit, how, way, told, going, points)


def paid(land: Land, how: moves.Unit, hexes: list[Place]) -> int:
    cost, goes_on = 0, True
    for start, target in zip([None, *hexes], hexes, strict=False):
        demand(start is None or apart(start, target) == 1, "HX-3.3 neighbours")
        taken = moves.step(land, how, start, target)
        demand(taken and goes_on, "HX-3.3 the way")
        assert taken
        cost, goes_on = cost + taken.points, taken.goes_on
    demand(cost <= how.points, "WC-9.5 points")
    return cost


# The GM's hand


def override(now: Situation, dice: Any, what: str, field: str, value: Any, reason: str) -> None:
    """WC-11. A special order by hand frees for the turn; who is said to have acted is done."""
    if what in now["wings"]:
        now["wings"][what][field] = value
        return
    unit, first = now["units"][what], now["stumbled"]
    if field == "at":
        put(now, unit, place(value))
        return
    unit[field] = value
    if field == "special":
        unit["freed"] = value
    own = first is None or first["unit"] == what
    if field == "acted" and value:
        unit["special"] = False
        if own:
            acting.done(now, unit, None)
    elif field == "morale" and value == 2 and first and own:
        acting.done(now, unit, None)


def put(now: Situation, unit: Unit, at: Place) -> None:
    """HX-6.1, W-23: where there is room."""
    for other in host.here(now, at):
        shares = other["side"] == unit["side"] and (other["character"] or unit["character"])
        demand(other is unit or (shares and host.high(other) == host.high(unit)), "HX-6.1 room")
    unit["at"] = at
    host.prune(now)


def paint(now: Situation, dice: Any, told: dict[str, Any], reason: str) -> None:
    """HX-9.4; what lies over the map stays (HX-2.4)."""
    land: Any = now["land"]
    land.letters = land.letters | dict.fromkeys(map(place, told["hexes"]), LETTER_OF[True][told["terrain"]])
    land.known = object()
