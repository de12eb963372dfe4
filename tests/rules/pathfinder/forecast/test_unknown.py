"""Orders a viewer may not know: what is made of them, and that nothing of them shows."""

from __future__ import annotations

import pytest

from rules.core.odds import AboutOdds, Odds
from rules.law import Viewer
from rules.odds.viewer_forecast import FieldNow, odds_of
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.state.battle_state import BattleState, Order, changed
from rules.pathfinder.catalogue.tactics import STRATEGIES
from rules.pathfinder.forecast.forecast_law import Prospects
from rules.pathfinder.forecast.knowledge import DRAWN_MOST, MOST, worlds_of
from rules.pathfinder.forecast.simulate import simulated
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import TacticKnown
from rules.registry import register
from tests.everyday import at_most
from tests.rules.pathfinder.forecast.test_exact import army, battle, ordered
from tests.scenario import scenario

FORECAST = Prospects()
GM = Viewer(gm=True)
OWNER = Viewer(armies=frozenset("A"), reads=frozenset("AB"))
NOBODY = Viewer(reads=frozenset("AB"))


def told(state: BattleState, viewer: Viewer = OWNER, *orders: Order, **about: object) -> Odds:
    found = FORECAST.odds(state, AboutOdds(tuple(map(GiveOrder, orders)), **about), viewer)  # type: ignore[arg-type]
    assert found is not None
    return found


def fighting_on(*abilities: str) -> BattleState:
    """In the second phase of its melee, where a strategy of more than a step needs a check."""
    state = battle(army("A", cr="4"), army("B", *abilities, cr="4"))
    armies = {name: changed(held, melees=1) for name, held in state.armies.items()}
    return changed(state, phase=state.phase._replace(number=2), armies=armies)


def cells(state: BattleState, *strategies: str) -> list[float]:
    return [told(state, GM, Order("B", strategy=slug)).sides[0].win for slug in strategies]


def test_unknown_orders_are_averaged_over_the_legal_ones() -> None:
    """PF-3.5, PF-3.7: each with the check it costs."""
    state = fighting_on()
    each = cells(state, *STRATEGIES)
    odds = told(state)
    assert odds.method == "exact"
    assert odds.sides[0].win == pytest.approx(sum(each) / 5, abs=1e-12)
    assert (odds.sides[0].low, odds.sides[0].high) == pytest.approx((min(each), max(each)), abs=1e-12)
    assert len({round(chance, 6) for chance in each}) == 5


def test_of_unknown_orders_the_worst_is_the_least_chance_to_win() -> None:
    state = fighting_on()
    assert told(state, unknown="worst").sides[0].win == pytest.approx(min(cells(state, *STRATEGIES)), abs=1e-12)
    other = Viewer(armies=frozenset("B"), reads=frozenset("AB"))
    worst = told(state, other, unknown="worst").sides[1].win
    assert worst == pytest.approx(min(told(state, GM, Order("A", strategy=slug)).sides[1].win for slug in STRATEGIES))


@pytest.mark.parametrize("unknown", ["average", "worst"])
def test_what_was_ordered_in_secret_moves_no_number(unknown: str) -> None:
    """PF-3.5: two worlds that look alike to them; a GM sees the difference."""
    register(LAW)
    worlds = [ordered(fighting_on(), Order("B", strategy=slug)) for slug in ("aggressive", "cautious")]
    strangers = at_most([Viewer()] if unknown == "average" else [], full=[Viewer()])
    players = (OWNER, Viewer(armies=frozenset("A")), *strangers)
    for viewer, alike in (*((player, True) for player in players), (GM, False)):
        one, other = (
            odds_of(FieldNow(LAW.slug, {}, state.opening, LAW.battle.freeze(state)), AboutOdds(unknown=unknown), viewer)
            for state in worlds
        )
        assert (one == other) is alike


def test_the_gm_knows_all_orders_and_nothing_is_made_of_them() -> None:
    state = fighting_on()
    assert told(state, GM).sides[0].win == pytest.approx(cells(state, "standard")[0], abs=1e-12)
    assert len(told(state, GM).assumed) == 1


def test_an_order_taken_as_given_is_not_unknown() -> None:
    state = fighting_on()
    supposed = told(state, OWNER, Order("B", strategy="aggressive"))
    assert supposed.sides[0].win == pytest.approx(cells(state, "aggressive")[0], abs=1e-12)
    assert len(supposed.assumed) == 1


def test_the_mindless_have_no_choice() -> None:
    """R-13: they know one strategy, so nobody is in doubt."""
    state = fighting_on("mindless")
    assert told(state) == told(state, GM)


def test_before_the_melee_it_is_the_tactic_that_is_unknown() -> None:
    """PF-3.11: of those it knows; to leave is no way to fight."""
    state = battle(army("A", cr="4"), army("B", cr="4", tactics=(TacticKnown("full-defense", True),)), "tactics")
    slugs = ("standard", "full-defense")
    each = [told(state, GM, Order("B", tactic=slug)).sides[0].win for slug in slugs]
    assert each[0] != each[1]
    assert told(state).sides[0].win == pytest.approx(sum(each) / 2, abs=1e-12)
    stranger = Viewer(armies=frozenset("A"), reads=frozenset("A"))
    assert told(FORECAST.guesses(state, stranger)[0].state, stranger).sides[0].low == pytest.approx(each[0], abs=1e-12)


def test_who_commands_nobody_has_no_worst() -> None:
    state = fighting_on()
    assert told(state, NOBODY, unknown="worst") == told(state, NOBODY)
    assert told(state, NOBODY).sides[0].win == pytest.approx(told(state, NOBODY).sides[1].win, abs=1e-12)


@pytest.mark.parametrize("unknown", ["average", "worst"])
def test_what_cannot_be_reckoned_is_thrown_among_all_orders(unknown: str) -> None:
    state = fighting_on("fear")
    each = [simulated(ordered(state, Order("B", strategy=slug)), AboutOdds(battles=4000)) for slug in STRATEGIES]
    wins = [odds.sides[0].win for odds in each]
    odds = told(state, unknown=unknown, battles=8000)
    assert odds.method == "simulated"
    assert odds.sides[0].win == pytest.approx(sum(wins) / 5 if unknown == "average" else min(wins), abs=0.04)


def test_of_many_armies_some_orders_are_drawn_and_it_is_said() -> None:
    """The error bears that not all were weighed; an ally's orders are unknown too, and never the worst for them."""
    s = scenario()
    for name in ("A", "A2", "B", "B2"):
        s.army(name)
    state = s.until("melee").state
    viewer = Viewer(armies=frozenset("A"), reads=frozenset(("A", "A2", "B", "B2")))
    drawn = worlds_of(state, AboutOdds(), viewer)
    assert drawn is not None
    assert len(drawn.all) == DRAWN_MOST > MOST
    for name in ("A2", "B", "B2"):
        chosen = [world[name] for world in drawn.all]
        assert {chosen.count(slug) for slug in STRATEGIES} == {DRAWN_MOST // 5}
    odds = told(state, viewer, battles=2000)
    assert odds.error > simulated(state, AboutOdds(battles=2000)).error
    assert any("60 combinations" in str(said) for said in odds.assumed)
    worst = worlds_of(state, AboutOdds(unknown="worst"), viewer)
    assert worst is not None
    assert all(set(world) == {"B", "B2"} and len(set(world.values())) == 1 for world in worst.all)
    least = told(state, viewer, unknown="worst", battles=500)
    assert least.sides[0].win < odds.sides[0].win
