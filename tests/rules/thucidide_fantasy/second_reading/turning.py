"""Undead turned against their own side: spell 904 (TF-5.3, T-11, T-33, T-77, T-93, T-94)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading.ground import Place, apart
from tests.rules.thucidide_fantasy.second_reading import combat
from tests.rules.thucidide_fantasy.second_reading.host import (
    Piece,
    Situation,
    belled,
    demand,
    leave,
    on_table,
    people_at,
    show_false,
    uncover,
    undead,
    unit_of,
    units_of,
)
from tests.rules.thucidide_fantasy.second_reading.marching import LEASH

PHASES = 3  # ends of the caster's spell phases, this one's among them
AT_ONCE, WALK = 3, 3


def turn(now: Situation, dice: Any, caster: Piece, unit: Piece, aimed: str) -> None:
    """It is the other side’s; who is with it leaves its hex (T-94); it attacks at once, whom the caster named."""
    mates = people_at(now, unit["at"])
    uncover(now, unit)
    unit.update(turned=caster["id"], phases=PHASES, side=caster["side"], fought=False)
    for one in mates:
        if not on_table(one):
            continue
        if one["hero"]:
            to = combat.exit_of(now, one)
            if to is None:
                leave(now, one, "captured")
            else:
                one["at"], one["stirred"] = to, True
        else:
            combat.flight(now, dice, one, driven=True)
    combat.tidy(now, dice)
    show_false(now)
    found = [one["id"] for one in preys(now, unit)] if on_table(unit) else []
    if found:
        go_and_strike(now, dice, unit, now["pieces"][aimed if aimed in found else found[0]])


def turned_of(now: Situation, side: int) -> list[Piece]:
    return [one for one in units_of(now, side) if one["turned"]]


def preys(now: Situation, unit: Piece) -> list[Piece]:
    """Its former master within 3, else any former friend, not undead, within 3 (TF-5.3); through their unit (T-77)."""
    if belled(now, unit["at"]):
        return []
    master = now["pieces"].get(unit["master"])
    if master and on_table(master) and master["side"] != unit["side"] and apart(master["at"], unit["at"]) <= AT_ONCE:
        through = unit_of(now, master) or master
        if through in combat.open_to(now, unit["side"]) and approach(now, unit, through) is not None:
            return [through]
    return [
        one for one in combat.open_to(now, unit["side"])
        if not undead(one) and apart(one["at"], unit["at"]) <= AT_ONCE and approach(now, unit, one) is not None
    ]  # fmt: skip


def preys_if(now: Situation, unit: Piece, caster: Piece) -> list[str]:
    """Whom it could be turned against."""
    was = unit["side"], unit["turned"]
    unit["side"], unit["turned"] = caster["side"], caster["id"]
    found = [one["id"] for one in preys(now, unit)]
    unit["side"], unit["turned"] = was
    return found


def approach(now: Situation, unit: Piece, prey: Piece) -> Place | None:
    """T-77: the nearest free hex beside its prey, within 3, then HX-1.1; its own if it is beside it."""
    far = {unit["at"]: 0}
    fresh = [unit["at"]]
    was = unit["at"]
    for steps in range(1, WALK + 1):
        nexts = []
        for at in fresh:
            unit["at"] = at
            for near in now["land"].around(at):
                if near not in far and combat.may_enter(now, unit, near):
                    far[near] = steps
                    nexts.append(near)
        fresh = nexts
    ends = []
    for at in [*now["land"].around(prey["at"]), was]:
        unit["at"] = at
        if at in far and combat.can_reach(now, unit, prey):
            ends.append(at)
    unit["at"] = was
    return min(ends, key=lambda at: far[at], default=None)


def turn_attack(now: Situation, dice: Any, unit: str, target: str) -> None:
    demand(now["phase"] == "spells", "only in the spell phase")
    piece = now["pieces"].get(unit)
    demand(piece and on_table(piece) and piece["side"] == now["side"] and not piece["character"], "not yours")
    demand(piece["turned"] and not piece["fought"], "not turned, or has attacked")
    prey = now["pieces"].get(target)
    demand(prey and prey in preys(now, piece), "not its prey")
    go_and_strike(now, dice, piece, prey)


def go_and_strike(now: Situation, dice: Any, piece: Piece, prey: Piece) -> None:
    to = approach(now, piece, prey)
    assault = to != piece["at"]
    piece["fought"] = True
    uncover(now, piece)
    if assault:
        piece["at"], piece["stirred"] = to, True  # T-33 is silent on who has joined it since: they stay
    if on_table(prey):
        combat.combat(now, dice, piece, prey, assault)


def has_to_attack(now: Situation, piece: Piece) -> bool:
    return bool(piece["turned"]) and not piece["fought"] and bool(preys(now, piece))


def pass_by(now: Situation, side: int) -> None:
    """T-33: dust at the end of the second of these phases."""
    for unit in turned_of(now, side):
        unit["phases"] -= 1
        if unit["phases"] <= 0:
            leave(now, unit, "vanished")


def turn_home(now: Situation, unit: Piece) -> None:
    """T-93: back to its side, and to its master within 4; else it crumbles."""
    master = now["pieces"].get(unit["master"])
    unit.update(turned="", side=unit["first_side"])
    if master is None or not on_table(master) or apart(master["at"], unit["at"]) > LEASH:
        leave(now, unit, "vanished")
