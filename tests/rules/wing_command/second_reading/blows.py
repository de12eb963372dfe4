"""Attacks, duels, what they do, losses and what follows (WC-5, WC-8, W-10, W-24, W-25, W-43, W-47)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading import moves, sides
from tests.rules.hexes.second_reading.ground import Place, apart
from tests.rules.wing_command.second_reading import host
from tests.rules.wing_command.second_reading.host import Situation, Unit

Blow = dict[str, Any]


def begin(now: Situation, dice: Any, blow: Blow) -> None:
    """WC-8.9: under `gm` a blow waits for its report."""
    usual = {"duel": False, "bolt": False, "charged": False, "tires": False, "out": False, "follow": False, "stay": ()}
    whole = usual | {"carried": ()} | blow
    whole["out"] = whole["out"] or (whole["bolt"] and now["units"][blow["attacker"]]["posture"] == "infiltrating")
    if now["options"]["combat"] == "gm":
        now["blow"] = whole
    else:
        strike(now, dice, whole, None)


def words(blow: Blow) -> list[str]:
    """W-35, W-57: out of the columns of its table."""
    found = ["none", "recoil", "shaken", "routed", "destroyed"]
    return [*found, "attacker-recoils"] if blow["how"] == "melee" else found


# The sum (WC-8.1)


def attack_of(blow: Blow, attacker: Unit) -> int:
    if blow["bolt"]:
        return 4
    return attacker["melee"] if blow["how"] == "melee" else attacker["shot"]


def modifier(now: Situation, blow: Blow) -> int:
    attacker, target = (now["units"][blow[who]] for who in ("attacker", "target"))
    melee, duel = blow["how"] == "melee", blow["duel"]
    sum_ = -target["guard"] - 2 * host.lies_on(now, "ward", target)
    sum_ += attack_of(blow, attacker)
    sum_ -= (attacker["morale"] >= 1) + attacker["fatigue"]  # winded 1, exhausted 2 (W-47)
    if blow["out"]:
        sum_ += 1
    if not host.high(target) and now["land"].lies_as(target["at"]) in ("difficult", "infiltration_only"):
        sum_ -= 1  # W-52
    if not melee:
        reach = 6 if blow["bolt"] else attacker["range"]
        return sum_ - (apart(attacker["at"], target["at"]) * 2 > reach)
    sum_ += (target["morale"] >= 1) + (target["fatigue"] == 2)
    stands = not duel and stands_fast(now, target)
    sum_ -= stands
    sum_ += bool(blow["charged"] and not stands)
    if not duel:
        sum_ += min(2, len(supporters(now, attacker, target)))
        sum_ += any(
            other["morale"] == 0 and (host.leads(now, other) or host.army_leader(now, other))
            for other in host.with_him(now, attacker)
        )
    return sum_


def stands_fast(now: Situation, target: Unit) -> bool:
    """A fit troop bound by *hold* that has not moved this turn."""
    return not target["character"] and target["morale"] == 0 and host.bound(now, target, "hold") and not target["moved"]


def supporters(now: Situation, attacker: Unit, target: Unit) -> list[Unit]:
    """W-14, W-52"""
    return [
        other for other in host.beside(target["at"], host.everybody(now))
        if other is not attacker and other["side"] == attacker["side"] and not other["character"]
        and other["morale"] < 2 and host.high(other) == host.high(target)
        and host.is_seen(now, other, target["side"])
    ]  # fmt: skip


def result_of(how: str, total: int) -> str:
    if how == "melee":
        steps = [(4, "attacker-recoils"), (6, "none"), (8, "recoil"), (10, "shaken"), (12, "routed")]
    else:
        steps = [(7, "none"), (9, "recoil"), (11, "shaken"), (13, "routed")]
    return next((result for most, result in steps if total <= most), "destroyed")


# What it does


def strike(now: Situation, dice: Any, blow: Blow, reported: str | None) -> None:
    """W-25: in this order."""
    attacker, target = (now["units"][blow[who]] for who in ("attacker", "target"))
    result = reported
    if result is None:
        named = "duel" if blow["duel"] else blow["how"]
        result = result_of(blow["how"], dice.two(named, attacker["id"]) + modifier(now, blow))
    attacker["stirred"] = target["stirred"] = True
    attacker["activated"] = attacker["activated"] or blow["duel"]  # WC-1.7
    if blow["how"] == "melee" and not blow["duel"]:
        now["fought"].add(frozenset((attacker["id"], target["id"])))
    for key in blow["carried"]:
        now["units"][key]["charged"] = True
    left = target["at"]
    lost: list[Unit] = []
    if result == "attacker-recoils":
        if not blow["duel"]:
            recoil(now, attacker, left)
            tire(attacker)
    elif result != "none":
        suffer(now, target, result, attacker["at"])
    if blow["tires"]:
        tire(attacker)
    for unit in (attacker, target):
        if unit["posture"] == "infiltrating":
            unit["posture"] = "ground"
    if target["gone"]:
        lost.append(target)
        if not target["character"]:
            lost += fates(now, dice, left, attacker["at"])
    if blow["follow"]:
        follow(now, attacker, left, blow["stay"])
    mourn(now, dice, lost)


def suffer(now: Situation, unit: Unit, result: str, threat: Place) -> None:
    """WC-8.2, WC-8.3, W-10"""
    if result == "destroyed" or (unit["morale"] == 2 and result in ("shaken", "routed")):
        destroy(now, unit)
    elif recoil(now, unit, threat):
        if result == "shaken":
            shake(now, unit)
        elif result == "routed":
            rout(now, unit)
    elif result == "recoil":
        shake(now, unit)
    elif result == "shaken":
        rout(now, unit)
    else:
        destroy(now, unit)


def shake(now: Situation, unit: Unit) -> None:
    """WC-8.2"""
    if unit["morale"] == 0:
        unit["morale"] = 1
    elif unit["morale"] == 1:
        rout(now, unit)
    else:
        destroy(now, unit)


def rout(now: Situation, unit: Unit) -> None:
    """WC-8.5"""
    unit["morale"] = 2
    if not unit["character"]:
        for other in host.with_him(now, unit):
            other["morale"] = max(other["morale"], 1)


def tire(unit: Unit) -> None:
    unit["fatigue"] = min(2, unit["fatigue"] + 1)


def recoil_hex(now: Situation, unit: Unit, threat: Place) -> Place | None:
    """WC-8.3, HX-6.2, W-23, W-24, W-26"""
    how = host.fugitive(now, unit)
    others = [foe["at"] for foe in host.seen_foes(now, unit["side"])]
    shared = [] if unit["character"] else host.with_him(now, unit)
    for at in sides.away(now["land"], unit["side"], unit["at"], threat, others):
        if at in how.held or moves.step(now["land"], how, unit["at"], at) is None:
            continue
        if now["land"].lies_as(at) == "impassable" and not host.high(unit):
            continue
        if not all(host.could_stand(now, one, at, one["posture"]) for one in (unit, *shared)):
            continue  # the text is silent: they share it, so all must find room
        if any(moves.step(now["land"], host.fugitive(now, one), one["at"], at) is None for one in shared):
            continue  # nor does a wall let one of them through and another not
        return at
    return None


def recoil(now: Situation, unit: Unit, threat: Place) -> bool:
    """Whether there is a hex. Characters share their troop's."""
    at = recoil_hex(now, unit, threat)
    if at is None:
        return False
    shared = [] if unit["character"] else host.with_him(now, unit)
    for one in (unit, *shared):
        one["at"] = at
    host.prune(now)
    return True


