"""A week of a siege: bombardment, two to one, the count, hunger, breaking, lifting (B-57, B-58, B-60)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.breaking_point.siege.events import (
    Bombarded,
    GarrisonBroke,
    SiegeLifted,
    Starved,
    WeekCounted,
    WeekNotCounted,
    in_words,
)
from rules.breaking_point.siege.siege_state import BROKEN, LIFTED, OPEN, to_json, with_state
from rules.breaking_point.siege.week import week, worn
from rules.core.dice import DiceNeeded, Rolled
from rules.core.errors import IllegalCommand
from tests.rules.breaking_point.siege.sieges import FORTRESS, TRENCH, falling, foot, guns, robots, siege, undead


def kinds(events) -> list[type]:
    return [type(event) for event in events]


def passing(begun, weeks: int):
    """After so many weeks without a die, and everything that happened."""
    events: list = []
    for _week in range(weeks):
        begun, told = week(begun, falling())
        events += told
    return begun, events


def test_a_week_of_two_to_one_counts():
    after, events = week(siege((foot(100),), (foot(200),)), falling())
    assert (after.weeks, after.age, after.thin, after.status) == (1, 1, 0, OPEN)
    assert events == (WeekCounted(1, 16, 200, 100),)


def test_a_week_with_one_head_less_does_not_count():
    after, events = week(siege((foot(100),), (foot(199),)), falling())
    assert (after.weeks, after.age, after.thin) == (0, 1, 1)
    assert events == (WeekNotCounted(1, 199, 100),)


def test_two_to_one_is_of_heads_that_are_left():
    worn_out = siege((foot(100),), (foot(150),))
    worn_out = replace(worn_out, garrison=worn_out.garrison.losing(250))
    assert worn_out.garrison.heads == 75
    assert week(worn_out, falling()).siege.weeks == 1


def test_two_weeks_running_without_two_to_one_lift_it_and_what_was_counted_is_nothing_any_more():
    after, events = passing(siege((foot(100),), (foot(199),), weeks=7), 2)
    assert (after.status, after.weeks) == (LIFTED, 0)
    assert events[-1] == SiegeLifted(7, weary=True)


def test_a_week_of_two_to_one_between_them_lifts_nothing():
    begun = siege((foot(100),), (foot(199),), thin=1)
    strong = replace(begun, contact=siege(outside=(foot(200),)).contact)
    after = week(strong, falling()).siege
    assert (after.thin, after.status) == (0, OPEN)
    assert week(replace(after, contact=begun.contact), falling()).siege.status == OPEN


def test_b33_a_bombardment_takes_no_more_than_twice_the_force():
    begun = siege((foot(100, 8),), (foot(1000, 5), guns(400)), thin=1)
    begun = replace(begun, garrison=begun.garrison.losing(1990))
    assert week(begun, falling(out_shot=(10, 10, 3))).siege.garrison.lost == 2000


def test_what_was_lost_stays_lost_when_it_is_lifted():
    begun = siege((foot(100),), (foot(100),), thin=1)
    begun = replace(begun, garrison=begun.garrison.losing(300))
    assert week(begun, falling()).siege.garrison.lost == 300


def test_after_sixteen_weeks_veterans_lose_a_tenth_of_their_force_a_week():
    after, events = passing(siege((foot(100, 8),), weeks=15), 3)
    assert [event for event in events if isinstance(event, Starved)] == [
        Starved(17, 16, 100, 1000), Starved(18, 16, 100, 1000),
    ]  # fmt: skip
    assert after.garrison.lost == 200


def test_the_tenth_is_of_the_initial_force():
    begun = siege((foot(100, 8),), weeks=16)
    after = week(replace(begun, garrison=begun.garrison.losing(500)), falling()).siege
    assert after.garrison.lost == 600


def test_a_long_siege_starves_by_slices():
    _after, events = passing(siege((foot(100, 10),), kind=FORTRESS, weeks=29), 8)
    assert [event.weeks for event in events if isinstance(event, Starved)] == [33, 36]


def test_the_undead_and_machines_know_no_hunger():
    for tireless in (undead(), robots()):
        after, events = passing(siege((tireless,), garrison=200, weeks=100), 5)
        assert after.garrison.lost == 0
        assert Starved not in kinds(events)


def test_among_others_the_undead_bear_nothing_of_hunger():
    begun = siege((foot(50, 8), undead(50, 8)), weeks=16)
    after = week(begun, falling()).siege
    assert after.garrison.points == (50, 0)


def test_reaching_the_breaking_value_is_enough_to_break_in_a_siege():
    begun = siege((foot(100, 4),), weeks=8)
    after, events = passing(begun, 5)
    assert (after.garrison.lost, after.garrison.breaks_at, after.status) == (500, 500, BROKEN)
    assert events[-1] == GarrisonBroke(500, 500, 1000)
    assert passing(begun, 4)[0].status == OPEN


def test_who_breaks_beyond_his_force_holds_out_to_the_last_of_it():
    after, _events = passing(siege((foot(100, 12),), weeks=24), 19)
    assert after.status == OPEN
    assert passing(after, 1)[0].status == BROKEN


def test_no_week_passes_before_the_broken_garrison_has_answered():
    broken, _events = passing(siege((foot(100, 4),), weeks=8), 5)
    with pytest.raises(IllegalCommand, match="breaking point"):
        week(broken, falling())


# bombardment


def test_pieces_shoot_once_a_week_at_medium_distance_against_half_the_defense_and_the_place():
    begun = siege((foot(100, 8),), (foot(300), guns(10, 6)))
    after, events = week(begun, falling(out_shot=(9,)))
    shot = events[0]
    assert isinstance(shot, Bombarded)
    assert (shot.score.total, shot.difficulty.total, shot.value) == (6, 10 + 4 + 5, 9)
    assert (shot.power, shot.losses) == (200, 0)
    assert after.garrison.lost == 0


def test_a_shot_that_hits_costs_ten_per_cent_and_ten_for_each_two_points():
    begun = siege((foot(100, 8),), (foot(300), guns(10, 11)))
    for face, losses in ((7, 0), (8, 20), (9, 20)):
        assert week(begun, falling(out_shot=(face,))).siege.garrison.lost == losses
    assert week(begun, falling(out_shot=(10, 4))).siege.garrison.lost == 200 * 40 // 100


def test_the_entrenchment_counts_against_shots():
    event = week(siege(outside=(foot(300), guns())), falling(out_shot=(2,))).events[0]
    assert event.difficulty.total == 19
    event = week(siege(outside=(foot(300), guns()), kind=TRENCH), falling(out_shot=(2,))).events[0]
    assert event.difficulty.total == 19
    event = week(siege(outside=(foot(300), guns()), kind=FORTRESS), falling(out_shot=(2,))).events[0]
    assert event.difficulty.total == 24


def test_no_shot_costs_more_than_the_breaking_value():
    begun = siege((foot(10, 1),), (foot(300), guns(100, 12)))
    after = week(begun, falling(out_shot=(9,))).siege
    assert (after.garrison.lost, after.garrison.breaks_at, after.status) == (20, 20, BROKEN)


def test_what_never_breaks_has_no_such_limit():
    begun = siege((undead(10, 1),), (foot(300), guns(100, 12)))
    after = week(begun, falling(out_shot=(9,))).siege
    assert after.garrison.lost == min(2 * 200, 2000 * 40 // 100)


def test_the_places_guns_answer_the_same_way_and_fall_together():
    begun = siege((foot(60, 8), guns(10, 12)), (foot(300, 4), guns(10, 12)))
    after, events = week(begun, falling(out_shot=(9,), in_shot=(9,)))
    ours, theirs = events[:2]
    assert (ours.by, ours.at, theirs.by, theirs.at) == ("besieger", "garrison", "garrison", "shooting")
    assert theirs.difficulty.total == 10 + 12 // 2
    assert after.shooting.lost == theirs.losses > 0
    assert after.garrison.lost == ours.losses > 0


def test_guns_that_do_not_reach_the_enemys_shoot_at_his_main_body():
    short = replace(guns(10, 12), weapons=(replace(guns().weapons[0], range="medium"),))
    event = week(siege((foot(60, 8), short), (foot(300, 4), guns(2))), falling(out_shot=(2,), in_shot=(9,))).events[1]
    assert (event.at, event.difficulty.total) == ("contact", 12)


def test_pieces_may_be_silent():
    begun = siege((foot(60), guns()), (foot(300), guns()))
    assert kinds(week(replace(begun, bombards=False, answers=False), falling()).events) == [WeekCounted]


def test_archers_are_no_pieces():
    archers = replace(guns(), weapons=(replace(guns().weapons[0], siege=False),))
    assert kinds(week(siege(outside=(foot(300), archers)), falling()).events) == [WeekCounted]


def test_battered_gunners_shoot_at_minus_two_with_half_their_power():
    begun = siege(outside=(foot(300), guns(10, 6)))
    begun = replace(begun, shooting=begun.shooting.losing(begun.shooting.force // 2))
    event = week(begun, falling(out_shot=(5,))).events[0]
    assert (event.score.total, event.power) == (4, 100)


def test_states_are_reckoned_by_damage_to_force():
    body = siege().garrison
    states = [worn(body.losing(lost)).slug for lost in (0, 1, 500, 1000, 2000)]
    assert states == ["fresh", "engaged", "battered", "decimated", "annihilated"]


def test_light_guns_do_nothing_to_machines():
    begun = siege((robots(),), (foot(300), replace(guns(), weapons=(replace(guns().weapons[0], damage=19),))))
    assert kinds(week(begun, falling()).events) == [WeekCounted]


def test_dice_are_asked_for_together_and_open_ones_face_by_face():
    begun = siege((foot(60), guns()), (foot(300), guns()))
    with pytest.raises(DiceNeeded) as needed:
        week(begun, falling())
    assert [(ask.army, ask.name, ask.die) for ask in needed.value.asks] == [("out", "shot", 10), ("in", "shot", 10)]
    with pytest.raises(DiceNeeded) as needed:
        week(begun, falling(out_shot=(10,), in_shot=(4,)))
    assert [ask.army for ask in needed.value.asks] == ["out"]


@given(st.integers(1, 300), st.integers(1, 900), st.integers(0, 12), st.integers(0, 40))
def test_what_was_kept_is_what_it_was(inside, outside, combat, weeks):
    begun = siege((foot(inside, combat), guns(3)), (foot(outside), guns(5)), garrison=1000, weeks=weeks)
    after, events = week(begun, Rolled())
    assert with_state(begun, to_json(after)) == after
    assert with_state(after, to_json(begun)) == begun
    assert all(str(in_words(event, "Ker")) for event in events)
    assert after.garrison.lost >= begun.garrison.lost


def test_of_any_loss_at_least_one_in_a_hundred_is_told():
    hungry = Starved(9, 8, 36, 6060)
    assert str(in_words(hungry, "Ker")) == "Ker: hunger takes 1% of the garrison."
    assert str(in_words(hungry._replace(losses=0), "Ker")) == "Ker: hunger takes 0% of the garrison."
