"""Battles thrown by the thousand: the law's play in arrays, and what it says of a battle's future."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.core.odds import SIMULATED, AboutOdds, Odds, Retreat, half_width
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state.battle_state import BattleState, Opening, Order, Part, changed
from rules.pathfinder.forecast import simulate
from rules.pathfinder.forecast.simulate import Pace, simulated, simulated_each, thrown_by_engine
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from tests.everyday import at_most
from tests.rules.pathfinder.forecast.alike import both, thrown_by_arrays
from tests.rules.pathfinder.forecast.pairs import pairs
from tests.rules.pathfinder.strategies import openings, play
from tests.scenario import Scenario, boss, order, scenario, use

FEW = AboutOdds(battles=400)


def before_a_phase(opening: Opening, seed: int) -> BattleState:
    """Somewhere in a battle fought with random orders, those of the next phase given."""
    played = play(opening, seed, phases=Random(seed).randint(0, 4))
    states = [told.before for told in played.told if isinstance(told.command, c.Resolve)]
    assume(states)
    return Random(seed).choice(states)


def held_by_arrays(opening: Opening, seed: int) -> BattleState:
    battle = before_a_phase(opening, seed)
    assume(battle.phase.kind != "tactics" and thrown_by_arrays(battle, AboutOdds(battles=1, phases=1), seed))
    return battle


def fighting(*abilities: str, **fields: object) -> Scenario:
    return scenario().army("A", abilities=abilities, **fields).army("B", abilities=abilities, **fields).until("melee")


# the arrays and the engine
@settings(max_examples=at_most(4, full=12))
@given(openings(most=4), st.integers(0, 2**32), st.sampled_from((1, 2, 5, 40)))
def test_arrays_and_engine_tell_of_the_same_future(opening: Opening, seed: int, phases: int) -> None:
    """Any armies, sides, fields and orders. Seven deviations: of so many figures some lie at four."""
    battle = held_by_arrays(opening, seed)
    assert both(battle, AboutOdds(battles=2000, phases=phases), at_most(30, full=60))[0] < (7, "")


@settings(max_examples=at_most(3, full=6))
@given(openings(most=4), st.integers(0, 2**32), st.sampled_from((Retreat(after=1), Retreat(health=12))))
def test_who_leaves_on_the_way_leaves_in_arrays_and_engine_alike(opening: Opening, seed: int, how: Retreat) -> None:
    """PF-3.10: after a phase, or once it is low."""
    battle = held_by_arrays(opening, seed)
    about = AboutOdds(battles=2000, phases=30, retreats={"army-0": how})
    assert both(battle, about, at_most(30, full=60))[0] < (7, "")


def test_who_leaves_once_it_is_low_does_so_in_both() -> None:
    about = AboutOdds(battles=2000, phases=30, retreats={"A": Retreat(health=12)})
    assert both(fighting().state, about, 60)[0] < (7, "")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(64))
def test_of_random_pairs_every_figure_lies_within_four_deviations(number: int) -> None:
    """Each of the 96 abilities is among them; 200 000 battles in all are played by the engine, as many thrown."""
    everything = list(pairs(64, seed=11))
    assert {slug for _battle, slugs in everything for slug in slugs} == set(LAW.abilities)
    battle, slugs = everything[number]
    found = both(battle, AboutOdds(battles=20_000, phases=40), 3200)
    assert found[0] < (4, ""), slugs


# what is said
@given(openings(), st.integers(0, 2**32))
@settings(max_examples=at_most(5, full=15))
def test_chances_are_whole_whatever_the_battle(opening: Opening, seed: int) -> None:
    odds = simulated(before_a_phase(opening, seed), replace(FEW, phases=6, battles=50))
    wins = sum(side.win for side in odds.sides)
    assert wins + odds.mutual + odds.undecided == pytest.approx(1, abs=1e-9)
    assert odds.method == SIMULATED
    assert 0 < odds.error <= 0.5
    for army in odds.armies.values():
        assert sum(share for _hp, share in army.health) == pytest.approx(1)
        assert sum(army.fates.values()) == pytest.approx(1)
        assert [hp for hp, _share in army.health] == sorted({hp for hp, _share in army.health})


def test_the_same_question_has_the_same_answer() -> None:
    battle = fighting("bleed", "fear").state
    assert simulated(battle, FEW) == simulated(battle, FEW)
    assert simulated(battle, FEW) != simulated(battle, replace(FEW, seed=2))


def test_the_same_holds_for_battles_the_engine_plays() -> None:
    """R-54: armies that rise are beyond the arrays."""
    s = scenario().army("A", abilities=["create-spawn"]).army("B").until("melee").order("A", order(spawn="army"))
    few = AboutOdds(battles=20)
    assert thrown_by_arrays(s.state, few, 1) is None
    assert simulated(s.state, few) == simulated(s.state, few)
    assert simulated(s.state, AboutOdds(phases=3, battles=at_most(60, full=None))).undecided > 0.5


def wins(odds: Odds) -> dict[str, float]:
    return {side.name: side.win for side in odds.sides}


def test_equal_armies_have_equal_chances() -> None:
    odds = simulated(fighting().state, AboutOdds(battles=8000))
    assert wins(odds)["A"] == pytest.approx(wins(odds)["B"], abs=2 * odds.error)


def test_one_army_of_nine_against_three_of_six_is_shown_as_what_it_is() -> None:
    """Equal by the ladder of CR, not by the dice: three strike where one does, and the one is hard to hit (PF-3.6)."""
    s = scenario().army("A", acr=9).army("B", acr=6).army("B2", acr=6).army("B3", acr=6).until("melee")
    odds = simulated(s.state, AboutOdds(battles=8000))
    count = at_most(150, full=400)
    played = thrown_by_engine(s.state, AboutOdds(), 400, 5, Pace(count))
    assert wins(odds)["A"] == pytest.approx(float((played.winners == 0).mean()), abs=4 * half_width(0.5, count))
    assert odds.undecided == 0


def test_three_sides_all_fight_each_other() -> None:
    """R-20: every other side is an enemy; who is first in order is attacked by both."""
    s = scenario().army("A").army("B").army("C").until("melee")
    odds = wins(simulated(s.state, AboutOdds(battles=4000)))
    assert odds["A"] < min(odds["B"], odds["C"])


def test_the_look_ends_where_it_is_asked_to() -> None:
    """PF-3.5: after so many phases, or where an army comes to this health."""
    battle = fighting().state
    assert simulated(battle, replace(FEW, phases=1)).undecided > 0.9
    low = simulated(battle, replace(FEW, until={"A": 39}))
    assert low.undecided > 0.3
    assert all(hp > 19 for hp, _share in low.armies["A"].health)
    assert simulated(battle, replace(FEW, phases=0)).armies["A"].health == ((40, 1.0),)


def test_who_withdraws_is_counted_as_withdrawn() -> None:
    """PF-3.10: a teleporting army always slips away; its enemy has won the field."""
    s = scenario().army("A", abilities=["teleportation"]).army("B").until("melee")
    odds = simulated(s.state, replace(FEW, retreats={"A": Retreat(after=0)}))
    assert (wins(odds)["B"], odds.armies["A"].fates) == (1, {"withdrawn": 1})
    assert odds.phases == (1, 1)


def test_the_line_is_held_in_every_phase_once_it_is_ordered() -> None:
    """R-58: who holds the line goes on holding it."""
    s = scenario().army("A", commander=None).army("B").until("melee")
    free = simulated(s.state, AboutOdds(battles=8000)).sides[0].rout
    held = scenario().army("A", commander=boss("hold-the-line")).army("B").until("melee")
    held.order("A", order(hold_the_line=True))
    assert simulated(held.state, AboutOdds(battles=8000)).sides[0].rout < free - 0.03


def test_a_check_that_may_fail_is_counted_both_ways() -> None:
    """PF-3.7: two steps of strategy need a morale check of DC 20, which fails 19 times in 20 without morale."""
    s, once = fighting().melee(), replace(FEW, battles=8000, phases=1)
    before = mean_left(simulated(s.state, once), "B")
    checked = mean_left(simulated(s.order("A", order("B", strategy="reckless")).state, once), "B")
    free = scenario().army("A").army("B").until("melee").order("A", order("B", strategy="reckless"))
    reckless = mean_left(simulated(free.state, once), "B")
    assert checked - before == pytest.approx((reckless - before) / 20, abs=0.2)
    assert reckless < before - 4


def test_what_is_ordered_for_this_phase_is_done_in_it() -> None:
    """PF-3.11: dirty fighting, OM +6 once."""
    s = scenario().army("A", tactics=["dirty-fighters"]).army("B").tactics(A="dirty-fighters").until("melee")
    plain = mean_left(simulated(s.state, replace(FEW, battles=4000, phases=1)), "B")
    s.order("A", order("B", use("dirty-fighters", kind="tactic")))
    dirty = mean_left(simulated(s.state, replace(FEW, battles=4000, phases=1)), "B")
    assert dirty < plain - 2


def mean_left(odds: Odds, army: str) -> float:
    return sum(hp * share for hp, share in odds.armies[army].health)


# asked together
def test_where_the_work_is_done_with_the_first_throw_that_is_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a large table a first throw holds one battle each: none more may be left, and not a quarter of one."""
    monkeypatch.setattr(simulate, "FIRST", 0)
    battle = fighting().state
    for power in range(4, 24):
        (thrown,) = simulate.thrown_together([(battle,)], AboutOdds(phases=3), 1, 2**power)
        assert thrown is not None
        assert thrown.winners.size >= 1


