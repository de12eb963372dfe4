"""Great armies: many phases at once come to the same as one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from rules.core.odds import AboutOdds, Odds, Winning
from rules.pathfinder.battle.state.battle_state import BattleState, SetCondition, changed
from rules.pathfinder.forecast.exact import forecast as exact_forecast
from rules.pathfinder.forecast.exact import solver
from rules.pathfinder.forecast.exact.forecast import exactly, winners
from rules.pathfinder.forecast.exact.hit_point_losses import Harm
from rules.pathfinder.forecast.exact.many_phases import GREAT, Leaps
from tests.rules.pathfinder.forecast.test_exact import CLOSE, army, battle

FREE, BARRING = {0: 0.4, 3: 0.3, 17: 0.25}, {0: 0.03, 2: 0.02}


def great(hp: Mapping[str, int], *abilities: str, phase: str = "melee", **opening: Any) -> BattleState:
    """Two armies of so many hit points; the first with these abilities."""
    state = battle(army("A", *abilities, cr="4"), army("B", cr="4"), phase, **opening)
    grown = {name: changed(state.armies[name], hp=points, hp_max=points) for name, points in hp.items()}
    return changed(state, armies=grown, memo={})


def stepwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on nobody leaps."""
    monkeypatch.setattr(solver, "GREAT", 10**9)


def close(one: Odds | None, other: Odds | None) -> None:
    assert one is not None
    assert other is not None
    for mine, theirs in zip(one.sides, other.sides, strict=True):
        assert mine[1:] == pytest.approx(theirs[1:], abs=CLOSE)
    assert (one.mutual, one.undecided) == pytest.approx((other.mutual, other.undecided), abs=CLOSE)
    for name, held in one.armies.items():
        told = other.armies[name]
        for left, expected in ((dict(held.health), dict(told.health)), (dict(held.victory), dict(told.victory))):
            assert all(abs(left.get(hp, 0.0) - expected.get(hp, 0.0)) < CLOSE for hp in left.keys() | expected.keys())
        assert held.fates == pytest.approx(dict(told.fates), abs=CLOSE)
    assert one.phases.mean == pytest.approx(other.phases.mean, abs=1e-9)
    assert one.phases.p90 == other.phases.p90


CASES: list[tuple[dict[str, int], tuple[str, ...], dict[str, Any]]] = [
    ({"A": GREAT + 100, "B": GREAT + 150}, (), {}),
    ({"A": GREAT + 100, "B": 300}, ("pounce",), {}),
    ({"A": GREAT, "B": 7}, ("breath-weapon",), {"cannot_leave": ("B",)}),
    ({"A": GREAT + 9, "B": GREAT}, (), {"conditions": (SetCondition("fog"),)}),
]


@pytest.mark.parametrize("case", CASES, ids=str)
@pytest.mark.parametrize("phases", [None, 90])
def test_great_armies_have_the_odds_they_have_step_by_step(
    case: Any, phases: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    hp, abilities, opening = case
    monkeypatch.setattr(exact_forecast, "WORK", 10**12)
    state, about = great(hp, *abilities, phase="tactics", **opening), AboutOdds(phases=phases)
    leapt, (won,) = exactly(state, about), winners([state], about)
    stepwise(monkeypatch)
    walked = exactly(state, about)
    close(leapt, walked)
    assert isinstance(won, Winning)
    assert walked is not None
    told = won.wins, won.mutual, won.undecided
    assert (*told[0], *told[1:]) == pytest.approx(
        (*(side.win for side in walked.sides), walked.mutual, walked.undecided), abs=CLOSE
    )
    assert won.phases.mean == pytest.approx(walked.phases.mean, abs=1e-9)


def test_a_look_that_ends_at_a_health_is_not_leapt_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_forecast, "WORK", 10**12)
    state, about = great({"A": GREAT + 50, "B": GREAT}), AboutOdds(until={"A": 40})
    leapt = exactly(state, about)
    stepwise(monkeypatch)
    close(leapt, exactly(state, about))


def test_the_greatest_armies_are_told_to_their_end() -> None:
    """What was cut off as undecided before: thousands of phases."""
    (won,) = winners([great({"A": 6000, "B": 6100})], AboutOdds())
    assert won is not None
    assert won.undecided < CLOSE
    assert sum(won.wins) + won.mutual == pytest.approx(1.0, abs=CLOSE)
    assert won.phases.mean > 1000


@pytest.mark.parametrize("count", [1, 2, 7, 40])
def test_a_leap_is_so_many_phases(count: int) -> None:
    leaps = Leaps([Harm(FREE, BARRING), None], [5, 3])
    ready, barred = np.zeros((2, 1000)), np.zeros((2, 1000))
    ready[0, [700, 900]], barred[1, 888] = 0.5, 1.0
    expected, held = ready.copy(), barred.copy()
    for _phase in range(count):
        then, then_held = np.zeros_like(ready), np.zeros_like(ready)
        for damage, chance in FREE.items():
            then[0, : 1000 - damage] += chance * expected[0, damage:]
        for damage, chance in BARRING.items():
            then_held[0, : 1000 - damage] += chance * expected[0, damage:]
        then[1] = expected[1]
        expected, held = then + held, then_held
    found = leaps.leap(ready, barred, count)
    assert np.abs(found[0] - expected).max() < 1e-15
    assert np.abs(found[1] - held).max() < 1e-15
    assert leaps.clear_of_the_edge(ready + barred) == (700 - 5 - 1) // 17
