"""Step 4, the targets: ordered, kept, or the first within reach (PF-3.5, PF-3.8, R-20, R-21, R-26)."""

from __future__ import annotations

from tests.rules.pathfinder.oracle.armies import Army, has
from tests.rules.pathfinder.oracle.basics import attackable, barred, on_field, out_of_reach
from tests.rules.pathfinder.oracle.field import Battle, met


def aim(b: Battle, armies: list[Army]) -> None:
    """Flyers first: everybody is within their reach, and who of them hovers decides what the others may attack."""
    flyers = [a for a in armies if has(a, "flight")]
    for a in flyers:
        _aim(b, a)
    for a in flyers:
        a["phase"]["hovers"] = b["kind"] == "melee" and (barred(b, a) or a["target"] is None)
    for a in armies:
        if a not in flyers:
            _aim(b, a)


def _aim(b: Battle, a: Army) -> None:
    """One it had is kept as an ordered one is, whatever it does now: "may attack" is asked of the first enemy only."""
    order = a["phase"]["order"]
    ordered = "\0keep" if order is None else order.target
    if ordered is None:
        a["target"] = None
    elif ordered in b["armies"] and attackable(b, b["armies"][ordered]):
        a["target"] = ordered
    elif a["target"] is None or not attackable(b, b["armies"][a["target"]]):
        a["target"] = _first(b, a)
    elif out_of_reach(b, a, b["armies"][a["target"]]):
        met(b, "the target it had is out of reach")


def _first(b: Battle, a: Army) -> str | None:
    """The first enemy it may attack; without one it holds."""
    for e in on_field(b):
        if e["side"] == a["side"] or not attackable(b, e):
            continue
        away = out_of_reach(b, a, e)
        if away is None:
            return str(e["id"])
        met(b, f"the first enemy is {away}")
    return None
