"""The turn: initiative, passing, the rout phase, the end, victory (WC-9)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading import moves
from tests.rules.hexes.second_reading.ground import Place, ring
from tests.rules.hexes.second_reading.sides import from_home
from tests.rules.wing_command.second_reading import acting, blows, command, host
from tests.rules.wing_command.second_reading.host import Situation, Unit, demand


def roll_initiative(now: Situation, dice: Any) -> None:
    """WC-9.2, W-1"""
    demand(now["phase"] == "initiative", "WC-11 phase")
    bonus = [0, 0]
    for side, leader in enumerate(now["leaders"]):
        if leader:
            bonus[side] = host.BONUS[now["units"][leader]["ability"]]
    while True:
        sums = [dice.one("initiative", host.wings_of(now, side)[0]["id"]) + bonus[side] for side in (0, 1)]
        if sums[0] != sums[1]:
            break
    now["first"] = now["side"] = 0 if sums[0] > sums[1] else 1
    now["phase"], now["passed"] = "command", set()


def pass_command(now: Situation, dice: Any, side: int) -> None:
    demand(now["phase"] == "command" and now["side"] == side, "WC-9.3")
    demand(now["distribution"] is None and now["aiming"] is None, "W-55, W-28")
    now["passed"].add(side)


def settle(now: Situation, dice: Any) -> None:
    """After a command is complete: victory (W-50), then whatever goes by itself (WC-9.3, W-17)."""
    if now["blow"] or now["aiming"] or now["ended"]:
        return
    victory(now)
    if now["ended"]:
        return
    if now["phase"] == "command" and not now["distribution"]:
        settle_command(now)
    if now["phase"] == "action" and not now["wing"]:
        settle_action(now)


def settle_command(now: Situation) -> None:
    for side in (now["first"], 1 - now["first"]):
        if side in now["passed"]:
            continue
        now["side"] = side
        own = [unit for unit in host.everybody(now) if unit["side"] == side and unit["character"]]
        if any(command.has_something(now, unit) for unit in own):
            return
        now["passed"].add(side)
    now["phase"], now["side"] = "action", now["first"]


def settle_action(now: Situation) -> None:
    for side in (now["side"], 1 - now["side"]):
        if any(acting.available(now, wing) for wing in host.wings_of(now, side)):
            now["side"] = side
            return
    now["phase"], now["side"] = "rout", now["first"]


def victory(now: Situation) -> None:
    """WC-9.8"""
    beaten = []
    for side in (0, 1):
        wings = host.wings_of(now, side)
        beaten.append(
            all(wing["broken"] or wing["order"] == "retreat" or not host.present(now, wing) for wing in wings)
        )
    if any(beaten):
        now["ended"] = {"winner": None if all(beaten) else beaten.index(False)}


# The rout phase


def resolve_rout(now: Situation, dice: Any) -> None:
    """WC-9.6, W-25"""
    demand(now["phase"] == "rout", "WC-11 phase")
    for wing in host.wings_in_order(now):
        for unit in host.members(now, wing):
            if unit["morale"] == 2 and not unit["tested"]:
                flee(now, dice, unit)
    victory(now)
    if now["ended"]:
        return
    tests = [
        unit for wing in host.wings_in_order(now) for unit in host.members(now, wing)
        if unit["morale"] > 0 and not unit["tested"] and not acting.barred(now, unit)
    ]  # fmt: skip
    for unit in tests:
        acting.rally_test(now, dice, unit)
    end(now)


def ways_home(now: Situation, unit: Unit, closed: set[Place]) -> tuple[moves.Found, moves.Unit]:
    how = host.fugitive(now, unit)
    how = how._replace(closed=frozenset(how.closed | closed))
    return moves.costs(now["land"], how, unit["at"]), how


def flight(now: Situation, unit: Unit) -> list[Place]:
    """W-41: the whole way to the edge; only its own hex where there is none."""
    land = now["land"]
    near = {at for foe in host.threats(now, unit["side"]) for at in ring(foe["at"])} - {unit["at"]}
    for closed in (near, set()):
        costs, how = ways_home(now, unit, closed)
        edge = [at for at in land.letters if from_home(land, unit["side"], at) == 0 and (at, True) in costs]
        if edge:
            target = min(edge, key=lambda at: (costs[at, True], host.reading(at)))
            found = moves.route(land, how._replace(held=()), unit["at"], target)
            assert found
            return found[1]
    return []


def flee(now: Situation, dice: Any, unit: Unit) -> None:
    hexes = flight(now, unit)
    if not hexes:
        return
    how = host.fugitive(now, unit)
    left, at = host.moves_by(now, unit), 0
    while at < len(hexes) - 1:
        step = moves.step(now["land"], how, hexes[at], hexes[at + 1])
        assert step
        if step.points > left:
            break
        left -= step.points
        at += 1
    if at == len(hexes) - 1 and left >= 1:
        unit["gone"] = "fled"
        blows.clear_away(now, unit)
        blows.mourn(now, dice, [unit])
        return
    while at and (hexes[at] in how.held or not host.could_stand(now, unit, hexes[at], unit["posture"])):
        at -= 1
    if at:
        unit["at"] = hexes[at]
        unit["moved"] = unit["stirred"] = True
        host.prune(now)


# The end phase


def end(now: Situation) -> None:
    """WC-9.7, WC-9.5, WC-9.9, W-36, W-49"""
    for wing in now["wings"].values():
        units = host.present(now, wing)
        if units and wing["shaken"] and not any(unit["morale"] == 2 or host.engaged(now, unit) for unit in units):
            wing["shaken"] -= 1
    for unit in host.everybody(now):
        if host.high(unit):
            blows.tire(unit)
        elif not unit["stirred"]:
            unit["fatigue"] = max(0, unit["fatigue"] - 1)
    for timer in now["timers"]:
        timer["left"] -= 1
    now["timers"] = [timer for timer in now["timers"] if timer["left"] > 0]
    host.relay(now)
    for unit in now["units"].values():
        for flag in ("special", "freed", "activated", "moved", "stirred", "acted", "tested", "charged"):
            unit[flag] = False
    for wing in now["wings"].values():
        wing["done"] = False
    now["last"] = now["stumbled"] = None
    victory(now)
    if now["ended"]:
        return
    if now["turn"] >= now["options"]["turn_limit"]:
        limit(now)
        return
    now["turn"] += 1
    now["phase"] = "initiative"


def limit(now: Situation) -> None:
    """WC-9.8: the side that lost the smaller share of its troops wins."""
    lost, all_ = [0, 0], [0, 0]
    for unit in now["units"].values():
        if not unit["character"]:
            all_[unit["side"]] += 1
            lost[unit["side"]] += bool(unit["gone"])
    south, north = lost[0] * all_[1], lost[1] * all_[0]
    now["ended"] = {"winner": None if south == north else int(north < south)}
