"""Step 4, the targets: ordered, kept, or the first within reach (PF-3.5, PF-3.8, R-20, R-21, R-26)."""

from __future__ import annotations

from .armies import Army, has
from .basics import attackable, barred, on_field, out_of_reach
from .field import Battle, met


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
    order = a["phase"]["order"]
    ordered = "\0keep" if order is None else order.target
    if ordered is None:
        a["target"] = None
    elif ordered in b["armies"] and attackable(b, b["armies"][ordered]):
        a["target"] = ordered
    elif a["target"] is None or not _open(b, a, b["armies"][a["target"]], "the target it had"):
        a["target"] = _first(b, a)


def _first(b: Battle, a: Army) -> str | None:
    """The first enemy it may attack; without one it holds."""
    for e in on_field(b):
        if e["side"] != a["side"] and _open(b, a, e, "the first enemy"):
            return str(e["id"])
    return None


def _open(b: Battle, a: Army, foe: Army, what: str) -> bool:
    if not attackable(b, foe):
        return False
    away = out_of_reach(b, a, foe)
    if away is not None:
        met(b, f"{what} is {away}")
    return away is None
