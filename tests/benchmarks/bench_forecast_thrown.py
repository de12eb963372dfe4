"""What throwing battles in arrays costs, against the same battles in a compiled loop."""

from __future__ import annotations

from collections.abc import Iterator

import numba
import numpy as np

from rules.core.odds import AboutOdds
from rules.pathfinder.battle.state.battle_state import BattleState
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.strike import HIGHEST, exchange, outcome
from rules.pathfinder.forecast.simulate import simulated
from tests.benchmarks import Row
from tests.benchmarks.bench_forecast import interleaved
from tests.benchmarks.bench_rules import melee

BATTLES = 10_000


def bench_thrown() -> Iterator[Row]:
    """Ten thousand battles of two plain armies to their end: blows, natural 1s, routs and parting shots."""
    battle = melee(2)
    table, acr, hp = damage_by_face(battle), battle.armies["a0"].acr, battle.armies["a0"].hp
    compiled_battles(10, table, acr, hp, 1)
    arrays, compiled = interleaved(
        lambda: simulated(battle, AboutOdds(battles=BATTLES)), lambda: compiled_battles(BATTLES, table, acr, hp, 1)
    )
    name = f"10 000 battles in arrays ({arrays * 1e3:.1f} ms), × the same loop compiled"
    yield Row(name, arrays / compiled, 3, "lower")


def damage_by_face(battle: BattleState) -> np.ndarray:
    """Of either army on the other: they are equal."""
    one, other = (ArmyView(battle, army) for army in battle.armies.values())
    pair = exchange(one, other, "melee", "attack")
    return np.array([outcome(pair, face) for face in range(1, HIGHEST + 1)])


@numba.njit
def compiled_battles(count: int, table: np.ndarray, acr: int, most: int, seed: int) -> np.ndarray:
    """How many battles either side wins; the third number counts those that nobody wins."""
    np.random.seed(seed)
    wins = np.zeros(3, np.int64)
    for _battle in range(count):
        wins[compiled_battle(table, acr, most)] += 1
    return wins


@numba.njit
def compiled_battle(table: np.ndarray, acr: int, most: int) -> int:
    """Who wins: 0, 1, or 2 where nobody does. Loops are written out where arrays of two would be made."""
    mine, theirs = most, most
    my_bar, their_bar = False, False
    while True:
        was_barred, were_barred = my_bar, their_bar
        my_bar, their_bar = False, False
        before, others = mine, theirs
        if not was_barred:
            face = np.random.randint(0, 20)
            my_bar = face == 0
            theirs = max(0, theirs - table[face])
        if not were_barred:
            face = np.random.randint(0, 20)
            their_bar = face == 0
            mine = max(0, mine - table[face])
        i_rout = 0 < mine <= acr and mine < before and np.random.randint(1, 21) < 15
        they_rout = 0 < theirs <= acr and theirs < others and np.random.randint(1, 21) < 15
        if i_rout and theirs > 0 and not they_rout and not were_barred:
            mine = max(0, mine - table[np.random.randint(0, 20)])
        if they_rout and mine > 0 and not i_rout and not was_barred:
            theirs = max(0, theirs - table[np.random.randint(0, 20)])
        i_left, they_left = i_rout or mine == 0, they_rout or theirs == 0
        if i_left or they_left:
            return 2 if i_left and they_left else int(i_left)
