"""What is added to the d20 of a morale check (PF-3.1)."""

from __future__ import annotations

from tests.rules.pathfinder.oracle.armies import Army, boon, commander_bonus, has, tactic, tier, value, works
from tests.rules.pathfinder.oracle.field import Battle, veiled
from tests.rules.pathfinder.oracle.figures import inspired


def morale_bonus(b: Battle, a: Army, purpose: str, foe: Army | None = None) -> int:
    """Purposes: tactic, strategy, taunt, fear, rout, withdraw, stop."""
    found = a["morale"] + commander_bonus(a) + tier(a, "loyalty", 12, 2, 4)
    if a["spec"].arrears:  # PF-7.2
        found -= 2
    if tactic(a) == "cautious-combat":
        found += 2
    if purpose == "tactic":
        found += tier(a, "flexible-tactics", 12, 5, 10)
    if purpose in ("fear", "rout"):
        if has(a, "bravery"):
            found += value(a, "bravery")
        if inspired(b, a):
            found += 2
        if a["rage"]:
            found += 1
    if purpose in ("rout", "withdraw"):
        found -= 2 * a["phase"].get("grabbed", 0)
    if purpose == "withdraw":
        if veiled(b, a):
            found += 2
        if _has_struck(b, a):
            found += tier(a, "hit-and-run", 10, 2, 4)
    if purpose == "stop":
        if boon(a, "merciless"):
            found += 1
        if works(a, "track", foe):
            found += a["acr"]
    return found


def _has_struck(b: Battle, a: Army) -> bool:
    """R-34, and the variant's ranged or first melee phase."""
    for kind, first, tick in a["attacked_in"]:
        if tick < b["tick"] and (b["law"] == "combat-de-masse" or kind == "ranged" or first):
            return True
    return False
