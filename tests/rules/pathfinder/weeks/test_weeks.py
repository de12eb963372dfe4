"""A week: Consumption, arrears, leaders, food, potions and broken morale (PF-7.2, PF-2.7, PF-1.9)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.pathfinder.weeks import ArmyNow, Choices
from rules.pathfinder.weeks.week import Claim, Paid, end_of_week, share_out, week_due
from rules.realm import PlannedLine
from tests.rules.pathfinder.weeks.stage import Stage

LED = ArmyNow("a", "Levy", "k", consumption=6, commander="c")
ALONE = ArmyNow("a", "Levy", "k", consumption=6)


def armies(*costs: int, **figures: object) -> list[ArmyNow]:
    return [ArmyNow(f"a{place}", f"A{place}", "k", consumption=cost, commander="c", **figures)  # type: ignore[arg-type]
            for place, cost in enumerate(costs)]  # fmt: skip


def test_a_week_is_paid_from_the_treasury_by_rule():
    stage = Stage(LED, treasury=20).week()
    assert stage.kingdom.treasury == 14
    assert [(change.field, change.after, change.rule) for change in stage.report.changes] == [
        ("treasury", 14, "PF-7.2")
    ]
    assert str(stage.report.changes[0].label) == "Armies, week 15"


def test_nothing_is_paid_before_the_week_ends():
    assert Stage(LED, treasury=20).days(6).kingdom.treasury == 20


def test_two_weeks_are_paid_twice():
    assert Stage(LED, treasury=20).days(14).kingdom.treasury == 8


def test_an_unpaid_army_is_in_arrears_and_owes_its_week():
    army = Stage(LED, treasury=5).week().army("a")
    assert (army.arrears, army.owed, army.morale) == (True, 6, 0)


def test_the_penalty_of_arrears_is_never_cumulative():
    stage = Stage(LED, treasury=0, morale=-2).days(21)
    assert (stage.army("a").status, stage.army("a").morale, stage.army("a").owed) == ("ready", -2, 18)


def test_arrears_last_until_they_are_paid():
    stage = Stage(LED, treasury=6, owed=4, arrears=True).week()
    assert (stage.army("a").arrears, stage.army("a").owed) == (True, 4)
    stage = Stage(LED, treasury=10, owed=4, arrears=True).week()
    assert (stage.army("a").arrears, stage.army("a").owed, stage.kingdom.treasury) == (False, 0, 0)
    assert stage.said("arrears") == ["Arrears paid"]


def test_arrears_marked_by_hand_end_with_the_next_paid_week():
    assert not Stage(LED, treasury=6, arrears=True).week().army("a").arrears


def test_a_treasury_below_zero_pays_nobody():
    stage = Stage(LED, treasury=-3).week()
    assert (stage.kingdom.treasury, stage.army("a").owed) == (-3, 6)


def test_the_treasury_never_goes_below_zero_for_its_armies():
    assert Stage(*armies(4, 4, 4), treasury=9).week().kingdom.treasury == 1


def test_if_not_all_can_be_paid_the_cheapest_are():
    stage = Stage(*armies(5, 2, 3), treasury=6).week()
    assert [stage.army(f"a{place}").arrears for place in range(3)] == [True, False, False]


def test_armies_named_first_are_paid_first():
    stage = Stage(*armies(5, 2, 3), treasury=6).week(choices=Choices(first=("a0",)))
    assert [stage.army(f"a{place}").arrears for place in range(3)] == [False, True, True]


def test_an_army_named_first_that_costs_too_much_does_not_starve_the_others():
    stage = Stage(*armies(9, 2, 3), treasury=6).week(choices=Choices(first=("a0",)))
    assert [stage.army(f"a{place}").arrears for place in range(3)] == [True, False, False]


def test_this_week_comes_before_old_debts():
    claims = [Claim("a", 5, owed=1), Claim("b", 5)]
    assert share_out(10, claims) == {"a": Paid(True, False), "b": Paid(True, True)}
    assert share_out(11, claims)["a"] == Paid(True, True)


def test_without_an_active_commander_morale_falls_by_one():
    assert Stage(ALONE, treasury=20).week().army("a").morale == -1
    assert Stage(LED, treasury=20).week().army("a").morale == 0
    assert Stage(ALONE, treasury=20).week().said("morale") == ["No active commander in week 15"]


@pytest.mark.parametrize(
    "figures", [{"free": False}, {"active_days": 2}, {"back_on": 103}, {"back_on": 200}, {"commander": None}]
)
def test_a_commander_who_is_not_with_the_army_three_days_of_the_week_does_not_count(figures):
    assert Stage(LED, treasury=20, **figures).week().army("a").morale == -1


@pytest.mark.parametrize("figures", [{"active_days": 3}, {"back_on": 102}, {"back_on": 4}])
def test_three_days_with_the_army_are_enough(figures):
    assert Stage(LED, treasury=20, **figures).week().army("a").morale == 0


def test_the_gm_may_say_that_a_commander_was_away():
    assert Stage(LED, treasury=20).week(choices=Choices(away=frozenset("a"))).army("a").morale == -1


def test_paid_double_a_leaderless_army_keeps_its_morale():
    stage = Stage(ALONE, treasury=20).week(choices=Choices(double=frozenset("k")))
    assert (stage.army("a").morale, stage.kingdom.treasury) == (0, 8)
    assert stage.report.payments[0].double


def test_double_pay_is_for_the_leaderless_only():
    assert Stage(LED, treasury=20).week(choices=Choices(double=frozenset("k"))).kingdom.treasury == 14


def test_what_cannot_be_paid_double_is_paid_once():
    stage = Stage(ALONE, treasury=11).week(choices=Choices(double=frozenset("k")))
    assert (stage.army("a").morale, stage.army("a").owed, stage.kingdom.treasury) == (-1, 0, 5)


def test_debts_come_before_double_pay():
    claims = [Claim("a", 3, owed=3, double=True)]
    assert share_out(6, claims) == {"a": Paid(True, True, False)}


def test_living_off_the_land_halves_consumption_but_leaves_one():
    assert week_due(ArmyNow("a", consumption=7), land=True).total == 3
    assert week_due(ArmyNow("a", consumption=1), land=True).total == 1
    stage = Stage(LED, treasury=20).week(choices=Choices(land=frozenset("a")))
    assert stage.kingdom.treasury == 17


def test_cannibals_need_one_less_down_to_nothing():
    assert week_due(ArmyNow("a", consumption=2), feast=True).total == 1
    assert week_due(ArmyNow("a", consumption=1), feast=True).total == 0
    assert week_due(ArmyNow("a", consumption=5), land=True, feast=True).total == 1


def test_corpses_feed_the_week_of_the_battle_only():
    stage = Stage(LED, treasury=50).days(14, choices=Choices(feast=frozenset("a")))
    assert stage.kingdom.treasury == 50 - 5 - 6


def test_potions_are_paid_in_their_week_and_then_settled():
    stage = Stage(LED, treasury=50, surcharge=12).days(14)
    assert (stage.kingdom.treasury, stage.army("a").surcharge) == (50 - 18 - 6, 0)
    assert stage.report.changes[0][3:7] == ("surcharge", 12, 0, "R-22")


def test_potions_are_not_halved_by_living_off_the_land():
    lines = week_due(ArmyNow("a", consumption=6, surcharge=12), land=True)
    assert [(line.value, line.rule) for line in lines.lines] == [(6, "PF-1.7"), (-3, "PF-2.9"), (12, "R-22")]


def test_unpaid_potions_are_owed():
    army = Stage(LED, treasury=0, surcharge=3).week().army("a")
    assert (army.owed, army.surcharge) == (9, 0)


@pytest.mark.parametrize(
    "morale, arrears, status", [(-4, False, "disbanded"), (-3, False, "ready"), (-2, True, "disbanded")]
)
def test_at_morale_minus_five_the_army_disbands_arrears_included(morale, arrears, status):
    stage = Stage(ALONE, treasury=0 if arrears else 20, morale=morale).week()
    assert stage.army("a").status == status


def test_morale_is_tested_before_it_is_clamped():
    army = Stage(ALONE, treasury=20, morale=-4).week().army("a")
    assert (army.morale, army.status) == (-4, "disbanded")
    assert end_of_week(ALONE, due=6, paid=Paid(True, True), led=True).morale == 0


def test_whoever_led_a_disbanded_army_is_free():
    stage = Stage(LED, treasury=0, morale=-3).week()
    assert (stage.army("a").status, stage.army("a").commander) == ("disbanded", None)
    assert [change.rule for change in stage.report.changes if change.field in ("status", "commander")] == ["PF-1.9"] * 2


def test_a_disbanded_army_costs_nothing_the_week_after():
    stage = Stage(ALONE, treasury=20, morale=-4).days(14)
    assert stage.kingdom.treasury == 14


def test_a_routed_army_is_paid_like_any_other():
    assert Stage(LED, treasury=20, status="routed").week().kingdom.treasury == 14


HUGE = ArmyNow("a", "Horde", "k", consumption=6, rank=6, commander="c")
LAND = Choices(land=frozenset("a"))


def test_a_huge_army_eats_its_hex_bare_in_1d3_weeks():
    stage = Stage(HUGE, treasury=90).days(21, choices=LAND, forage=[2])
    assert stage.kingdom.treasury == 90 - 3 - 3 - 6
    assert stage.army("a").foraging == 0
    assert [(change.before, change.after) for change in stage.report.changes if change.field == "foraging"] == [
        (None, 1), (1, 0),
    ]  # fmt: skip
    assert "the food of this hex is used up" in str(stage.report.warnings[0])


def test_an_exhausted_hex_feeds_nobody_until_the_army_moves():
    assert Stage(HUGE, treasury=90, foraging=0).week(choices=LAND).kingdom.treasury == 84
    moved = Choices(land=frozenset("a"), march=frozenset("a"))
    assert Stage(HUGE, treasury=90, foraging=0).week(choices=moved, forage=[1]).kingdom.treasury == 87


def test_an_army_that_has_arrived_eats_one_hex_as_it_would_week_by_week():
    """PF-2.9: the march to the hex is over in the first week; the second finds it bare, however time is cut."""
    arriving = ArmyNow("a", "Horde", "k", consumption=6, rank=6, commander="c", marching_until=100)
    at_once = Stage(arriving, treasury=90).days(21, choices=LAND, forage=[1])
    assert (at_once.kingdom.treasury, len(at_once.report.rolls)) == (90 - 3 - 6 - 6, 1)
    first = Stage(arriving, treasury=90).week(choices=LAND, forage=[1])
    there = ArmyNow("a", "Horde", "k", consumption=6, rank=6, commander="c", marching_until=100, foraging=0)
    second = Stage(there, treasury=first.kingdom.treasury).days(14, since=105, choices=LAND)
    assert second.kingdom.treasury == at_once.kingdom.treasury


def test_an_army_on_the_march_for_weeks_finds_another_hex_each_week():
    """PF-2.9: who moves on may go on living off the land."""
    moving = ArmyNow("a", "Horde", "k", consumption=6, rank=6, commander="c", marching_until=110)
    stage = Stage(moving, treasury=90).days(14, choices=LAND, forage=[1, 1])
    assert stage.kingdom.treasury == 84


def test_a_smaller_army_finds_food_for_as_long_as_it_likes():
    large = ArmyNow("a", consumption=6, rank=5, commander="c", kingdom="k")
    stage = Stage(large, treasury=90).days(28, choices=LAND)
    assert (stage.kingdom.treasury, stage.report.rolls) == (78, [])


def test_an_army_that_marches_on_leaves_its_hex_behind():
    stage = Stage(HUGE, treasury=90, foraging=0).days(1, choices=Choices(march=frozenset("a")))
    assert [(change.field, change.after) for change in stage.report.changes] == [("foraging", None)]


@given(st.integers(-5, 60), st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.booleans()), max_size=8))
def test_what_is_paid_is_never_more_than_there_is(treasury, rows):
    claims = [Claim(str(place), *row) for place, row in enumerate(rows)]
    paid = share_out(treasury, claims)
    spent = sum(claim.due * (paid[claim.army].week + paid[claim.army].double) for claim in claims)
    spent += sum(claim.owed for claim in claims if paid[claim.army].arrears)
    assert spent <= max(0, treasury)
    unpaid = [claim.due for claim in claims if not paid[claim.army].week]
    assert all(due > treasury - sum(claim.due for claim in claims if paid[claim.army].week) for due in unpaid)


# A kingdom without a treasury: hordes, crusades, bandits.


FREE = {"without_treasury": True, "needs_commanders": False}


def test_armies_of_a_kingdom_without_a_treasury_cost_nothing_and_owe_nothing():
    stage = Stage(LED, treasury=5, **FREE).days(21)
    assert (stage.kingdom.treasury, stage.army("a").owed, stage.army("a").arrears) == (5, 0, False)
    assert (stage.report.payments, stage.report.changes) == ([], [])


def test_without_a_treasury_nobody_loses_morale_for_want_of_a_commander():
    week = Stage(ALONE, treasury=5, **FREE).week()
    assert (week.army("a").morale, week.report.weeks[0].losing) == (0, 0)


def test_where_commanders_are_needed_morale_falls_without_a_treasury_too():
    assert Stage(ALONE, without_treasury=True, needs_commanders=True).week().army("a").morale == -1


def test_without_a_treasury_nobody_is_paid_double_for_nothing():
    week = Stage(ALONE, without_treasury=True, needs_commanders=True).week(choices=Choices(double=frozenset("k")))
    assert week.army("a").morale == -1


def test_old_debts_and_potions_end_unpaid_without_a_treasury():
    week = Stage(LED, treasury=50, owed=4, arrears=True, surcharge=3, **FREE).week()
    army = week.army("a")
    assert (army.owed, army.arrears, army.surcharge, week.kingdom.treasury) == (0, False, 0, 50)
    assert week.said("owed") == ["No treasury: nothing is owed"]


def test_without_a_treasury_there_is_no_upkeep_phase_no_tax_and_no_planned_entry():
    plan = (PlannedLine("p", "Tribute", 9, "month"),)
    choices = Choices(income=frozenset("k"))
    stage = Stage(LED, treasury=-5, consumption=3, planned=plan, **FREE).days(7, months=[100], choices=choices)
    assert (stage.kingdom.treasury, stage.kingdom.unrest, stage.report.rolls) == (-5, 0, [])


def test_a_routed_army_takes_heart_without_a_treasury_too():
    stage = Stage(LED, status="routed", dc=5, **FREE).days(7, months=[100], routed=[20])
    assert stage.army("a").status == "ready"


def test_a_kingdom_with_a_treasury_always_needs_commanders():
    assert Stage(ALONE, treasury=20, needs_commanders=False).week().army("a").morale == -1
