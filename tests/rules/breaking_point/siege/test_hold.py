"""How long a garrison holds, and who may hold a place (BP-8, B-52, B-57, B-59, B-61)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.breaking_point.siege.siege_state import check_room, lay_siege, reinforced
from rules.breaking_point.siege.week import hold_weeks, slice_of, starving_after
from rules.breaking_point.spec import Place
from rules.core.errors import IllegalCommand, InvalidInput
from tests.rules.breaking_point.siege.sieges import FORT, FORTRESS, TRENCH, army, foot, general, robots, siege, undead


def test_veterans_of_combat_eight_hold_a_bastion_of_factor_two_for_sixteen_weeks():
    held = hold_weeks(siege((foot(100, 8),)))
    assert held.total == 16
    assert [line.value for line in held.lines] == [8, 8]


def test_militia_of_three_hold_it_for_little_more_than_a_month():
    assert hold_weeks(siege((foot(100, 3),))).total == 6


def test_a_fortress_holds_three_times_and_an_entrenchment_once_the_combat():
    assert hold_weeks(siege((foot(100, 8),), kind=FORTRESS)).total == 24
    assert hold_weeks(siege((foot(100, 8),), kind=TRENCH)).total == 8


def test_who_is_worse_than_nothing_holds_no_week():
    assert hold_weeks(siege((foot(100, -2),))).total == 0


def test_engineers_half_as_many_as_the_garrison_halve_the_time_down():
    outside = (foot(300), foot(50, engineers=True))
    assert hold_weeks(siege((foot(100, 8),), outside)).total == 8
    assert hold_weeks(siege((foot(100, 5),), outside, kind=FORTRESS)).total == 7


def test_one_engineer_less_halves_nothing():
    assert hold_weeks(siege((foot(100, 8),), (foot(300), foot(49, engineers=True)))).total == 16


def test_engineers_are_counted_as_they_stand_today():
    begun = siege((foot(100, 8),), (foot(300), foot(50, engineers=True)))
    worn = siege((foot(100, 8),), (foot(300), foot(50, engineers=True)), contact=begun.contact.losing(350))
    assert worn.engineers < 50
    assert hold_weeks(worn).total == 16


@pytest.mark.parametrize(("hold", "weeks"), [(16, 1), (9, 1), (0, 1), (20, 2), (35, 3)])
def test_a_slice_is_a_tenth_of_the_time_down_one_week_at_least(hold, weeks):
    assert slice_of(hold) == weeks


def test_hunger_begins_with_the_first_full_slice_beyond_the_time():
    assert [week for week in range(1, 27) if starving_after(week, 20)] == [22, 24, 26]
    assert [week for week in range(14, 19) if starving_after(week, 16)] == [17, 18]


def test_a_place_of_five_hundred_held_by_two_hundred_and_fifty_is_not_properly_held():
    assert not siege((foot(250),), garrison=500).properly_held
    assert siege((foot(251),), garrison=500).properly_held


def test_ten_men_of_base_six_in_a_bunker_have_force_120():
    men = replace(foot(10), armour=1)
    assert siege((men,)).garrison.force == 120


def test_the_breaking_point_is_reckoned_on_the_raised_force():
    assert siege((foot(100, 4),)).garrison.breaks_at == 500
    assert siege((foot(100, 4),), kind=FORTRESS).garrison.breaks_at == 750


def test_who_breaks_beyond_the_whole_of_his_force_gives_up_when_it_is_lost():
    assert siege((foot(100, 12),)).garrison.breaks_at == 1000
    assert siege((undead(),)).garrison.breaks_at == 2000


def test_a_place_of_five_hundred_holds_a_thousand_and_nobody_more():
    place = Place("p", "Ker", FORT, 500)
    check_room(place, [foot(1000)])
    with pytest.raises(IllegalCommand, match="room for 1000 heads; this would make 1001"):
        check_room(place, [foot(1000), foot(1)])


def test_who_holds_a_place_by_more_than_twice_cannot_be_besieged_there():
    with pytest.raises(IllegalCommand, match="room for 200"):
        siege((foot(201),))


def test_a_place_nobody_holds_is_not_besieged_nor_by_nobody():
    place = Place("p", "Ker", FORT, 100)
    with pytest.raises(IllegalCommand, match="Nobody holds"):
        lay_siege(place, [], [army("out", foot())])
    with pytest.raises(IllegalCommand, match="This place isn’t besieged"):
        lay_siege(place, [army("in", foot())], [])


def test_b15_the_chief_is_who_is_named_else_who_has_the_best_commander():
    place, inside = Place("p", "Ker", FORT, 100), [army("in", foot(10))]
    besiegers = [army("a", foot()), army("c", foot(), led=general(mental=5)), army("b", foot(), led=general(mental=9))]
    assert lay_siege(place, inside, besiegers).besieged_by == "b"
    assert lay_siege(place, inside, besiegers[:2]).besieged_by == "c"
    assert lay_siege(place, inside, besiegers[:1]).besieged_by == "a"
    assert lay_siege(place, inside, besiegers, "a").besieged_by == "a"
    with pytest.raises(InvalidInput, match="commanders of these armies"):
        lay_siege(place, inside, besiegers, "d")


def test_nobody_gets_into_a_place_that_is_invested_and_somebody_does_where_it_is_not():
    with pytest.raises(IllegalCommand, match="invested"):
        reinforced(siege((foot(50),), (foot(100),)), "garrison", army("more", foot(10)))
    thin = reinforced(siege((foot(60),), (foot(100),)), "garrison", army("more", foot(10)))
    assert thin.garrison.heads == 70
    with pytest.raises(IllegalCommand, match="room for 200"):
        reinforced(siege((foot(60),), (foot(100),)), "garrison", army("more", foot(141)))


def test_who_joins_bears_nothing_of_what_was_lost_before():
    worn = siege(outside=(foot(100),))
    worn = siege(outside=(foot(100),), contact=worn.contact.losing(100))
    joined = reinforced(worn, "besieger", army("more", foot(100)))
    assert joined.contact.points == (100, 0)
    assert joined.contact.losing(50).points == (125, 25)


def test_who_does_not_speak_is_not_taken_to_hear_terms():
    assert not siege((undead(),)).hears
    assert not siege((robots(),)).hears
    assert siege((undead(), foot(10))).hears
