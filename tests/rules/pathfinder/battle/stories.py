"""Battles worth keeping: each is played once, written down, and replayed exactly ever after.

A change of the engine that changes one of them is a change of the law: look at the difference, then write
them down again on purpose with `python -m tests.rules.pathfinder.battle.stories`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import django

from battles.codec import storage
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import awaiting
from rules.pathfinder.battle.state.battle_state import KEEP, BattleState, Opening, Order, Part
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.battle.telling.narrate import describe
from rules.pathfinder.ruleset import ULTIMATE_CAMPAIGN
from rules.pathfinder.spec import MountSpec
from rules.registry import ruleset
from tests.rules.pathfinder.strategies import Scattered
from tests.scenario import Scenario, boss, has, hold, order, scenario, spec, use

if __name__ == "__main__":  # which laws there are, the settings say
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    django.setup()

KEEPER = storage.get_keeper(ruleset("combat-de-masse").battle)
GOLDEN = Path(__file__).parent / "golden"
STORIES: dict[str, Callable[[], Scenario]] = {}


def story(tell: Callable[[], Scenario]) -> Callable[[], Scenario]:
    STORIES[tell.__name__.replace("_", "-")] = tell
    return tell


def seeded(seed: int, *law: Any) -> Scenario:
    return scenario(*law).rolled_by(Scattered(Random(seed)))


def to_the_end(s: Scenario, **orders: Any) -> Scenario:
    """The same orders until the battle is over, or dusk."""
    while s.state.phase.kind in ("ranged", "melee") and len(s.state.phases) < 20:
        able = {army for army, _what in awaiting(s.state)}
        s.melee(**{name: reachable(s, given) for name, given in orders.items() if name in able})
    return s if s.state.phase.kind == "aftermath" else s.play(c.End("dusk"))


def reachable(s: Scenario, given: Order) -> Order:
    """The order, at anybody left if its target has gone."""
    gone = given.target not in (None, KEEP) and s.status(str(given.target)) != "fighting"
    return replace(given, target=KEEP) if gone else given


@story
def plain_duel() -> Scenario:
    """Two armies of spearmen, all five strategies between them."""
    s = seeded(1).army("A", commander=boss("hold-the-line", charisma=2)).army("B", commander=boss("loyalty"))
    s.tactics().ranged(A=order(), B=order())
    for mine, theirs in (("reckless", "cautious"), ("aggressive", "standard"), ("standard", "aggressive")):
        s.melee(A=order(strategy=mine), B=order(strategy=theirs))
    return to_the_end(s, A=order(hold_the_line=True), B=order())


@story
def siege() -> Scenario:
    """Engines, climbers and sappers before a wall and a moat; archers and a siegebreaker inside."""
    parts = (Part("wall", "stone", 8), Part("moat", "water", 2))
    s = seeded(5).army(
        "A", acr=10, resources={"siege-engines": 3, "healing-potions": 1}, commander=boss("sharpshooter")
    )
    s.army("A2", abilities=["climb"]).army("A3", abilities=["burrow", "bleed"])
    s.army("B", acr=10, resources=["ranged-weapons", "magic-armor"], tactics=["siegebreaker"], commander=boss("triage"))
    s.army("B2", acr=8, abilities=["rock-throwing", "rock-catching"])
    s.condition("fortification", "B", "B2", parts=parts).condition("wind", value="strong").declared(
        "engines_shoot", "A"
    )
    s.tactics(B="siegebreaker").ranged(A=order(), B=order(), B2=order())
    s.melee(A=order("B"), A2=order("B2"), A3=order("B", use("burrow", target="B")), B=order("A"), B2=order("A2"))
    triage = use("triage", kind="boon")
    s.melee(A=order("B"), A2=order("B2"), A3=order("B"), B=order("A", triage), B2=order("A2"))
    return to_the_end(s, A=order("B"), A2=order("B2"), A3=order("B"), B=order("A"), B2=order("A2"))


@story
def cavalry_and_archers() -> Scenario:
    """Archers keep their distance from riders in the rain, then leave; a false retreat."""
    riders = {"resources": ["mounts"], "mount": MountSpec("destriers", cr="2", speed_m=15)}
    s = seeded(3).army("A", tactics=["cavalry-experts", "false-retreat"], abilities=["challenge", "order"], **riders)
    s.army("A2", tactics=["cavalry-experts"], abilities=["smite-evil"], alignment="LG", **riders)
    s.army("B", ranged=True, alignment="NE", commander=boss("hit-and-run", "flexible-tactics", soldier_ranks=5))
    s.army("B2", ranged=True, abilities=["track"]).condition("rain").condition("advantageous-terrain", "B")
    s.tactics(A="cavalry-experts", A2="cavalry-experts").ranged(B=order("A"), B2=order("A2"))
    keep = {"tactic": "withdraw", "withdraw": "range"}
    s.melee(
        A=order("B", use("challenge", target="B")), A2=order("B", use("smite-evil", target="B")), B=order("A", **keep)
    )
    feign = use("false-retreat", target="B2", kind="tactic")
    s.melee(A=order("B2", feign, tactic="false-retreat"), A2=order("B"), B=hold(tactic="withdraw"), B2=order("A"))
    return to_the_end(s, A=order("B2"), A2=order("B2"), B2=order("A"), B=hold())


@story
def monsters() -> Scenario:
    """Fear, ferocity, regeneration, breath, grab and poison in a sandstorm."""
    s = seeded(8).army("A", acr=10, abilities=["fear", "breath-weapon", "flight"], creature_type="dragon")
    s.army("A2", abilities=["regeneration 5", "rend", "grab"]).army("B", abilities=["ferocity", "rage"])
    s.army("B2", abilities=["poison", "paralysis", "create-sandstorm"], commander=boss("bloodied-but-unbroken"))
    s.ranged(A=order("B"), B2=hold(use("create-sandstorm")))
    s.melee(A=order("B"), A2=order("B2"), B=order("A", use("rage"), strategy="reckless"), B2=order("A2"))
    return to_the_end(s, A=order("B"), A2=order("B2"), B=order("A"), B2=order("A2"))


@story
def three_sides() -> Scenario:
    """Everybody against everybody in fog; reinforcements, an added ranged phase, a GM's hand, an interruption."""
    s = seeded(13).army("A", abilities=["inspire-courage"], ranged=True).army("A2", tactics=["taunt"])
    s.army("B", abilities=["spellcasting 2", "energy-drain"]).army("C", abilities=["undead", "disease"])
    s.condition("fog").condition("heroes", "C", value=-4).ambush("C", "B").tactics(A2="taunt")
    s.ranged(A=order("C"), A2=order("B"))
    s.melee(A=hold(use("inspire-courage", target="A2")), A2=order("B"), B=order("C"), C=order("A"))
    s.play(c.Reinforce(spec("C2", ranged=True, tactics=["expert-flankers"]), 2)).override("B", "hp", 20)
    s.ranged(A=order("C2"), C2=order("A", tactic="expert-flankers")).play(
        c.Interrupt("a truce to carry off the wounded")
    )
    s.until("melee")
    return to_the_end(s, A=order("B"), A2=order("C"), B=order("A"), C=order("A2"), C2=order("B"))


