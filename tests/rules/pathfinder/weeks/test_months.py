"""A month: the upkeep phase, routed armies and taxes (PF-7.4, PF-8.4, PF-6.2)."""

from __future__ import annotations

import pytest

from rules.pathfinder.weeks import ArmyNow, Choices
from tests.rules.pathfinder.weeks.stage import Stage

MONTH = {"since": 98, "months": [99]}


def upkeep(roll: int, *, d4: list[int] | None = None, **figures: int) -> Stage:
    """A kingdom of Stability 10 and control DC 20 comes to the beginning of a month."""
    stage = Stage(dc=20, **{"stability": 10, "economy": 5, "loyalty": 5, **figures})
    more = {} if d4 is None else {"unrest": d4}
    return stage.days(1, stability=[roll], **MONTH, **more)


def test_no_upkeep_before_the_month():
    assert Stage(dc=20).days(6, months=[]).report.rolls == []


@pytest.mark.parametrize("roll, before, after", [(14, 4, 3), (9, 0, 1), (13, 4, 5)])
def test_the_stability_check_moves_unrest_by_one(roll, before, after):
    assert upkeep(roll, unrest=before).kingdom.unrest == after


def test_unrest_never_falls_below_zero():
    assert upkeep(20).kingdom.unrest == 0


def test_a_failure_by_five_or_more_costs_1d4():
    assert upkeep(5, d4=[4]).kingdom.unrest == 4
    assert upkeep(6).kingdom.unrest == 1


def test_the_kingdom_pays_its_own_consumption_once_a_month():
    stage = upkeep(15, treasury=10, consumption=4)
    assert stage.kingdom.treasury == 6
    assert [(change.field, change.rule) for change in stage.report.changes] == [("treasury", "PF-8.4")]


def test_a_treasury_below_zero_costs_two_unrest():
    stage = upkeep(15, treasury=3, consumption=4)
    assert (stage.kingdom.treasury, stage.kingdom.unrest) == (-1, 2)
    assert stage.said("unrest") == ["Treasury below 0"]


def test_each_negative_attribute_costs_one_unrest():
    assert upkeep(15, economy=-1, loyalty=-2).kingdom.unrest == 2


def test_at_unrest_eleven_a_hex_is_lost():
    stage = Stage(dc=20, stability=30, unrest=12, size=9).days(1, stability=[15], **MONTH)
    assert (stage.kingdom.unrest, stage.kingdom.size) == (11, 8)
    stage = Stage(dc=20, stability=30, unrest=11, size=9).days(1, stability=[15], **MONTH)
    assert (stage.kingdom.unrest, stage.kingdom.size) == (10, 9)


def test_a_kingdom_without_hexes_loses_none():
    assert Stage(dc=20, stability=30, unrest=15, size=0).days(1, stability=[15], **MONTH).kingdom.size == 0


def test_at_unrest_twenty_there_is_anarchy():
    stage = Stage(dc=20, stability=30, unrest=20, size=9).days(1, stability=[20], unrest=[2], **MONTH)
    assert stage.kingdom.unrest == 22
    assert "anarchy" in str(stage.report.warnings[0])


def test_the_gm_may_run_the_upkeep_phase_elsewhere():
    stage = Stage(dc=20, consumption=4, treasury=9).days(1, choices=Choices(no_upkeep=frozenset("k")), **MONTH)
    assert (stage.kingdom.treasury, stage.report.rolls) == (9, [])


ROUTED = ArmyNow("a", "Levy", "k", status="routed", commander="c")


@pytest.mark.parametrize("roll, status", [(14, "routed"), (15, "ready"), (20, "ready"), (1, "routed")])
def test_a_routed_army_takes_heart_when_its_kingdom_passes_a_loyalty_check(roll, status):
    stage = Stage(ROUTED, dc=20, loyalty=5).days(1, routed=[roll], choices=Choices(no_upkeep=frozenset("k")), **MONTH)
    assert stage.army("a").status == status
    assert stage.report.notes[0].rule == "PF-6.2"


def test_each_routed_army_has_one_try_a_month():
    two = ArmyNow("b", "Guard", "k", status="routed", commander="d")
    stage = Stage(ROUTED, two, dc=20, loyalty=5)
    stage.days(3, since=98, months=[99, 101], choices=Choices(no_upkeep=frozenset("k")),
               routed={"a": [2, 19], "b": [18]})  # fmt: skip
    assert (stage.army("a").status, stage.army("b").status) == ("ready", "ready")
    assert len(stage.report.rolls) == 3


def test_an_army_that_disbanded_that_day_makes_no_check():
    alone = ArmyNow("a", "Levy", "k", status="routed", morale=-4)
    stage = Stage(alone, dc=20).days(7, months=[105], choices=Choices(no_upkeep=frozenset("k")))
    assert (stage.army("a").status, stage.report.rolls) == ("disbanded", [])


def test_the_check_feels_the_unrest_of_the_same_phase():
    stage = Stage(ROUTED, dc=20, loyalty=10, stability=10, economy=-1)
    stage.days(1, stability=[6], routed=[11], **MONTH)  # Unrest 0 → +1 → +1: 11 + 10 − 2 = 19
    assert stage.army("a").status == "routed"


def test_taxes_bring_a_third_of_an_economy_check():
    choices = Choices(income=frozenset("k"), no_upkeep=frozenset("k"))
    stage = Stage(economy=22, unrest=3, dc=99, treasury=1).days(1, income=[13], choices=choices, **MONTH)
    assert stage.kingdom.treasury == 1 + 32 // 3
    poor = Stage(economy=-22, dc=99, treasury=1).days(1, income=[13], choices=choices, **MONTH)
    assert poor.kingdom.treasury == 1


def test_armies_are_paid_before_the_upkeep_of_the_same_day():
    army = ArmyNow("a", "Levy", "k", consumption=5, commander="c")
    stage = Stage(army, dc=20, stability=10, treasury=6, consumption=4).days(7, stability=[15], months=[105])
    assert (stage.army("a").arrears, stage.kingdom.treasury) == (False, -3)
