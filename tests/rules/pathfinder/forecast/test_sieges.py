"""Walls that wear, engines that are destroyed, armies that dig: the law's play in arrays, against the engine."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.core.odds import AboutOdds
from rules.pathfinder.battle.state.battle_state import Part
from tests.everyday import at_most, everyday
from tests.rules.pathfinder.forecast.alike import both
from tests.rules.pathfinder.forecast.pairs import sieges
from tests.scenario import Scenario, order, scenario, use

SHORT = AboutOdds(battles=4000, phases=4)
WALLS = (Part("wall", "stone", 5), Part("moat", value=2))


def walled(*inside: str, parts: tuple[Part, ...] = WALLS, **besieger: object) -> Scenario:
    s = scenario().army("A", **besieger).army("A2").army("B", tactics=["siegebreaker"], ranged=True).army("B2")
    return s.condition("fortification", *inside, parts=parts)


def test_engines_wear_walls_down_battle_by_battle() -> None:
    """R-15: a die for each engine; moats are spared."""
    s = walled("B", resources={"siege-engines": 2}).until("melee").order("A", order("B")).order("A2", order("B"))
    assert both(s.state, SHORT, at_most(80, full=150))[0] < (5, "")


def test_what_wears_one_wall_through_goes_on_to_the_next() -> None:
    """R-14, R-15: around the same army, in order."""
    s = walled("B", parts=(Part("wall", value=4),), resources=["siege-engines"])
    s.condition("fortification", "B", parts=(Part("wall", value=9),)).until("melee")
    s.order("A", order("B")).order("A2", order("B"))
    assert both(s.state, replace(SHORT, phases=3), at_most(80, full=500))[0] < (5, "")


def test_no_engine_wears_what_it_does_not_attack_hand_to_hand() -> None:
    """R-15: in the ranged phase walls stand as they are."""
    s = walled("B", parts=(Part("wall", value=9),), resources={"siege-engines": 2}, ranged=True).until("ranged")
    assert both(s.state, replace(SHORT, phases=2), at_most(80, full=400))[0] < (5, "")


def test_siegebreakers_destroy_engines_one_by_one() -> None:
    """PF-3.11: without the last of them its OM falls, and walls stay as they are."""
    s = walled("B", parts=(Part("wall", value=14),), resources={"siege-engines": 2}).tactics(B="siegebreaker")
    s.until("melee").override("B", "om", 16).override("A2", "om", 20)
    s.order("A", order("B")).order("A2", order("B"))
    assert both(s.state, SHORT, at_most(80, full=300))[0] < (5, "")


def test_who_shoots_by_engines_shoots_no_more_without_them() -> None:
    """PF-3.8, PF-3.11, R-59: it keeps its distance, where it could shoot."""
    s = walled("B2", resources=["siege-engines"]).declared("engines_shoot", "A").tactics(B="siegebreaker")
    s.until("melee").order("A", order("B", tactic="withdraw", withdraw="range"))
    s.order("B", order("A", let_go=True)).order("B2", order("A2"))
    assert both(s.state, replace(SHORT, phases=6), at_most(80, full=400))[0] < (5, "")


def test_who_digs_is_out_of_reach_and_then_inside() -> None:
    """R-14, R-26, R-60: for the phase no attack either way; then the walls are passed."""
    s = walled("B", abilities=["burrow"]).until("melee").order("B", order("A")).order("B2", order("A"))
    s.order("A", order("B", use("burrow", target="B")))
    assert both(s.state, SHORT, at_most(80, full=150))[0] < (5, "")


@pytest.mark.parametrize("number", everyday(range(6), first=2))
def test_of_random_sieges_nothing_lies_seven_deviations_apart(number: int) -> None:
    battle = list(sieges(6, seed=3))[number]
    assert both(battle, AboutOdds(battles=2000, phases=20), 40)[0] < (7, "")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(24))
def test_of_random_sieges_every_figure_lies_within_four_deviations(number: int) -> None:
    """PF-3.11, R-14, R-15: engines, walls, siegebreakers and diggers."""
    battle = list(sieges(24, seed=5))[number]
    assert both(battle, AboutOdds(battles=20_000, phases=30), 1500)[0] < (4, "")
