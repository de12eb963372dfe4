"""What would make a battle even: the step nearest to one half, with one half between it and the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.core.odds import Winning
from rules.core.text import Term
from rules.core.workshop import Dial, evens
from rules.pathfinder.battle.state.battle_state import Part, SetCondition
from rules.pathfinder.workshop.setting import Bearing, Setting, begun
from rules.pathfinder.workshop.workshop_law import defense_of, dials
from tests.rules.pathfinder.workshop.test_levers import a_setting, answered
from tests.scenario import spec


def dial(setting: Setting, slug: str, army: str = "A") -> Dial:
    (found,) = [dial for dial in dials(setting) if (dial.slug, dial.army) == (slug, army)]
    return found


def rising(now: int, least: int, most: int) -> Dial:
    return Dial("d", "A", now, least, most, lambda step: step, lambda step: Term(str(step)))


def by_curve(curve: Sequence[float], asked: list[int] | None = None) -> Any:
    """Forecasts of a dial whose step is its question."""

    def ask(questions: Sequence[int]) -> list[Winning]:
        if asked is not None:
            asked.extend(questions)
        return [answered(curve[step]) for step in questions]

    return ask


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60).map(sorted), st.data(), st.booleans())
def test_the_step_found_is_the_nearest_and_straddles_one_half(curve, data, falling):
    curve = curve[::-1] if falling else curve
    now = data.draw(st.integers(0, len(curve) - 1))
    found = evens([rising(now, 0, len(curve) - 1)], curve[now], by_curve(curve))
    other_half = [step for step, win in enumerate(curve) if (win < 0.5) != (curve[now] < 0.5)]
    nearest = min(abs(win - 0.5) for win in curve)
    if not found:
        assert not other_half or abs(curve[now] - 0.5) == nearest or nearest > 0.25
        return
    (even,) = found
    assert abs(even.win - 0.5) == nearest
    assert (even.win < 0.5) != (even.other < 0.5)
    assert curve[int(str(even.said))] == even.win


def test_a_long_dial_is_not_walked_step_by_step():
    asked: list[int] = []
    found = evens([rising(3, 0, 1000)], 0.003, by_curve([step / 1000 for step in range(1001)], asked))
    assert [(even.said, round(even.win, 3)) for even in found] == [("500", 0.5)]
    assert len(asked) < 15


def test_several_dials_are_asked_about_together():
    asked: list[int] = []
    rounds: list[int] = []

    def ask(questions: Sequence[int]) -> list[Winning]:
        rounds.append(len(questions))
        return by_curve([step / 64 for step in range(65)], asked)(questions)

    assert len(evens([rising(0, 0, 64), rising(64, 0, 64), rising(10, 0, 20)], 0.0, ask)) == 1
    assert rounds[0] == 4
    assert len(rounds) < 9


# what can be turned
def test_hit_points_are_turned_down_and_beyond_their_maximum():
    found = dial(a_setting(spec("A", hp=31)), "hp")
    assert (found.now, found.least) == (31, 1)
    fewer, more = begun(found.at(12)).armies["A"], begun(found.at(55)).armies["A"]
    assert (fewer.hp, fewer.hp_max, str(found.says(12))) == (12, 40, "A at 12 of 40 hp from the start")
    assert (more.hp, more.hp_max, str(found.says(55))) == (55, 55, "55 hp for A instead of 31")
    assert (more.acr, more.profile.traits) == (9, fewer.profile.traits)
    assert begun(found.at(31)).armies["A"].hp == 31


def test_the_head_count_goes_by_the_sizes_of_armies():
    """PF-1.2, PF-1.3: two hundred of CR 9 are ACR 11; what was lost stays lost in proportion."""
    found = dial(a_setting(spec("A", hp=20)), "count")
    army = begun(found.at(5)).armies["A"]
    assert (army.acr, army.hp_max, army.hp, army.spec.count) == (11, 49, 24, 200)
    assert str(found.says(5)) == "200 units in A instead of 100 (ACR 11)"
    assert begun(dial(a_setting(), "count").at(3)).armies["A"].hp == 31
    few = dial(a_setting(spec("A", acr="1/4", size="medium")), "count")
    assert begun(few.at(few.least)).armies["A"].acr == 0
    assert few.least == 3


@pytest.mark.parametrize(("held", "value", "worth"), [
    (None, 3, 3), (SetCondition("fortification", 8, ("A",)), 5, 5), (SetCondition("fortification", None, ("A",)), 9, 9),
    (SetCondition("fortification", None, ("A",), parts=(Part("wall", "wood", 4), Part("moat", "water", 3))), 5, 5),
    (SetCondition("fortification", None, ("A",), parts=(Part("wall", "wood", 4), Part("moat", "water", 3))), 10, 10),
])  # fmt: skip
def test_walls_are_turned_keeping_what_they_are_of(held, value, worth):
    question = a_setting(conditions=[held] if held else [])
    found = dial(question, "walls")
    (walls,) = found.at(value).opening.conditions
    assert defense_of(walls) == worth
    assert walls.armies == ("A",)
    if held is not None and held.parts:
        assert walls.parts[0] == held.parts[0]
    assert found.at(0).opening.conditions == ()
    assert found.now == (defense_of(held) if held else 0)


def test_walls_that_are_shared_or_several_are_left_alone():
    shared = SetCondition("fortification", 4, ("A", "B"))
    several = [SetCondition("fortification", 4, ("A",)), SetCondition("fortification", 2, ("A",))]
    for conditions in ([shared], several):
        assert "walls" not in [d.slug for d in dials(a_setting(conditions=conditions)) if d.army == "A"]


def test_ground_is_taken_and_lost_without_touching_the_enemy_s():
    both = SetCondition("advantageous-terrain", armies=("A", "B"))
    found = dial(a_setting(conditions=[both]), "ground")
    assert found.now == 1
    better = found.at(2).opening.conditions
    assert better == (replace(both, armies=("B",)), SetCondition("battlefield-advantage", armies=("A",)))
    assert found.at(0).opening.conditions == (replace(both, armies=("B",)),)
    assert (str(found.says(2)), str(found.says(0))) == ("Battlefield advantage for A", "No ground advantage for A")


def test_offense_is_added_to_what_was_added_already():
    found = dial(a_setting(A=Bearing(om=1)), "om")
    assert found.at(2).bearing("A").om == 3
    assert str(found.says(2)) == "Added OM +2 for A"
