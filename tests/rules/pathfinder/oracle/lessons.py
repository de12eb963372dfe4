"""What a victorious army and its commander could learn (PF-1.10, PF-2.4, PF-2.9, R-56)."""

from __future__ import annotations

from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, has, leadership_of, soldiering
from tests.rules.pathfinder.oracle.house import is_off, leadership_for

ALWAYS = ("standard", "withdraw")


def tactics_open(a: Army, house: Any) -> list[str]:
    """Those it does not know, if its ACR leaves room; granted ones take none."""
    known = a["spec"].tactics
    counted = sum(1 for one in known if not one.granted and one.tactic not in ALWAYS)
    if has(a, "mindless") or counted >= a["acr"] // 2:
        return []
    names = {one.tactic for one in known}
    return [
        slug for slug in t.TACTICS if slug not in ALWAYS and slug not in names and not is_off(house, "tactics", slug)
    ]


def boons_open(who: Any, house: Any) -> list[str]:
    """Those they lack, by their office as well, and have the leadership for; Bonus Tactic again for another tactic that
    may be used where it must be learned.
    """
    if len(who.boons) >= 1 + soldiering(who):
        return []
    found = []
    for slug in t.BOONS:
        needed = leadership_for(house, slug)
        if is_off(house, "boons", slug) or (needed is not None and leadership_of(who) < needed):
            continue
        if slug == "bonus-tactic":
            held = {one.tactic for one in who.boons if one.boon == slug} | {who.office_tactic}
            taught = [one for one in t.TACTICS if one not in ALWAYS and not is_off(house, "tactics", one)]
            found += [f"{slug}:{tactic}" for tactic in taught if tactic not in held]
        elif slug not in [who.office_boon, *(one.boon for one in who.boons)]:
            found.append(slug)
    return found
