"""What a forecast may know of armies whose sheets its reader does not read: nothing that the field does not show."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.core.dice import Rolled
from rules.core.odds import AboutOdds
from rules.law import Viewer
from rules.odds.viewer_forecast import FieldNow, guesses_of, odds_of
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state.view import ArmyView, can_shoot
from rules.pathfinder.forecast.knowledge import LEVELS, guesses
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.spec import UnitSpec
from tests.scenario import Scenario, boss, order, scenario

ANA = Viewer(armies=frozenset("A"), reads=frozenset("A"), user="ana")
GM = Viewer(gm=True, armies=frozenset("AB"), reads=frozenset("AB"), user="gm")
PLAIN: dict[str, Any] = {"acr": 5, "hp": 20}
HIDDEN: list[dict[str, Any]] = [
    {"abilities": ["fear", "rage", "mindless"]},
    {"resources": {"improved-weapons": 1, "siege-engines": 2, "healing-potions": 1}},
    {"commander": boss("hold-the-line", charisma=5)},
    {"morale": 3},
    {"arrears": True, "disease": 1, "drain": 1},
    {"tactics": ["taunt", "dirty-fighters"]},
    {"unit": None, "alignment": "CE", "creature_type": "undead", "speed_m": 15, "ranged": True},
]


def field(**of_the_enemy: Any) -> Scenario:
    """B of rating 5 with 20 hit points, whatever else it is; the battle stands in its first melee phase."""
    of_the_enemy.pop("unit", None)
    return scenario().army("A").army("B", **PLAIN, **of_the_enemy).until("melee")


@pytest.mark.parametrize("hidden", HIDDEN, ids=lambda hidden: next(iter(hidden)))
def test_worlds_that_look_alike_to_somebody_are_alike_to_his_forecast(hidden):
    one, other = field(), field(**hidden)
    assert one.state != other.state
    assert guesses(one.state, ANA) == guesses(other.state, ANA)
    assert guesses(one.state, GM) != guesses(other.state, GM)


def test_orders_of_others_are_in_no_guess_of_his():
    s = field(tactics=["taunt"])
    ordered = {"A": replace(order("B"), army="A"), "B": replace(order("A", tactic="taunt"), army="B")}
    state = replace(s.state, orders=ordered)
    assert [sorted(guess.state.orders) for guess in guesses(state, ANA)] == [["A"]] * len(LEVELS) * 2
    assert [sorted(guess.state.orders) for guess in guesses(state, GM)] == [["A", "B"]]


def test_what_the_field_shows_he_knows():
    s = field().override("B", "hp", 7).override("B", "mark", "+afraid").override("B", "strategy", "reckless")
    for guess in guesses(s.state, ANA):
        enemy = guess.state.armies["B"]
        assert (enemy.hp, enemy.acr, enemy.strategy) == (7, 5, "reckless")
        assert [mark.kind for mark in enemy.marks] == ["afraid"]


def test_a_revealed_army_is_believed_as_it_is():
    s = field(abilities=["fear"])
    everybody = replace(ANA, reads=frozenset("AB"))
    (guess,) = guesses(s.state, everybody)
    assert guess.state.armies == s.state.armies


def test_what_it_may_hide_lies_between_nothing_and_much():
    assert sum(level.weight for level in LEVELS) == 1
    found = [engine_figures(guess.state) for guess in guesses(field().state, ANA)]
    assert found == [(5, 15), (5, 15), (7, 17), (7, 17), (9, 19), (9, 19)]


def engine_figures(state: Any) -> tuple[int, int]:
    shown = COMBAT_DE_MASSE.battle.figures(state)["B"]
    return shown["om"].total, shown["dv"].total


@pytest.mark.parametrize("phase", ["tactics", "ranged", "melee"])
def test_whether_an_enemy_can_shoot_is_believed_either_way(phase):
    """Two worlds alike: one enemy has bows, the other has none. Nobody sees that before it has shot."""
    bows, none = (scenario().army("A").army("B", **PLAIN, ranged=ranged).until(phase) for ranged in (True, False))
    found = guesses(bows.state, ANA)
    assert found == guesses(none.state, ANA)
    assert sum(guess.weight for guess in found) == 1
    able = [can_shoot(ArmyView(guess.state, guess.state.armies["B"])) for guess in found]
    assert able == [False, True] * len(LEVELS)


def test_the_range_of_a_chance_holds_both_an_enemy_who_shoots_and_one_who_does_not():
    told = []
    for ranged in (True, False):
        s = scenario().army("A", acr=5, hp=20).army("B", **PLAIN, ranged=ranged).until("tactics")
        now = FieldNow("combat-de-masse", {}, s.state.opening, COMBAT_DE_MASSE.battle.freeze(s.state))
        ours, all_of_it = (odds_of(now, AboutOdds(), viewer) for viewer in (ANA, GM))
        assert ours is not None
        assert all_of_it is not None
        assert ours.sides[0].low <= all_of_it.sides[0].win <= ours.sides[0].high
        told.append((ours, all_of_it.sides[0].win))
    assert told[0][0] == told[1][0], "he is told the same of both"
    assert told[0][1] < told[1][1] - 0.01, "and it makes a difference"


def test_who_has_shot_is_known_to_shoot():
    s = scenario().army("A", ranged=True).army("B", **PLAIN, ranged=True).until("ranged")
    s.ranged(A=order("B"), B=order("A"), dice={"A attack": 5, "B attack": 5})
    found = guesses(s.state, ANA)
    assert len(found) == len(LEVELS)
    assert all(can_shoot(ArmyView(guess.state, guess.state.armies["B"])) for guess in found)


@pytest.mark.parametrize("cr, count", [("1/8", 100), ("60", 100), ("60", 2000), ("1/2", 50), ("9", 1)])
def test_an_army_of_any_rating_can_be_believed(cr, count):
    state = scenario().army("A").army("B", acr=20).state
    law = COMBAT_DE_MASSE.battle
    enemy = replace(state.opening.armies[1], unit=UnitSpec("Anything", cr), count=count)
    opening = law.check(replace(state.opening, armies=(state.opening.armies[0], enemy)))
    before = law.open(opening)
    believed = guesses(before, ANA)[0].state.armies["B"]
    assert rating_of(believed.spec)[1] == rating_of(enemy)[1]
    assert (believed.acr, believed.hp_max) == (before.armies["B"].acr, before.armies["B"].hp_max)


def test_a_mark_does_not_tell_by_which_ability_it_came():
    one = field().override("A", "mark", "+bleeding").state
    army = one.armies["A"]
    marks = tuple(replace(mark, other="B", source="rend") for mark in army.marks)
    other = replace(one, armies={**one.armies, "A": replace(army, marks=marks)})
    assert all(not mark.source for guess in guesses(other, ANA) for mark in guess.state.armies["A"].marks)


def test_an_opening_tells_nothing_of_them():
    """Who overcomes what, who sees what is invisible: the GM wrote it down when they opened the battle."""
    one = scenario().army("A").army("B", **PLAIN)
    opening = replace(
        one.until("melee").state.opening, overcomes=(("B", "A"),), sees_invisible=("B",), cannot_leave=("B",)
    )
    law = COMBAT_DE_MASSE.battle
    now = FieldNow("combat-de-masse", {}, opening, law.freeze(one.state))
    told = FieldNow("combat-de-masse", {}, one.state.opening, law.freeze(one.state))
    assert [g.state.opening for g in guesses(law.thaw(now.opening, now.frozen), ANA)] == [
        g.state.opening for g in guesses(law.thaw(told.opening, told.frozen), ANA)
    ]
    assert guesses_of(now, GM)[0].state.opening == opening


def test_the_battle_can_be_fought_on_from_a_guess():
    """A guess is a battle like any other: it is what the odds are reckoned from."""
    s = field(abilities=["fear"])
    for guess in guesses(s.state, ANA):
        law = COMBAT_DE_MASSE.battle
        events = law.decide(guess.state, c.Resolve(), Rolled(), GM)
        assert law.fold(guess.state, events).phases
