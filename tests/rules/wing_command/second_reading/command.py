"""The command phase: distance, tests, special orders, actions of characters (WC-2, WC-3, WC-4, WC-6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tests.rules.hexes.second_reading import moves
from tests.rules.hexes.second_reading.ground import apart
from tests.rules.wing_command.second_reading import host, magic
from tests.rules.wing_command.second_reading.host import Refused, Situation, Unit, Wing, demand


def distance(now: Situation, character: Unit, unit: Unit) -> int | None:
    """WC-2.1, without line 2; None where there is no path."""
    if character["at"] == unit["at"]:
        return 0
    if character["fly"]:
        return apart(character["at"], unit["at"])
    sneaks = "infiltrating" in (character["posture"], unit["posture"])
    gait = moves.INFILTRATING if sneaks else moves.WALKING
    walker = moves.Unit(gait, 10**6, (), (), ())
    return moves.costs(now["land"], walker, character["at"]).get((unit["at"], True))


def tested_distance(now: Situation, character: Unit, unit: Unit) -> int:
    """WC-2.1 line 2, WC-2.3: in a command test."""
    far = distance(now, character, unit)
    if far is None or (host.high(unit) and not character["fly"]):
        return 2 * apart(character["at"], unit["at"])
    return far


def farthest(now: Situation, character: Unit, wing: Wing) -> tuple[int, bool]:
    """WC-3.3, W-44: the highest distance of a bound unit, and whether that unit infiltrates."""
    found = [
        (tested_distance(now, character, unit), unit["posture"] == "infiltrating")
        for unit in host.members(now, wing)
        if unit is not character and unit["morale"] < 2 and not unit["special"]
    ]
    return max(found, default=(0, False))


def test_modifier(now: Situation, character: Unit, wing: Wing) -> int:
    """WC-3.2"""
    far, sneaks = farthest(now, character, wing)
    return (
        (character["profile"] == "irregular")
        + (character["morale"] == 1)
        + host.winded(character)
        + any(host.engaged(now, other) for other in host.with_him(now, character))
        + far // 4
        + 2 * (character["posture"] == "infiltrating")
        + 2 * sneaks
    )


def threshold(now: Situation, character: Unit) -> int:
    told = now["options"]["thresholds"]
    return told.get(character["ability"], host.THRESHOLD[character["ability"]])


def command_test(now: Situation, dice: Any, character: Unit, wing: Wing) -> bool:
    """WC-3.1"""
    two = dice.two("command", character["id"])
    if two in (2, 12):
        return two == 2
    return two + test_modifier(now, character, wing) <= threshold(now, character)


# Who may do what (WC-6)


def generally(now: Situation, unit: Unit) -> None:
    """G, and WC-1.7."""
    demand(not unit["activated"], "WC-1.7 activated")
    demand(unit["morale"] < 2, "WC-6 G routed")
    demand(not host.engaged_alone(now, unit), "WC-6 G engaged alone")


def licence(now: Situation, unit: Unit) -> None:
    """L"""
    free = host.army_leader(now, unit) or unit["profile"] == "autonomous"
    demand(free or unit["special"], "WC-6 L")


def spend_licence(now: Situation, unit: Unit) -> None:
    """W-39, W-4: who used it as licence is not freed by it."""
    if not host.army_leader(now, unit) and unit["profile"] != "autonomous":
        unit["special"] = unit["freed"] = False


def may_distribute(now: Situation, unit: Unit) -> None:
    """WC-4.1"""
    generally(now, unit)
    demand(unit["profile"] != "chaotic", "WC-4.1 chaotic")
    demand(host.leads(now, unit) or host.army_leader(now, unit), "WC-4.1 leads nobody")


def may_change(now: Situation, unit: Unit) -> None:
    generally(now, unit)
    licence(now, unit)
    wing = host.leads(now, unit)
    demand(wing, "WC-6 leads no wing")
    demand(wing and wing["order"] != "retreat" and not wing["broken"], "WC-6 retreat, W-13")


def may_take(now: Situation, unit: Unit, wing: Wing) -> None:
    generally(now, unit)
    licence(now, unit)
    demand(host.leads(now, unit) is None, "WC-6 leads a wing")
    demand(wing["side"] == unit["side"] and not wing["leader"], "WC-6 the wing has a leader")


def may_resign(now: Situation, unit: Unit) -> None:
    generally(now, unit)
    licence(now, unit)
    demand(host.leads(now, unit), "WC-6 leads no wing")


def tries(now: Situation, unit: Unit) -> Iterator[Any]:
    """Every action of WC-6 a character might have in the command phase."""
    yield lambda: may_distribute(now, unit)
    yield lambda: may_change(now, unit)
    yield lambda: may_resign(now, unit)
    for wing in host.wings_of(now, unit["side"]):
        yield lambda wing=wing: may_take(now, unit, wing)
    yield lambda: magic.may_choose(now, unit, None)
    yield lambda: magic.may_cast(now, unit)


def has_something(now: Situation, unit: Unit) -> bool:
    """WC-9.3: who may act."""
    for attempt in tries(now, unit):
        try:
            attempt()
        except Refused:
            continue
        return True
    return False


# The commands


def acting(now: Situation, key: str) -> Unit:
    """The character of a command of this phase."""
    demand(now["phase"] == "command" and now["aiming"] is None, "WC-11 phase")
    demand(now["distribution"] is None, "W-55 a distribution is open")
    unit = now["units"].get(key)
    demand(unit and host.on_map(unit) and unit["character"] and unit["side"] == now["side"], "WC-9.3 whose turn")
    assert unit is not None
    return unit


def distribute(now: Situation, dice: Any, character: str) -> None:
    unit = acting(now, character)
    may_distribute(now, unit)
    level = host.LEVELS.index(unit["ability"])
    level += unit["profile"] == "irregular"
    level += any(host.engaged(now, other) and not other["character"] for other in host.with_him(now, unit))
    level += unit["morale"] == 1
    level += unit["fatigue"] == 2
    level += unit["posture"] == "infiltrating"
    points = 1
    if level < len(host.LEVELS):
        points = (dice.one("points", unit["id"]) + 1) // 2 * host.FACTOR[host.LEVELS[level]]
    unit["activated"] = True
    now["distribution"] = {"character": character, "points": points}


def cost_of(now: Situation, giver: Unit, unit: Unit) -> int:
    """WC-4.1, WC-4.3, WC-4.5, WC-4.6"""
    demand(unit is not giver, "WC-4.1 nobody himself")
    demand(unit["side"] == giver["side"] and host.on_map(unit), "WC-4.1")
    led = host.leads(now, giver)
    own = led is not None and led["id"] == unit["wing"]
    demand(host.army_leader(now, giver) or own, "WC-4.1 of his wing")
    if unit["character"]:
        demand(host.army_leader(now, giver) and now["options"]["orders_to_characters"], "WC-4.6")
    demand(unit["profile"] != "chaotic", "WC-4.5 chaotic")
    demand(giver["fly"] or not host.high(unit), "WC-4.5 high flight")
    demand(not unit["special"], "WC-4.4 one marker")
    far = distance(now, giver, unit)
    demand(far is not None, "WC-2.3 no path")
    assert far is not None
    return (
        1 + (unit["profile"] == "irregular") + host.winded(unit) + (unit["morale"] == 1)
        + 2 * (unit["morale"] == 2) + 2 * (unit["posture"] == "infiltrating") + far // 4
    )  # fmt: skip


def give_order(now: Situation, dice: Any, unit: str) -> None:
    spent = now["distribution"]
    demand(spent, "WC-11 no distribution")
    demand(unit in now["units"], "unknown")
    given = now["units"][unit]
    cost = cost_of(now, now["units"][spent["character"]], given)
    demand(cost <= spent["points"], "WC-4.2 points")
    spent["points"] -= cost
    given["special"] = given["freed"] = True


def end_distribution(now: Situation, dice: Any) -> None:
    demand(now["distribution"], "WC-11 no distribution")
    now["distribution"] = None


def change_order(now: Situation, dice: Any, character: str, order: str) -> None:
    unit = acting(now, character)
    may_change(now, unit)
    wing = host.leads(now, unit)
    assert wing
    success = command_test(now, dice, unit, wing)
    unit["activated"] = True
    spend_licence(now, unit)
    if success:
        wing["order"] = order


def take_command(now: Situation, dice: Any, character: str, wing: str) -> None:
    unit = acting(now, character)
    demand(wing in now["wings"], "unknown")
    taken = now["wings"][wing]
    may_take(now, unit, taken)
    success = command_test(now, dice, unit, taken)
    unit["activated"] = True
    spend_licence(now, unit)
    if success:
        taken["leader"] = character
        if unit["wing"] != wing:  # W-6, W-61
            host.wing_of(now, unit)["members"].remove(character)
            taken["members"].append(character)
            unit["wing"] = wing


def resign(now: Situation, dice: Any, character: str) -> None:
    unit = acting(now, character)
    may_resign(now, unit)
    wing = host.leads(now, unit)
    assert wing
    success = command_test(now, dice, unit, wing)
    unit["activated"] = True
    spend_licence(now, unit)
    if success:
        wing["leader"] = ""
