"""A random GM: who joins, what the field becomes, what is set by hand, when the battle is broken off."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from rules.core.dice import Rolled
from rules.core.errors import Refusal
from rules.pathfinder.battle.orders.commands import ChangeCondition, Interrupt, Override, Reinforce
from rules.pathfinder.battle.state.battle_state import SetCondition
from rules.registry import RULESETS
from tests.rules.pathfinder.oracle import hand, master
from tests.rules.pathfinder.oracle.alike import Disagreement
from tests.rules.pathfinder.oracle.grounds import conditions
from tests.rules.pathfinder.oracle.scenarios import drawn_from, random_army
from tests.rules.pathfinder.oracle.tables import STRATEGIES, TACTICS
from tests.rules.pathfinder.oracle.wishes import step

CATALOGUE = drawn_from(RULESETS["combat-de-masse"])
ADDED = ("afraid", "barred", "bleeding", "drained", "paralysed", "ill", "rage", "withstood-taunt", "fresh")
REMOVED = (*ADDED, "challenge", "combat-style", "weapon-specialization", "companions", "inspired", "last-stand",
           "burrowed", "shape")  # fmt: skip
FIELDS = ("hp", "morale", "om", "dv", "engines", "status", "tactic", "strategy", "target", "mark", "mark", "ability",
          "ability", "ability")  # fmt: skip
NUMBERED = ("spellcasting", "fast-healing", "regeneration", "bravery", "poison-resistance")


class Meddler:
    """In half of the battles the GM keeps their hands in their lap."""

    def __init__(self, seed: int, *, settled: bool = False):
        self.rng = Random(f"GM {seed}")
        self.busy = self.rng.choice((0, 0, 0, 0.15, 0.3, 0.6))
        self.fields: tuple[str, ...] = (*FIELDS, "invincible", "invincible", "invincible") if settled else FIELDS
        self.joined = self.broken_off = 0

    def meddle(self, table: Any, *, late: bool = False) -> None:
        """A deed or more; `late`, when the orders are given already, they do not break the battle off."""
        while self.rng.random() < (self.busy / 3 if late else self.busy):
            command = self._deed(table.ours, late=late)
            before = table.ours["next"]
            taken = done(table.ours, command)
            try:
                table.theirs, _ = step(table.theirs, command, Rolled())
            except Refusal as refusal:
                if taken:
                    raise Disagreement(f"seed {table.seed}: {command} refused: {refusal.message}") from refusal
            else:
                if not taken:
                    raise Disagreement(f"seed {table.seed}, before {before}: the law refuses {command}")
            table.agree(f"before {before}, {command}")

    def _deed(self, ours: Any, *, late: bool) -> Any:
        chance = self.rng.random()
        if chance < 0.2:
            return self._reinforcement(ours)
        if chance < 0.5:
            return self._condition(ours)
        if chance < 0.6 and not late:
            return Interrupt("night falls")
        return self._override(ours)

    def _reinforcement(self, ours: Any) -> Reinforce:
        name = self.rng.choice("EFGHA")
        spec = random_army(self.rng, name, CATALOGUE, (), may_be_routed=True)
        if self.rng.random() < 0.05:
            spec = replace(spec, hp=0)
        return Reinforce(spec, self.rng.choice((0, 0, 1, 1, 2)))

    def _condition(self, ours: Any) -> ChangeCondition:
        if ours["conditions"] and self.rng.random() < 0.4:
            held = self.rng.choice(ours["conditions"])
            armies = tuple(self.rng.sample(held.armies, len(held.armies)))
            return ChangeCondition(SetCondition(held.condition, None, armies), lift=True)
        found: tuple[SetCondition, ...] = ()
        while not found:
            found = conditions(self.rng, list(ours["armies"]))
        wanted = self.rng.choice(found)
        if self.rng.random() < 0.05:
            wanted = replace(wanted, value=self.rng.choice((None, 3, "breeze")))
        return ChangeCondition(wanted, lift=self.rng.random() < 0.05)

    def _override(self, ours: Any) -> Override:
        army = self.rng.choice(list(ours["armies"]))
        field = self.rng.choice(self.fields)
        return Override(army, field, self._value(ours, ours["armies"][army], field), "the heroes did it")

    def _value(self, ours: Any, a: Any, field: str) -> Any:
        rng = self.rng
        if field == "hp":
            return rng.choice((0, 1, rng.randint(1, a["hp_max"]), a["hp_max"], a["hp_max"] + 1))
        if field == "morale":
            return rng.randint(-5, 5)
        if field in ("om", "dv"):
            return rng.choice((-51, -4, -1, 1, 4, 4))
        if field == "engines":
            return rng.choice((-1, 0, 0, 1, 2, 5))
        if field == "status":
            return rng.choice((*hand.STATUSES, "fighting", "fighting", "asleep"))
        if field in ("tactic", "strategy"):
            return rng.choice((*(TACTICS if field == "tactic" else STRATEGIES), "patience"))
        if field == "invincible":
            return rng.choice(("+", "+", "+", "-", "")) + rng.choice((*ours["armies"], "nobody"))
        if field == "target":
            return rng.choice((None, *ours["armies"], "nobody"))
        if field == "mark":
            return "+" + rng.choice(ADDED) if rng.random() < 0.6 else "-" + rng.choice(REMOVED)
        return self._ability(a)

    def _ability(self, a: Any) -> str:
        if a["abilities"] and self.rng.random() < 0.4:
            return "-" + self.rng.choice(list(a["abilities"]))
        slug = self.rng.choice((*CATALOGUE.abilities, *NUMBERED, *a["abilities"]))
        number = f" {self.rng.randint(1, 6)}" if slug in NUMBERED and self.rng.random() < 0.8 else ""
        return ("+" if self.rng.random() < 0.8 else "-") + slug + number


def done(ours: Any, command: Any) -> bool:
    """The second reading does it too, or refuses."""
    match command:
        case Reinforce(spec, side):
            return master.joins(ours, spec, side)
        case ChangeCondition(condition, True):
            return master.lifts(ours, condition)
        case ChangeCondition(condition, False):
            return master.sets(ours, condition)
        case Interrupt():
            return master.interrupts(ours)
        case Override(army, field, value, _reason):
            return hand.overrides(ours, army, field, value)
    raise ValueError(command)
