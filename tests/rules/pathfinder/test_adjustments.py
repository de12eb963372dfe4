"""Lasting adjustments of an army by the GM (PF-3.12): lines of its figures, on its sheet and in battles."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.core.text import Term
from rules.pathfinder.battle.state.opening import figures_of
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import ArmySpec, LastingAdjustment, UnitSpec
from rules.pathfinder.weeks import ArmyNow
from tests.rules.pathfinder.weeks.stage import Stage
from tests.scenario import hold, scenario

PLAIN = ArmySpec("a", "Levy", UnitSpec("Orc", "1"), 500)


def adjusted(figure: str, amount: int, spec: ArmySpec = PLAIN) -> ArmySpec:
    return replace(spec, adjustments=(LastingAdjustment(figure, amount, "blessed by the lake"),))


@pytest.mark.parametrize("figure, name", [("om", "om"), ("dv", "dv"), ("morale", "morale_check"), ("speed", "speed"),
                                          ("consumption", "consumption")])  # fmt: skip
def test_an_adjustment_is_a_line_of_its_figure(figure, name):
    before, after = getattr(LAW.sheet(PLAIN), name), getattr(LAW.sheet(adjusted(figure, 2)), name)
    assert after.total == before.total + 2
    (line,) = set(after.lines) - set(before.lines)
    assert (str(line.label), line.value, line.rule) == ("GM: blessed by the lake", 2, "PF-3.12")


def test_an_adjustment_changes_no_other_figure():
    before, after = LAW.sheet(PLAIN), LAW.sheet(adjusted("om", 2))
    assert replace(after, om=before.om) == before


def test_maximum_hit_points_are_adjusted_down_to_1():
    most = LAW.sheet(PLAIN).hp_max
    assert LAW.sheet(adjusted("hp", 5)).hp_max == most + 5
    assert LAW.sheet(adjusted("hp", -1000)).hp_max == 1


def test_consumption_stays_0_at_least_and_speed_1():
    consumption, speed = LAW.sheet(adjusted("consumption", -50)).consumption, LAW.sheet(adjusted("speed", -50)).speed
    assert (consumption.total, speed.total) == (0, 1)
    assert consumption.lines[-1].label == Term("Lowest possible")


def test_an_army_enters_a_battle_with_its_adjusted_hit_points():
    most = LAW.sheet(PLAIN).hp_max
    assert figures_of(LAW, adjusted("hp", 7)).hp_max == most + 7
    assert figures_of(LAW, replace(adjusted("hp", -1), hp=most)).hp == most - 1


def test_adjustments_hold_in_battles():
    given = tuple(LastingAdjustment(figure, 2, "blessed") for figure in ("om", "dv", "morale", "hp"))
    plain, blessed = scenario().army("A").army("B"), scenario().army("A", adjustments=given).army("B")
    for one in (plain, blessed):
        one.melee(A=hold(), B=hold())
    told = [(one.om("A"), one.dv("A"), one.morale("A", "rout")) for one in (plain, blessed)]
    assert [after - before for before, after in zip(*told, strict=True)] == [2, 2, 2]
    assert blessed.state.armies["A"].hp_max == plain.state.armies["A"].hp_max + 2


def test_consumption_that_is_adjusted_until_a_day_counts_in_the_weeks_up_to_it():
    army = ArmyNow("a", "Levy", "k", consumption=6, commander="c", later=((105, 2),))
    assert Stage(army, treasury=50).days(14).kingdom.treasury == 50 - 6 - 2
    assert Stage(replace(army, later=((104, 2),)), treasury=50).days(14).kingdom.treasury == 50 - 2 - 2


def test_an_army_in_a_battle_keeps_its_adjusted_consumption():
    army = ArmyNow("a", "Levy", "k", consumption=6, commander="c", later=((100, 2),))
    assert Stage(army, treasury=50).week(fighting=frozenset("a")).kingdom.treasury == 44
