"""Where the two readings are held against each other."""

from __future__ import annotations

from typing import Any

from tests.rules.pathfinder.oracle.compare import by_kind, facts


class Disagreement(AssertionError):
    """Where the two readings part."""


def same(when: str, mine: list[Any], events: Any, dice: Any) -> None:
    """The same facts, kind by kind, from the same dice."""
    ours, theirs = by_kind(mine), by_kind(facts(events))
    for kind in sorted({*ours, *theirs} - {"lost"}):  # why an attack was lost is a matter of wording
        if ours.get(kind) != theirs.get(kind):
            raise Disagreement(f"{when}, {kind}:\n  oracle {ours.get(kind)}\n  engine {theirs.get(kind)}")
    asked, drawn = dice[0].asked(), dice[1].asked()
    if asked != drawn:
        difference = set(asked.items()) ^ set(drawn.items())
        raise Disagreement(f"{when}, dice: {sorted(difference)}")


def same_armies(when: str, ours: Any, theirs: Any) -> None:
    """The same armies with the same figures and the same fate."""
    if list(ours["armies"]) != list(theirs.armies):
        raise Disagreement(f"{when}: armies {list(ours['armies'])} {list(theirs.armies)}")
    for army, a in ours["armies"].items():
        e = theirs.armies[army]
        mine = (a["hp"], a["hp_max"], a["acr"], a["status"], a["tactic"], a["strategy"], a["engines"])
        engines = (e.hp, e.hp_max, e.acr, e.status, e.tactic, e.strategy, e.engines)
        if mine != engines:
            raise Disagreement(f"{when}, army {army}: oracle {mine} engine {engines}")
        marks, others = our_marks(ours, a), their_marks(theirs, e)
        if marks != others:
            raise Disagreement(f"{when}, marks of {army}: oracle {marks} engine {others}")


def same_forts(when: str, ours: Any, theirs: Any) -> None:
    """The same fortifications, worn as far."""
    mine = sorted((sorted(fort["place"]), fort["worn"]) for fort in ours["forts"])
    engines = sorted((sorted({*fort.armies, *fort.exempt}), fort.worn) for fort in theirs.forts)
    if mine != engines:
        raise Disagreement(f"{when}, fortifications: oracle {mine} engine {engines}")


def our_marks(battle: Any, a: Any) -> dict[str, Any]:
    """What an army carries into the next phase and out of the battle."""
    coming = battle["tick"] + 1
    return {
        "drained": a["drain"] - a["spec"].drain, "paralysed": a["paralysed"], "ill": a["ill"],
        "bleeding": sorted(a["bleeds"]), "withstood-taunt": a["taunt_wins"], "rage": a["rage"] is not None,
        "fate": a["fate"],
        "afraid": coming in a["afraid"], "barred": coming in a["barred"], "companions": a["bonds"],
        "challenge": a["challenge"], "shape": a["wild"], "dug": len(a["dug"]),
        "surrendered": a["surrendered"], "invincible": sorted(a["invincible"]),
        "fought": a["status"] == "fighting" and a["melees"] > 0,
    }  # fmt: skip


def their_marks(battle: Any, army: Any) -> dict[str, Any]:
    coming = battle.phase.tick if battle.phase.kind in ("ranged", "melee") else battle.phase.tick + 1

    def count(kind: str) -> int:
        return sum(mark.amount for mark in army.marks if mark.kind == kind)

    def named(kind: str, field: str) -> str | None:
        return next((getattr(mark, field) for mark in army.marks if mark.kind == kind), None)

    return {
        "drained": count("drained"), "paralysed": count("paralysed"), "ill": count("ill") > 0,
        "bleeding": sorted(mark.detail for mark in army.marks if mark.kind == "bleeding"),
        "withstood-taunt": count("withstood-taunt"), "rage": count("rage") > 0, "fate": named("last-stand", "detail"),
        "afraid": any(mark.kind == "afraid" and mark.at == coming for mark in army.marks),
        "barred": any(mark.kind == "barred" and mark.at == coming for mark in army.marks),
        "companions": count("companions"), "challenge": named("challenge", "other"), "shape": named("shape", "detail"),
        "dug": len({mark.other for mark in army.marks if mark.kind == "burrowed"}),
        "surrendered": count("surrendered") > 0, "fought": army.status == "fighting" and army.melees > 0,
        "invincible": sorted(mark.other for mark in army.marks if mark.kind == "invincible"),
    }  # fmt: skip
