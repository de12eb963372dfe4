"""One battle on both engines, step by step, with the same dice, the same orders and the same GM."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from rules.core.dice import Rolled
from rules.pathfinder.battle.orders.commands import End, Next, Resolve
from rules.pathfinder.battle.state.opening import open_battle
from rules.registry import RULESETS, ruleset
from tests.rules.pathfinder.oracle import battle as oracle
from tests.rules.pathfinder.oracle import master
from tests.rules.pathfinder.oracle.alike import Disagreement, same, same_armies, same_forts
from tests.rules.pathfinder.oracle.dice import KeyedDice
from tests.rules.pathfinder.oracle.meddling import Meddler
from tests.rules.pathfinder.oracle.peace import make_peace
from tests.rules.pathfinder.oracle.scenarios import drawn_from, scenario, settled
from tests.rules.pathfinder.oracle.wishes import give_orders, step

MOST_PHASES = 14


class Table:
    """Both engines at one table: `ours` the second reading, `theirs` the engine."""

    def __init__(self, seed: int, *, more: bool = False):
        """`more`: with what the third comparison settled."""
        law, house, opening, self.mood = scenario(seed, drawn_from(RULESETS["combat-de-masse"]))
        if more:
            house, opening, self.mood = settled(seed, house, opening, self.mood)
        self.seed = seed
        self.ours: Any = oracle.open_battle(opening, law, house)
        self.theirs: Any = open_battle(ruleset(law, house), opening)
        self.rng = Random(f"orders {seed}")
        self.meddler = Meddler(seed, settled=more)
        self.fought = self.steps = 0

    def agree(self, when: str) -> None:
        """The same armies, and the same phase to come."""
        same_armies(f"seed {self.seed}, {when}", self.ours, self.theirs)
        same_forts(f"seed {self.seed}, {when}", self.ours, self.theirs)
        kind = self.theirs.phase.kind
        if self.ours["next"] != ("over" if kind == "aftermath" else kind):
            raise Disagreement(f"seed {self.seed}, {when}: next {self.ours['next']} {self.theirs.phase}")

    def break_off(self) -> None:
        """The GM ends it and says who carried the day."""
        winner = self.rng.choice((None, *range(len(self.ours["order"]))))
        self.theirs, _ = step(self.theirs, End("it is late", winner), Rolled())
        master.ends(self.ours, winner)

    def advance(self) -> None:
        """The next phase on both engines."""
        kind = self.ours["next"]
        if kind == "melee" and self.rng.random() < 0.1:
            self.theirs, _ = step(self.theirs, Next("ranged"), Rolled())
            kind = self.ours["next"] = "ranged"
        self.steps += 1
        when = f"{kind}, step {self.steps}"
        ours, theirs = KeyedDice(self.seed, self.steps), KeyedDice(self.seed, self.steps)
        if kind == "setup":
            self.theirs, events = step(self.theirs, Next(), theirs)
            told = oracle.end_setup(self.ours, ours)
        else:
            self.theirs, orders = give_orders(f"seed {self.seed}, {when}", self.ours, self.theirs, self.rng, self.mood)
            self.meddler.meddle(self, late=True)
            self.theirs, events = step(self.theirs, Resolve(), theirs)
            if kind == "tactics":
                told = oracle.tactics_phase(self.ours, orders)
            else:
                told = oracle.fight(self.ours, kind, orders, ours)
                self.fought += 1
        same(f"seed {self.seed}, {when}", told, events, (ours, theirs))
        self.agree(when)


def play(seed: int, *, more: bool = False) -> tuple[int, Counter[str]]:
    """Fights the battle of this seed on both sides; returns its number of phases and what it met.

    Raises Disagreement.
    """
    table = Table(seed, more=more)
    fight_out(table)
    return table.fought, table.ours["met"]


def fight_out(table: Table) -> None:
    """From the opening to the aftermath."""
    table.agree("opening")
    while table.ours["next"] != "over" and table.fought < MOST_PHASES:
        table.meddler.meddle(table)
        table.advance()
    if table.ours["next"] != "over":
        table.break_off()
    make_peace(table)