def test_battles_thrown_together_have_the_odds_each_has_alone() -> None:
    """PF-3.7: five strategies, one of them two steps away, which may fail."""
    s = scenario().army("A").army("A2", acr=7).army("B", acr=10).until("melee").melee()
    states = [s.order("A", order("B", strategy=strategy)).state for strategy in LAW.strategies]
    for odds, state in zip(simulated_each(states, AboutOdds(battles=4000)), states, strict=True):
        alone = simulated(state, AboutOdds(battles=4000))
        assert wins(odds)["A"] == pytest.approx(wins(alone)["A"], abs=4 * half_width(0.5, 4000))
        assert mean_left(odds, "B") == pytest.approx(mean_left(alone, "B"), abs=0.8)


def test_of_battles_asked_together_the_engine_plays_those_that_need_it() -> None:
    """R-54: one of the two raises an army."""
    plain = scenario().army("A", abilities=["create-spawn"]).army("B").until("melee").state
    rising = changed(plain, orders={"A": Order("A", spawn="army")})
    first, second = simulated_each((plain, rising), AboutOdds(battles=30))
    assert set(first.armies) == set(second.armies) == {"A", "B"}
    assert simulated_each((plain, rising), AboutOdds(battles=30)) == [first, second]


def test_a_battle_of_four_is_told_to_within_three_points() -> None:
    """R-15, R-52, R-53: walls, engines, ferocity and regeneration among them."""
    s = scenario().army("A", resources=["siege-engines"], abilities=["ferocity"]).army("A2").army("B")
    s.army("B2", abilities=["regeneration 5"]).condition("fortification", "B", parts=(Part("wall", value=4),))
    assert simulated(s.until("melee").state, AboutOdds()).error < 0.03