def destroy(now: Situation, unit: Unit) -> None:
    unit["gone"] = "destroyed"
    clear_away(now, unit)


def clear_away(now: Situation, unit: Unit) -> None:
    """What lay on a unit that has left the map goes with it."""
    now["timers"] = [timer for timer in now["timers"] if timer["unit"] != unit["id"]]
    host.prune(now)


def fates(now: Situation, dice: Any, at: Place, threat: Place) -> list[Unit]:
    """WC-8.5, W-26: who is lost of the characters of a destroyed troop."""
    lost = []
    with_it = host.here(now, at)
    for wing in now["wings"].values():
        for unit in host.members(now, wing):
            if not any(unit is one for one in with_it):
                continue
            saved = dice.two("fate", unit["id"]) > 4
            if not (saved and (join(now, unit) or recoil(now, unit, threat))):
                destroy(now, unit)
                lost.append(unit)
    return lost


def join(now: Situation, unit: Unit) -> bool:
    """W-26: the nearest friendly troop within their move, at their height."""
    how = host.fugitive(now, unit)
    costs = moves.costs(now["land"], how, unit["at"])
    near = [
        (costs[other["at"], True], host.reading(other["at"]), other["at"])
        for other in host.everybody(now)
        if other["side"] == unit["side"] and not other["character"] and other["at"] not in how.held
        and costs.get((other["at"], True), 10**6) <= host.moves_by(now, unit)
    ]  # fmt: skip
    if not near:
        return False
    unit["at"] = min(near)[2]
    host.prune(now)
    return True


