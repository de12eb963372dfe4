"""How a battle begins: its bodies, withdrawals, the command test (B-5, B-13 to B-17, B-20, B-24)."""

from __future__ import annotations

import pytest

from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import ASSAULT, BodyOrder, Character, FieldMark, Order, Side
from rules.breaking_point.battle.state.reach import order_of_sides, steps_of
from rules.breaking_point.battle.telling.summary import seconds_of_a_round
from rules.breaking_point.spec import Host, House
from rules.core.dice import DiceNeeded, Typed
from rules.core.errors import IllegalCommand, InvalidInput
from rules.law import OMNISCIENT, Viewer
from tests.rules.breaking_point.battle.fights import (
    LED,
    Fight,
    archers,
    assault,
    fleets,
    foot,
    general,
    guns,
    horse,
    hulls,
    place,
    with_losses,
)


def refused(at, *armies, **given):
    with pytest.raises(InvalidInput) as refusal:
        Fight(*armies, **given)
    assert at in [pointer for pointer, _said in refusal.value.errors]


def test_b5_an_army_is_a_contact_and_a_shooting_group_and_a_reserve_sorted_likewise():
    fight = Fight((foot(), archers(), horse(reserve=True), archers(reserve=True)), foot())
    assert [key for key in fight.state.bodies if key.startswith("a:")] == [
        "a:contact", "a:shooting", "a:reserve-contact", "a:reserve-shooting",
    ]  # fmt: skip
    assert fight.body("a:reserve-contact").status == "waiting"


def test_b5_in_a_fleet_each_unit_is_a_body_and_in_an_assault_a_side_is_one_army():
    assert set(fleets((hulls(), hulls()), hulls()).state.bodies) == {"a:0", "a:1", "b:0"}
    sides = (Side("Out", ("a", "b")), Side("In", ("c", "d"), chief="d"))
    fight = assault_of_four(sides)
    assert set(fight.state.bodies) == {"a:contact", "a:shooting", "d:garrison"}
    assert [member.army for member in fight.body("d:garrison").formation.members] == ["c", "d"]


def assault_of_four(sides):
    return Fight(foot(), archers(), foot(60), foot(60), sides=sides, kind=ASSAULT, place=place())


def test_b7_in_an_assault_riders_dismount():
    assert assault(horse(), foot()).body("a:contact").force == 500


def test_an_opening_that_makes_no_battle_is_refused_with_every_problem():
    refused("/sides/0/armies/0", (), foot())
    refused("/sides/0/armies/0", foot(0), foot())
    refused("/sides/0/armies/0", foot(reserve=True), foot())
    refused("/sides", foot())
    refused("/sides/1/name", foot(), foot(), sides=(Side("One", ("a",)), Side("One", ("b",))))
    refused("/sides/1/armies/0", foot(), foot(), sides=(Side("One", ("a",)), Side("Two", ("a",))))
    refused("/sides/1/armies/0", foot(), foot(), sides=(Side("One", ("a",)), Side("Two", ("x",))))
    refused("/sides/0/chief", foot(), foot(), sides=(Side("One", ("a",), chief="b"), Side("Two", ("b",))))
    refused("/kind", foot(), foot(), kind="duel")
    refused("/medium", foot(), foot(), medium="mud")
    refused("/distance", foot(), foot(), distance="far")
    refused("/place", foot(), foot(), kind="assault")
    refused("/sides/0/armies/0", foot(), hulls(), kind="fleet")
    refused("/conditions/0/condition", foot(), foot(), marks=("lava",))
    refused("/conditions/0/value", foot(), foot(), marks=(FieldMark("dusk", 0),))
    refused("/conditions/0/body", foot(), foot(), marks=(FieldMark("cover", None, None, "z"),))
    refused("/conditions/0/side", foot(), foot(), marks=(FieldMark("radio", None, 7),))
    for unit in ("x", "x:0", "a:1", "a:-1"):
        refused(f"/losses/{unit}", foot(), foot(), losses={unit: 5})
    refused("/losses/a:0", foot(), foot(), losses={"a:0": -1})
    refused("/characters/0/unit", foot(), foot(), characters=(Character("h", "Hero", "a", 3),))


def test_b61_over_twice_its_garrison_nobody_enters_a_place():
    assault(foot(), foot(200), garrison=100)
    refused("/sides/1/armies", foot(), foot(201), kind="assault", place=assault(foot(), foot()).opening.place)
    fight = with_losses(assault(foot(), foot(150), garrison=100), b_garrison=2 * 10 * 50)
    with pytest.raises(IllegalCommand, match="holds at most 200 heads; you sent 201"):
        fight.play(c.Reinforce(Host("c", "C", "k", (foot(101),)), 1))
    fight.play(c.Reinforce(Host("c", "C", "k", (foot(101),)), 0))
    fight.play(c.Reinforce(Host("d", "D", "k", (foot(100),)), 1))


def test_bp7_a_reserve_is_at_least_a_tenth_of_the_power():
    Fight((foot(90), foot(10, reserve=True)), foot())
    refused("/sides/0/armies/0", (foot(91), foot(10, reserve=True)), foot())