@story
def undead_host() -> Scenario:
    """A host that raises the fallen, channels and drains, against the living and one who cannot leave."""
    s = seeded(2).army("A", acr=11, abilities=["undead", "create-spawn", "channel-negative-energy", "energy-drain"],
                        creature_type="undead", commander=boss("merciless"))  # fmt: skip
    s.army("A2", abilities=["undead", "mindless", "unnatural-aura"], creature_type="undead")
    s.army("B", hp=14, commander=boss("hold-the-line")).army("B2", hp=15, resources=["mounts"])
    s.army("B3", abilities=["channel-positive-energy", "mercy", "divine-health"], alignment="LG")
    s.declared("cannot_leave", "B2").until("melee")
    s.melee(
        A=order("B", spawn="army"), A2=order("B2"), B=order("A", hold_the_line=True), B2=order("A2"), B3=order("A2")
    )
    heal = use("channel-positive-energy")
    s.melee(A=order("B3", use("channel-negative-energy"), spawn="army"), A2=order("B3"), B3=order("A", heal))
    return to_the_end(s, A=order("B3"), A2=order("B3"), B3=order("A"), **{"A~1": order("B3")})


@story
def ghosts_and_swarms() -> Scenario:
    """The English original: invisible, incorporeal and swarming armies in darkness, among wizards and monks."""
    s = (
        seeded(34, ULTIMATE_CAMPAIGN)
        .army("A", abilities=["incorporeal", "invisibility"])
        .army("A2", abilities=["swarm"])
    )
    s.army("B", abilities=["ki-pool", "flurry-of-blows", "evasion", "blindsense"])
    s.army("B2", abilities=[has("spellcasting", 4, ranged=True), "wild-shape", "alchemy"], hp=20)
    s.condition("darkness").condition("suits-mobility").ranged(B2=order("A2", use("alchemy")))
    s.melee(A=order("B"), A2=order("B2"), B=order("A2"), B2=order("A", use("wild-shape", "darkvision")))
    s.melee(A=hold(tactic="withdraw"), A2=order("B"), B=order("A"), B2=order("A2", use("wild-shape", "end")))
    return to_the_end(s, A2=order("B"), B=order("A2"), B2=order("A2"), A=order())


def written(name: str) -> str:
    """The story as JSON: one line a command, a die, an event."""
    played = STORIES[name]()
    records = [
        {
            "command": KEEPER.dump_command(command),
            "dice": storage.dump_dice(dice),
            "events": KEEPER.dump_events(events),
            "log": [str(describe(played.state, event).text) for event in events],
        }
        for command, dice, events in played.records
    ]
    told = {"title": (STORIES[name].__doc__ or "").strip(), "ruleset": played.law.slug,
            "opening": KEEPER.dump_opening(played.opening()), "records": records}  # fmt: skip
    return _lines(told) + "\n"


def _lines(value: Any, depth: int = 0) -> str:
    """JSON that a difference reads well in: containers opened as far as the third level, one line below."""
    pad = " " * (depth + 1)
    if depth < 4 and isinstance(value, dict) and value:
        inner = (f"{pad}{json.dumps(k)}: {_lines(v, depth + 1)}" for k, v in value.items())
        return "{\n" + ",\n".join(inner) + "\n" + " " * depth + "}"
    if depth < 4 and isinstance(value, list) and value:
        return "[\n" + ",\n".join(pad + _lines(v, depth + 1) for v in value) + "\n" + " " * depth + "]"
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def replay(text: str) -> tuple[BattleState, list[tuple[Any, list[Any]]]]:
    """The opened battle of a written story, and its records as (command, dice, events)."""
    told = json.loads(text)
    opening: Opening = KEEPER.load_opening(told["opening"])
    records = [
        (KEEPER.load_command(r["command"]), storage.load_dice(r["dice"]), KEEPER.load_events(r["events"]), r["log"])
        for r in told["records"]
    ]
    return open_battle(ruleset(told["ruleset"]), opening), records  # type: ignore[return-value]


if __name__ == "__main__":
    for found in STORIES:
        (GOLDEN / f"{found}.json").write_text(written(found))
