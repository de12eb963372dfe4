"""What armies declare at step 4, in attack order (PF-3.5, R-20, R-22)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from tests.rules.pathfinder.oracle import tables as t
from tests.rules.pathfinder.oracle.armies import Army, boon, tactic
from tests.rules.pathfinder.oracle.basics import heal
from tests.rules.pathfinder.oracle.field import Battle, met
from tests.rules.pathfinder.oracle.forts import forts_of, standing
from tests.rules.pathfinder.oracle.orders import may_use


def declare(b: Battle, armies: list[Army]) -> list[Army]:
    for a in armies:
        order = a["phase"]["order"]
        for use in order.use if order is not None else ():
            if not possible(b, a, use):
                continue
            b["log"].append(("used", a["id"], use.kind, use.slug, use.option, use.target))
            a["spent"][use.slug] = a["spent"].get(use.slug, 0) + 1
            effect(b, a, use)
    return armies


def possible(b: Battle, a: Army, use: Any) -> bool:
    """Still so when orders are revealed: what has become impossible is as if it had not been ordered (R-21)."""
    if use.kind == "tactic" and tactic(a) != use.slug:
        return False
    return may_use(b, a, use, a["phase"]["order"], b["kind"], b["tick"])


def effect(b: Battle, a: Army, use: Any) -> None:
    now, slug = a["phase"], use.slug
    half = max(1, a["acr"] // 2)
    if (use.kind, slug) in t.DRINKS:
        now["drank"] = True
        heal(b, a, max(1, 2 * a["acr"]) + (half if boon(a, "triage") else 0))
    elif slug == "triage":
        now["triage"] = True
        heal(b, a, half)
    elif slug == "hex":
        heal(b, a, half)
    elif slug in ("channel-positive-energy", "lay-on-hands", "channel-negative-energy"):
        now.setdefault("channelled", []).append("negative" if "negative" in slug else "positive")
        heal(b, a, a["acr"])
        if len(now["channelled"]) > 1:
            met(b, "two energies heal in one phase")
    elif slug in ("burrow", "earth-glide"):
        _dig(b, a, b["armies"][use.target])
    elif slug == "challenge":
        a["challenge"] = use.target
    elif slug == "combat-style":
        a["style"] = use.option
    elif slug == "weapon-specialization":
        a["specialised"] = use.option
    elif slug == "create-sandstorm":
        storm = {"condition": "sandstorm", "value": None, "armies": (), "exempt": (), "parts": ()}
        b["conditions"].append(SimpleNamespace(**storm, by_use=True))
    elif slug == "hunters-bond":
        b["armies"][use.target]["bonds"] += 1
    elif slug == "inspire-courage":
        a["inspires"] = use.target
    elif slug == "judgment":
        now["judgment"] = use.option
        if use.option == "heal":
            heal(b, a, half)
    elif slug == "rage":
        _rage(b, a)
    elif slug == "smite-evil":
        now["smites"] = use.target
    elif slug == "wild-shape":
        a["wild"] = None if use.option == "end" else use.option
    elif slug == "dirty-fighters":
        now["dirty"] = True
    elif slug == "false-retreat":
        now["retreats"] = True
        a["lure"] = (b["tick"], use.target)
    else:
        raise ValueError(f"the law knows no use {slug}")


def _dig(b: Battle, a: Army, target: Army) -> None:
    a["phase"]["digs"] = True
    for fort in forts_of(b, target):
        if fort["number"] not in a["dug"] and standing(fort) > 0:
            a["phase"].setdefault("undermines", fort["number"])  # one fortification a phase
            return


def _rage(b: Battle, a: Army) -> None:
    """R-23: what rage bars becomes standard at once, without a check."""
    a["rage"] = a["rage"] or "own"
    if a["tactic"] in t.RAGE_TACTICS:
        a["tactic"] = "standard"
        b["log"].append(("tactic", a["id"], "standard", True, None, 0, 0))
    if a["strategy"] in t.RAGE_STRATEGIES:
        a["strategy"] = "standard"
        b["log"].append(("strategy", a["id"], "standard", True, None, 0, 0))