def may_enter(now: Situation, unit: Unit, at: Place) -> bool:
    """W-43: an empty hex the unit could enter, at any cost."""
    if host.here(now, at) or apart(unit["at"], at) != 1 or not host.could_stand(now, unit, at, unit["posture"]):
        return False
    how = host.fugitive(now, unit)
    return moves.step(now["land"], how, unit["at"], at) is not None


def follow(now: Situation, unit: Unit, at: Place, stay: Any) -> None:
    """WC-8.4, W-43, W-54"""
    if not host.on_map(unit) or not may_enter(now, unit, at):
        return
    carry(now, unit, at, stay, unit["posture"])
    unit["at"] = at
    unit["moved"] = unit["stirred"] = True
    host.prune(now)


def carry(now: Situation, unit: Unit, at: Place | None, stay: Any, posture: str) -> list[Unit]:
    """W-9, W-54: characters that go along with their troop; `at` is None off the map."""
    if unit["character"]:
        return []
    going = [
        other for other in host.with_him(now, unit)
        if not other["acted"] and other["id"] not in stay and other["morale"] < 2 and not host.engaged(now, other)
        and host.could_stand(now, other, other["at"] if at is None else at, other["posture"])
        and host.high(other) == (posture == "high_flight")
    ]  # fmt: skip
    for other in going:
        other["at"] = at if at is not None else other["at"]
        other["moved"] = other["stirred"] = True
    return going


# Losses (WC-5, WC-9.8)


def mourn(now: Situation, dice: Any, lost: list[Unit], withdrawn: bool = False) -> None:
    """W-25: lost unit by lost unit the demoralisation of wings in their order, then broken wings."""
    roles = []
    for unit in lost:
        led = host.leads(now, unit)
        roles.append((unit, led, host.army_leader(now, unit)))
        if led:
            led["leader"] = ""
        if host.army_leader(now, unit):
            now["leaders"][unit["side"]] = ""
    for unit, led, chief in roles:
        if withdrawn:
            continue
        for wing in host.wings_of(now, unit["side"]):
            if (chief or wing["id"] == unit["wing"]) and host.members(now, wing):
                demoralise(dice, wing, (wing is led) + 2 * chief)
    break_wings(now)


def demoralise(dice: Any, wing: host.Wing, more: int) -> None:
    """WC-5.2, WC-5.3"""
    if dice.two("demoralisation", wing["id"]) + more > wing["morale"]:
        wing["morale"] = max(4, wing["morale"] - 1)
        wing["shaken"] += 1


def break_wings(now: Situation) -> None:
    """WC-9.8, W-31"""
    for wing in now["wings"].values():
        lost = sum(
            bool(unit["gone"]) and not unit["character"]
            for unit in (now["units"][key] for key in wing["members"])
        )  # fmt: skip
        if lost * 100 >= wing["troops"] * now["options"]["break_share"] and not wing["broken"]:
            wing["broken"], wing["order"] = True, "retreat"
