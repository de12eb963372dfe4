"""The exact forecast, against the engine played through every die in fractions."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from rules.core.odds import AboutOdds, Odds
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state.battle_state import (
    BattleState,
    Mark,
    Opening,
    Order,
    SetCondition,
    Side,
    UseOrder,
    changed,
)
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.forecast.exact.forecast import exactly
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import AbilityChoice, ArmySpec, BoonChoice, CommanderSpec, TacticKnown, UnitSpec
from tests.everyday import at_most, everyday
from tests.rules.pathfinder.battle.steps.test_calm import ability
from tests.rules.pathfinder.forecast.branching import Future, future
from tests.rules.pathfinder.strategies import GM, Scattered

CLOSE = 1e-12
BOSS = CommanderSpec("boss", "Boss", level=9, charisma_modifier=2, boons=(BoonChoice("hold-the-line"),))


def army(name: str, *abilities: str | AbilityChoice, cr: str = "1", **fields: Any) -> ArmySpec:
    chosen = tuple(a if isinstance(a, AbilityChoice) else ability(a) for a in abilities)
    return ArmySpec(name, name, UnitSpec("soldier", cr, "d8", abilities=chosen), 100, **fields)


def battle(first: ArmySpec, second: ArmySpec, phase: str = "melee", *, law: Any = LAW, **opening: Any) -> BattleState:
    """Two armies in this phase, as they took the field."""
    sides = (Side("first", (first.id,)), Side("second", (second.id,)))
    state = open_battle(law, Opening((first, second), sides, **opening))
    commands = {"tactics": 1, "ranged": 2, "melee": 3}[phase]
    for number in range(commands):
        command = c.Resolve() if number else c.Next()
        if phase == "melee" and number == 2:  # nobody shoots on the way
            return changed(state, phase=state.phase._replace(kind="melee", number=1, tick=state.phase.tick))
        state = fold(state, decide(state, command, Scattered(Random(1)), GM))
    return state


def ordered(state: BattleState, *orders: Order) -> BattleState:
    return changed(state, orders={order.army: order for order in orders})


def alike(state: BattleState, odds: Odds | None, played: Future) -> None:
    """Every number of the forecast, against the same of the battle played through."""
    assert odds is not None
    assert odds.method == "exact"
    for index, side in enumerate(odds.sides):
        assert side.win == pytest.approx(float(played.win[index]), abs=CLOSE)
    assert odds.mutual == pytest.approx(float(played.mutual), abs=CLOSE)
    assert odds.undecided == pytest.approx(float(played.undecided), abs=CLOSE)
    for name, held in odds.armies.items():
        health = dict(held.health)
        for hp in range(state.armies[name].hp_max + 1):
            assert health.get(hp, 0.0) == pytest.approx(float(played.health[name, hp]), abs=CLOSE), (name, hp)
        for fate in ("fighting", "routed", "defeated", "captured", "withdrawn"):
            assert held.fates.get(fate, 0.0) == pytest.approx(float(played.fates[name, fate]), abs=CLOSE), (name, fate)
    decided = float(sum(played.lengths.values()))
    if decided:
        mean = sum(number * float(chance) for number, chance in played.lengths.items()) / decided
        assert odds.phases.mean == pytest.approx(mean, abs=1e-9)


def check(state: BattleState, phases: int = 7, until: Mapping[str, int] | None = None) -> Odds:
    odds = exactly(state, AboutOdds(phases=phases, until=until or {}))
    alike(state, odds, future(state, phases, until))
    assert odds is not None
    return odds


REGENERATION, MENDING = AbilityChoice("regeneration", 3), AbilityChoice("fast-healing", 3)


ABILITIES = [
    (), ("grab",), (MENDING,), ("bleed",), ("disease",), ("rock-throwing",), ("invisibility",), ("inspire-courage",),
    ("pounce",), ("trip",), (REGENERATION,), ("breath-weapon",), ("bleed", MENDING), ("poison", REGENERATION),
    ("mindless",), ("aura-of-courage",), ("undead",), ("flurry-of-blows",), ("swarm",), ("incorporeal", "ki-pool"),
    ("channel-negative-energy", "breath-weapon"), ("spell-resistance",), ("significant-defense",),
]  # fmt: skip


@pytest.mark.parametrize("abilities", everyday([(each,) for each in ABILITIES], first=11), ids=str)
def test_an_ability_against_plain_soldiers(abilities: tuple[Any, ...]) -> None:
    """Every day the first through two phases, some more through one."""
    phases = at_most(2 if abilities in ABILITIES[:3] else 1, full=4)
    check(battle(army("A", *abilities), army("B")), phases=phases)


SHOOTING = [(MENDING,), ("breath-weapon",), ("rock-throwing", "bleed")]


@pytest.mark.parametrize("abilities", everyday([(each,) for each in SHOOTING], first=1), ids=str)
def test_the_ranged_phase_and_the_first_melee_phase_have_figures_of_their_own(abilities: tuple[Any, ...]) -> None:
    check(battle(army("A", *abilities), army("B", "rock-catching", "flurry-of-blows"), "tactics"), phases=3)


def test_an_army_bled_by_several_wounds_before_the_phase() -> None:
    """R-43: a d6 for each wound, healed in between to stay alive; bled to death it strikes no more (PF-3.5)."""
    for healing in at_most(((MENDING,),), full=((), (MENDING,))):
        state = battle(army("A", "bleed"), army("B", "poison-resistance", *healing))
        marks = (Mark("bleeding", "A", detail="bleed"), Mark("bleeding", "A", detail="poison"))
        armies = {**state.armies, "B": changed(state.armies["B"], marks=marks)}
        check(changed(state, armies=armies), phases=at_most(1, full=3))


def test_two_who_bleed_each_other() -> None:
    check(battle(army("A", "bleed"), army("B", "burn")), phases=at_most(2, full=4))


def test_a_sandstorm_wears_both() -> None:
    """PF-4: 1 hit point each phase, and a loss like any other for the rout check (R-50)."""
    worn = battle(army("A", "bleed"), army("B", REGENERATION), conditions=(SetCondition("sandstorm"),))
    check(worn, phases=at_most(2, full=4))


def test_a_natural_1_of_the_last_phase_bars_this_one() -> None:
    state = battle(army("A"), army("B"))
    barred = changed(state.armies["A"], marks=(Mark("barred", at=state.phase.tick),))
    check(changed(state, armies={**state.armies, "A": barred}), phases=at_most(2, full=4))


@pytest.mark.parametrize("until", everyday([{"A": 1, "B": 2}, {"B": 0}, {"A": 2}], first=2))
def test_the_look_ends_at_a_health(until: dict[str, int]) -> None:
    check(battle(army("A"), army("B", MENDING)), phases=at_most(2, full=5), until=until)


def test_who_cannot_leave_is_captured_unharmed() -> None:
    """PF-3.9, R-55: it surrenders, and nobody strikes at it."""
    odds = check(battle(army("A"), army("B"), cannot_leave=("B",)), phases=at_most(3, full=5))
    assert odds.armies["B"].fates["captured"] > 0.0


def test_orders_that_need_checks_make_courses_of_their_own() -> None:
    """PF-3.5: a tactic of DC 15, a strategy of more than a step of DC 20; what fails stays as it was."""
    state = battle(army("A", tactics=(TacticKnown("full-defense", True),)), army("B", commander=BOSS))
    state = changed(state, phase=state.phase._replace(number=2),
                    armies={name: changed(held, melees=1) for name, held in state.armies.items()})  # fmt: skip
    check(ordered(state, Order("A", tactic="full-defense", strategy="reckless"), Order("B", strategy="aggressive")),
          phases=at_most(2, full=3))  # fmt: skip


def test_holding_the_line_is_ordered_once_and_goes_on() -> None:
    """R-58: the second result stands."""
    state = battle(army("A", commander=BOSS), army("B"))
    check(ordered(state, Order("A", hold_the_line=True)), phases=at_most(2, full=4))


def test_a_draught_heals_before_blows_fall_and_costs_the_attack() -> None:
    """PF-5, R-22; what is drunk is drunk once."""
    state = battle(army("A", resources={"healing-potions": 1}), army("B"))
    hurt = changed(state.armies["A"], hp=2)
    state = changed(state, armies={**state.armies, "A": hurt})
    check(ordered(state, Order("A", use=(UseOrder("resource", "healing-potions"),))), phases=at_most(2, full=3))


@pytest.mark.parametrize("least", everyday([0, 1], first=1))
def test_the_house_minimum_of_a_hit(least: int) -> None:
    law = LAW.with_house({"minimum_damage": least})
    state = battle(army("A"), army("B"), law=law)
    check(ordered(state, Order("A", strategy="defensive"), Order("B", strategy="cautious")), phases=at_most(2, full=4))
