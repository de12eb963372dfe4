"""Random orders, each asked of both engines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from rules.core.dice import Rolled
from rules.core.errors import Refusal
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders.commands import GiveOrder, Viewer
from rules.pathfinder.battle.state.battle_state import Order, UseOrder
from rules.pathfinder.battle.state.fold import fold
from tests.rules.pathfinder.oracle.alike import Disagreement
from tests.rules.pathfinder.oracle.armies import tactics_usable
from tests.rules.pathfinder.oracle.orders import EACH_PHASE, FRIENDLY, ONCE, OPTIONS, TARGETED, lawful
from tests.rules.pathfinder.oracle.plots import Mood
from tests.rules.pathfinder.oracle.tables import STRATEGIES, TACTICS

GM = Viewer(gm=True)


def step(battle: Any, command: Any, dice: Any) -> tuple[Any, Any]:
    events = decide(battle, command, dice, GM)
    return fold(battle, events), events


def give_orders(when: str, ours: Any, battle: Any, rng: Random, mood: Mood) -> tuple[Any, dict[str, Order]]:
    """Random orders. Both must take or refuse each wish; what they refuse is left out."""
    given = {}
    for army in ours["armies"]:
        if rng.random() < mood.silent:
            continue
        order = Order(army)
        if not accepted(when, ours, battle, order):
            continue
        for change in wishes(ours, ours["armies"][army], rng, mood):
            wished = change(order)
            if accepted(when, ours, battle, wished):
                order = wished
        battle, _ = step(battle, GiveOrder(order), Rolled())
        given[army] = order
    return battle, given


def accepted(when: str, ours: Any, battle: Any, order: Order) -> bool:
    """Whether the order is legal; raises Disagreement where the two readings differ."""
    try:
        decide(battle, GiveOrder(order), Rolled(), GM)
    except Refusal as refusal:
        taken, why = False, str(refusal.message)
    else:
        taken, why = True, "taken"
    if taken != lawful(ours, order, ours["next"], ours["tick"] + 1):
        raise Disagreement(f"{when}, orders: engine: {why}; {order}")
    return taken


def wishes(ours: Any, a: Any, rng: Random, mood: Mood) -> list[Callable[[Order], Order]]:
    """One change to the order each: tactic, strategy, target, uses, choices for later."""
    found: list[Callable[[Order], Order]] = []
    everybody = list(ours["armies"])

    def wish(**change: Any) -> None:
        found.append(lambda order: replace(order, **change))

    if rng.random() < eagerness(ours, a, mood):
        wish(tactic="withdraw")
    elif mood.known and rng.random() < 0.7:
        wish(tactic=mood.known)
    elif rng.random() < mood.tactic:
        wish(tactic=rng.choice([*sorted(tactics_usable(a)), rng.choice(TACTICS)]))
    if rng.random() < mood.strategy:
        wish(strategy=rng.choice(STRATEGIES))
    if rng.random() < mood.hold:
        wish(target=None)
    elif rng.random() < mood.target:
        wish(target=rng.choice([*everybody, None] if rng.random() < 0.5 else everybody))
    for kind, slug in possible_uses(a, rng):
        if rng.random() < mood.favourite.get(slug, mood.use):
            wanted = UseOrder(kind, slug, random_option(slug, a, rng), random_target(slug, everybody, rng))
            found.append(lambda order, wanted=wanted: replace(order, use=(*order.use, wanted)))
    if rng.random() < mood.ranged:
        wish(withdraw="range")
    if rng.random() < 0.15:
        wish(let_go=True)
    if rng.random() < 0.7:
        wish(hold_the_line=True)
    if rng.random() < mood.spawn:
        wish(spawn="army")
    if mood.surrender and rng.random() < mood.surrender:
        wish(surrender=True)
    if mood.stay and rng.random() < mood.stay:
        wish(stay_at_range=True)
    return found


def eagerness(ours: Any, a: Any, mood: Mood) -> float:
    """How much it wants to be gone."""
    if mood.prey not in ("", a["id"]):
        return 0
    return mood.cornered if cornered(ours, a) else mood.withdraw


def cornered(ours: Any, a: Any) -> bool:
    return a["fate"] is not None or ours["tick"] + 1 in a["afraid"] or a["hp"] * 2 <= a["hp_max"]


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
