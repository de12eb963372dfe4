"""What every step of a phase needs: who is there, who may strike, wounds and healing."""

from __future__ import annotations

from tests.rules.pathfinder.oracle.armies import Army, any_works, has, immune
from tests.rules.pathfinder.oracle.field import Battle, can_shoot, met, wind_modifier
from tests.rules.pathfinder.oracle.morale import morale_bonus


def on_field(b: Battle) -> list[Army]:
    """In attack order (R-20)."""
    found = [b["armies"][i] for side in b["order"] for i in side]
    return [a for a in found if a["status"] == "fighting"]


def acting(b: Battle, a: Army) -> bool:
    """A ferocious army whose fate waits acts only in the next melee phase (R-52), a spawned one in the next (R-54)."""
    if a["status"] != "fighting" or a["joined"] == b["tick"]:
        return False
    return a["fate"] is None or bool(a["phase"].get("stands"))


def attackable(b: Battle, a: Army) -> bool:
    return a["status"] == "fighting" and (a["fate"] is None or bool(a["phase"].get("stands")))


def wound(b: Battle, a: Army, amount: int, cause: str) -> None:
    before = a["hp"]
    a["hp"] = max(0, before - amount)
    if a["hp"] < before:
        b["lost_hp"].add(a["id"])
        b["log"].append(("wound", a["id"], cause, amount, before, a["hp"]))
        a["felled_by"] = None


def heal(b: Battle, a: Army, amount: int) -> None:
    """At least 1; a waiting fate cannot be healed (R-52)."""
    if a["fate"] is not None:
        return
    before = a["hp"]
    a["hp"] = min(a["hp_max"], before + max(1, amount))
    if a["hp"] > before:
        b["log"].append(("heal", a["id"], a["hp"] - before, before, a["hp"]))


def fixed_check(b: Battle, a: Army, purpose: str, name: str, dc: int) -> tuple[bool, int | None, int]:
    """A morale check against a fixed DC; failing one while afraid routs (R-45). Returns success, die, total."""
    if has(a, "mindless"):
        return True, None, 0
    die = b["dice"].face(a["id"], name, 20)
    total = die + morale_bonus(b, a, purpose)
    if total < dc and b["tick"] in a["afraid"]:
        a["phase"]["broken"] = True
    return total >= dc, die, total


def barred(b: Battle, a: Army) -> bool:
    """Those that lost this phase's Offense check (PF-3.8)."""
    if b["tick"] in a["barred"] or b["tick"] in a["afraid"]:
        return True
    now = a["phase"]
    return bool(now.get("drank") or now.get("retreats") or now.get("surrenders"))


def mode_of(b: Battle, a: Army, foe: Army) -> str:
    """Shot in ranged phases and between an army that keeps its distance and its opponents (R-31)."""
    if b["kind"] == "ranged" or frozenset((a["id"], foe["id"])) in b["range_pairs"]:
        return "shot"
    return "melee"


def why_lost(b: Battle, a: Army, foe: Army) -> str | None:
    """Why this army cannot strike that one this phase."""
    if not attackable(b, foe):
        return "gone"
    away = out_of_reach(b, a, foe)
    if away is not None or mode_of(b, a, foe) == "melee":
        return away
    if a["phase"].get("digs"):
        met(b, "a digger may not shoot at another")
        return "burrowing"
    if not can_shoot(b, a):
        return "no-shot"
    return "wind" if wind_modifier(b, a) is None else None


def out_of_reach(b: Battle, a: Army, foe: Army) -> str | None:
    """It digs, or hovers above those who neither fly nor see flight for the trick it is (PF-9, R-26)."""
    if why_underground(a, foe):
        return "burrowing"
    above = foe["phase"].get("hovers") and mode_of(b, a, foe) == "melee"
    return "hovering" if above and not has(a, "flight") and not immune(a, "flight") else None


def why_underground(a: Army, foe: Army) -> bool:
    """While digging it fights only those who can follow it."""
    diggers = ["burrow", "earth-glide"]
    hidden = foe["phase"].get("digs") and any_works(foe, diggers, a)
    if not hidden and not a["phase"].get("digs"):
        return False
    return not (any(has(a, slug) for slug in diggers) and any(has(foe, slug) for slug in diggers))


def strikes(b: Battle, a: Army) -> Army | None:
    """The army it makes its Offense check against this phase, if it makes one."""
    if not acting(b, a) or barred(b, a) or a["target"] is None:
        return None
    foe: Army = b["armies"][a["target"]]
    return foe if why_lost(b, a, foe) is None else None
