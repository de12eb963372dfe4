"""OM, DV, damage and morale checks of one army against another (PF-3, PF-9)."""

from __future__ import annotations

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import (
    Army,
    any_works,
    boon,
    can_shoot,
    companion,
    engines_at_work,
    evil,
    has,
    immune,
    mounted,
    option,
    shoots_engines,
    tactic,
    tier,
    undead,
    value,
    works,
)
from tests.rules.pathfinder.oracle.field import (
    Battle,
    dimmed,
    heroes,
    light_dv,
    light_om,
    met,
    mobile,
    on,
    terrain,
    unseen_penalty,
    wind_modifier,
)
from tests.rules.pathfinder.oracle.forts import behind, cover


def inspired(b: Battle, a: Army, foe: Army | None = None) -> bool:
    """R-25; counts once whoever sings (R-1)."""
    if foe is not None and immune(foe, "inspire-courage"):
        return False
    for bard in b["armies"].values():
        if bard["status"] != "fighting" or bard["side"] != a["side"]:
            continue
        if bard["inspires"] == a["id"] and bard is not a:
            return True
        if (
            bard is a
            and has(bard, "inspire-courage")
            and (b["law"] == "combat-de-masse" or bard["inspires"] in (None, a["id"]))
        ):
            return True
    return False


def lured(b: Battle, a: Army) -> str | None:
    """Whom the false retreat of the last phase drew in, if the tactic is kept (R-28)."""
    if a["lure"] is not None and a["lure"][0] + 1 == b["tick"] and tactic(a) == "false-retreat":
        return a["lure"][1]
    return None


def om(b: Battle, a: Army, foe: Army, mode: str, deed: str = "attack") -> int:
    """Mode: melee, shot or ambush. Deed: attack or parting."""
    found = a["acr"]
    # resources
    if a["resources"].get("magic-weapons", 0):
        found += 2
    elif a["resources"].get("improved-weapons", 0):
        found += 1
    if engines_at_work(a) > 0:
        found += 2
    if a["resources"].get("mounts", 0):
        found += 2
    found += _om_abilities(b, a, foe, mode)
    found += _om_boons(b, a, foe, mode, deed)
    # the field
    found += light_om(b, a, foe) + terrain(b, a, foe)[0] + heroes(b, a)
    found += unseen_penalty(b, a, foe)
    if mode == "shot":
        found += dimmed(a, wind_modifier(b, a) or 0, foe)
    if a["rage"] == "GM" or (a["rage"] and not immune(foe, "rage")):
        found += 2
    found += a["by_hand"]["om"] - a["drain"] - a["disease"]
    if mode != "ambush":
        found += _om_choices(b, a, foe, mode)
    return found


def _om_abilities(b: Battle, a: Army, foe: Army, mode: str) -> int:
    found = 0
    if companion(a, foe):
        found += 1
    for slug in t.PLUS_ONE_OM:
        if works(a, slug, foe):
            found += 1
    if works(a, "mount", foe):
        found += 1
    if inspired(b, a, foe):
        found += 1
    if works(a, "spellcasting", foe):
        bonus = value(a, "spellcasting")
        if works(foe, "evasion", a):
            bonus //= 2
        found += bonus
    if has(a, "aquatic"):
        if on(b, "on-water", foe):
            if not immune(foe, "aquatic"):
                found += 1
        elif not has(a, "amphibious"):
            found -= 2
    if mobile(b, a, foe) and not mobile(b, foe, a):
        found += 1
        if has(foe, "mobility"):
            met(b, "mobility of no use here against mobility")
    if works(a, "favored-enemy", foe) and option(a, "favored-enemy", "creature_type") == foe["spec"].unit.creature_type:
        found += 1
    if works(a, "flurry-of-blows", foe) and mode == "melee":
        found += 1 if b["number"] == 1 else 2
    if works(a, "sneak-attack", foe):
        after_retreat = a["lure"] is not None and a["lure"][0] + 1 == b["tick"]
        if mode == "ambush" or tactic(a) == "expert-flankers" or after_retreat:
            found += 1
    return found


def _om_boons(b: Battle, a: Army, foe: Army, mode: str, deed: str) -> int:
    found = 0
    if a["hp"] * 2 <= a["hp_max"]:
        found += tier(a, "bloodied-but-unbroken", 10, 1, 2)
    if boon(a, "sharpshooter") and can_shoot(b, a) and behind(b, foe):
        found += 2
    if boon(a, "merciless") and mode != "ambush" and (deed == "parting" or tactic(foe) == "withdraw"):
        found += 1
    return found


