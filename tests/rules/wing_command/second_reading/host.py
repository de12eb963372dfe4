"""The situation of a battle, and what can be asked of it (WC-1, WC-2.1, W-42, W-52)."""

from __future__ import annotations

from typing import Any

from tests.rules.hexes.second_reading import moves
from tests.rules.hexes.second_reading.ground import Land, Place, apart, ring, sees
from tests.rules.hexes.second_reading.sides import place_in

Situation = dict[str, Any]
Unit = dict[str, Any]
Wing = dict[str, Any]

LEVELS = "ABCDE"
FACTOR = {"A": 5, "B": 4, "C": 3, "D": 2, "E": 1}
THRESHOLD = {"A": 10, "B": 9, "C": 8, "D": 7, "E": 6}
BONUS = {"A": 5, "B": 4, "C": 3, "D": 2, "E": 1}


class Refused(Exception):
    """The command is against the law."""


def demand(holds: Any, why: str) -> None:
    if not holds:
        raise Refused(why)


# Who is there


def on_map(unit: Unit) -> bool:
    return unit["at"] is not None and not unit["gone"]


def everybody(now: Situation) -> list[Unit]:
    """Who stands on the map."""
    return [unit for unit in now["units"].values() if on_map(unit)]


def here(now: Situation, at: Place) -> list[Unit]:
    return [unit for unit in everybody(now) if unit["at"] == at]


def troop_here(now: Situation, at: Place) -> Unit | None:
    return next((unit for unit in here(now, at) if not unit["character"]), None)


def with_him(now: Situation, unit: Unit) -> list[Unit]:
    return [other for other in here(now, unit["at"]) if other is not unit]


def wing_of(now: Situation, unit: Unit) -> Wing:
    return now["wings"][unit["wing"]]


def wings_of(now: Situation, side: int) -> list[Wing]:
    return [wing for wing in now["wings"].values() if wing["side"] == side]


def wings_in_order(now: Situation) -> list[Wing]:
    """W-61: first side first, wings as their side's armies."""
    return wings_of(now, now["first"]) + wings_of(now, 1 - now["first"])


def members(now: Situation, wing: Wing) -> list[Unit]:
    """Units of a wing that are on the map."""
    return [now["units"][key] for key in wing["members"] if on_map(now["units"][key])]


def present(now: Situation, wing: Wing) -> list[Unit]:
    """W-32: units of a wing on the map and in the reserve; with a reserve it isn't empty."""
    return [now["units"][key] for key in wing["members"] if not now["units"][key]["gone"]]


def army_leader(now: Situation, unit: Unit) -> bool:
    return unit["id"] == now["leaders"][unit["side"]]


def leads(now: Situation, unit: Unit) -> Wing | None:
    return next((wing for wing in now["wings"].values() if wing["leader"] == unit["id"]), None)


# Who sees whom


def is_seen(now: Situation, unit: Unit, side: int) -> bool:
    """W-52: only infiltrating units can be unseen; one is seen while any enemy is within 2 hexes."""
    if unit["side"] == side or unit["posture"] != "infiltrating":
        return True
    return any(other["side"] == side and apart(other["at"], unit["at"]) <= 2 for other in everybody(now))


def foes(now: Situation, side: int) -> list[Unit]:
    """All enemies of a side on the map, seen or not."""
    return [unit for unit in everybody(now) if unit["side"] != side]


def seen_foes(now: Situation, side: int) -> list[Unit]:
    return [unit for unit in foes(now, side) if is_seen(now, unit, side)]


def beside(at: Place, others: list[Unit]) -> list[Unit]:
    return [other for other in others if apart(at, other["at"]) == 1]


def threats(now: Situation, side: int) -> list[Unit]:
    """W-42: seen enemies, neither routed nor in high flight."""
    return [foe for foe in seen_foes(now, side) if foe["morale"] < 2 and not high(foe)]


# States


def high(unit: Unit) -> bool:
    return unit["posture"] == "high_flight"


def winded(unit: Unit) -> bool:
    """WC-1.5: an exhausted unit counts too."""
    return unit["fatigue"] >= 1


def prune(now: Situation) -> None:
    """W-11: engagement ends at once when adjacency ends."""
    for pair in list(now["fought"]):
        one, other = (now["units"][key] for key in pair)
        if not (on_map(one) and on_map(other) and apart(one["at"], other["at"]) == 1):
            now["fought"].discard(pair)


