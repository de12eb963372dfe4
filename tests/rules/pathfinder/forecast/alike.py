"""Two throws of the same battle, one by arrays and one by the engine: do they tell of the same future?"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from rules.core.odds import AboutOdds
from rules.pathfinder.battle.state.battle_state import BattleState
from rules.pathfinder.forecast import simulate
from rules.pathfinder.forecast.simulate import Pace, thrown_by_engine
from rules.pathfinder.forecast.standing import withdrawing
from rules.pathfinder.forecast.tally import FATES, NOBODY, UNDECIDED, Array, Thrown


def thrown_by_arrays(battle: BattleState, about: AboutOdds, seed: int) -> Thrown | None:
    """None where the arrays do not hold the battle."""
    return simulate.thrown_together([(battle,)], about, seed, simulate.WORK)[0]


def both(battle: BattleState, about: AboutOdds, engine: int, seed: int = 1) -> list[tuple[float, str]]:
    """What lies farthest apart between arrays and engine, in standard deviations."""
    battle = withdrawing(battle, about, 0)
    thrown = thrown_by_arrays(battle, about, seed)
    assert thrown is not None
    played = thrown_by_engine(battle, about, about.phases or 1, seed, Pace(engine))
    return apart(battle, thrown, played)


def apart(battle: BattleState, one: Thrown, other: Thrown) -> list[tuple[float, str]]:
    """How far the two lie apart in everything they tell, in standard deviations; the farthest first."""
    return sorted(((_sigmas(a, b), name) for name, a, b in _told(battle, one, other)), reverse=True)


def _told(battle: BattleState, one: Thrown, other: Thrown) -> Iterator[tuple[str, Array, Array]]:
    for winner in (UNDECIDED, NOBODY, *range(len(battle.sides))):
        yield f"winner {winner}", one.winners == winner, other.winners == winner
    yield "phases", one.phases, other.phases
    for row, army in enumerate(one.ids):
        yield f"hp of {army}", one.hp[row], other.hp[row]
        for number, fate in enumerate(FATES):
            yield f"{army} {fate}", one.fates[row] == number, other.fates[row] == number


def _sigmas(a: Array, b: Array) -> float:
    """Between the means. One battle more or less is forgiven: what is rare is not normal."""
    difference = abs(float(a.mean()) - float(b.mean()))
    both = np.concatenate([a, b]).astype(float)
    deviation = float(both.std()) * math.sqrt(1 / a.size + 1 / b.size)
    if deviation == 0:
        return 0.0
    return max(0.0, difference - float(np.ptp(both)) / min(a.size, b.size)) / deviation
