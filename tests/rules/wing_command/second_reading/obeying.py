"""What a standing order demands of a unit (WC-9.4, W-8, W-16, W-20, W-30, W-46, W-56, W-58, W-60)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading import moves
from tests.rules.hexes.second_reading.ground import Place, apart
from tests.rules.hexes.second_reading.sides import from_home
from tests.rules.wing_command.second_reading import host
from tests.rules.wing_command.second_reading.host import Situation, Unit, demand


def same_height(one_posture: str, other: Unit) -> bool:
    """W-23: melee is at one height."""
    return (one_posture == "high_flight") == host.high(other)


def strikeable(now: Situation, unit: Unit) -> list[Unit]:
    """WC-8.1, W-14: an attack meets the troop of a hex, characters only where its side sees none."""
    seen = host.seen_foes(now, unit["side"])
    troops = {foe["at"] for foe in seen if not foe["character"]}
    return [foe for foe in seen if not foe["character"] or foe["at"] not in troops]


def may_strike(now: Situation, unit: Unit, at: Place, posture: str, target: Unit) -> bool:
    mates = [other for other in host.here(now, at) if other["side"] == unit["side"] and not other["character"]]
    stacked = unit["character"] and bool(mates)  # the text is silent on characters among themselves
    return apart(at, target["at"]) == 1 and same_height(posture, target) and not stacked  # W-9


def may_shoot(now: Situation, unit: Unit, at: Place, posture: str, target: Unit) -> bool:
    """WC-8.6"""
    if not unit["shot"] or not 1 <= apart(at, target["at"]) <= unit["range"]:
        return False
    if any(apart(at, foe["at"]) == 1 for foe in host.engaged_with(now, unit)):
        return False
    return host.sight(now, unit, at, target, posture)


def can_attack(now: Situation, unit: Unit, at: Place) -> bool:
    """Whether from there it could attack anybody."""
    return any(
        may_strike(now, unit, at, unit["posture"], foe) or may_shoot(now, unit, at, unit["posture"], foe)
        for foe in strikeable(now, unit)
    )


def reach(now: Situation, unit: Unit) -> dict[Place, int]:
    """W-30, W-56: in the posture held before the action, without second effort."""
    if host.engaged(now, unit) and not host.bound(now, unit, "retreat"):
        return {unit["at"]: 0}
    how = host.mover(now, unit, unit["posture"], host.moves_by(now, unit))
    found = moves.reach(now["land"], how, unit["at"])
    return {
        at: cost for at, cost in found.items()
        if at == unit["at"] or host.could_stand(now, unit, at, unit["posture"])
    }  # fmt: skip


def nearness(now: Situation, unit: Unit) -> Any:
    """W-8, W-58: what is compared, a number by hex."""
    enemies = [foe["at"] for foe in host.seen_foes(now, unit["side"])]
    gait = host.gait_of(unit["posture"])
    closed = host.burning(now) if unit["posture"] == "close_flight" else ()
    free = moves.Unit(gait, 10**6, closed, (), ())

    def costs(at: Place) -> int | None:
        found = now["far"](now, free, at)
        far = [found[enemy, True] for enemy in enemies if (enemy, True) in found]
        return min(far, default=None)

    if costs(unit["at"]) is None:
        return lambda at: min((apart(at, enemy) for enemy in enemies), default=0)
    return lambda at: 10**6 if (found := costs(at)) is None else found


def goes_at_them(now: Situation, unit: Unit) -> Any:
    """*Attack*, where it cannot attack anybody: whether a hex obeys."""
    enemies = host.seen_foes(now, unit["side"])
    near = nearness(now, unit)
    before = near(unit["at"])
    return lambda at: bool(host.beside(at, enemies)) or (bool(enemies) and near(at) < before)


def home(now: Situation, unit: Unit, at: Place) -> int:
    return from_home(now["land"], unit["side"], at)


def is_bound_to_move(now: Situation, unit: Unit) -> bool:
    """W-16, W-30: bound by *attack* or *retreat*, and it can obey."""
    if unit["character"] or not host.on_map(unit) or unit["acted"] or unit["morale"] == 2 or host.must_land(unit):
        return False
    if host.bound(now, unit, "attack"):
        ends = reach(now, unit)
        if any(can_attack(now, unit, at) for at in ends):
            return True
        if host.beside(unit["at"], host.seen_foes(now, unit["side"])):
            return False
        obeys = goes_at_them(now, unit)
        return any(obeys(at) for at in ends if at != unit["at"])
    if host.bound(now, unit, "retreat"):
        at_home = home(now, unit, unit["at"])
        return at_home == 0 or any(home(now, unit, at) < at_home for at in reach(now, unit))
    return False


def judge(now: Situation, unit: Unit, end: Place, steps: int, act: dict[str, Any]) -> None:
    """Whether the move and the attack of an act obey. `end`: where its path ends."""
    if host.bound(now, unit, "retreat"):
        demand(not act["attack"] or act["attack"]["how"] == "melee", "W-46, W-60 no shots")
        if act["attack"]:
            still = any(apart(end, foe["at"]) == 1 for foe in host.engaged_with(now, unit))
            demand(still, "W-46, W-60 only if still engaged")
    if unit["character"]:
        return
    if host.bound(now, unit, "attack"):
        attack(now, unit, end, steps, act)
    elif host.bound(now, unit, "advance"):
        demand(not steps or not host.beside(end, host.threats(now, unit["side"])), "WC-9.4 not into adjacency")
    elif host.bound(now, unit, "hold"):
        demand(steps <= 1, "W-20 at most one hex")
    elif host.bound(now, unit, "retreat"):
        retreat(now, unit, end, steps, act)


def attack(now: Situation, unit: Unit, end: Place, steps: int, act: dict[str, Any]) -> None:
    if not host.seen_foes(now, unit["side"]):
        return  # the text is silent on who sees no enemy: free
    ends = reach(now, unit)
    must = any(can_attack(now, unit, at) for at in ends)
    obeys = goes_at_them(now, unit)
    stands_well = bool(host.beside(unit["at"], host.seen_foes(now, unit["side"])))  # W-58
    can = any(obeys(at) for at in ends if at != unit["at"])  # W-56: without second effort
    if act["attack"]:
        demand(not steps or must or can or stands_well, "W-56 who cannot obey in its posture stays, to strike too")
        return
    demand(not must, "WC-9.4 it must attack")
    if steps:
        demand(obeys(end) and (can or stands_well), "WC-9.4 nearer, or adjacent; who cannot obey stays")
    else:
        demand(stands_well or not can, "WC-9.4 it must go")


def retreat(now: Situation, unit: Unit, end: Place, steps: int, act: dict[str, Any]) -> None:
    at_home = home(now, unit, unit["at"])
    if act["exit"]:
        return
    demand(at_home, "W-46 on its home edge it must leave")
    can = any(home(now, unit, at) < at_home for at in reach(now, unit))  # W-56: without second effort
    if steps:
        demand(can and home(now, unit, end) < at_home, "WC-9.4 nearer its home edge; who cannot obey stays")
    else:
        demand(not can, "WC-9.4 it must go home")


def melee_target(now: Situation, unit: Unit, target: Unit, before: list[str]) -> None:
    """WC-9.4, W-60: under *advance* only whom it was beside before it moved."""
    if host.bound(now, unit, "advance"):
        demand(target["id"] in before, "WC-9.4 already adjacent")


def bars_charge(now: Situation, unit: Unit) -> bool:
    """W-21, W-60"""
    return unit["fatigue"] == 2 or host.bound(now, unit, "hold") or host.bound(now, unit, "advance")
