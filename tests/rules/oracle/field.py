"""The battlefield: conditions, weather, fortifications (PF-4, R-10 to R-17)."""

from __future__ import annotations

from typing import Any

from . import tables as t
from .armies import Army, any_works, can_shoot, has, immune, shoots_engines, works

type Battle = dict[str, Any]


def on(b: Battle, slug: str, a: Army) -> bool:
    """Whether this condition reaches this army."""
    for c in b["conditions"]:
        if c.condition == slug and a["id"] not in c.exempt and (not c.armies or a["id"] in c.armies):
            return True
    return False


def heroes(b: Battle, a: Army) -> int:
    for c in b["conditions"]:
        if c.condition == "heroes" and a["id"] in c.armies and a["id"] not in c.exempt:
            return c.value
    return 0


def fogged(b: Battle, a: Army) -> bool:
    """Fog, and what counts as fog for damage (R-13)."""
    return on(b, "fog", a) or on(b, "sandstorm", a) or on(b, "snow", a)


def veiled(b: Battle, a: Army) -> bool:
    """Fog, and what counts as fog for leaving: snow only halves damage."""
    return on(b, "fog", a) or on(b, "sandstorm", a)


def wind_of(b: Battle, a: Army) -> str:
    """Only the strongest counts; rain and snow are severe (R-10)."""
    level = 0
    for c in b["conditions"]:
        if c.condition == "wind" and a["id"] not in c.exempt and (not c.armies or a["id"] in c.armies):
            level = max(level, t.WINDS.index(c.value))
    if on(b, "rain", a) or on(b, "snow", a):
        level = max(level, t.WINDS.index("severe"))
    return t.WINDS[level]


def heavy_shot(b: Battle, a: Army) -> bool:
    """Thrown rocks, or engines the GM lets shoot (R-11)."""
    return has(a, "rock-throwing") or shoots_engines(b, a)


def wind_modifier(b: Battle, a: Army) -> int | None:
    """OM modifier of a shot; None where shooting is impossible."""
    table = t.WIND_SIEGE if heavy_shot(b, a) else t.WIND_ORDINARY
    return table[wind_of(b, a)]


def shot_possible(b: Battle, a: Army) -> bool:
    return can_shoot(b, a) and wind_modifier(b, a) is not None


def dimmed(a: Army, penalty: int, foe: Army | None) -> int:
    """What blindsight and blindsense leave of a penalty (R-2, R-12)."""
    if works(a, "blindsight", foe):
        return 0
    if any_works(a, t.DIM_SENSES, foe):
        return -(-penalty // 2)
    return penalty


def sees(b: Battle, a: Army, invisible: Army) -> bool:
    """Ignores all of this army's invisibility (R-12)."""
    if a["id"] in b["opening"].sees_invisible or immune(a, "invisibility"):
        return True
    return works(a, "blindsight", invisible)


def unseen_penalty(b: Battle, a: Army, foe: Army) -> int:
    """What an invisible foe costs this army's OM or DV."""
    if not has(foe, "invisibility") or sees(b, a, foe):
        return 0
    return dimmed(a, -2, foe)


def light_om(b: Battle, a: Army, foe: Army | None) -> int:
    found = 0
    if on(b, "darkness", a):
        if not works(a, "darkvision", foe):
            found += dimmed(a, -2, foe)
    elif on(b, "dim-light", a) and not any_works(a, ["darkvision", "low-light-vision"], foe):
        found += dimmed(a, -1, foe)
    return found + glare(b, a)


def light_dv(b: Battle, a: Army, foe: Army | None) -> int:
    found = 0
    if on(b, "darkness", a) and not works(a, "darkvision", foe):
        found += dimmed(a, -3, foe)
    return found + glare(b, a)


def glare(b: Battle, a: Army) -> int:
    found = 0
    if on(b, "bright-light", a):
        if has(a, "light-blindness"):
            found -= 2
        if has(a, "light-sensitivity"):
            found -= 1
    return found


def forts_from(conditions: Any) -> list[dict[str, Any]]:
    """Every fortification with what is left of each part (R-14)."""
    found = []
    for c in conditions:
        if c.condition != "fortification":
            continue
        if c.parts:
            parts = [{"kind": p.kind, "material": p.material, "left": p.value} for p in c.parts]
        else:
            parts = [{"kind": "other", "material": "stone", "left": 8 if c.value is None else c.value}]
        armies = [i for i in c.armies if i not in c.exempt]
        found.append({"armies": armies, "parts": parts})
    return found


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
    return done


def cover(b: Battle, a: Army, attacker: Army) -> int:
    """What the fortifications add to this army's DV against this attacker."""
    found = 0
    for fort in forts_of(b, a):
        if works(attacker, "teleportation", a):
            continue
        if b["forts"].index(fort) in attacker["dug"] and any_works(attacker, ["burrow", "earth-glide"], a):
            continue
        for part in fort["parts"]:
            found += _part(part, a, attacker)
    return found


def _part(part: dict[str, Any], a: Army, attacker: Army) -> int:
    if works(attacker, "flight", a) and part["kind"] == "wall":
        return 0
    if works(attacker, "earth-glide", a) and part["material"] in ("earth", "stone") and part["kind"] != "force":
        return 0
    if works(attacker, "amphibious", a) and part["kind"] == "moat":
        return 0
    if works(attacker, "climb", a) and part["kind"] not in ("moat", "force") and part["material"] != "force":
        return part["left"] * 3 // 4
    return part["left"]


def terrain(b: Battle, a: Army, foe: Army) -> tuple[int, int]:
    """OM and DV from the ground, halved by an enemy who favours it (R-16)."""
    each = 1 if works(foe, "favored-terrain", a) else 2
    om = dv = 0
    if on(b, "advantageous-terrain", a):
        dv += each
    if on(b, "battlefield-advantage", a):
        om += each
        dv += each
    return om, dv


def mobile(b: Battle, a: Army, foe: Army) -> bool:
    """Whether mobility serves this army here, against this enemy (R-16)."""
    if has(a, "incorporeal"):
        return works(a, "incorporeal", foe)
    return works(a, "mobility", foe) and on(b, "suits-mobility", a)
