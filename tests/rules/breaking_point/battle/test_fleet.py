"""Fleets (BP-9, B-40, B-63 to B-68)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import BodyOrder, Side
from rules.breaking_point.spec import Machine
from rules.core.errors import IllegalCommand
from tests.rules.breaking_point.battle.fights import LED, fleets, hulls, with_losses

AT_B = ("shoot", "b:0")


def struck(fight, key="a:0"):
    return next(attack for attack in fight.of(e.Attacked) if attack.body == key)


def fleet(*armies, **given):
    return fleets(*(armies or (hulls(), hulls())), **given).command()


def key(order):
    return {"0": BodyOrder(*order)}


@pytest.mark.parametrize("medium, against", [("land", 13), ("air", 18), ("sea", 18), ("space", 23)])
def test_bp9_the_medium_gives_the_distance(medium, against):
    fight = fleet(medium=medium).order("a", **key(AT_B)).resolve(a_0__shot=(1, 1))
    assert struck(fight).against == against


def test_b65_in_a_fleet_everybody_shoots_and_nobody_covers_another():
    fight = fleet(hulls(), (hulls(), hulls()))
    with pytest.raises(IllegalCommand):
        fight.order("a", **key(("attack", "b:0")))
    fight.order("a", **key(("shoot", "b:1")))


def test_b65_surprise_in_a_fleet_ignores_defense_until_the_next_test():
    fight = fleets(hulls(), hulls()).command(9, 4)
    for _round in range(2):
        fight.order("a", **key(AT_B)).order("b", **key(("shoot", "a:0"))).resolve(a_0__shot=(1, 1), b_0__shot=(1, 1))
        assert [attack.against for attack in fight.of(e.Attacked)] == [15, 18]
        assert struck(fight, "b:0").score == 6 - 5


def test_b63_a_modifier_that_is_not_given_does_not_count_in_the_mean():
    """The document's Tiger: veteran 8, control −2, defense −5: combat 6 and defense 3."""
    tiger = replace(hulls(combat=8), machine=Machine("tiger", "Tiger", 350, 150, 2, control=-2, defense=-5))
    body = fleet(tiger, hulls()).body("a:0").formation
    assert (body.shot_combat, body.defense) == (6, 3)


def test_b40_a_fleet_closes_or_opens_by_one_rank_at_the_rounds_end():
    fight = fleet().order("a", distance="close").resolve()
    assert fight.state.distance == "medium"
    fight.order("b", distance="open").order("a", **key(AT_B), distance="open").resolve(a_0__shot=(1, 1))
    assert fight.state.distance == "long"


def test_b40_of_opposed_wishes_the_more_mobile_then_the_better_score_prevails():
    opposed = fleet(hulls(mobility=5), hulls()).order("a", distance="close").order("b", distance="open").resolve()
    assert opposed.state.distance == "medium"
    by_score = fleets(hulls(), hulls()).command(4, 5).order("a", distance="close").order("b", distance="open")
    assert by_score.resolve().state.distance == "very-long"
    even = fleet().order("a", distance="close").order("b", distance="open").resolve()
    assert (even.state.distance, even.of(e.DistanceChanged)) == ("long", [])


def test_b40_of_unlike_wishes_on_one_side_its_chiefs_counts():
    sides = (Side("One", ("a", "b"), chief="b"), Side("Two", ("c",)))
    fight = fleet(hulls(), hulls(), hulls(), sides=sides, led={"b": LED})
    assert fight.order("a", distance="open").order("b", distance="close").resolve().state.distance == "medium"
    assert fight.order("a", distance="open").order("b").resolve().state.distance == "long"


def test_b40_there_is_nothing_nearer_than_short_nor_farther_than_very_far():
    fight = fleet(medium="space").order("a", distance="open").resolve()
    assert fight.of(e.DistanceChanged) == []


def test_b22_in_a_fleet_a_unit_withdraws_alone_with_a_die_of_its_own():
    fight = fleet((hulls(), hulls()), hulls()).order("a", **key(("withdraw",))).order("b", **key(("shoot", "a:0")))
    fight.resolve(a_0__withdraw=(7,), side_1__withdraw=(5,))
    assert (fight.body("a:0").status, fight.body("a:1").status) == ("withdrawn", "fighting")


def test_b65_pursuit_in_a_fleet_is_a_shot():
    """b's ten hulls break at 70 %: 6 + 9 + … against 18."""
    fight = with_losses(fleet(hulls(30), hulls(10)), b_0=600)
    fight.order("a", **{"0": BodyOrder("shoot", "b:0", True)})
    fight.resolve(a_0__shot=(10, 5), a_0__pursuit=(10, 2), b_0__riposte=(1, 1), b__rally=(2,))
    pursuit = fight.of(e.Attacked)[1]
    assert (pursuit.mode, pursuit.against) == ("pursuit", 15 + 1)


def test_b45_a_fleets_dusk_is_after_the_twenty_fourth_round():
    fight = fleet()
    for _round in range(24):
        assert fight.state.result is None
        fight.order("a", **key(AT_B)).resolve(a_0__shot=(1, 9))
    assert fight.state.result == (None, "dusk")


def test_three_fleets_are_each_others_enemies():
    sides = tuple(Side(name, (name.lower(),)) for name in "ABC")
    fight = fleet(hulls(), hulls(), hulls(), sides=sides)
    fight.order("a", **key(("shoot", "c:0"))).order("c", **key(AT_B)).resolve(a_0__shot=(1, 1), c_0__shot=(1, 1))
    assert [attack.target for attack in fight.of(e.Attacked)] == ["c:0", "b:0"]
