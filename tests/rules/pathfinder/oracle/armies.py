"""What an army is and has: PF-1, PF-2, PF-5, PF-9. An army is a dict."""

from __future__ import annotations

from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.house import all_off, is_off, leadership_for

type Army = dict[str, Any]


def army_from(spec: Any, side: int, house: Any) -> Army:
    unit, mount = spec.unit, spec.mount
    index = t.cr_index(unit.cr)
    if mount is not None and mount.cr:  # PF-1.3
        index = max(index, t.cr_index(mount.cr))
    size = t.size_index(spec.count)
    index += t.SIZES[size][2]
    if index < 0:
        raise ValueError("not an army")
    hp_max = max(1, int(t.cr_value(index) * t.HIT_DIE[unit.hit_die]))
    resources = {slug: count for slug, count in spec.resources.items() if not is_off(house, "resources", slug)}
    return {
        "id": spec.id, "side": side, "spec": spec, "size": size, "index": index,
        "acr": max(0, index - 4), "hp_max": hp_max, "hp": hp_max if spec.hp is None else min(spec.hp, hp_max),
        "abilities": {c.ability: c for c in unit.abilities}, "wild": None, "taken": set(), "given": {},
        "resources": resources, "engines": resources.get("siege-engines", 0),
        "house": house, "off": all_off(house, "abilities"), "off_tactics": all_off(house, "tactics"),
        "morale": spec.morale, "disease": spec.disease, "drain": spec.drain, "paralysed": 0, "ill": False,
        "status": "fighting", "tactic": "standard", "strategy": "standard", "target": None, "melees": 0,
        "spent": {}, "fate": None, "bleeds": [], "barred": set(), "afraid": set(), "taunt_wins": 0,
        "rage": None, "challenge": None, "style": None, "specialised": None, "bonds": 0, "inspires": None,
        "dug": set(), "lure": None, "phase": {}, "felled_by": None, "attacked_in": [], "joined": -1,
        "fresh": False, "by_hand": {"om": 0, "dv": 0}, "drunk_before": 0,
        "surrendered": False, "invincible": set(),
    }  # fmt: skip


def has(a: Army, slug: str) -> bool:
    if slug in a["off"]:
        return False
    if a["wild"] is not None:
        if slug == "spellcasting":
            return False
        if slug == a["wild"] and slug not in a["taken"]:
            return True
    return slug in a["abilities"]


def value(a: Army, slug: str) -> int:
    return a["abilities"][slug].value or 0


def option(a: Army, slug: str, name: str) -> Any:
    return a["abilities"][slug].options.get(name) if has(a, slug) and slug in a["abilities"] else None


def immune(a: Army, slug: str) -> bool:
    """By printed name (R-4)."""
    for nature, names in t.NATURE_IMMUNITY.items():
        if has(a, nature) and slug in names:
            return True
    return has(a, "immunity") and slug in a["abilities"]["immunity"].options.get("to", ())


def works(a: Army, slug: str, foe: Army | None) -> bool:
    """It has the ability and this enemy is not immune to it."""
    return has(a, slug) and (foe is None or not immune(foe, slug))


def any_works(a: Army, slugs: list[str], foe: Army | None) -> bool:
    return any(works(a, slug, foe) for slug in slugs)


def undead(a: Army) -> bool:
    return a["spec"].unit.creature_type == "undead" or has(a, "undead")


def living(a: Army) -> bool:
    construct = a["spec"].unit.creature_type == "construct" or has(a, "construct")
    return not undead(a) and not construct


def evil(a: Army) -> bool:
    return a["spec"].unit.alignment.endswith("E")


def mounted(a: Army) -> bool:
    """R-3."""
    return a["resources"].get("mounts", 0) > 0 or a["spec"].mount is not None or has(a, "mount")


def companion(a: Army, foe: Army | None) -> bool:
    """One mechanic under three names (R-1)."""
    if any_works(a, ["animal-companion", "eidolon"], foe):
        return True
    return option(a, "hunters-bond", "choice") == "animal" and works(a, "hunters-bond", foe)


def of_animals(a: Army) -> bool:
    """Whom unnatural aura frightens (R-45)."""
    if a["spec"].unit.creature_type == "animal" or has(a, "animal-companion"):
        return True
    if option(a, "hunters-bond", "choice") == "animal":
        return True
    if a["spec"].mount is not None:
        return bool(a["spec"].mount.creature_type == "animal")
    return has(a, "mount") or a["resources"].get("mounts", 0) > 0


def engines_at_work(a: Army) -> int:
    """A mindless army can use none (PF-5.1)."""
    return 0 if has(a, "mindless") else a["engines"]


def shoots_engines(b: Any, a: Army) -> bool:
    return engines_at_work(a) > 0 and a["id"] in b["opening"].engines_shoot


def can_shoot(b: Any, a: Army) -> bool:
    """PF-3.8."""
    if a["spec"].unit.ranged or a["resources"].get("ranged-weapons", 0):
        return True
    if has(a, "breath-weapon") or has(a, "bomb") or has(a, "rock-throwing"):
        return True
    if has(a, "spellcasting") and option(a, "spellcasting", "ranged"):
        return True
    return shoots_engines(b, a)


def commander(a: Army) -> Any:
    found = a["spec"].commander
    return found if found is not None and found.active else None


def leadership_of(c: Any) -> int:
    """PF-2.2."""
    return int(c.level + c.charisma_modifier + (3 if c.leadership_feat else 0))


def soldiering(c: Any) -> int:
    """PF-2.1."""
    ranks = int(c.soldier_ranks // 5)
    return ranks if c.office is None else max(ranks, c.level // 6, 1)


def leadership(a: Army) -> int:
    return leadership_of(commander(a))


def boon(a: Army, slug: str) -> bool:
    """Known and not dormant, or the office's (R-7)."""
    c = commander(a)
    if c is None or is_off(a["house"], "boons", slug):
        return False
    if c.office is not None and c.office_boon == slug:
        return True
    needed = leadership_for(a["house"], slug)
    return any(known.boon == slug for known in c.boons) and (needed is None or leadership(a) >= needed)


def tier(a: Army, slug: str, threshold: int, low: int, high: int) -> int:
    if not boon(a, slug):
        return 0
    return high if leadership(a) >= threshold else low


def commander_bonus(a: Army) -> int:
    """PF-2.3, and the notorious penalty of PF-2.8."""
    c = commander(a)
    if c is None:
        return 0
    return int(c.charisma_modifier) + soldiering(c) - (1 if c.notorious else 0)


def tactics_usable(a: Army) -> set[str]:
    """PF-1.10, PF-2.9 Bonus Tactic, PF-9 tactician."""
    if has(a, "mindless"):
        return {"standard"}
    found = {"standard", "withdraw"} | {known.tactic for known in a["spec"].tactics}
    c = commander(a)
    if c is not None and boon(a, "bonus-tactic"):
        found |= {known.tactic for known in c.boons if known.boon == "bonus-tactic"}
        if c.office_boon == "bonus-tactic" and c.office_tactic:
            found.add(c.office_tactic)
    taught = option(a, "tactician", "tactic")
    found |= {taught} if taught else set()
    return found - a["off_tactics"]


def tactic(a: Army) -> str:
    """The tactic in use; one the campaign does without is none."""
    return "standard" if a["tactic"] in a["off_tactics"] else str(a["tactic"])
