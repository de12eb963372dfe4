"""A day: rest, what grows back, disease, energy drain (PF-7.1, PF-7.3, PF-7.5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.pathfinder.spec import AbilityChoice
from rules.pathfinder.weeks import ArmyNow, Choices
from rules.pathfinder.weeks.week import healed, limit, regrowth_lines, rest_lines
from tests.rules.pathfinder.weeks.stage import Stage

WOUNDED = ArmyNow("a", "Levy", "k", hp=1, hp_max=40, acr=3, commander="c")


def test_a_day_of_rest_heals_the_acr():
    assert Stage(WOUNDED).days(1).army("a").hp == 4
    assert Stage(WOUNDED).days(3).army("a").hp == 10


def test_an_army_below_acr_one_heals_one():
    weak = ArmyNow("a", hp=1, hp_max=3, acr=0, kingdom="k", commander="c")
    assert Stage(weak).days(1).army("a").hp == 2
    assert rest_lines(0).total == 1


def test_rest_never_heals_beyond_the_maximum():
    assert Stage(ArmyNow("a", hp=39, hp_max=40, acr=3, kingdom="k", commander="c")).days(6).army("a").hp == 40


@given(st.integers(0, 20), st.sampled_from([2.5, 3.5, 4.5, 5.5, 6.5]))
def test_a_month_of_rest_heals_all(acr, die):
    army = ArmyNow("a", hp=0, hp_max=max(1, int((acr or 0.5) * die)), acr=acr, kingdom="k", commander="c")
    assert Stage(army).days(30, pays=False).army("a").hp == army.hp_max


def test_an_army_on_the_march_or_in_battle_does_not_rest():
    assert Stage(WOUNDED).days(2, choices=Choices(march=frozenset("a"))).army("a").hp == 1
    assert Stage(WOUNDED).days(2, fighting=frozenset("a")).army("a").hp == 1


def test_an_army_rests_from_the_day_it_arrives():
    assert Stage(WOUNDED, marching_until=102).days(5, since=98 + 1).army("a").hp == 1 + 3 * 2


def test_the_day_of_a_battle_is_no_day_of_rest():
    assert Stage(WOUNDED).days(2, fought=frozenset("a")).army("a").hp == 4


def test_an_army_that_has_rested_today_does_not_rest_twice():
    stage = Stage(WOUNDED, rested_on=99)
    assert stage.days(2, since=99).army("a").hp == 4


def test_the_daily_loyalty_check_heals_the_acr_again():
    stage = Stage(WOUNDED, loyalty=10, dc=20).days(3, choices=Choices(rally=frozenset("k")), rally=[10, 9, 20])
    assert stage.army("a").hp == 1 + 3 * 3 + 3 * 2
    assert [note.rule for note in stage.report.notes] == ["PF-7.1"] * 3


def test_without_the_choice_no_loyalty_check_is_rolled():
    assert Stage(WOUNDED).days(3).report.rolls == []


def test_the_check_of_a_day_of_battle_heals_nobody_who_fought():
    stage = Stage(WOUNDED, loyalty=10, dc=20)
    stage.days(2, choices=Choices(rally=frozenset("k")), fought=frozenset("a"), rally=[20, 1])
    assert stage.army("a").hp == 4


def test_the_house_rule_caps_recovery_at_half():
    assert Stage(WOUNDED).days(6, half=True).army("a").hp == 19
    assert Stage(WOUNDED).days(7, half=True, pays=False).army("a").hp == 20
    above = ArmyNow("a", hp=30, hp_max=41, acr=3, kingdom="k", commander="c")
    assert Stage(above).days(5, half=True).army("a").hp == 30
    assert limit(41, half=True) == 20
    assert healed(19, 9, 20) == 20


def test_fast_healing_returns_its_value_and_regeneration_half_of_it_each_hour():
    assert regrowth_lines([AbilityChoice("fast-healing", 3)]).total == 72
    assert regrowth_lines([AbilityChoice("regeneration", 5)]).total == 48
    assert regrowth_lines([AbilityChoice("ferocity")]).total == 0
    both = regrowth_lines([AbilityChoice("fast-healing", 1), AbilityChoice("regeneration", 2)])
    assert [line.rule for line in both.lines] == ["PF-7.5", "PF-7.5"]


def test_the_least_regeneration_returns_one_an_hour():
    """R-74, R-2: half of 1 rounds down to nothing, and healing is at least 1."""
    assert regrowth_lines([AbilityChoice("regeneration", 1)]).total == 24
    assert regrowth_lines([AbilityChoice("regeneration", 3)]).total == 24


def test_what_grows_back_does_so_on_the_march_but_not_in_battle():
    troll = ArmyNow("a", hp=1, hp_max=90, acr=3, regrowth=24, kingdom="k", commander="c")
    marched = Stage(troll).days(2, choices=Choices(march=frozenset("a")))
    assert marched.army("a").hp == 49
    assert [(change.field, change.rule) for change in marched.report.changes] == [("hp", "PF-7.5")]
    assert Stage(troll).days(2, fighting=frozenset("a")).army("a").hp == 1


ILL = ArmyNow("a", "Levy", "k", ill=True, commander="c")


def test_a_disease_costs_one_more_each_day_from_the_day_after_the_battle():
    stage = Stage(ILL, stability=0, dc=99).days(3, disease=[2, 2, 2])
    assert (stage.army("a").disease, stage.army("a").ill) == (3, True)


def test_a_stability_check_with_the_penalty_cures_and_then_the_penalty_shrinks():
    stage = Stage(ILL, stability=10, dc=20)
    stage.days(2, disease=[10, 12])  # 10 + 10 − 1 fails, 12 + 10 − 2 passes
    assert (stage.army("a").disease, stage.army("a").ill) == (2, False)
    assert [note.sum.lines[-1].value for note in stage.report.notes] == [-1, -2]
    stage.days(1)
    assert stage.army("a").disease == 1
    stage.days(3)
    assert stage.army("a").disease == 0


def test_one_passage_cures_and_shrinks_as_day_after_day_does():
    stage = Stage(ILL, stability=10, dc=20).days(4, disease=[10, 12])
    assert stage.army("a").disease == 0
    assert {change.field: (change.before, change.after) for change in stage.report.changes} == {"ill": (True, False)}


def test_energy_drain_ends_after_a_day():
    stage = Stage(ArmyNow("a", drain=3, kingdom="k", commander="c")).days(1)
    assert stage.army("a").drain == 0
    assert [change.rule for change in stage.report.changes] == ["PF-7.3"]


@pytest.mark.parametrize("status", ["defeated", "disbanded", "captured"])
def test_armies_that_are_no_more_are_left_alone(status):
    gone = ArmyNow("a", hp=1, hp_max=9, acr=3, drain=2, ill=True, status=status, kingdom="k")
    assert Stage(gone).days(7).army("a") == gone
