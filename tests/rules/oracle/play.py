"""One battle on both engines, step by step, with the same dice and the same orders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from rules.dice import Rolled
from rules.errors import Refusal
from rules.pathfinder.battle import engine
from rules.pathfinder.battle.commands import GiveOrder, Next, Resolve, Viewer
from rules.pathfinder.battle.state import Order, UseOrder
from rules.registry import RULESETS, ruleset

from . import battle as oracle
from .armies import tactics_usable
from .compare import by_kind, facts
from .dice import KeyedDice
from .orders import EACH_PHASE, FRIENDLY, ONCE, OPTIONS, TARGETED, lawful
from .scenarios import scenario
from .tables import STRATEGIES, TACTICS

GM = Viewer(gm=True)
MOST_PHASES = 14


class Disagreement(AssertionError):
    """Where the two readings part."""


def play(seed: int) -> int:
    """Fights the battle of this seed on both sides; returns its number of phases. Raises Disagreement."""
    slug, house, opening = scenario(seed, RULESETS["combat-de-masse"])
    ours, theirs = oracle.open_battle(opening, slug, house), engine.open_battle(ruleset(slug, house), opening)
    rng = Random(f"orders {seed}")
    same_armies(seed, ours, theirs)
    both = KeyedDice(seed, "setup"), KeyedDice(seed, "setup")
    theirs, events = step(theirs, Next(), both[1])
    same(seed, "setup", oracle.end_setup(ours, both[0]), events, both)
    theirs, orders = give_orders(seed, ours, theirs, rng)
    theirs, events = step(theirs, Resolve(), both[1])
    same(seed, "tactics", oracle.tactics_phase(ours, orders), events, both)
    phases = 0
    while theirs.phase.kind in ("ranged", "melee") and phases < MOST_PHASES:
        if theirs.phase.kind == "melee" and rng.random() < 0.1:
            theirs, _ = step(theirs, Next("ranged"), Rolled())
        theirs, orders = give_orders(seed, ours, theirs, rng)
        kind, tick = theirs.phase.kind, theirs.phase.tick
        both = KeyedDice(seed, tick), KeyedDice(seed, tick)
        theirs, events = step(theirs, Resolve(), both[1])
        same(seed, f"{kind} {tick}", oracle.fight(ours, kind, orders, both[0]), events, both)
        same_armies(seed, ours, theirs)
        phases += 1
    if ours["over"] != (theirs.phase.kind == "aftermath"):
        raise Disagreement(f"seed {seed}: over? {ours['over']} {theirs.phase}")
    return phases


def step(battle: Any, command: Any, dice: Any) -> tuple[Any, Any]:
    events = engine.decide(battle, command, dice, GM)
    return engine.fold(battle, events), events


def give_orders(seed: int, ours: Any, battle: Any, rng: Random) -> tuple[Any, dict[str, Order]]:
    """Random orders. Both must take or refuse each wish; what they refuse is left out."""
    given = {}
    for army in ours["armies"]:
        if rng.random() < 0.12:
            continue
        order = Order(army)
        if not accepted(seed, ours, battle, order):
            continue
        for change in wishes(ours, ours["armies"][army], rng):
            wished = change(order)
            if accepted(seed, ours, battle, wished):
                order = wished
        battle, _ = step(battle, GiveOrder(order), Rolled())
        given[army] = order
    return battle, given


def accepted(seed: int, ours: Any, battle: Any, order: Order) -> bool:
    """Whether the order is legal; raises Disagreement where the two readings differ."""
    try:
        engine.decide(battle, GiveOrder(order), Rolled(), GM)
    except Refusal as refusal:
        taken, why = False, str(refusal.message)
    else:
        taken, why = True, "taken"
    if taken != lawful(ours, order, battle.phase.kind, battle.phase.tick):
        raise Disagreement(f"seed {seed}, orders in {battle.phase.kind} {battle.phase.tick}: engine: {why}; {order}")
    return taken


def wishes(ours: Any, a: Any, rng: Random) -> list[Callable[[Order], Order]]:
    """One change to the order each: tactic, strategy, target, uses, choices for later."""
    found: list[Callable[[Order], Order]] = []
    everybody = list(ours["armies"])

    def wish(**change: Any) -> None:
        found.append(lambda order: replace(order, **change))

    if rng.random() < 0.6:
        wish(tactic=rng.choice([*sorted(tactics_usable(a)), rng.choice(TACTICS)]))
    if rng.random() < 0.4:
        wish(strategy=rng.choice(STRATEGIES))
    if rng.random() < 0.6:
        wish(target=rng.choice([*everybody, None] if rng.random() < 0.5 else everybody))
    for kind, slug in possible_uses(a, rng):
        if rng.random() < 0.4:
            wanted = UseOrder(kind, slug, random_option(slug, a, rng), random_target(slug, everybody, rng))
            found.append(lambda order, wanted=wanted: replace(order, use=(*order.use, wanted)))
    if rng.random() < 0.3:
        wish(withdraw="range")
    if rng.random() < 0.15:
        wish(let_go=True)
    if rng.random() < 0.7:
        wish(hold_the_line=True)
    if rng.random() < 0.5:
        wish(spawn="army")
    return found


def possible_uses(a: Any, rng: Random) -> list[tuple[str, str]]:
    """What it has, and now and then what it has not."""
    usable = sorted(EACH_PHASE | ONCE)
    found = [("ability", slug) for slug in usable if slug in a["abilities"] or rng.random() < 0.02]
    found += [("resource", "healing-potions"), ("boon", "triage")]
    return [*found, ("tactic", "dirty-fighters"), ("tactic", "false-retreat")]


def random_option(slug: str, a: Any, rng: Random) -> str:
    if slug == "wild-shape" and a["wild"] is not None and rng.random() < 0.3:
        return "end"
    return rng.choice(OPTIONS[slug]) if slug in OPTIONS else ""


def random_target(slug: str, everybody: list[str], rng: Random) -> str:
    return rng.choice(everybody) if slug in TARGETED | FRIENDLY else ""


def same(seed: int, when: str, mine: list[Any], events: Any, dice: Any) -> None:
    """The same facts, kind by kind, from the same dice."""
    ours, theirs = by_kind(mine), by_kind(facts(events))
    for kind in sorted({*ours, *theirs} - {"lost"}):  # why an attack was lost is a matter of wording
        if ours.get(kind) != theirs.get(kind):
            raise Disagreement(f"seed {seed}, {when}, {kind}:\n  oracle {ours.get(kind)}\n  engine {theirs.get(kind)}")
    asked, drawn = dice[0].asked(), dice[1].asked()
    if asked != drawn:
        difference = set(asked.items()) ^ set(drawn.items())
        raise Disagreement(f"seed {seed}, {when}, dice: {sorted(difference)}")


def same_armies(seed: int, ours: Any, theirs: Any) -> None:
    """The same armies with the same figures and the same fate."""
    if list(ours["armies"]) != list(theirs.armies):
        raise Disagreement(f"seed {seed}: armies {list(ours['armies'])} {list(theirs.armies)}")
    for army, a in ours["armies"].items():
        e = theirs.armies[army]
        mine = (a["hp"], a["hp_max"], a["acr"], a["status"], a["tactic"], a["strategy"], a["engines"])
        engines = (e.hp, e.hp_max, e.acr, e.status, e.tactic, e.strategy, e.engines)
        if mine != engines:
            raise Disagreement(f"seed {seed}, army in phase {ours['tick']}, {army}: oracle {mine} engine {engines}")
        marks, others = our_marks(ours, a), their_marks(theirs, e)
        if marks != others:
            raise Disagreement(f"seed {seed}, marks in phase {ours['tick']}, {army}: oracle {marks} engine {others}")


def our_marks(battle: Any, a: Any) -> dict[str, Any]:
    """What an army carries into the next phase and out of the battle."""
    coming = battle["tick"] + 1
    return {
        "drained": a["drain"] - a["spec"].drain, "paralysed": a["paralysed"], "ill": a["ill"],
        "bleeding": sorted(a["bleeds"]), "withstood-taunt": a["taunt_wins"], "rage": a["rage"], "fate": a["fate"],
        "afraid": coming in a["afraid"], "barred": coming in a["barred"], "companions": a["bonds"],
        "challenge": a["challenge"], "shape": a["wild"], "dug": len(a["dug"]),
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
    }  # fmt: skip
