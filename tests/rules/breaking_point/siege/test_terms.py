"""Terms (BP-8, B-57, B-59)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.breaking_point.dice import ratio_bonus
from rules.breaking_point.siege.events import in_words
from rules.breaking_point.siege.siege_ends import (
    Offer,
    garrison_price,
    outcome_of,
    terms,
    terms_difficulty,
    terms_score,
)
from rules.breaking_point.siege.siege_state import BROKEN, HONOURS, OPEN, UNCONDITIONAL
from rules.breaking_point.siege.week import week
from rules.core.errors import IllegalCommand, InvalidInput
from tests.rules.breaking_point.siege.sieges import BOW, falling, foot, general, guns, siege, undead


def offered(**given):
    """PRESENCE 8 (+3), combat 5, Diplomacy 2, ten times the power (+5): 15 and the die, against 16."""
    return siege((foot(100, 8),), (foot(1000, 5),), led=general(), **given)


def test_the_difficulty_of_sixteen_weeks_falls_to_twelve_at_twenty_per_cent_of_losses():
    begun = offered()
    assert terms_difficulty(begun).total == 16
    assert terms_difficulty(replace(begun, garrison=begun.garrison.losing(200))).total == 12
    assert terms_difficulty(replace(begun, garrison=begun.garrison.losing(199))).total == 14


def test_it_is_the_whole_time_not_what_is_left_of_it():
    assert terms_difficulty(offered(weeks=15)).total == 16


def test_engineers_halve_the_difficulty_as_the_time():
    assert terms_difficulty(siege((foot(100, 8),), (foot(300), foot(50, engineers=True)))).total == 8


def test_presence_combat_diplomacy_and_the_ratio_are_added():
    assert [line.value for line in terms_score(offered()).lines] == [3, 5, 2, 5]


def test_without_a_commander_the_besiegers_combat_speaks():
    assert [line.value for line in terms_score(siege(outside=(foot(1000, 4),))).lines] == [4, 5]


@pytest.mark.parametrize(
    ("ours", "theirs", "bonus"),
    [(149, 100, 0), (150, 100, 1), (200, 100, 2), (300, 100, 3), (400, 100, 4), (500, 100, 5), (9, 0, 5), (0, 0, 0)],
)
def test_the_ratio_adds_the_highest_row_it_reaches(ours, theirs, bonus):
    assert ratio_bonus(ours, theirs) == bonus


def test_the_ratio_is_of_those_still_able_to_fight():
    begun = siege((foot(100),), (foot(390),))
    assert terms_score(begun).lines[-1].value == 3
    worn = replace(begun, garrison=begun.garrison.losing(30))
    assert terms_score(worn).lines[-1].value == 4


def test_the_ratio_weighs_fire_power_as_well():
    """BP-4.5, B-59: "by power on the sheets", of whatever kind: bowmen are worth what they shoot."""
    rifles = replace(foot(100), weapons=(BOW,))
    begun = siege((rifles,), (replace(rifles, strength=300),))
    assert terms_score(begun).lines[-1].value == 3


def test_a_piece_without_its_share_of_crew_weighs_nothing():
    """B-49."""
    inside = siege((guns(4),), (foot(100),)).garrison
    assert [unit.pieces for unit in inside.losing(5 * 6 * inside.factor).left] == [2]


@pytest.mark.parametrize(("margin", "outcome"), [(-1, "refused"), (0, HONOURS), (4, HONOURS), (5, UNCONDITIONAL)])
def test_success_is_honours_and_by_five_unconditional(margin, outcome):
    assert outcome_of(margin) == outcome


def test_honours_end_the_siege():
    after, event = terms(offered(), falling(out_terms=(5,)))
    assert (after.status, event.outcome, event.margin) == (HONOURS, HONOURS, 4)
    assert str(in_words(event, "Ker")) == "Ker: terms offered, the garrison leaves with the honors of war (score 20)."


def test_five_more_and_it_is_unconditional():
    assert terms(offered(), falling(out_terms=(6,))).siege.status == UNCONDITIONAL


def test_refused_the_siege_goes_on():
    assert terms(offered(), falling(out_terms=(1, 9))).siege.status == OPEN


def test_terms_are_heard_once_a_week():
    after = terms(offered(), falling(out_terms=(1, 9))).siege
    with pytest.raises(IllegalCommand, match="this week"):
        terms(after, falling())
    assert terms(week(after, falling()).siege, falling(out_terms=(5,))).siege.status == HONOURS


def test_who_expects_death_hears_none():
    with pytest.raises(IllegalCommand, match="expects no mercy"):
        terms(offered(hears=False), falling())


def test_the_undead_may_hear_them_if_they_speak():
    silent = siege((undead(),), led=general())
    with pytest.raises(IllegalCommand, match="shares no language"):
        terms(silent, falling())
    assert terms(replace(silent, hears=True), falling(out_terms=(5,))).event.outcome == UNCONDITIONAL


def test_with_a_broken_garrison_there_is_nothing_to_negotiate():
    with pytest.raises(IllegalCommand, match="breaking point"):
        terms(offered(status=BROKEN), falling())


def test_the_plain_die_does_not_run_on():
    assert terms(offered(), falling(out_terms=(10,)), plain=True).event.value == 10


# money (B-80)


@pytest.mark.parametrize(("money", "more"), [(0, 0), (4, 0), (5, 1), (9, 1), (10, 2), (20, 4), (99, 4)])
def test_b80_money_adds_one_for_each_five_per_cent_of_the_garrisons_price_and_four_at_most(money, more):
    """A hundred heads at 100 BP a hundred."""
    begun, offer = offered(), Offer(money, 100)
    assert garrison_price(begun, 100) == 100
    assert terms_score(begun, offer).total == terms_score(begun).total + more
    assert [line.value for line in terms_score(begun, offer).lines if line.rule == "B-80"] == ([more] if more else [])


def test_b80_the_price_is_of_those_who_are_able_to_fight_by_hundreds_begun():
    begun = siege((foot(150),), (foot(1000),))
    assert garrison_price(begun, 10) == 20
    assert garrison_price(replace(begun, garrison=begun.garrison.losing(60 * 10)), 10) == 10


def test_b80_money_may_decide_and_the_log_tells_of_it():
    refused = terms(offered(), falling(out_terms=(1, 2)), offer=Offer(0, 100))
    assert refused.event.outcome == "refused"
    taken = terms(offered(), falling(out_terms=(2,)), offer=Offer(20, 100))
    assert (taken.event.outcome, taken.event.money, taken.event.margin) == (UNCONDITIONAL, 20, 5)
    assert "20 BP" in str(in_words(taken.event, "Ker"))
    assert "BP" not in str(in_words(refused.event, "Ker"))


def test_b80_no_money_less_than_nothing_and_none_where_garrisons_have_no_price():
    with pytest.raises(InvalidInput) as less:
        terms(offered(), falling(), offer=Offer(-1, 100))
    assert less.value.field == "/money"
    with pytest.raises(IllegalCommand, match="Garrisons have no price in this campaign"):
        terms(offered(), falling(), offer=Offer(5, 0))
