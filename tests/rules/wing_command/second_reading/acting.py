"""The action phase: wings by turns, acts, rallies by order, duels (WC-8.7, WC-9.4, WC-9.5, WC-9.9, H-9)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from tests.rules.hexes.second_reading import moves
from tests.rules.hexes.second_reading.ground import Place, apart, place, ring
from tests.rules.wing_command.second_reading import blows, host, obeying
from tests.rules.wing_command.second_reading.host import Situation, Unit, demand

POSTURES = ("ground", "infiltrating", "close_flight", "high_flight")


def on_turn(now: Situation, key: str) -> Unit:
    """The unit of a command of the activated wing."""
    demand(now["phase"] == "action" and now["wing"], "WC-11 phase")
    unit = now["units"].get(key)
    demand(unit and not unit["gone"] and unit["wing"] == now["wing"], "W-17 only the activated wing")
    assert unit is not None
    first = now["stumbled"]
    demand(first is None or first["unit"] == key, "H-9 another goes on first")
    return unit


def take_wing(now: Situation, dice: Any, wing: str) -> None:
    demand(now["phase"] == "action" and not now["wing"], "WC-11 phase")
    taken = now["wings"].get(wing)
    demand(taken and taken["side"] == now["side"] and available(now, taken), "WC-9.4 this side's wings")
    now["wing"] = wing


def available(now: Situation, wing: host.Wing) -> bool:
    """W-17: it has not acted yet, and has a unit able to."""
    return not wing["done"] and any(is_able(now, unit) for unit in host.present(now, wing))


def is_able(now: Situation, unit: Unit) -> bool:
    if unit["acted"]:
        return False
    return unit["morale"] < 2 or (unit["special"] and not barred(now, unit))


def end_wing(now: Situation, dice: Any) -> None:
    """W-16, W-23, W-30"""
    demand(now["phase"] == "action" and now["wing"], "WC-11 phase")
    for unit in host.members(now, now["wings"][now["wing"]]):
        if now["stumbled"] and now["stumbled"]["unit"] == unit["id"]:
            continue
        lands = host.must_land(unit) and not unit["acted"] and unit["morale"] < 2
        demand(not lands and not obeying.is_bound_to_move(now, unit), f"W-16 {unit['id']}")
    if now["stumbled"]:
        done(now, now["units"][now["stumbled"]["unit"]], None)
    now["wings"][now["wing"]]["done"] = True
    now["wing"], now["last"] = "", None
    now["side"] = 1 - now["side"]


# Rally by special order


def barred(now: Situation, unit: Unit) -> bool:
    """W-12, W-49: seen, unrouted enemies beside it."""
    return unit["at"] is not None and any(
        foe["morale"] < 2 for foe in host.beside(unit["at"], host.seen_foes(now, unit["side"]))
    )


def rally_test(now: Situation, dice: Any, unit: Unit) -> None:
    """WC-9.6"""
    wing = host.wing_of(now, unit)
    unit["tested"] = True
    if dice.two("rally", unit["id"]) + wing["shaken"] + (not wing["leader"]) <= wing["morale"]:
        unit["morale"] -= 1


def rally(now: Situation, dice: Any, unit: str) -> None:
    """WC-4.4, W-49"""
    tests = on_turn(now, unit)
    demand(
        host.on_map(tests) and not tests["acted"] and tests["morale"] == 2 and tests["special"],
        "W-49 a routed unit with an order",
    )
    demand(not barred(now, tests), "W-49 enemies beside it")
    rally_test(now, dice, tests)
    done(now, tests, None)


def done(now: Situation, unit: Unit, last: Any) -> None:
    """Its action is over; its marker goes (WC-4.4). `last`: what it may still duel on (W-48)."""
    unit["acted"], unit["special"] = True, False
    now["stumbled"], now["last"] = None, last


# Acts


def act(now: Situation, dice: Any, unit: str, **told: Any) -> None:
    one = on_turn(now, unit)
    demand(not one["acted"], "WC-9.4 acts once")
    demand(one["morale"] < 2, "W-49 routed")
    whole = {"path": (), "to": "", "posture": "", "effort": False, "attack": None, "charge": None, "follow": None,
             "stay": (), "exit": False} | told  # fmt: skip
    demand(not (whole["path"] and whole["to"]), "H-10 path or to")
    if one["at"] is None:
        from tests.rules.wing_command.second_reading.reserve import enter  # they know each other

        enter(now, dice, one, whole)
    elif now["stumbled"]:
        go_on(now, dice, one, whole)
    elif host.must_land(one):
        land(now, dice, one, whole)
    else:
        begin(now, dice, one, whole)


def check_stay(now: Situation, unit: Unit, told: dict[str, Any]) -> None:
    stackmates = [other["id"] for other in host.with_him(now, unit) if other["character"]]
    demand(all(key in stackmates for key in told["stay"]), "W-54 who stays is in its hex")


def take_posture(now: Situation, unit: Unit, posture: str) -> str:
    """WC-9.9, W-23, W-56: the posture it acts in."""
    if not posture or posture == unit["posture"]:
        return unit["posture"]
    demand(posture != "infiltrating" or unit["infiltrate"], "WC-9.9 marked so")
    demand("flight" not in posture or unit["fly"], "WC-9.9 flies")
    demand(not host.engaged(now, unit), "WC-9.9 not while engaged")
    demand(host.could_stand(now, unit, unit["at"], posture), "W-56 lands only where it could stand")
    return posture


def way(now: Situation, unit: Unit, how: moves.Unit, told: dict[str, Any]) -> list[Place]:
    """H-10, HX-3.3: the hexes of its way, its start first."""
    if told["to"]:
        target = place(told["to"])
        demand(target in now["land"], "off the map")
        found = moves.route(now["land"], how, unit["at"], target)
        demand(found, "HX-3.1 no way")
        assert found
        return found[1]
    return [unit["at"], *map(place, told["path"])]


def spent(now: Situation, unit: Unit, how: moves.Unit, hexes: list[Place], told: dict[str, Any], posture: str) -> int:
    """What the way costs, leaving the map with it (W-22)."""
    demand(len(hexes) == 1 or host.could_stand(now, unit, hexes[-1], posture), "ends where it can stand")
    cost = moves.walked(now["land"], how, hexes)
    demand(cost is not None, "HX-3.3 the way")
    assert cost is not None
    if told["exit"]:
        demand(host.wing_of(now, unit)["order"] == "retreat", "W-46 leaving")
        demand(obeying.home(now, unit, hexes[-1]) == 0, "HX-6.3 from the edge")
        demand(len(hexes) == 1 or hexes[-1] not in how.halts, "WC-9.5 adjacency ends its move")
        demand(not told["attack"], "who leaves does not attack")
        cost += 1
    demand(cost <= how.points, "WC-9.5 points")
    return cost


def begin(now: Situation, dice: Any, unit: Unit, told: dict[str, Any]) -> None:
    check_stay(now, unit, told)
    posture = take_posture(now, unit, told["posture"])
    points = host.moves_by(now, unit)
    more = max(1, points // 2) if told["effort"] else 0
    how = host.mover(now, unit, posture, points + more)
    if not unit["character"] and host.bound(now, unit, "hold"):  # W-20: one hex, also by `to`
        how = how._replace(halts=frozenset({*how.halts, *ring(unit["at"])}))
    hexes = way(now, unit, how, told)
    steps = len(hexes) - 1
    cost = spent(now, unit, how, hexes, told, posture)
    if hexes[-1] == unit["at"] and posture != unit["posture"] and not told["exit"]:
        demand(unit["at"] not in how.held, "W-23 all of a hex, judged where it ends")
    if steps or told["exit"]:
        demand(not unit["moved"], "W-54 being carried is his move")
        free = unit["freed"] or host.bound(now, unit, "retreat")  # silent on chaotic characters: not bound, not free
        demand(free or not host.engaged(now, unit), "WC-9.5 engaged")
    if told["effort"]:
        demand(unit["fatigue"] < 2 and cost > points, "W-22")
        demand(not host.beside(hexes[-1], host.threats(now, unit["side"])), "W-22 not adjacent")
        demand(not told["attack"] or told["attack"]["how"] == "missile", "W-22 never melee")
    obeying.judge(now, unit, hexes[-1], steps, told)
    before = [foe["id"] for foe in host.beside(unit["at"], host.seen_foes(now, unit["side"]))]
    going = {"before": before, "clear": 0, "out": unit["posture"] == "infiltrating", "effort": told["effort"],
             "bound": True}  # fmt: skip
    check_attack(now, unit, hexes, posture, told, going)
    unit["posture"] = posture
    walk(now, dice, unit, how, hexes, told, going, points)


def cheap(now: Situation, how: moves.Unit, hexes: list[Place], posture: str) -> int:
    """W-21: hexes entered for 1 point each, on the ground or in close flight."""
    if posture not in ("ground", "close_flight"):
        return 0
    found = [moves.step(now["land"], how, one, other) for one, other in pairwise(hexes)]
    return sum(step is not None and step.points == 1 for step in found)


def check_attack(
    now: Situation, unit: Unit, hexes: list[Place], posture: str, told: dict[str, Any], going: dict[str, Any]
) -> None:
    attack = told["attack"]
    if not attack:
        demand(told["charge"] is not True, "W-21 no melee")
        return
    target = now["units"].get(attack["target"])
    demand(target and host.on_map(target) and target["side"] != unit["side"], "WC-8 an enemy")
    assert target
    demand(any(target is foe for foe in obeying.strikeable(now, unit)), "W-14, WC-8.1")
    if attack["how"] == "missile":
        demand(obeying.may_shoot(now, unit, hexes[-1], posture, target), "WC-8.6")
        demand(told["charge"] is not True, "W-21 no melee")
        return
    demand(obeying.may_strike(now, unit, hexes[-1], posture, target), "WC-8.6, W-9, W-23")
    if going["bound"]:
        obeying.melee_target(now, unit, target, going["before"])
    if told["charge"]:
        how = host.mover(now, unit, posture, 10**6)
        walked = going["clear"] + cheap(now, how, hexes, posture)
        demand(walked >= 2 and not bars_charge(now, unit, going), "W-21")


def bars_charge(now: Situation, unit: Unit, going: dict[str, Any]) -> bool:
    return unit["fatigue"] == 2 or (going["bound"] and obeying.bars_charge(now, unit))


def walk(
    now: Situation, dice: Any, unit: Unit, how: moves.Unit, hexes: list[Place], told: dict[str, Any],
    going: dict[str, Any], points: int,
) -> None:  # fmt: skip
    """The move, as far as hidden enemies let it, then the attack."""
    hidden = [foe for foe in host.foes(now, unit["side"]) if not host.is_seen(now, foe, unit["side"])]
    quiet = [foe["at"] for foe in hidden if foe["morale"] == 2 or host.high(foe)]
    start = unit["at"]
    if host.high(unit):  # it passes over enemies; only where it would end somebody unseen stops it
        hidden = [foe for foe in hidden if foe["at"] == hexes[-1]]
        quiet = [foe["at"] for foe in hidden]
    met = moves.march(now["land"], how, hexes, [foe["at"] for foe in hidden], 2, quiet=quiet)
    going["clear"] += cheap(now, how, met.hexes, unit["posture"])
    lands = going.pop("lands", False)
    carried = list(going.get("carried", ()))
    if len(met.hexes) > 1:
        carried += move(now, unit, met.hexes[-1], told["stay"], "ground" if lands else unit["posture"])
    if lands and met.stumbled:  # W-54: it waits for its next action
        done(now, unit, None)
        return
    if lands:
        unit["posture"] = "ground"
    if told["effort"] and not met.stumbled:
        blows.tire(unit)
    if met.stumbled:
        left = met.left
        if told["effort"]:
            begun = how.points - met.left > points
            left = 0 if begun else met.left - (how.points - points)
            going["effort"] = begun
            if begun:
                blows.tire(unit)
        now["stumbled"] = going | {"unit": unit["id"], "left": max(0, left), "carried": carried, "start": start}
        now["last"] = None
        return
    if told["exit"]:
        leave(now, dice, unit, told["stay"])
        return
    finish(now, dice, unit, told, going, carried)


def move(now: Situation, unit: Unit, at: Place, stay: Any, posture: str) -> list[str]:
    carried = blows.carry(now, unit, at, stay, posture)
    unit["at"] = at
    unit["moved"] = unit["stirred"] = True
    host.prune(now)
    return [other["id"] for other in carried]


def leave(now: Situation, dice: Any, unit: Unit, stay: Any) -> None:
    """W-3, W-54: it withdraws, its characters with it."""
    gone = [unit, *blows.carry(now, unit, None, stay, unit["posture"])]
    for one in gone:
        one["gone"] = "withdrawn"
        blows.clear_away(now, one)
    blows.mourn(now, dice, gone, withdrawn=True)
    done(now, unit, None)


def finish(
    now: Situation, dice: Any, unit: Unit, told: dict[str, Any], going: dict[str, Any], carried: list[str]
) -> None:
    attack = told["attack"]
    done(now, unit, None if attack else going | {"unit": unit["id"]})
    if not attack:
        return
    melee = attack["how"] == "melee"
    charged = melee and going["clear"] >= 2 and not bars_charge(now, unit, going) and told["charge"] is not False
    usual = melee and not (host.bound(now, unit, "hold") and going["bound"])
    follow = usual if told["follow"] is None else told["follow"]
    target = now["units"][attack["target"]]
    troop = host.troop_here(now, target["at"])  # WC-8.1: it has come into sight
    if troop and host.is_seen(now, troop, unit["side"]):
        target = troop
    blow = {
        "attacker": unit["id"], "target": target["id"], "how": attack["how"], "charged": charged,
        "tires": charged, "out": going["out"] and unit["posture"] == "infiltrating", "follow": melee and follow,
        "stay": told["stay"], "carried": carried if charged else (),
    }  # fmt: skip
    blows.begin(now, dice, blow)


# Going on after a stumble (H-9)


def go_on(now: Situation, dice: Any, unit: Unit, told: dict[str, Any]) -> None:
    check_stay(now, unit, told)
    going = dict(now["stumbled"])
    changes = told["posture"] not in ("", unit["posture"])  # naming the posture it is in changes nothing
    demand(not changes and not told["effort"], "H-9 no posture, no second effort")
    how = host.mover(now, unit, unit["posture"], going["left"])
    hexes = way(now, unit, how, told)
    spent(now, unit, how, hexes, told, unit["posture"])
    if len(hexes) > 1 or told["exit"]:
        near = host.beside(unit["at"], host.threats(now, unit["side"]))
        demand(host.high(unit) or not near, "H-9 beside the enemy it only fights")
    demand(not going["effort"] or not told["attack"] or told["attack"]["how"] == "missile", "W-22")
    going["bound"] = False  # W-56
    check_attack(now, unit, hexes, unit["posture"], told, going)
    walk(now, dice, unit, how, hexes, told, going, how.points)


# Landing (W-23, W-54, W-56)


def land(now: Situation, dice: Any, unit: Unit, told: dict[str, Any]) -> None:
    check_stay(now, unit, told)
    demand(told["posture"] in ("", "ground"), "W-23 it lands")
    demand(not told["effort"], "W-22 exhausted")
    points = host.moves_by(now, unit)
    how = host.mover(now, unit, "high_flight", points)
    taken = {
        other["at"] for other in host.everybody(now) if other is not unit and host.is_seen(now, other, unit["side"])
    }
    spots = [at for at in moves.reach(now["land"], how, unit["at"]) if host.could_stand(now, unit, at, "ground")]
    spots = [at for at in spots if at not in taken]  # a free hex
    if not told["path"] and not told["to"] and not spots:
        demand(not told["attack"] and not told["exit"], "W-23 this is its action")
        blows.shake(now, unit)
        done(now, unit, None)
        return
    hexes = way(now, unit, how, told)
    spent(now, unit, how, hexes, told, "ground")
    demand(hexes[-1] in spots, "W-23 it lands where it can stand")
    demand(not told["exit"], "W-23 before all else: it lands, and leaves no map")
    going = {"before": [], "clear": 0, "out": False, "effort": False, "bound": False, "lands": True}
    check_attack(now, unit, hexes, "ground", told, going)
    walk(now, dice, unit, how, hexes, told, going, points)


# Duels


def duel(
    now: Situation, dice: Any, character: str, target: str, how: str = "melee", charge: bool | None = None
) -> None:
    """WC-8.7, WC-8.8, W-19, W-48, W-59, W-60"""
    one = on_turn(now, character)
    last = now["last"] or now["stumbled"]
    goes_on = last is not None and last["unit"] == character
    demand(one["character"] and host.on_map(one) and not one["activated"], "W-59")
    demand(not one["acted"] or goes_on, "W-48 before another acts")
    demand(one["morale"] == 0, "WC-8.7 routed or shaken")
    other = now["units"].get(target)
    demand(other and host.on_map(other) and other["side"] != one["side"] and other["character"], "WC-8.7")
    assert other is not None
    demand(host.is_seen(now, other, one["side"]), "W-14")
    demand(not host.must_land(one), "W-23 lands first")
    demand(condition(now, one, other), "WC-8.7 the condition")
    below = host.troop_here(now, other["at"])
    demand(below and host.is_seen(now, below, one["side"]), "WC-8.7 the target is stacked on a troop its enemy sees")
    going = last if goes_on and last else fresh(now, one)
    going = going | {"bound": going["bound"] or going.get("entered", False)}  # the text is silent: on the map it is
    if how == "melee":
        demand(host.troop_here(now, one["at"]) and apart(one["at"], other["at"]) == 1, "WC-8.7 stacked, adjacent")
        demand(host.high(one) == host.high(other), "W-48 one height")
        demand(not going["effort"], "W-22 never melee")
        if going["bound"]:
            obeying.melee_target(now, one, other, going["before"])
    else:
        demand(not host.engaged(now, one), "W-48 engaged")
        demand(obeying.may_shoot(now, one, one["at"], one["posture"], other), "WC-8.7 range and sight")
        demand(charge is not True, "W-21 melee")
    demand(not (going["bound"] and host.bound(now, one, "retreat")), "W-60")
    own = going["clear"] >= 2 and not bars_charge(now, one, going)
    allowed = how == "melee" and (own or one["charged"])
    demand(allowed or not charge, "W-21")
    charged = allowed and charge is not False
    blow = {
        "attacker": character, "target": target, "how": how, "duel": True, "charged": charged,
        "tires": charged and own and not one["charged"],
        "out": going["out"] and one["posture"] == "infiltrating",
    }  # fmt: skip
    done(now, one, None)
    blows.begin(now, dice, blow)


def fresh(now: Situation, unit: Unit) -> dict[str, Any]:
    before = [foe["id"] for foe in host.beside(unit["at"], host.seen_foes(now, unit["side"]))]
    return {"before": before, "clear": 0, "out": unit["posture"] == "infiltrating", "effort": False, "bound": True}


def condition(now: Situation, one: Unit, other: Unit) -> bool:
    def on_large(unit: Unit) -> bool:
        return not unit["large"] and any(mate["large"] for mate in host.with_him(now, unit))

    return on_large(one) or (not host.engaged(now, one) and on_large(other))
