"""What the forecast makes of surrender and of staying at range (R-88, R-89)."""

from __future__ import annotations

from dataclasses import replace

from rules.core.odds import EXACT, AboutOdds
from rules.law import Viewer
from rules.odds.viewer_forecast import weighed
from rules.pathfinder.battle.orders.commands import GiveOrder, Resolve
from rules.pathfinder.battle.state.battle_state import BattleState, Order, changed
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.forecast.exact.forecast import exactly
from rules.pathfinder.forecast.simulate import Seeded, parts_early, play, simulated
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from tests.rules.pathfinder.forecast.test_hindsight import Fought, now
from tests.scenario import hold, order, scenario

GM = Viewer(gm=True, armies=frozenset("AB"), reads=frozenset("AB"))
ONE = AboutOdds(phases=1)
TWO = AboutOdds(phases=2)


def archers(*staying: str) -> BattleState:
    s = scenario().army("A", ranged=True).army("B", ranged=True).until("ranged")
    for army in ("A", "B"):
        s.order(army, order(stay_at_range=army in staying))
    return s.state


def surrendering() -> BattleState:
    return scenario().army("A").army("B").until("melee").order("A", order(surrender=True)).state


def test_an_army_ordered_to_surrender_is_taken_to_fight_on() -> None:
    """R-88: in odds, tables and suppositions; they say so."""
    battle = surrendering()
    fights = changed(battle, orders={"A": replace(battle.orders["A"], surrender=False)})
    told, plain = LAW.battle.forecast.odds(battle, AboutOdds(), GM), LAW.battle.forecast.odds(fights, AboutOdds(), GM)
    assert told is not None
    assert plain is not None
    assert [side.win for side in told.sides] == [side.win for side in plain.sides]
    assert any("Nobody surrenders" in str(said) for said in told.assumed)
    assert not any("Nobody surrenders" in str(said) for said in plain.assumed)


def test_a_supposed_surrender_is_left_out_too() -> None:
    """R-88."""
    battle = scenario().army("A").army("B").until("melee").state
    supposed = AboutOdds(commands=(GiveOrder(Order("A", surrender=True)),))
    told, plain = LAW.battle.forecast.odds(battle, supposed, GM), LAW.battle.forecast.odds(battle, AboutOdds(), GM)
    assert told is not None
    assert plain is not None
    assert [side.win for side in told.sides] == [side.win for side in plain.sides]


def test_looked_back_at_a_surrender_is_an_order_and_no_luck() -> None:
    """R-88: with its orders known, the chance before the dice is that of an army that surrenders."""
    s = scenario().army("A").army("B").until("melee").order("A", hold(surrender=True)).order("B", hold())
    before = s.state
    s.play(Resolve())
    found = weighed(Fought(now(before), s.records[-1][2]), GM)
    assert found is not None
    assert found.before == found.after


def test_a_phase_at_range_that_follows_is_foreseen_exactly() -> None:
    """R-89: two more volleys, no blow in melee; a cautious strategy would show in it."""
    apart, together = archers("A", "B"), archers("A")
    for battle, kind in ((apart, "ranged"), (together, "melee")):
        after, _fought = play(battle, ONE, Seeded(1), 1)
        assert after.phase.kind == kind
    exact, thrown = exactly(apart, TWO), simulated(apart, replace(TWO, battles=4000))
    assert exact is not None
    assert exact.method == EXACT
    for army in ("A", "B"):
        assert abs(_left(exact, army) - _left(thrown, army)) < 0.5


def test_battles_that_part_early_are_played_by_the_engine() -> None:
    """R-88, R-89: arrays hold one kind of phase at a time."""
    assert parts_early(PhaseRun(Draft(archers("A", "B")), Seeded(1)))
    assert parts_early(PhaseRun(Draft(surrendering()), Seeded(1)))
    assert not parts_early(PhaseRun(Draft(archers("A")), Seeded(1)))


def _left(odds: object, army: str) -> float:
    return sum(health * chance for health, chance in odds.armies[army].health)  # type: ignore[attr-defined]
