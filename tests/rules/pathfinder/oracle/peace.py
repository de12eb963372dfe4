"""The aftermath on both engines: the same world before, the same world after."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from random import Random
from typing import Any

from rules.pathfinder.battle.aftermath import ArmyInCampaign, CommanderInCampaign, KingdomFigures, World, aftermath
from tests.rules.pathfinder.oracle.alike import Disagreement
from tests.rules.pathfinder.oracle.dice import KeyedDice
from tests.rules.pathfinder.oracle.spoils import reckon

KINGDOMS = ("north", "south", "")


def world_before(ours: Any, rng: Random) -> World:
    """A random world around these armies; those that rose in the battle are not in it yet."""
    kingdoms = {
        name: KingdomFigures(name, rng.randint(0, 30), rng.randint(0, 30), rng.randint(0, 30),
                             rng.choice((0, 0, 1, 5, 20)), rng.choice((0, 20, 30, 40)))
        for name in KINGDOMS if name
    }  # fmt: skip
    armies, commanders = {}, {}
    for army, a in ours["armies"].items():
        if "~" in army:
            continue
        spec = a["spec"]
        who = spec.commander
        known = [{"tactic": one.tactic, "granted": one.granted} for one in spec.tactics]
        armies[army] = ArmyInCampaign(
            rng.choice(KINGDOMS), a["hp_max"] if spec.hp is None else spec.hp, spec.morale, spec.status, known,
            dict(spec.resources), spec.disease, rng.random() < 0.2, spec.drain, who.id if who else None,
            rng.choice((0, 0, 4)), rng.randint(1, 9), rng.random() < 0.2,
        )  # fmt: skip
        if who is not None and rng.random() < 0.9:
            held = [{"boon": one.boon, "tactic": one.tactic} for one in who.boons]
            commanders[who.id] = CommanderInCampaign(who, "free", rng.choice((0, 0, 1, 2)), who.notorious, None, held)
    return World(kingdoms, armies, commanders)


def flat(world: World) -> dict[tuple[str, str, str], Any]:
    """Every figure of the world by its kind, its owner and its name."""
    found: dict[tuple[str, str, str], Any] = {}
    owners: dict[str, Mapping[str, Any]]
    owners = {"kingdom": world.kingdoms, "army": world.armies, "commander": world.commanders}
    for kind, things in owners.items():
        for key, thing in things.items():
            found |= {(kind, key, one.name): getattr(thing, one.name) for one in fields(thing)}
    return found


def make_peace(table: Any) -> None:
    """Raises Disagreement where the two readings leave another world, ask or roll otherwise."""
    rng, when = Random(f"peace {table.seed}"), f"seed {table.seed}, aftermath"
    world = world_before(table.ours, rng)
    ours, dice = flat(world), (KeyedDice(table.seed, "aftermath"), KeyedDice(table.seed, "aftermath"))
    asked: dict[str, tuple[set[str], str]] = {}

    def choose(key: str, options: set[str], default: str) -> str:
        asked[key] = (options, default if rng.random() < 0.3 else rng.choice(sorted(options)))
        return asked[key][1]

    told = reckon(table.ours, ours, choose, dice[0])
    proposal = aftermath(table.theirs, world, {key: one for key, (_all, one) in asked.items()}, dice[1])
    theirs = after(when, flat(world), proposal)
    raised = {key[1]: raised_facts(theirs.pop(key)) for key in list(theirs) if key[2] == "created"}
    questions = {one.key: ({slug for slug, _label in one.options}, one.chosen) for one in proposal.questions}
    beaten: list[Any] = [note.text for note in proposal.notes if note.rule == "PF-6.4"]
    xp = sorted((one.params["army"], one.params["xp"]) for one in beaten)
    mine = sorted((table.theirs.armies[army].name, amount) for army, amount in told["xp"])
    pairs = {"figures": (ours, theirs), "raised": (told["raised"], raised), "questions": (asked, questions),
             "xp": (mine, xp), "dice": (dice[0].asked(), dice[1].asked())}  # fmt: skip
    for what, (one, other) in pairs.items():
        if one != other:
            raise Disagreement(f"{when}, {what}:\n  oracle {difference(one, other)}\n  engine {difference(other, one)}")


def after(when: str, figures: dict[Any, Any], proposal: Any) -> dict[Any, Any]:
    """The world with every proposed change made; each begins where the one before it ended."""
    for change in proposal.changes:
        key = (change.subject_kind, change.subject_id, change.field)
        if figures.get(key) != change.before:
            raise Disagreement(f"{when}: {key} is {figures.get(key)}, not {change.before}")
        figures[key] = change.after
    return figures


def raised_facts(body: dict[str, Any]) -> tuple[Any, ...]:
    return body["kingdom"], body["count"], body["hp"], body.get("morale", 0), body["status"]


def difference(one: Any, other: Any) -> Any:
    if isinstance(one, dict):
        return {key: value for key, value in one.items() if key not in other or other[key] != value}
    return one
