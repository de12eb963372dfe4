"""The cost of an exact forecast: in milliseconds, and against a compiled loop that knows nothing of rules."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
from numba import njit

from battles.forecast.single_flight import Pool
from battles.workshop.sweeps import Entrant, Sweep
from rules.core.odds import AboutOdds
from rules.odds.tasks import Task, perform
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders.commands import Viewer
from rules.pathfinder.battle.state.battle_state import BattleState, Opening, Side, changed
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.strike import exchange
from rules.pathfinder.forecast.choices import table_of
from rules.pathfinder.forecast.exact.forecast import exactly, winners
from rules.pathfinder.forecast.exact.hit_point_losses import harm_of
from rules.pathfinder.forecast.simulate import simulated_each
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import AbilityChoice, ArmySpec, UnitSpec
from tests.benchmarks import Row
from tests.benchmarks.bench_rules import Fixed, Next

GM = Viewer(gm=True)
ASKED = AboutOdds()


def bench_one() -> Iterator[Row]:
    """Two armies of 49 hit points, and of 500."""
    for hp, most, times, repeats in ((49, 5.0, 15.0, 30), (500, 40.0, 3.0, 8)):
        state = meeting(hp)
        exactly(state, ASKED)
        reference(state)  # compiled
        seconds, bare = interleaved(partial(answered, state), partial(reference, state), repeats)
        yield Row(f"exact forecast at {hp} hp each, ms", seconds * 1e3, most, "lower")
        yield Row(f"exact forecast at {hp} hp each, × a compiled loop", seconds / bare, times, "lower")


def answered(state: BattleState) -> None:
    exactly(fresh(state), ASKED)


def bench_table() -> Iterator[Row]:
    """Twenty-five cells, with the checks that changing by more than a step costs."""
    state = changed(meeting(49), phase=meeting(49).phase._replace(kind="melee"))
    one, table = interleaved(
        partial(answered, state), lambda: table_of(fresh(state), "strategy", "A", "B", ASKED, simulated_each)
    )
    yield Row(f"table of strategies ({table * 1e3:.1f} ms), × one cell ({one * 1e3:.1f} ms)", table / one, 8, "lower")


def bench_sweep() -> Iterator[Row]:
    """A hundred armies of one kind against a hundred others, a hundredth of it measured."""
    states = [meeting(10 + a, 12 + 2 * b) for a in range(10) for b in range(10)]
    seconds = best(lambda: winners(map(fresh, states), ASKED), 5)
    yield Row("100 × 100 armies, s on one core", seconds * 100, 5, "lower")


def bench_sweep_of_many_kinds() -> Iterator[Row]:
    """Armies of many abilities, ratings and morale, those that bleed among them, in the pieces the workshop cuts."""
    tasks = pieces()
    seconds = best(lambda: [perform(task.function, pickle.loads(pickle.dumps(task.arguments))) for task in tasks], 3)
    yield Row("100 × 100 armies of many kinds, s on one core", seconds * 10_000 / pairs_of(tasks), 8, "lower")


def bench_sweep_on_two() -> Iterator[Row]:
    """The same by one process beside the server and by two, one after the other."""
    tasks = pieces()
    pools = [Pool(1), Pool(2)]
    try:
        turns = [[swept_by(pool, tasks) for pool in pools] for _turn in range(6)]
    finally:
        for pool in pools:
            pool.stop()
    one, two = (min(taken) for taken in zip(*turns, strict=True))
    name = f"a sweep of {pairs_of(tasks)} pairs of many kinds ({one:.2f} s on one core), × faster on two"
    yield Row(name, one / two, 1.7, "higher")


def swept_by(pool: Pool, tasks: list[Task]) -> float:
    started = time.perf_counter()
    for future in [pool.submit(task) for task in tasks]:
        future.result()
    return time.perf_counter() - started


def pieces() -> list[Task]:
    """Every third of a hundred armies against all others."""
    armies = [Entrant(f"a{number}", "", soldiers(f"a{number}", str(2 + number % 7), number)) for number in range(100)]
    return Sweep(LAW.slug, {}, armies[::3], armies).tasks("bench")


def pairs_of(tasks: list[Task]) -> int:
    return sum(len(part.against) for task in tasks for part in task.arguments[0])


def soldiers(name: str, cr: str, number: int) -> ArmySpec:
    """Armies of different ratings, dice, morale and abilities."""
    able = tuple(AbilityChoice(slug) for slug in ABLE[number % len(ABLE)])
    unit = UnitSpec(name, cr, ("d6", "d8", "d10")[number % 3], abilities=able, ranged=not number % 3)
    return ArmySpec(name, name, unit, 100, morale=number % 4 - 1)


ABLE = ((), ("pounce",), (), ("significant-defense", "evasion"), (), ("mindless",), ("bleed",), ("flurry-of-blows",),
        ("aura-of-courage",), ("swarm",), ("undead", "grab"))  # fmt: skip


def meeting(first: int, second: int | None = None) -> BattleState:
    """Two armies of 9 with so many hit points, before their tactics phase."""
    unit = UnitSpec("soldier", "9", "d10")
    specs = tuple(ArmySpec(name, name, unit, 100) for name in "AB")
    state = open_battle(LAW, Opening(specs, (Side("A", ("A",)), Side("B", ("B",)))))
    state = fold(state, decide(state, Next(), Fixed(9), GM))
    hp = {"A": first, "B": first if second is None else second}
    acr = {name: max(1, round(points / 5.5)) for name, points in hp.items()}
    armies = {name: changed(army, hp=hp[name], hp_max=hp[name], acr=acr[name]) for name, army in state.armies.items()}
    return changed(state, armies=armies)


def fresh(state: BattleState) -> BattleState:
    """With no figures remembered."""
    return changed(state, memo={})


def reference(state: BattleState) -> float:
    """The same two chains in a compiled loop, from figures that somebody else has reckoned."""
    views = [ArmyView(state, army) for army in state.armies.values()]
    chances = []
    for me, foe in (views, views[::-1]):
        harm = harm_of(exchange(foe, me, "melee", "attack"))
        chances.append([np.array([part.get(d, 0.0) for d in range(40)]) for part in (harm.free, harm.barring)])
    one, two = (view.army for view in views)
    return float(_joined(one.hp, two.hp, one.acr, two.acr, chances[0][0], chances[0][1], chances[1][0], chances[1][1],
                         0.3, 4000))  # fmt: skip


@njit(cache=False)
def _phase(ready: Any, barred: Any, free: Any, ones: Any, acr: int, firm: float) -> float:
    """One phase of one chain; what leaves in it."""
    size = ready.size
    new, now_barred, gone = np.zeros(size), np.zeros(size), 0.0
    for hp in range(1, size):
        new[hp] += barred[hp]
        if ready[hp] == 0.0:
            continue
        for damage in range(free.size):
            for part in range(2):
                chance = (free if part == 0 else ones)[damage] * ready[hp]
                if chance == 0.0:
                    continue
                left = hp - damage
                if left <= 0:
                    gone += chance
                    continue
                stays = firm if damage > 0 and left <= acr else 1.0
                gone += chance * (1.0 - stays)
                if part == 0:
                    new[left] += chance * stays
                else:
                    now_barred[left] += chance * stays
    ready[:] = new
    barred[:] = now_barred
    return gone


@njit(cache=False)
def _joined(hp1: int, hp2: int, acr1: int, acr2: int, free1: Any, ones1: Any, free2: Any, ones2: Any, firm: float,
            most: int) -> float:  # fmt: skip
    """How likely the first wins."""
    ready1, barred1, ready2, barred2 = np.zeros(hp1 + 1), np.zeros(hp1 + 1), np.zeros(hp2 + 1), np.zeros(hp2 + 1)
    ready1[hp1] = 1.0
    ready2[hp2] = 1.0
    win = 0.0
    for _phase_number in range(most):
        _phase(ready1, barred1, free1, ones1, acr1, firm)
        gone2 = _phase(ready2, barred2, free2, ones2, acr2, firm)
        here = ready1.sum() + barred1.sum()
        win += gone2 * here
        if here * (ready2.sum() + barred2.sum()) < 1e-13:
            break
    return win


def best(work: Callable[[], object], times: int) -> float:
    """Seconds on the processor for one call, the best of so many: what else is done on it does not count."""
    spent = []
    for _call in range(times):
        started = time.process_time()
        work()
        spent.append(time.process_time() - started)
    return min(spent)


def interleaved(one: Callable[[], object], other: Callable[[], object], times: int = 120) -> tuple[float, float]:
    """The same of two, by turns, for longer than the spells in which a shared processor is slow."""
    turns = [(best(one, 1), best(other, 1)) for _turn in range(times)]
    return min(first for first, _second in turns), min(second for _first, second in turns)
