"""Fortifications: whom they cover, how they wear (PF-4, R-14, R-15)."""

from __future__ import annotations

from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, any_works, works
from tests.rules.pathfinder.oracle.field import Battle, met


def forts_from(conditions: Any) -> list[dict[str, Any]]:
    """Every fortification of the opening; two of the same armies add."""
    told = [c for c in conditions if c.condition == "fortification"]
    return [fort_from(c, number) for number, c in enumerate(told, 1)]


def fort_from(c: Any, number: int) -> dict[str, Any]:
    """A fortification with what is left of each part; unstated it is of stone and worth 8."""
    if c.parts:
        parts = [{"kind": p.kind, "material": p.material, "left": p.value} for p in c.parts]
    else:
        parts = [{"kind": "other", "material": "stone", "left": 8 if c.value is None else c.value}]
    armies = [i for i in c.armies if i not in c.exempt]
    return {"number": number, "place": set(c.armies), "armies": armies, "parts": parts, "worn": 0}


def forts_of(b: Battle, a: Army) -> list[dict[str, Any]]:
    return [fort for fort in b["forts"] if a["id"] in fort["armies"]]


def standing(fort: dict[str, Any]) -> int:
    return sum(part["left"] for part in fort["parts"])


def wearable(fort: dict[str, Any]) -> int:
    return sum(part["left"] for part in fort["parts"] if part["kind"] != "moat")


def behind(b: Battle, a: Army) -> bool:
    return any(standing(fort) > 0 for fort in forts_of(b, a))


def wear(fort: dict[str, Any], amount: int) -> int:
    """Siege engines break everything but moats; returns what they broke."""
    done = 0
    for part in fort["parts"]:
        if part["kind"] != "moat":
            taken = min(part["left"], amount - done)
            part["left"] -= taken
            done += taken
    fort["worn"] += done
    return done


def cover(b: Battle, a: Army, attacker: Army) -> int:
    """What the fortifications add to this army's DV against this attacker."""
    found = 0
    for fort in forts_of(b, a):
        if any_works(attacker, t.TELEPORTS, a):
            continue
        if fort["number"] in attacker["dug"] and any_works(attacker, ["burrow", "earth-glide"], a):
            continue
        for part in fort["parts"]:
            found += _part(b, part, a, attacker)
    return found


def _part(b: Battle, part: dict[str, Any], a: Army, attacker: Army) -> int:
    if works(attacker, "flight", a) and part["kind"] == "wall":
        return 0
    if works(attacker, "earth-glide", a) and part["material"] in ("earth", "stone") and part["kind"] != "force":
        if part["kind"] == "moat":
            met(b, "earth glide passes a moat")
        return 0
    if works(attacker, "amphibious", a) and part["kind"] == "moat":
        return 0
    if works(attacker, "climb", a) and part["kind"] not in ("moat", "force") and part["material"] != "force":
        return part["left"] * 3 // 4
    return part["left"]
