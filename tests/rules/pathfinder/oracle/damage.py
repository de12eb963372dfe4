"""What a blow adds to its damage, and what multiplies it (PF-3.6, R-40 to R-42)."""

from __future__ import annotations

from fractions import Fraction

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, any_works, can_shoot, has, immune, living, tactic, undead, works
from tests.rules.pathfinder.oracle.field import Battle, fogged


def damage_bonus(b: Battle, a: Army, foe: Army, mode: str) -> int:
    """Every damage modifier but the extra dice."""
    found = 0
    if mode == "melee":
        found += t.STRATEGY[a["strategy"]][2]
        if tactic(a) == "sniper-support" and can_shoot(b, a):
            found += 2
    elif works(a, "rock-throwing", foe):
        found += 4
    for slug in ("rake", "rend"):
        if works(a, slug, foe):
            found += 1
    if a["phase"].get("judgment") == "damage" and not immune(foe, "judgment"):
        found += 1
    return found


def extra_dice(a: Army, foe: Army, mode: str) -> list[str]:
    """Breath before channel (R-41)."""
    found = []
    if any_works(a, t.BREATHS, foe):
        found.append("breath")
    healing = a["phase"].get("channelled", ())
    if mode != "melee":
        return found
    if living(foe) and works(a, "channel-negative-energy", foe) and "negative" not in healing:
        found.append("channel")
    if undead(foe) and any_works(a, ["channel-positive-energy", "lay-on-hands"], foe) and "positive" not in healing:
        found.append("channel")
    return found


def magical(b: Battle, a: Army, foe: Army) -> bool:
    """R-42."""
    if a["resources"].get("magic-weapons", 0) or a["id"] in b["opening"].magical:
        return True
    if works(a, "ki-pool", foe):
        return True
    return a["phase"].get("judgment") == "magic" and not immune(foe, "judgment")


def factor(b: Battle, a: Army, foe: Army) -> Fraction:
    """The product of the multipliers; 0 where the target takes none by rule."""
    found = Fraction(1)
    if has(a, "swarm") and (works(foe, "incorporeal", a) or any_works(foe, t.HARDNESS, a)):
        return Fraction(0)
    if works(foe, "incorporeal", a):
        if not magical(b, a, foe):
            return Fraction(0)
        found /= 2
    if works(foe, "swarm", a):
        found *= Fraction(3, 2) if magical(b, a, foe) else Fraction(1, 2)
    if fogged(b, a):
        found *= Fraction(3, 4) if works(a, "track", foe) else Fraction(1, 2)
    return found
