"""How sieges end; battles of a siege; what the armies are left with (B-47, B-48, B-53 to B-57, B-60, B-69)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.breaking_point.siege import siege_ends
from rules.breaking_point.siege.siege_battles import (
    FoughtBody,
    after_assault,
    after_bodies,
    after_field,
    for_assault,
    for_field,
    losses_in_assault,
    losses_in_field,
    outcome_of,
)
from rules.breaking_point.siege.siege_state import (
    ASSAULT,
    BROKEN,
    LIFTED,
    OPEN,
    SORTIE,
    TAKEN,
    UNCONDITIONAL,
    lay_siege,
    to_json,
    with_state,
)
from rules.breaking_point.siege.week import returning, week
from rules.breaking_point.spec import Place
from rules.core.errors import IllegalCommand, InvalidInput
from tests.rules.breaking_point.siege.sieges import FORT, FORTRESS, army, falling, foot, guns, siege


def test_the_besieger_may_go_and_what_was_counted_is_nothing_any_more():
    after, event = siege_ends.lift(siege(weeks=9))
    assert (after.status, after.weeks, event.weeks, event.weary) == (LIFTED, 0, 9, False)
    with pytest.raises(IllegalCommand, match="This siege can’t be lifted"):
        siege_ends.lift(after)


def test_a_broken_garrison_surrenders_or_comes_out():
    broken = siege(status=BROKEN)
    given_up, _event = siege_ends.surrender(broken)
    assert (given_up.status, siege_ends.captured(given_up), siege_ends.falls(given_up)) == (UNCONDITIONAL, True, True)
    assert siege_ends.sortie(broken).status == SORTIE


def test_nobody_makes_a_sortie_where_nobody_is_left():
    spent = siege()
    spent = replace(spent, garrison=spent.garrison.losing(2 * spent.garrison.force))
    with pytest.raises(IllegalCommand, match="The garrison has nobody left for a sortie"):
        siege_ends.sortie(spent)


def test_a_garrison_that_holds_does_not_surrender():
    with pytest.raises(IllegalCommand, match="The garrison hasn’t reached its breaking point"):
        siege_ends.surrender(siege())


def test_there_is_no_assault_on_a_place_that_is_besieged_no_more_nor_on_a_broken_garrison():
    assert siege_ends.assault(siege()).status == ASSAULT
    for status in (LIFTED, TAKEN, BROKEN, ASSAULT):
        with pytest.raises(IllegalCommand, match="You can’t start an assault"):
            siege_ends.assault(siege(status=status))


def test_in_an_assault_each_side_is_one_army_and_the_garrison_one_body():
    begun = siege((foot(60), guns()), (foot(300), guns()))
    bodies = for_assault(replace(begun, garrison=begun.garrison.losing(70)))
    assert [(one.body, len(one.units), one.losses, one.factor) for one in bodies] == [
        ("out:contact", 1, 0, 1), ("out:shooting", 1, 0, 1), ("in:garrison", 2, 70, 2),
    ]  # fmt: skip


def test_losses_of_an_assault_go_on_in_the_siege():
    after = after_assault(siege_ends.assault(siege()), {"out:contact": 300, "in:garrison": 120})
    assert (after.contact.lost, after.garrison.lost) == (300, 120)
    assert siege_ends.fought(after, "goes-on").status == OPEN


def test_a_sortie_is_fought_by_groups_without_the_place():
    begun = siege((foot(60), guns(10)), kind=FORTRESS)
    begun = replace(begun, garrison=begun.garrison.losing(301))
    bodies = {one.body: (one.losses, one.factor) for one in for_field(begun)}
    assert begun.garrison.points == (167, 134)
    assert bodies == {"out:contact": (0, 1), "in:contact": (55, 1), "in:shooting": (44, 1)}


def test_losses_of_a_sortie_weigh_by_the_factor_once_they_are_back_inside():
    begun = siege((foot(60), guns(10)), kind=FORTRESS)
    begun = replace(begun, garrison=begun.garrison.losing(301))
    after = after_field(siege_ends.sortie(begun), {"in:contact": 65, "out:contact": 40})
    assert after.garrison.points == (167 + 30, 134)
    assert after.contact.lost == 40
    untouched = after_field(begun, {"in:contact": 55})
    assert untouched == begun


def test_a_body_that_is_not_there_has_no_losses():
    for take in (after_assault, after_field):
        with pytest.raises(InvalidInput, match="isn’t part of this siege"):
            take(siege(), {"out:reserve": 4})
        with pytest.raises(InvalidInput, match="from 0 to"):
            take(siege(), {"out:contact": -1})


def test_several_armies_inside_share_one_body_and_come_out_each_by_itself():
    place = Place("p", "Ker", FORT, 200)
    begun = lay_siege(place, [army("a", foot(100)), army("b", foot(50))], [army("out", foot(500))])
    begun = replace(begun, garrison=begun.garrison.losing(300))
    assert [one.body for one in for_assault(begun)] == ["out:contact", "a:garrison"]
    assert {one.body: one.losses for one in for_field(begun)} == {"out:contact": 0, "a:contact": 100, "b:contact": 50}
    assert losses_in_assault(begun) == {"out:0": 0, "a:0": 200, "b:0": 100}
    assert losses_in_field(begun) == {"out:0": 0, "a:0": 100, "b:0": 50}


def test_who_falls_in_an_assault_surrenders_where_the_place_is_invested_and_flees_where_not():
    shut_in = siege_ends.fought(siege((foot(100),), (foot(200),), status=ASSAULT), "fell")
    assert (shut_in.status, siege_ends.captured(shut_in)) == (TAKEN, True)
    assert not siege_ends.captured(siege_ends.fought(siege((foot(100),), (foot(199),), status=ASSAULT), "fell"))


def test_after_a_sortie_that_failed_a_garrison_at_its_breaking_point_has_to_answer_again():
    spent = siege((foot(100, 4),), status=SORTIE)
    spent = replace(spent, garrison=spent.garrison.losing(500))
    assert siege_ends.fought(spent, "goes-on").status == BROKEN
    assert siege_ends.fought(spent, "lifted").status == LIFTED
    assert siege_ends.fought(spent, "fell").status == UNCONDITIONAL


def test_a_battle_nobody_fights_has_no_end_and_none_ends_otherwise():
    with pytest.raises(IllegalCommand, match="no battle in progress"):
        siege_ends.fought(siege(), "fell")
    with pytest.raises(InvalidInput, match="goes-on"):
        siege_ends.fought(siege(status=ASSAULT), "burnt")


def test_relief_fights_the_besieger_in_the_open():
    assert siege_ends.relief(siege()).status == SORTIE
    with pytest.raises(IllegalCommand, match="You can’t start a relief battle"):
        siege_ends.relief(siege(status=ASSAULT))


@pytest.mark.parametrize(
    ("status", "inside", "outside", "outcome"),
    [
        (ASSAULT, "surrendered", "fighting", "fell"),
        (ASSAULT, "fled", "fighting", "fell"),
        (ASSAULT, "fighting", "fled", "lifted"),
        (ASSAULT, "fighting", "withdrawn", "goes-on"),
        (ASSAULT, "fighting", "fighting", "goes-on"),
        (ASSAULT, "withdrawn", "fighting", "fell"),
        (ASSAULT, "withdrawn", "fled", "fell"),
        (ASSAULT, "withdrawn", "withdrawn", "goes-on"),
        (SORTIE, "withdrawn", "fighting", "goes-on"),
        (SORTIE, "annihilated", "fighting", "fell"),
        (SORTIE, "fighting", "withdrawn", "lifted"),
        (SORTIE, None, "fled", "lifted"),
    ],
)
def test_what_became_of_its_bodies_says_what_a_battle_of_a_siege_comes_to(status, inside, outside, outcome):
    bodies = [FoughtBody((("out", 0),), 1, 0, 0, outside)]
    bodies += [FoughtBody((("in", 0),), 1, 0, 0, inside)] if inside else []
    assert outcome_of(siege(status=status), bodies) == outcome


@pytest.mark.parametrize(("status", "outcome"), [(ASSAULT, "fell"), (SORTIE, "goes-on")])
def test_b44_a_reserve_that_withdrew_unused_does_not_hold_a_place_whose_garrison_broke(status, outcome):
    """B-56. After a sortie it is back inside."""
    bodies = [FoughtBody((("out", 0),), 1, 0, 0, "fighting"), FoughtBody((("in", 0),), 1, 0, 0, "surrendered")]
    bodies.append(FoughtBody((("in", 1),), 1, 0, 0, "withdrawn"))
    assert outcome_of(siege((foot(60), foot(20)), status=status), bodies) == outcome


def test_losses_come_back_to_the_units_that_bore_them_however_they_fought():
    begun = siege((foot(60), guns(10)), (foot(300), foot(100)), status=ASSAULT)
    bodies = [
        FoughtBody((("out", 0),), 1, 0, 70, "fighting"),
        FoughtBody((("out", 1),), 1, 0, 30, "fighting"),
        FoughtBody((("in", 0), ("in", 1)), 2, 10, 118, "fighting"),
        FoughtBody((("relief", 0),), 1, 0, 999, "fled"),
    ]
    after = after_bodies(begun, bodies)
    assert after.contact.points == (70, 30)
    assert after.garrison.points == (60, 48)


def test_losses_of_the_open_field_weigh_by_the_factor():
    begun = siege((foot(60), guns(10)), status=SORTIE)
    after = after_bodies(begun, [FoughtBody((("in", 0),), 1, 5, 25, "withdrawn")])
    assert after.garrison.points == (40, 0)


def test_of_what_a_siege_cost_half_is_dead_and_half_wounded():
    begun = siege((foot(100),))
    over = replace(begun, garrison=begun.garrison.losing(210), status=LIFTED)
    inside = siege_ends.reckoned(over)[0]
    assert inside == siege_ends.UnitLeft("in", 0, 100 - 21, 10, 11)


def test_who_won_the_last_battle_has_half_of_his_points_back_and_the_rest_are_dead():
    begun = siege(status=TAKEN)
    over = replace(begun, contact=begun.contact.losing(101), garrison=begun.garrison.losing(210))
    inside, outside = siege_ends.reckoned(over, "besieger")
    assert outside == siege_ends.UnitLeft("out", 0, 1000 - 10, 0, 10)
    assert (inside.wounded, inside.dead) == (10, 11)


def test_b48_half_of_the_winners_points_come_back_body_by_body_as_in_the_field():
    """Two units of 9 and 9 points: 9 of 18 come back, and of the 9 that stay the first bears 5: one man, and none."""
    begun = siege(outside=(foot(100), foot(100)), status=TAKEN)
    over = replace(begun, contact=begun.contact.bearing({0: 9, 1: 9}))
    assert [left.dead for left in siege_ends.reckoned(over, "besieger")[1:]] == [1, 0]


def test_who_is_driven_off_by_a_battle_has_lost_it():
    begun = siege(status=SORTIE)
    over = siege_ends.fought(replace(begun, contact=begun.contact.losing(100)), "lifted")
    assert siege_ends.winner_of(begun, over) == "garrison"
    assert siege_ends.reckoned(over, siege_ends.winner_of(begun, over))[1] == siege_ends.UnitLeft(
        "out", 0, 1000 - 20, 10, 10
    )
    fallen = siege_ends.fought(siege(status=SORTIE), "fell")
    assert siege_ends.winner_of(begun, fallen) == "besieger"


def test_no_battle_ends_a_siege_that_is_lifted():
    begun = siege()
    over, _event = siege_ends.lift(replace(begun, contact=begun.contact.losing(100)))
    assert siege_ends.winner_of(begun, over) is None
    outside = siege_ends.reckoned(over)[1]
    assert (outside.wounded, outside.dead) == (10, 10)


# the weeks after


@pytest.mark.parametrize(("wounded", "back"), [(0, 0), (1, 1), (4, 1), (5, 2), (8, 2)])
def test_a_quarter_of_the_wounded_return_up(wounded, back):
    assert returning(wounded) == back


def test_losses_go_from_week_to_assault_to_sortie_and_back_on_one_account():
    begun = siege((foot(100, 8),), weeks=16)
    starved = week(begun, falling()).siege
    stormed = siege_ends.fought(after_assault(siege_ends.assault(starved), {"in:garrison": 250}), "goes-on")
    out = {one.body: one.losses for one in for_field(siege_ends.sortie(stormed))}
    assert out["in:contact"] == 125
    back = siege_ends.fought(after_field(siege_ends.sortie(stormed), {"in:contact": 150}), "goes-on")
    assert back.garrison.lost == 300
    assert week(back, falling()).siege.garrison.lost == 400


def test_where_units_are_others_than_they_were_what_was_lost_is_shared_anew():
    begun = siege((foot(100), foot(100)))
    worn = replace(begun, garrison=begun.garrison.bearing({0: 90, 1: 10}).losing(20))
    kept = to_json(worn)
    assert with_state(begun, kept).garrison.points == (100, 20)
    assert with_state(siege((foot(100),)), kept).garrison.points == (120,)


def test_b78_what_a_battle_of_the_siege_cost_is_borne_as_it_was_shared():
    begun = siege_ends.assault(siege((foot(100), foot(50)), (foot(500),), garrison=200))
    lost = FoughtBody((("in", 0), ("in", 1)), 2, 0, 300, "fighting")
    assert after_bodies(begun, [lost]).garrison.points == (200, 100)
    said = lost._replace(shares={("in", 0): 50, ("in", 1): 250})
    assert after_bodies(begun, [said]).garrison.points == (50, 250)
