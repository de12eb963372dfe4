"""The rulings on time, one by one (R-68, R-70 to R-83, R-94), in the law."""

from __future__ import annotations

import pytest

from rules.pathfinder.spec import AbilityChoice
from rules.pathfinder.weeks import ArmyNow, Choices
from rules.pathfinder.weeks.week import Claim, Paid, regrowth_lines, share_out, week_due
from rules.pathfinder.weeks.week_state import reserve_weeks
from tests.rules.pathfinder.weeks.stage import KINGDOM, Stage

LED = {"kingdom": KINGDOM, "commander": "c"}


def test_r68_the_half_cap_limits_fast_healing_too():
    troll = ArmyNow("a", hp=1, hp_max=91, regrowth=24, **LED)
    assert Stage(troll).days(6, half=True).army("a").hp == 45


def test_r70_weeks_then_debts_then_second_pay_the_named_then_the_cheapest_each_whole_or_not_at_all():
    claims = [Claim("a", 5, owed=1), Claim("b", 2, owed=4, double=True), Claim("c", 2), Claim("d", 9)]
    assert share_out(9, claims) == {
        "a": Paid(True, False), "b": Paid(True, False), "c": Paid(True, True), "d": Paid(False, True),
    }  # fmt: skip
    assert share_out(10, claims)["a"] == Paid(True, True)
    assert share_out(9, claims, first=["d"]) == {
        "a": Paid(False, False), "b": Paid(False, False), "c": Paid(False, True), "d": Paid(True, True),
    }  # fmt: skip
    assert share_out(4, [Claim("a", 5), Claim("c", 2), Claim("b", 2)])["a"] == Paid(False, True)
    assert [paid.week for paid in share_out(2, [Claim("b", 2), Claim("a", 2)]).values()] == [False, True]
    assert share_out(11, [Claim("b", 2, double=True), Claim("a", 5, owed=4, double=True)]) == {
        "b": Paid(True, True), "a": Paid(True, True),
    }  # fmt: skip


def test_r71_the_week_comes_before_the_upkeep_of_its_day_then_taxes_then_the_routed():
    """Five BP pay the week, not the kingdom's Consumption; the routed feel the Unrest of the same upkeep."""
    routed = ArmyNow("a", status="routed", consumption=5, hp=1, hp_max=9, acr=2, **LED)
    stage = Stage(routed, treasury=5, consumption=4, loyalty=10, economy=9, dc=20)
    stage.days(7, months=[105], choices=Choices(income=frozenset(KINGDOM)), stability=[1], unrest=[1], income=[9],
               routed=[12])  # fmt: skip
    fields = [change.field for change in stage.report.changes]
    assert fields == ["hp", "treasury", "unrest", "treasury", "unrest", "treasury"]
    assert [roll.name for roll in stage.report.rolls] == ["stability", "unrest", "income", "routed"]
    assert (stage.kingdom.treasury, stage.kingdom.unrest, stage.army("a").status) == (1, 3, "routed")


def test_r73_halved_by_the_land_then_one_less_for_cannibals_then_the_potions():
    army = ArmyNow("a", consumption=7, surcharge=5)
    lines = week_due(army, land=True, feast=True).lines
    assert [(line.value, line.rule) for line in lines] == [(7, "PF-1.7"), (-4, "PF-2.9"), (-1, "PF-9"), (5, "R-22")]
    assert week_due(ArmyNow("a", consumption=1), land=True, feast=True).total == 0


def test_r74_what_grows_back_does_so_on_marches_and_days_of_battle_but_not_inside_one():
    troll = ArmyNow("a", hp=1, hp_max=99, acr=3, regrowth=24, **LED)
    assert Stage(troll).days(1, choices=Choices(march=frozenset("a"))).army("a").hp == 25
    assert Stage(troll).days(1, fought=frozenset("a")).army("a").hp == 25
    assert Stage(troll).days(1, fighting=frozenset("a")).army("a").hp == 1


@pytest.mark.parametrize("value, a_day", [(1, 24), (2, 24), (3, 24), (4, 48), (None, 0)])
def test_r74_hourly_regeneration_is_at_least_one(value, a_day):
    assert regrowth_lines([AbilityChoice("regeneration", value)]).total == a_day


