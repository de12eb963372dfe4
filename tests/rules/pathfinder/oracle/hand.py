"""The GM sets a figure, a mark or a result by hand (PF-3.12)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army
from tests.rules.pathfinder.oracle.ends import leave_field
from tests.rules.pathfinder.oracle.field import Battle
from tests.rules.pathfinder.oracle.house import is_off

STATUSES = ("fighting", "withdrawn", "routed", "defeated", "captured")
RANGES = {"hp": (0, None), "morale": (-4, 4), "om": (-50, 50), "dv": (-50, 50), "engines": (0, 99)}


def overrides(b: Battle, army: str, field: str, value: Any) -> bool:
    if army not in b["armies"]:
        return False
    a = b["armies"][army]
    if field == "engines" and is_off(b["house"], "resources", "siege-engines"):
        return False
    if field in RANGES:
        low, high = RANGES[field]
        if not low <= value <= (a["hp_max"] if high is None else high):
            return False
        _figure(a, field, value)
    elif field == "status":
        if value not in STATUSES:
            return False
        a["status"] = value
        if value == "fighting":
            a["surrendered"] = False
        if value != "fighting":
            leave_field(a)
    elif field in ("tactic", "strategy"):
        if value not in (t.TACTICS if field == "tactic" else t.STRATEGIES):
            return False
        a[field] = value
    elif field == "target":
        if value is not None and not _enemy(b, a, value):
            return False
        a["target"] = value
    elif field == "invincible":
        return _invincible(b, a, str(value)[:1], str(value)[1:])
    elif field == "mark":
        _mark(b, a, value[0] == "+", value[1:])
    elif field == "ability":
        _ability(a, value[0] == "+", value[1:])
    return True


def _enemy(b: Battle, a: Army, foe: str) -> bool:
    return foe in b["armies"] and b["armies"][foe]["side"] != a["side"] and b["armies"][foe]["status"] == "fighting"


def _invincible(b: Battle, a: Army, sign: str, foe: str) -> bool:
    """R-90: to the attacks of one enemy, wherever that one is."""
    if sign not in ("+", "-") or foe not in b["armies"] or b["armies"][foe]["side"] == a["side"]:
        return False
    if sign == "-" and foe not in a["invincible"]:
        return False
    (a["invincible"].add if sign == "+" else a["invincible"].discard)(foe)
    return True


def _figure(a: Army, field: str, value: int) -> None:
    if field in ("om", "dv"):
        a["by_hand"][field] += value
    else:
        a[field] = value
    if field == "hp":
        a["felled_by"] = None


def _ability(a: Army, adds: bool, text: str) -> None:
    """Adds one, or changes the number of one it has; or takes one away."""
    slug, _, number = text.partition(" ")
    if adds:
        a["taken"].discard(slug)
        a["given"].setdefault(slug, None)
        if number:
            a["given"][slug] = int(number)
    else:
        a["taken"].add(slug)
        a["given"].pop(slug, None)
    a["abilities"] = {choice.ability: choice for choice in a["spec"].unit.abilities}
    for name, value in a["given"].items():
        held = a["abilities"].get(name)
        if held is None or value is not None:
            options = {} if held is None else held.options
            a["abilities"][name] = SimpleNamespace(ability=name, value=value, options=options)
    for name in a["taken"]:
        a["abilities"].pop(name, None)


ENDS: dict[str, dict[str, Any]] = {
    "rage": {"rage": None}, "challenge": {"challenge": None}, "combat-style": {"style": None},
    "weapon-specialization": {"specialised": None}, "companions": {"bonds": 0}, "withstood-taunt": {"taunt_wins": 0},
    "last-stand": {"fate": None}, "shape": {"wild": None}, "paralysed": {"paralysed": 0}, "ill": {"ill": False},
    "fresh": {"fresh": False},
}  # fmt: skip


def _mark(b: Battle, a: Army, adds: bool, kind: str) -> None:
    if adds:
        _add(b, a, kind)
    elif kind in ENDS:
        a.update(ENDS[kind])
    elif kind in ("afraid", "barred", "bleeding", "burrowed"):
        name = {"bleeding": "bleeds", "burrowed": "dug"}.get(kind, kind)
        a[name] = type(a[name])()
    elif kind == "drained":
        a["drain"] = a["spec"].drain
    elif kind == "inspired":
        for bard in b["armies"].values():
            if bard["inspires"] == a["id"] and bard is not a:
                bard["inspires"] = ""  # it sings on, for nobody
    else:
        raise ValueError(kind)


def _add(b: Battle, a: Army, kind: str) -> None:
    if kind in ("afraid", "barred"):  # of the phase that comes; before the battle's first there is none to bar
        if b["next"] in ("ranged", "melee"):
            a[kind].add(b["tick"] + 1)
    elif kind == "bleeding":
        a["bleeds"].append("")
    elif kind == "drained":
        a["drain"] += 1
    elif kind == "paralysed":
        a["paralysed"] += 1
    elif kind == "withstood-taunt":
        a["taunt_wins"] += 1
    elif kind == "rage":
        a["rage"] = a["rage"] or "GM"
    elif kind == "ill":
        a["ill"] = True
    elif kind == "fresh":
        a["fresh"] = True
    else:
        raise ValueError(kind)
