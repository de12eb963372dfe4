"""The luck of a battle that was fought, from the odds on both sides of the dice of each phase."""

from __future__ import annotations

import pytest

from rules.odds import SIMULATED, ArmyOdds, Length, Odds, SideOdds
from rules.pathfinder.battle.orders.commands import End
from rules.pathfinder.battle.state.battle import BattleState
from rules.pathfinder.forecast.fairness import Fought, fairness_of
from tests.scenario import Scenario, order, scenario


def by_health(battle: BattleState) -> Odds:
    """A chance to win that is the share of the hit points left."""
    left = [sum(battle.armies[army].hp for army in side.armies) for side in battle.sides]
    shares = [hp / max(1, sum(left)) for hp in left]
    sides = tuple(SideOdds(s.name, win, 0, 0, win, win) for s, win in zip(battle.sides, shares, strict=True))
    armies = {army.id: ArmyOdds(army.id, ((army.hp, 1.0),), {}) for army in battle.armies.values()}
    return Odds(SIMULATED, 0.0, 0.0, 0.0, sides, armies, Length(0, 0))


def fought(s: Scenario, **dice: list[int]) -> list[Fought]:
    """Melee phases in which A rolls these dice and B never hurts it: each before and after."""
    phases = []
    for roll in dice["A"]:
        before = s.state
        phases.append((before, s.melee(A=order(), dice={"A attack": roll}).state))
    return phases


def test_a_blow_is_luck_for_one_and_ill_luck_for_the_other() -> None:
    """PF-3.6: of 40 each A's 19 takes 9, its 2 nothing."""
    s = scenario().army("A").army("B").until("melee")
    found = fairness_of(fought(s, A=[19, 2]), by_health, s.state)
    assert [step.stage.number for step in found.steps] == [1, 2]
    assert found.steps[0].luck == pytest.approx((40 / 71 - 1 / 2, 31 / 71 - 1 / 2))
    assert found.steps[1].luck == (0, 0)
    assert (found.turning, found.likely) == (0, None)


def test_a_battle_that_is_over_counts_as_certain() -> None:
    """What the winner's chance lacked at the start is his luck; the result had been as likely as that chance."""
    s = scenario().army("A").army("B", hp=8).until("melee")
    found = fairness_of(fought(s, A=[20]), by_health, s.state)
    assert found.luck == pytest.approx((8 / 48, -8 / 48))
    assert found.likely == pytest.approx(40 / 48)


def test_a_battle_broken_off_had_no_likely_result() -> None:
    """PF-3.2: the GM ends it without a winner."""
    s = scenario().army("A").army("B").until("melee")
    phases = fought(s, A=[19])
    ended = s.play(End("dusk")).state
    assert fairness_of(phases, by_health, ended).likely is None


def test_where_no_die_can_fall_there_is_no_luck() -> None:
    """PF-3.4: the tactics phase is resolved without dice."""
    s = scenario().army("A").army("B").until("tactics")
    before = s.state
    assert fairness_of([(before, s.tactics().state)], by_health, s.state).steps == ()