def test_of_four_against_four_who_all_may_fail_every_way_is_thrown() -> None:
    """PF-3.7: 256 ways for eight checks of strategy to end."""
    s, armies = scenario(), [f"{side}{number}" for side in "AB" for number in range(4)]
    for army in armies:
        s.army(army)
    s.until("melee").melee()
    for army in armies:
        s.order(army, order(strategy="reckless"))
    few = AboutOdds(battles=2000, phases=3)
    assert thrown_by_arrays(s.state, few, 1) is not None
    assert both(s.state, few, 60)[0] < (5, "")


def test_two_against_two_played_by_the_engine_are_told_to_within_seven_points() -> None:
    """R-54."""
    s = scenario().army("A", abilities=["create-spawn"]).army("A2").army("B").army("B2").until("melee")
    assert simulated(s.order("A", order(spawn="army")).state, AboutOdds()).error < 0.07


# honesty
@pytest.mark.parametrize("share", [0.0, 0.001, 0.5, 1.0])
def test_the_error_is_never_nothing(share: float) -> None:
    """Of a hundred battles none lost is no proof that none is lost."""
    assert half_width(share, 100) > 0.01
    assert half_width(0.5, 10_000) == pytest.approx(0.0098, abs=0.0001)


def test_a_battle_that_drags_on_is_left_undecided_in_good_time() -> None:
    """PF-3.6: only a 20 hurts, and who is hurt mends: it never ends."""
    s = fighting("fast-healing 9").override("A", "dv", 40).override("B", "dv", 40)
    odds = simulated(s.state, AboutOdds())
    assert odds.undecided == 1
    assert odds.phases == (0, 0)