def engaged_with(now: Situation, unit: Unit) -> list[Unit]:
    """WC-1.6"""
    pairs = [pair for pair in now["fought"] if unit["id"] in pair]
    others = [now["units"][key] for pair in pairs for key in pair if key != unit["id"]]
    return [
        other for other in others
        if all(on_map(one) and one["morale"] < 2 and not high(one) for one in (unit, other))
    ]  # fmt: skip


def engaged(now: Situation, unit: Unit) -> bool:
    return bool(engaged_with(now, unit))


def engaged_alone(now: Situation, unit: Unit) -> bool:
    return engaged(now, unit) and not any(not other["character"] for other in with_him(now, unit))


def bound(now: Situation, unit: Unit, order: str) -> bool:
    """WC-4.4, W-44, W-55: it must follow this standing order."""
    chaotic_character = unit["character"] and unit["profile"] == "chaotic"
    return wing_of(now, unit)["order"] == order and not unit["freed"] and not chaotic_character


def must_land(unit: Unit) -> bool:
    return high(unit) and unit["fatigue"] == 2


def moves_by(now: Situation, unit: Unit) -> int:
    return unit["move"] + (2 if lies_on(now, "tailwind", unit) else 0)


# Effects


def lies_on(now: Situation, effect: str, unit: Unit) -> bool:
    return any(timer["effect"] == effect and timer["unit"] == unit["id"] for timer in now["timers"])


def relay(now: Situation) -> None:
    """What lies over the map: fire is worse than mire."""
    land: Land = now["land"]
    land.overlays = {}
    for word in ("mire", "fire"):
        for timer in now["timers"]:
            if timer["effect"] == {"mire": "mire", "fire": "fire-wall"}[word]:
                land.overlays |= dict.fromkeys(timer["hexes"], word)


def burning(now: Situation) -> set[Place]:
    return {at for at, word in now["land"].overlays.items() if word == "fire"}


# Ways


def gait_of(posture: str) -> moves.Gait:
    """WC-9.5, WC-9.9"""
    return {"ground": moves.WALKING, "infiltrating": moves.INFILTRATING}.get(posture, moves.FLYING)


def held_by_friends(now: Situation, unit: Unit, posture: str) -> set[Place]:
    """WC-1.6, W-23, W-24: one troop a hex; all of a hex are in high flight or none is.

    What only infiltrators may be on others may pass by road, and not stop in: of that the text is silent.
    """
    up = posture == "high_flight"
    land = now["land"]
    thick = {at for at in land.letters if land.lies_as(at) == "infiltration_only"} if posture == "ground" else set()
    return thick | {
        other["at"] for other in everybody(now)
        if other is not unit and other["side"] == unit["side"]
        and (high(other) != up or not (unit["character"] or other["character"]))
    }  # fmt: skip


def mover(now: Situation, unit: Unit, posture: str, points: int) -> moves.Unit:
    """How a unit moves by what its side knows (WC-9.5, W-42)."""
    held = held_by_friends(now, unit, posture)
    known = {foe["at"] for foe in seen_foes(now, unit["side"])}
    if posture == "high_flight":
        return moves.Unit(moves.FLYING, points, frozenset(), frozenset(held | known), frozenset())
    closed = known | (burning(now) if posture == "close_flight" else set())
    halts = {at for foe in threats(now, unit["side"]) for at in ring(foe["at"])}
    return moves.Unit(gait_of(posture), points, frozenset(closed), frozenset(held), frozenset(halts))


def fugitive(now: Situation, unit: Unit) -> moves.Unit:
    """W-26: in recoil, flight and fate every enemy closes the hex they stand on, seen or not."""
    closed = {foe["at"] for foe in foes(now, unit["side"])}
    closed |= burning(now) if unit["posture"] == "close_flight" else set()
    held = held_by_friends(now, unit, unit["posture"])
    return moves.Unit(gait_of(unit["posture"]), 10**6, frozenset(closed), frozenset(held), frozenset())


def could_stand(now: Situation, unit: Unit, at: Place, posture: str) -> bool:
    """HX-6.1, W-56: whether a unit may be on a hex, whence ever it comes; its friends there are not asked."""
    ground = now["land"].lies_as(at)
    if posture == "high_flight":
        return True
    if posture == "close_flight":
        return at not in burning(now)
    return ground in ("clear", "difficult") or (ground == "infiltration_only" and posture == "infiltrating")


def sight(now: Situation, one: Unit, at: Place, other: Unit, posture: str = "") -> bool:
    up = (posture or one["posture"]) == "high_flight"
    return sees(now["land"], at, other["at"], (up, high(other)), set())


def reading(at: Place) -> tuple[int, int]:
    """Reading order of hexes."""
    column, row = place_in(at)
    return row, column