@pytest.mark.parametrize(
    "heads, kind, seconds",
    [(50, "field", 30), (250, "field", 150), (25_000, "field", 9000), (60_000, "assault", 43_200)],
)
def test_b3_the_length_of_a_round_is_in_proportion_to_all_heads(heads, kind, seconds):
    if kind == "assault":
        fight = assault(foot(heads - 1000), foot(1000), kind="fortress", garrison=1000)
    else:
        fight = Fight(foot(heads // 2), foot(heads - heads // 2))
    assert seconds_of_a_round(fight.state) == seconds


# the command test


def test_b15_the_chief_rolls_else_the_best_commander_else_the_mean_combat():
    sides = (Side("One", ("a", "b")), Side("Two", ("c",)))
    led = {"a": general(mental=5), "b": general(mental=9)}
    fight = Fight(foot(), foot(), foot(combat=3), sides=sides, led=led).command(5, 5)
    tests = fight.of(e.CommandTested)
    assert [(test.army, test.score) for test in tests] == [("b", 5 + 4 + 5 + 5), ("", 5 + 3)]
    named = (Side("One", ("a", "b"), chief="a"), Side("Two", ("c",)))
    fight = Fight(foot(), foot(), foot(), sides=named, led=led).command(5, 5)
    assert fight.of(e.CommandTested)[0].army == "a"


def test_b16_circumstances_are_a_number_a_side_that_is_set_before_the_dice():
    fight = Fight(foot(), foot(), sides=(Side("One", ("a",), circumstances=3), Side("Two", ("b",))))
    fight.play(c.Next()).mark("circumstances", -1, side=1)
    fight.play(c.Resolve(), side_0__command=(5,), side_1__command=(5,))
    assert fight.one(e.InitiativeSettled).scores == (14, 10)
    with pytest.raises(InvalidInput):
        fight.mark("circumstances", 40, side=1)


def test_bp4_1_ahead_by_two_strikes_first_and_by_five_surprises():
    assert Fight(foot(), foot()).command(5, 6).one(e.InitiativeSettled).steps == ((0, 1),)
    assert Fight(foot(), foot()).command(5, 7).one(e.InitiativeSettled).steps == ((1,), (0,))
    assert Fight(foot(), foot()).command(3, 7).state.surprised == set()
    assert Fight(foot(), foot()).command(3, 8).state.surprised == {0}


def test_b17_who_is_beaten_by_any_enemy_by_five_is_surprised():
    assert Fight(foot(), foot(), foot()).command(9, 4, 6).state.surprised == {1}


def test_b41_where_no_surprise_is_possible_there_is_none():
    assert Fight(foot(), foot(), marks=("no-surprise",)).command(2, 9).state.surprised == set()


def test_b21_one_within_one_of_a_steps_leader_strikes_with_him():
    assert steps_of((10, 9, 8)) == ((0, 1), (2,))
    assert steps_of((8, None, 9)) == ((0, 2),)
    assert order_of_sides((8, None, 10)) == ((2,), (0,), (1,))


def test_b20_surprise_lasts_the_round_of_its_test_and_the_order_until_the_next():
    fight = Fight(foot(), foot()).command(2, 9).resolve()
    assert fight.state.surprised == set()
    assert fight.state.scores == (8, 15)
    fight = Fight(foot(), foot(), house=House(surprise_for_battle=True)).command(2, 9).resolve()
    assert fight.state.surprised == {0}
    assert fleets(hulls(), hulls()).command(2, 9).resolve().state.surprised == {0}


def test_b43_bad_visibility_hinders_command_without_radio():
    fight = Fight(foot(), foot(), marks=("visibility",), sides=(Side("A", ("a",), radio=True), Side("B", ("b",))))
    assert fight.command(5, 5).one(e.InitiativeSettled).scores == (11, 9)


def test_bp8_an_assault_weighs_on_the_command_test():
    assert assault(foot(), foot(60)).command(5, 5).one(e.InitiativeSettled).scores == (9, 13)
    assert assault(foot(), foot(60), marks=("equipped",)).command(5, 5).one(e.InitiativeSettled).scores == (11, 13)


def test_b52_half_the_garrison_does_not_hold_a_place_properly():
    assert assault(foot(), foot(50)).command(5, 5).one(e.InitiativeSettled).scores == (9, 11)
    assert assault(foot(), foot(51)).command(5, 5).one(e.InitiativeSettled).scores == (9, 13)


def test_b1_the_command_die_is_asked_for_face_by_face():
    fight = Fight(foot(), foot()).play(c.Next())
    with pytest.raises(DiceNeeded) as needed:
        fight.law.decide(fight.state, c.Resolve(), Typed([], ask=True), OMNISCIENT)
    assert [(ask.army, ask.name) for ask in needed.value.asks] == [("side-0", "command"), ("side-1", "command")]
    with pytest.raises(InvalidInput):
        fight.play(c.Resolve(), side_0__command=(6, 2), side_1__command=(5,))
    assert fight.play(c.Resolve(), side_0__command=(10, 2), side_1__command=(5,)).state.scores == (18, 11)


def test_a_plain_die_does_not_run_on():
    assert Fight(foot(), foot(), house=House(plain_die=True)).command(10, 1).state.scores == (16, 7)


# withdrawals before battle


def withdrawing(*scores, **given):
    fight = Fight((foot(), guns()), foot(), **given).play(c.Next()).order("a", withdraw=True)
    return fight.command(*scores)


def test_b24_all_withdraw_and_there_is_no_battle():
    fight = Fight(foot(), foot()).play(c.Next()).order("a", withdraw=True).order("b", withdraw=True).resolve()
    assert fight.state.result.reason == "unfought"
    assert {body.status for body in fight.state.bodies.values()} == {"withdrawn"}
    assert not fight.of(e.CommandTested)


def test_b24_ahead_by_two_it_gets_away_and_by_five_with_guns_and_baggage():
    assert [left.saved for left in withdrawing(7, 5).of(e.BodyLeft)] == [False, False]
    assert [left.saved for left in withdrawing(9, 4).of(e.BodyLeft)] == [True, True]
    assert withdrawing(9, 4).state.result.winner == 1


def test_b24_short_of_two_it_fights_at_minus_two_for_the_battle():
    fight = withdrawing(6, 5)
    assert [body.penalty for body in fight.state.bodies.values()] == [-2, -2, 0]
    assert fight.resolve().body("a:contact").penalty == -2
    assert fight.state.phase.kind == "round"


def test_b24_behind_by_five_it_is_routed_at_once_and_pursued():
    fight = Fight(foot(), foot()).play(c.Next()).order("a", withdraw=True)
    fight.order("b", contact=BodyOrder("hold", "", True))
    fight.command(2, 7, b_contact__pursuit=(5,), a_contact__riposte=(5,), a__rally=(2,))
    assert fight.one(e.Broke).by == "withdrawal"
    assert fight.one(e.Rallied).success is False
    assert (fight.body("a:contact").status, fight.state.result.winner) == ("fled", 1)


def test_b13_the_more_mobile_side_has_two_on_its_withdrawal_test():
    fight = Fight(horse(), foot()).play(c.Next()).order("a", withdraw=True).command(5, 5)
    assert fight.one(e.InitiativeSettled).scores == (13, 11)
    fight = Fight(foot(), horse()).play(c.Next()).order("a", withdraw=True).command(5, 5)
    assert fight.one(e.InitiativeSettled).scores == (9, 11)


def test_b24_only_its_chief_withdraws_a_side():
    sides = (Side("One", ("a", "b"), chief="b"), Side("Two", ("c",)))
    fight = Fight(foot(), foot(), foot(), sides=sides, led={"b": LED}).play(c.Next())
    with pytest.raises(IllegalCommand):
        fight.order("a", withdraw=True)
    assert fight.order("b", withdraw=True).state.orders["b"].withdraw


def test_b37_a_side_with_a_surrounded_group_does_not_withdraw_before_battle():
    sides = (Side("One", ("a", "b"), chief="a"), Side("Two", ("c",)))
    fight = Fight(foot(), foot(), foot(), sides=sides).play(c.Next()).mark("surrounded", body="b:contact")
    assert [choices.may_withdraw for choices in fight.law.legal(fight.state, OMNISCIENT).armies] == [False, True]
    with pytest.raises(IllegalCommand, match="can’t withdraw: surrounded"):
        fight.order("a", withdraw=True)


def test_b37_a_side_surrounded_after_its_declaration_stays():
    fight = Fight(foot(), foot()).play(c.Next()).order("a", withdraw=True).mark("surrounded", body="a:contact")
    fight.command(9, 4)
    assert (fight.body("a:contact").status, fight.body("a:contact").penalty) == ("fighting", 0)
    assert fight.one(e.OrderLost)[:3] == ("a:contact", "", "surrounded")


def test_players_give_orders_for_their_armies_and_nothing_else():
    fight = Fight(foot(), foot()).command()
    ana = Viewer(armies=frozenset({"a"}))
    fight.play(c.GiveOrder(Order("a")), ana)
    for command in (c.GiveOrder(Order("b")), c.Resolve(), c.End("enough"), c.Override("a:contact", "losses", 1, "so")):
        with pytest.raises(IllegalCommand):
            fight.play(command, ana)


def test_b69_who_fled_needs_a_week_before_he_fights_but_behind_walls_is_not_asked():
    fled = {"a": "routed"}
    refused("/sides/0/armies/0", foot(), foot(), status=fled)
    refused("/sides/0/armies/0", foot(), foot(), status=fled, kind=ASSAULT, place=place())
    held = Fight(foot(), foot(), status=fled, kind=ASSAULT, place=place(), defender=0)
    assert held.body("a:garrison").status == "fighting"
    with pytest.raises(IllegalCommand):
        Fight(foot(), foot()).play(c.Next()).play(c.Reinforce(Host("n", "N", "k", (foot(),), status="routed"), 0))


@pytest.mark.parametrize("status", ["captured", "defeated", "disbanded"])
def test_an_army_that_is_no_more_enters_no_battle(status):
    refused("/sides/1/armies/0", foot(), foot(), status={"b": status})
