"""A battle of mass combat looked back at: what dice did to the chances, from what each may know of it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.core.dice import Typed, TypedDie
from rules.core.odds import EXACT, AboutOdds
from rules.law import Viewer
from rules.odds.viewer_forecast import FieldNow, Fought, Moment, ended, fairness, odds_of, weighed
from rules.pathfinder.battle.orders.commands import End, Resolve
from rules.pathfinder.battle.state.battle_state import BattleState
from rules.pathfinder.battle.telling.summary import stage_of
from tests.scenario import Scenario, order, scenario

GM = Viewer(gm=True)
OWN = Viewer(armies=frozenset("A"), reads=frozenset("A"), user="ana")


def now(state: BattleState) -> FieldNow:
    return FieldNow(state.law.slug, {}, state.opening, state.law.battle.freeze(state))


def resolved(s: Scenario, **dice: int) -> Fought:
    """The next phase: the battle with its orders given, and what happened when they were carried out."""
    for army in s.state.armies:
        s.order(army, order())
    before = s.state
    s.play(Resolve(), {name.replace("_", " "): value for name, value in dice.items()})
    return Fought(now(before), tuple(s.records[-1][2]))


def duel(**figures: int) -> Scenario:
    return scenario().army("A").army("B", **figures).until("melee")


def test_a_blow_is_luck_for_one_and_ill_luck_for_the_other() -> None:
    """PF-3.6: the mean over what dice can show is the chance before, so a hit is luck and a miss is none of it."""
    s = duel()
    found = weighed(resolved(s, A_attack=19, B_attack=2), GM)
    assert found is not None
    assert found.before.wins[0] == pytest.approx(found.before.wins[1], abs=1e-9)
    assert found.after.wins[0] > found.before.wins[0]
    assert found.after.wins[1] < found.before.wins[1]
    assert (found.method, found.error) == (EXACT, 0.0)


def test_the_chance_before_the_dice_is_the_forecast_with_the_orders_given() -> None:
    s = duel()
    fought = resolved(s, A_attack=19, B_attack=2)
    odds = odds_of(fought.now, AboutOdds(), GM)
    found = weighed(fought, GM)
    assert odds is not None
    assert found is not None
    assert found.before.wins == tuple(side.win for side in odds.sides)


@pytest.mark.slow
def test_a_phase_is_fair_on_the_average() -> None:
    """Over all faces two dice can show, the mean of the chance after them is the chance before: exactly."""
    start = duel()
    for army in start.state.armies:
        start.order(army, order())
    before, law = start.state, start.state.law.battle
    total = 0.0
    for mine in range(1, 21):
        for theirs in range(1, 21):
            s = replay_from(before, mine, theirs)
            found = weighed(Fought(now(before), s), GM)
            assert found is not None
            total += found.after.wins[0] / 400
    first = odds_of(FieldNow(before.law.slug, {}, before.opening, law.freeze(before)), AboutOdds(), GM)
    assert first is not None
    assert total == pytest.approx(first.sides[0].win, abs=1e-6)


def replay_from(before: BattleState, mine: int, theirs: int) -> tuple[Any, ...]:
    dice = Typed([TypedDie("A", "attack", (mine,)), TypedDie("B", "attack", (theirs,))])
    return before.law.battle.decide(before, Resolve(), dice, GM)


def test_a_battle_that_is_over_counts_as_certain() -> None:
    """PF-3.10: what the winner's chance lacked at the start is their luck; so likely the result had been."""
    s = duel()
    s.override("B", "hp", 4)
    fought = resolved(s, A_attack=20, B_attack=2)
    end = ended(s.state.law.battle.summary(s.state))
    found = weighed(fought, GM)
    assert found is not None
    assert found.after == end
    told = fairness([Moment(stage_of(s.state.phase), found.before, found.after)], end)
    assert told.likely == pytest.approx(found.before.wins[0])
    assert told.luck[0] == pytest.approx(1 - found.before.wins[0])


def test_a_battle_broken_off_had_no_likely_result() -> None:
    """PF-3.2: the GM ends it without a winner."""
    s = duel()
    resolved(s, A_attack=19, B_attack=2)
    assert ended(s.state.law.battle.summary(s.play(End("dusk")).state)) is None


def test_nothing_hidden_can_be_read_out_of_luck() -> None:
    """Two enemies who differ in what the log does not tell: their luck is the same, the GM's is not."""
    worlds = [resolved(duel(morale=morale), A_attack=19, B_attack=19) for morale in (0, 4)]
    assert worlds[0].events == worlds[1].events
    assert weighed(worlds[0], OWN) == weighed(worlds[1], OWN)
    assert weighed(worlds[0], GM) != weighed(worlds[1], GM)


def test_others_orders_count_as_they_were_carried_out() -> None:
    """PF-3.5: a strategy everybody saw is known to everybody, even to whoever does not know its army's figures."""
    s = duel()
    s.order("A", order())
    s.order("B", order(strategy="reckless"))
    before = s.state
    s.play(Resolve(), {"A attack": 2, "B attack": 2})
    told = Fought(now(before), tuple(s.records[-1][2]))
    untold = replace(told, events=tuple(e for e in told.events if type(e).__name__ != "StrategyChosen"))
    first, second = weighed(told, OWN), weighed(untold, OWN)
    assert first is not None
    assert second is not None
    assert first.before != second.before
