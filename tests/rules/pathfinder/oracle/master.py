"""What the GM does between phases: reinforcements, conditions, an interruption (PF-3.2, PF-4)."""

from __future__ import annotations

from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, army_from
from tests.rules.pathfinder.oracle.basics import on_field
from tests.rules.pathfinder.oracle.ends import leave
from tests.rules.pathfinder.oracle.field import Battle, met
from tests.rules.pathfinder.oracle.forts import fort_from, wear
from tests.rules.pathfinder.oracle.house import is_off

OF_AN_ARMY = {"advantageous-terrain", "battlefield-advantage", "fortification", "on-water", "heroes"}
WITHOUT_VALUE = {"darkness", "dim-light", "bright-light", "fog", "rain", "sandstorm", "snow", "suits-mobility",
                 "advantageous-terrain", "battlefield-advantage", "on-water"}  # fmt: skip


def joins(b: Battle, spec: Any, side: int) -> bool:
    """An army enters between phases, last of its side, and picks a tactic (PF-3.2, PF-6.1, PF-6.2, R-20)."""
    if spec.id in b["armies"] or not 0 <= side < len(b["order"]):
        return False
    if spec.status != "ready" or spec.hp == 0:
        return False
    a = army_from(spec, side, b["house"])
    a["fresh"] = True
    b["armies"][spec.id] = a
    b["order"][side].append(spec.id)
    return True


def sets(b: Battle, c: Any) -> bool:
    """A condition comes into force, in place of the same one for the same armies."""
    if not _makes_sense(b, c):
        return False
    held = _same(b, c)
    b["conditions"] = [h for h in b["conditions"] if h not in held] + [c]
    if c.condition == "fortification":
        _build(b, c)
    return True


def lifts(b: Battle, c: Any) -> bool:
    held = _same(b, c)
    b["conditions"] = [h for h in b["conditions"] if h not in held]
    if c.condition == "fortification":
        b["forts"] = [fort for fort in b["forts"] if fort["place"] != set(c.armies)]
    return bool(held)


def _same(b: Battle, c: Any) -> list[Any]:
    return [h for h in b["conditions"] if h.condition == c.condition and set(h.armies) == set(c.armies)]


def _build(b: Battle, c: Any) -> None:
    """A fortification told anew keeps what siege engines wore off it (R-15); another one is another one."""
    old = [fort for fort in b["forts"] if fort["place"] == set(c.armies)]
    b["built"] += 1
    new = fort_from(c, old[0]["number"] if old else b["built"])
    wear(new, sum(fort["worn"] for fort in old))
    new["worn"] = sum(fort["worn"] for fort in old)
    b["forts"] = [fort for fort in b["forts"] if fort not in old] + [new]


def _makes_sense(b: Battle, c: Any) -> bool:
    if is_off(b["house"], "conditions", c.condition):
        return False
    if any(army not in b["armies"] for army in (*c.armies, *c.exempt)):
        return False
    if c.condition in OF_AN_ARMY and not c.armies:
        return False
    if c.condition in WITHOUT_VALUE:
        return c.value is None and not c.parts
    if c.condition == "wind":
        return c.value in t.WINDS
    if c.condition == "heroes":
        return c.value in (4, -4)
    if c.parts:
        return c.value in (None, sum(part.value for part in c.parts))
    return c.value is None or isinstance(c.value, int)


def interrupts(b: Battle) -> bool:
    """Each stretch is a battle of its own: what was to last for the battle is over (PF-3.2, PF-6.5).

    Hit points, engines, energy drain and disease stay as they are; a fate that ferocity held up falls (R-52).
    """
    if b["next"] == "setup":
        return False
    fates_fall(b)
    for a in b["armies"].values():
        _calm(a)
    raised = [c for c in b["conditions"] if getattr(c, "by_use", False)]
    if raised:
        met(b, "a storm that an army raised ends with the stretch")
    b["conditions"] = [c for c in b["conditions"] if c not in raised]
    b["next"], b["ambushed"] = "setup", set()
    b["numbers"] = {"ranged": 0, "melee": 0}
    b["stretch"] += 1
    return True


def fates_fall(b: Battle) -> None:
    for a in b["armies"].values():
        a["phase"] = {}
    for a in on_field(b):
        if a["fate"] is not None:
            confined = a["hp"] > 0 and a["id"] in b["opening"].cannot_leave
            leave(b, a, "captured" if confined else "defeated" if a["hp"] == 0 else "routed")


def _calm(a: Army) -> None:
    a["drunk_before"] += a["spent"].get("healing-potions", 0)
    a.update(
        tactic="standard", strategy="standard", target=None, melees=0, spent={}, fate=None, bleeds=[], barred=set(),
        afraid=set(), paralysed=0, taunt_wins=0, rage=None, challenge=None, style=None, specialised=None, bonds=0,
        inspires=None, dug=set(), lure=None, phase={}, attacked_in=[], fresh=False, wild=None, taken=set(), given={},
        abilities={choice.ability: choice for choice in a["spec"].unit.abilities},
    )  # fmt: skip


def ends(b: Battle, winner: int | None) -> bool:
    """The GM breaks it off and says who carried the day."""
    fates_fall(b)
    b["next"], b["winner"] = "over", winner
    return True
