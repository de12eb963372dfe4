"""The battle from setup to its end, phase by phase (PF-3.2, PF-3.5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.aims import aim
from tests.rules.pathfinder.oracle.armies import Army, army_from, has, value
from tests.rules.pathfinder.oracle.basics import acting, fixed_check, heal, on_field, wound
from tests.rules.pathfinder.oracle.ends import close_phase, end, fall
from tests.rules.pathfinder.oracle.field import Battle, met, on
from tests.rules.pathfinder.oracle.figures import dv, om
from tests.rules.pathfinder.oracle.forts import forts_from
from tests.rules.pathfinder.oracle.opposed import oppose
from tests.rules.pathfinder.oracle.orders import may_adopt, may_take
from tests.rules.pathfinder.oracle.strike import strike
from tests.rules.pathfinder.oracle.uses import declare

NOTHING = SimpleNamespace(tactic=None, strategy=None, target=None, use=(), withdraw="leave", let_go=False,
                          hold_the_line=False, spawn="heal", stay_at_range=False)  # fmt: skip


def open_battle(opening: Any, law: str, house: Mapping[str, Any]) -> Battle:
    side_of = {army: index for index, side in enumerate(opening.sides) for army in side.armies}
    return {
        "opening": opening, "law": law, "house": house, "tick": 0, "kind": "setup", "number": 0,
        "armies": {spec.id: army_from(spec, side_of[spec.id], house) for spec in opening.armies},
        "order": [list(side.armies) for side in opening.sides],
        "conditions": list(opening.conditions), "forts": forts_from(opening.conditions),
        "built": sum(c.condition == "fortification" for c in opening.conditions), "stretch": 1, "ambushed": set(),
        "numbers": {"ranged": 0, "melee": 0}, "next": "setup", "winner": None, "log": [],
        "met": Counter(),
    }  # fmt: skip


def end_setup(b: Battle, dice: Any) -> list[tuple[Any, ...]]:
    """Ambushes (PF-3.3, R-17), then the tactics phase begins. After an interruption nobody lies hidden."""
    b["log"] = log = []
    b["kind"] = b["next"] = "tactics"
    b["number"], b["ambushed"] = 1, set()
    for ambush in b["opening"].ambushes if b["stretch"] == 1 else ():
        a, target = b["armies"][ambush.by], b["armies"][ambush.target]
        if a["status"] != "fighting" or target["status"] != "fighting":
            continue
        die = dice.face(a["id"], "ambush", 20)
        check, against = die + om(b, a, target, "ambush"), dv(b, target, a, "ambush")
        log.append(("ambush", a["id"], target["id"], die, check, against, check > against))
        if check > against:
            b["ambushed"].add(target["id"])
    return log


def tactics_phase(b: Battle, orders: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Every commander picks a tactic; an ambushed army does not act (PF-3.4)."""
    b["log"] = log = []
    for a in on_field(b):
        order = orders.get(a["id"])
        if order is None or order.tactic is None or a["id"] in b["ambushed"]:
            continue
        if order.tactic != a["tactic"] and may_adopt(b, a, order.tactic):
            a["tactic"] = order.tactic
            log.append(("tactic", a["id"], order.tactic, True, None, 0, 0))
    for a in on_field(b):
        a["fresh"] = False
    b["ambushed"] = set()
    end(b, "ranged")
    return log


def fight(b: Battle, kind: str, orders: Mapping[str, Any], dice: Any) -> list[tuple[Any, ...]]:
    """One ranged or melee phase."""
    b["log"] = []
    b["tick"] += 1
    b["kind"] = kind
    b["numbers"][kind] += 1
    b["number"] = b["numbers"][kind]
    b["dice"] = dice
    b["lost_hp"], b["range_pairs"] = set(), set()
    for a in on_field(b):
        a["phase"] = {"order": orders.get(a["id"])}
        if a["id"] in orders and orders[a["id"]].surrender:  # instead of acting
            a["phase"] = {"order": NOTHING, "surrenders": True}
        if a["fate"] is not None and kind == "melee":
            a["phase"]["stands"] = True
    for a in on_field(b):
        linger(b, a)
    for a in on_field(b):
        if acting(b, a):
            change_tactic(b, a)
    if kind == "melee":
        for a in on_field(b):
            if acting(b, a):
                change_strategy(b, a)
    aim(b, declare(b, [a for a in on_field(b) if acting(b, a)]))
    oppose(b)
    strike(b)
    sandstorm(b)
    close_phase(b)
    return b["log"]


def linger(b: Battle, a: Army) -> None:
    """Step 1: bleeding, then healing, then death."""
    names, a["bleeds"] = a["bleeds"], []
    for name in names:
        if a["hp"] == 0:
            break
        amount = b["dice"].face(a["id"], "bleed", 6)
        if name == "poison" and has(a, "poison-resistance"):
            amount = max(0, amount - value(a, "poison-resistance") // 2)
        wound(b, a, amount, name)
    if a["fate"] is None:
        for slug in ("fast-healing", "regeneration"):
            if has(a, slug):
                heal(b, a, value(a, slug) // 2)
        if a["hp"] == 0:
            fall(b, a, "defeated")
            if a["fate"] is not None:
                met(b, "a last stand begins in step 1")


def change_tactic(b: Battle, a: Army) -> None:
    """Step 2."""
    order = a["phase"]["order"]
    if order is None or order.tactic is None or order.tactic == a["tactic"] or not may_adopt(b, a, order.tactic):
        return
    if order.tactic == "withdraw" or a["fresh"]:
        success, die, total, dc = True, None, 0, 0
    else:
        dc = 15
        success, die, total = fixed_check(b, a, "tactic", "tactic", dc)
    b["log"].append(("tactic", a["id"], order.tactic, success, die, total, dc if die else 0))
    if success:
        a["tactic"] = order.tactic


def change_strategy(b: Battle, a: Army) -> None:
    """Step 3."""
    order = a["phase"]["order"]
    if order is None or order.strategy is None or order.strategy == a["strategy"]:
        return
    if not may_take(a, order.strategy, b["kind"]):
        return
    steps = abs(t.STRATEGIES.index(order.strategy) - t.STRATEGIES.index(a["strategy"]))
    if a["melees"] == 0 and steps > 1 and "~" in a["id"]:
        met(b, "an army that rose chooses a strategy freely")
    if a["melees"] == 0 or steps == 1:
        success, die, total, dc = True, None, 0, 0
    else:
        dc = 20
        success, die, total = fixed_check(b, a, "strategy", "strategy", dc)
    b["log"].append(("strategy", a["id"], order.strategy, success, die, total, dc if die else 0))
    if success:
        a["strategy"] = order.strategy


def sandstorm(b: Battle) -> None:
    """Step 8."""
    for a in on_field(b):
        if on(b, "sandstorm", a):
            wound(b, a, 1, "sandstorm")