def _om_choices(b: Battle, a: Army, foe: Army, mode: str) -> int:
    """Tactic, strategy, and what was declared or suffered in this battle."""
    found = t.TACTIC.get(tactic(a), (0, 0))[0]
    if tactic(a) == "cavalry-experts" and mounted(a) and not mounted(foe):
        found += 2
    if mode == "melee":
        found += t.STRATEGY[a["strategy"]][0]
    now = a["phase"]
    if now.get("dirty") and tactic(a) == "dirty-fighters" and mode == "melee":
        found += 6
    if lured(b, a) == foe["id"]:
        found += 6
    if now.get("withdrew"):
        found -= 2
    if foe["id"] in now.get("taunted_by", ()):
        found -= 2
    if now.get("triage"):
        found -= 4
    if now.get("channelled"):
        found -= a["acr"] // 2 * len(now["channelled"])
    if now.get("stands"):
        found -= 4
    if a["challenge"] == foe["id"] and not immune(foe, "challenge"):
        found += 2
    kind = "ranged" if mode == "shot" else "melee"
    if a["style"] == kind and not immune(foe, "combat-style"):
        found += 1
    if a["specialised"] == kind and not immune(foe, "weapon-specialization"):
        found += 2
    if not immune(foe, "hunters-bond"):
        found += a["bonds"]
    if now.get("smites") and evil(foe) and mode == "melee" and not immune(foe, "smite-evil"):
        found += 4 if undead(foe) or foe["spec"].unit.creature_type == "outsider" else 2
    return found


def dv(b: Battle, a: Army, attacker: Army, mode: str) -> int:
    """This army's DV against this attacker."""
    found = 10 + a["acr"]
    if not any_works(attacker, ["incorporeal", "swarm"], a):
        if a["resources"].get("magic-armor", 0):
            found += 2
        elif a["resources"].get("improved-armor", 0):
            found += 1
    if a["resources"].get("mounts", 0):
        found += 2
    found += _dv_abilities(b, a, attacker, mode)
    if boon(a, "defensive-tactics"):
        found += 2
    found += cover(b, a, attacker)
    found += light_dv(b, a, attacker) + terrain(b, a, attacker)[1] + heroes(b, a)
    found += unseen_penalty(b, a, attacker)
    if a["rage"]:
        found -= 1
    found += a["by_hand"]["dv"] - a["drain"] - a["disease"] - a["paralysed"]
    if mode == "ambush":
        if works(a, "track", attacker):
            found += a["acr"]
    else:
        found += _dv_choices(b, a, attacker, mode)
    return found


def _dv_abilities(b: Battle, a: Army, attacker: Army, mode: str) -> int:
    found = 0
    if works(a, "mount", attacker):
        found += 1
    if works(a, "undead", attacker):
        found += 2
    if works(a, "shield-ally", attacker):
        found += 1
    if works(a, "spellcasting", attacker):
        found += value(a, "spellcasting")
    if works(a, "spell-resistance", attacker) and has(attacker, "spellcasting"):
        found += 6
    if hard(b, a, attacker):
        found += 10
    if works(a, "aquatic", attacker) and on(b, "on-water", attacker):
        found += 1
    if works(a, "rock-catching", attacker) and mode == "shot":
        found += 1
        if has(attacker, "rock-throwing") or shoots_engines(b, attacker):
            found += 1
    return found


def hard(b: Battle, a: Army, attacker: Army) -> bool:
    """Significant defense the attacker cannot overcome."""
    return any_works(a, t.HARDNESS, attacker) and (attacker["id"], a["id"]) not in b["opening"].overcomes


def _dv_choices(b: Battle, a: Army, attacker: Army, mode: str) -> int:
    found = t.TACTIC.get(tactic(a), (0, 0))[1]
    if tactic(a) == "spellbreaker" and has(attacker, "spellcasting"):
        found += 4
    if mode == "melee":
        found += t.STRATEGY[a["strategy"]][1]
    now = a["phase"]
    if lured(b, a) == attacker["id"]:
        found += 6
    if now.get("withdrew"):
        found -= 2
    if attacker["id"] in now.get("taunted_by", ()):
        found -= 2
    if now.get("stands"):
        found -= 4
    found -= now.get("tripped", 0)
    if now.get("judgment") == "defense" and not immune(attacker, "judgment"):
        found += 1
    if a["challenge"] is not None:
        if a["challenge"] != attacker["id"]:
            found -= 1
        elif works(a, "order", attacker):
            found += 1
    return found
