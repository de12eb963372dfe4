"""The battlefield: conditions, weather (PF-4, R-10 to R-13, R-16, R-17)."""

from __future__ import annotations

from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, any_works, can_shoot, has, immune, shoots_engines, works

type Battle = dict[str, Any]


def met(b: Battle, situation: str) -> None:
    """Counts a situation of the law that a drawn battle came to, so that none is forgotten unseen."""
    b["met"][situation] += 1


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
        if has(a, "light-blindness") and has(a, "light-sensitivity"):
            met(b, "light hurts twice")
        if has(a, "light-blindness"):
            found -= 2
        if has(a, "light-sensitivity"):
            found -= 1
    return found


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
    if works(a, "incorporeal", foe):
        return True
    return works(a, "mobility", foe) and on(b, "suits-mobility", a)