def test_r75_the_half_cap_is_rounded_down_and_takes_nothing_away():
    assert Stage(ArmyNow("a", hp=19, hp_max=41, acr=3, **LED)).days(1, half=True).army("a").hp == 20
    assert Stage(ArmyNow("a", hp=30, hp_max=41, acr=3, **LED)).days(1, half=True).army("a").hp == 30


def test_r76_a_negative_attribute_is_counted_without_unrest_and_taxes_are_a_third_rounded_down():
    stage = Stage(treasury=0, economy=1, loyalty=0, stability=-1, unrest=9, dc=99)
    stage.days(1, months=[99], choices=Choices(income=frozenset(KINGDOM)), stability=[20], income=[19])
    assert stage.kingdom.unrest == 9  # −1 for the check, +1 for Stability alone
    assert stage.kingdom.treasury == (19 + 1 - 9) // 3
    poor = Stage(treasury=0, economy=0, unrest=19, dc=99)
    poor.days(1, months=[99], choices=Choices(income=frozenset(KINGDOM)), stability=[20], income=[1])
    assert poor.kingdom.treasury == 0


def test_r77_one_check_a_day_and_no_shrinking_on_the_day_of_the_cure():
    ill = ArmyNow("a", ill=True, disease=2, **LED)
    stage = Stage(ill, stability=10, dc=20).days(2, disease=[1, 20])
    assert (stage.army("a").disease, stage.army("a").ill, len(stage.report.rolls)) == (4, False, 2)
    assert stage.days(1).army("a").disease == 3


def test_r78_double_pay_is_twice_this_weeks_price_and_twice_nothing_is_free():
    leaderless = ArmyNow("a", kingdom=KINGDOM, consumption=4, surcharge=3)
    stage = Stage(leaderless, treasury=20).week(choices=Choices(double=frozenset(KINGDOM)))
    assert (stage.kingdom.treasury, stage.army("a").morale) == (6, 0)
    free = Stage(ArmyNow("a", kingdom=KINGDOM, consumption=0), treasury=0)
    free.week(choices=Choices(double=frozenset(KINGDOM)))
    assert (free.kingdom.treasury, free.army("a").morale) == (0, 0)


def test_r82_skipping_the_upkeep_phase_skips_pay_and_check_but_not_those_of_the_routed():
    routed = ArmyNow("a", status="routed", **LED)
    stage = Stage(routed, treasury=9, consumption=4, loyalty=10, dc=20)
    stage.days(1, months=[99], choices=Choices(no_upkeep=frozenset(KINGDOM)), routed=[10])
    assert [roll.name for roll in stage.report.rolls] == ["routed"]
    assert (stage.kingdom.treasury, stage.army("a").status) == (9, "ready")


@pytest.mark.parametrize("feast", [False, True])
def test_r83_an_army_that_costs_nothing_goes_on_costing_nothing(feast):
    free = ArmyNow("a", consumption=0)
    assert week_due(free, land=True, feast=feast).total == 0


def test_r94_an_army_in_reserve_is_paid_once_a_month():
    army = ArmyNow("a", kingdom=KINGDOM, consumption=4, reserved_on=98, commander="c")
    stage = Stage(army, treasury=20)
    stage.days(28, months=[110], reserve_weeks=reserve_weeks([110]))
    assert [payment.spent for payment in stage.report.payments] == [0, 4, 0, 0]
    assert stage.report.payments[0].due.lines[-1].rule == "R-94"
    assert not stage.army("a").arrears


def test_r94_who_is_not_in_reserve_for_the_whole_week_is_paid():
    late = ArmyNow("late", kingdom=KINGDOM, consumption=4, reserved_on=99)
    called = ArmyNow("called", kingdom=KINGDOM, consumption=4, reserved_on=0, called_up=105)
    still = ArmyNow("still", kingdom=KINGDOM, consumption=4, reserved_on=0, called_up=106)
    stage = Stage(late, called, still, treasury=50).week()
    assert {payment.army: payment.spent for payment in stage.report.payments} == {"late": 4, "called": 4, "still": 0}


def test_r94_potions_are_paid_in_reserve_too():
    stage = Stage(ArmyNow("a", kingdom=KINGDOM, consumption=4, surcharge=3, reserved_on=0), treasury=50).week()
    assert [payment.spent for payment in stage.report.payments] == [3]


def test_r94_a_month_belongs_to_the_week_in_which_it_begins():
    assert reserve_weeks([1, 7, 8, 30]) == {7, 14, 35}
