"""The cost of a phase: against bare Python, and as the field grows."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from rules.core.dice import Roll, Rolled
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders.commands import GiveOrder, Next, Resolve, Viewer
from rules.pathfinder.battle.state.battle_state import BattleState, Opening, Order, Side
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.spec import AbilityChoice, ArmySpec, UnitSpec
from rules.registry import ruleset
from tests.benchmarks import Row

GM = Viewer(gm=True)
CHANCE, DICE = random.Random(7).random, Rolled()  # both loops find their source of chance ready
FIELDS = (2, 20, 200)


def bench_phase() -> Iterator[Row]:
    """One melee phase of two armies with its log and its sums, as a multiple of rolling and subtracting."""
    battle = melee(2)
    seconds = best(lambda: resolve(battle), 400)
    name = f"two-army phase ({seconds * 1e6:.1f} µs), × a bare loop that rolls and subtracts"
    yield Row(name, seconds / best(bare_phase, 20_000), 40, "lower")


def bench_busy_phase() -> Iterator[Row]:
    """The same where every step has something to do: wounds that bleed and mend, fear, and orders given."""
    battle = melee(2, "bleed", "fast-healing", "fear")
    for army in battle.armies:
        battle = fold(battle, decide(battle, GiveOrder(Order(army, strategy="cautious")), DICE, GM))
    seconds = best(lambda: resolve(battle), 200)
    yield Row("busy two-army phase, × the same bare loop", seconds / best(bare_phase, 20_000), 250, "lower")


def bench_growth() -> Iterator[Row]:
    """Time against the number of armies: the slope of the log-log line, 1 is linear."""
    costs = {count: best(partial(resolve, melee(count)), max(3, 400 // count)) for count in FIELDS}
    slope = math.log(costs[200] / costs[20]) / math.log(10)
    yield Row("phase time by armies, log-log slope from 20 to 200", slope, 1.1, "lower")


def melee(count: int, *abilities: str) -> BattleState:
    """A battle of `count` equal armies on two sides, in its second melee phase; no die shows a 1 on the way."""
    chosen = tuple(AbilityChoice(slug, 4 if slug == "fast-healing" else None) for slug in abilities)
    unit = UnitSpec("Spearman", "9", "d10", abilities=chosen)
    specs = tuple(ArmySpec(f"a{i}", f"Army {i}", unit, 100) for i in range(count))
    sides = tuple(Side(name, tuple(s.id for s in specs[half::2])) for half, name in enumerate(("Crown", "Horde")))
    battle = open_battle(ruleset("combat-de-masse"), Opening(specs, sides))
    for command in (Next(), Resolve(), Resolve(), Resolve()):
        battle = fold(battle, decide(battle, command, Fixed(9), GM))
    return battle


class Fixed(Rolled):
    """Dice that always show the same face."""

    __slots__ = ("_face",)

    def __init__(self, face: int):
        self._face = face

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, self._face)


def resolve(battle: BattleState) -> None:
    decide(battle, Resolve(), DICE, GM)


def bare_phase(chance: Callable[[], float] = CHANCE) -> list[int]:
    """What a phase comes to with nothing explained: each side rolls, and subtracts what exceeds the DV."""
    hp = [49, 49]
    for side in (0, 1):
        damage = int(chance() * 20) + 1 + 9 - 19
        if damage > 0:
            hp[1 - side] -= damage
    return hp


def best(work: Callable[[], object], times: int) -> float:
    """Seconds for one call: the best of five series, so a busy moment does not count."""
    series = []
    for _series in range(5):
        started = time.perf_counter()
        for _call in range(times):
            work()
        series.append((time.perf_counter() - started) / times)
    return min(series)
