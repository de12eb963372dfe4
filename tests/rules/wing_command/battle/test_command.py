"""The command phase: rulings W-1, W-2, W-4 to W-6, W-33, W-34, W-39, W-44, W-45, W-55, and WC-3, WC-4, WC-6."""

from __future__ import annotations

import pytest

from rules.hexbattle.setup import Place
from rules.wing_command.battle.command import command_test, farthest, reduced_ability, why_not_order
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import COMMAND, EXHAUSTED, ROUTED, SHAKEN
from rules.wing_command.battle.situation import bound
from rules.wing_command.battle.turn import bonus, may_command
from rules.wing_command.spec import BattleOptions
from rules.wing_command.wing import WingCharacter
from tests.rules.wing_command.fights import LAW, Table, army, side_viewer

PLACES = {
    "Reds": "C12", "Chief a": "C13", "Kim": "D13", "Blues": "H12", "Chief x": "H13", "Foe": "C2", "Chief b": "C1",
}  # fmt: skip


def table(*, profile="regular", kim="regular", x="regular", troops=("foot:Reds",), options=None, **places):
    """Two wings: the army leader's, with Kim, and another."""
    wings = (
        army("a", 0, *troops, characters=(WingCharacter("Kim", profile=kim),), ability="A", profile=profile),
        army("x", 0, "foot:Blues", ability="D", profile=x),
        army("b", 1, "foot:Foe"),
    )
    return Table(*wings, places={**PLACES, **places}, phase="command", options=options)


def ordered(now, name, face=6):
    now.do(c.Distribute(now.ids["Chief a"]), points=(face,))
    now.do(c.GiveOrder(now.ids[name]))
    now.do(c.EndDistribution())
    return now


# Special orders (WC-4)


def test_points_are_rolled_when_distributing_begins_and_the_rest_is_lost():
    """WC-4.2."""
    now = table()
    now.do(c.Distribute(now.ids["Chief a"]), points=(3,))
    assert now.state.distribution.points == 10
    now.do(c.GiveOrder(now.ids["Reds"]))
    assert now.state.distribution.points == 9
    now.do(c.EndDistribution())
    assert now.state.distribution is None
    assert now.unit("Reds").special


def test_an_order_that_costs_more_than_is_left_is_refused():
    now = table()
    now.do(c.Distribute(now.ids["Chief a"]), points=(1,))
    now.set("Blues", morale=ROUTED, posture="infiltrating").set("Reds", morale=ROUTED)
    now.do(c.GiveOrder(now.ids["Reds"]))
    now.refused(c.GiveOrder(now.ids["Blues"]), "The order costs 6. Points left: 2")


def test_w_55_end_distribution_is_the_only_end_of_a_distribution():
    now = table()
    now.do(c.Distribute(now.ids["Chief a"]), points=(1,))
    now.refused(c.PassCommand(0), "Special orders are being given")
    now.refused(c.Distribute(now.ids["Chief x"]), "Special orders are being given")


def test_a_wing_leader_orders_their_wing_the_army_leader_all_nobody_themselves():
    """WC-4.1."""
    now = table()
    state, ids = now.state, now.ids
    assert why_not_order(state, ids["Chief a"], ids["Blues"]) is None
    assert why_not_order(state, ids["Chief x"], ids["Reds"]) is not None
    assert why_not_order(state, ids["Chief a"], ids["Chief a"]) is not None
    now.refused(c.Distribute(ids["Kim"]), "Only wing leaders and the army leader")


def test_wc_4_6_only_the_army_leader_orders_characters_and_only_if_the_option_is_on():
    now = table()
    assert why_not_order(now.state, now.ids["Chief a"], now.ids["Kim"]) is None
    assert why_not_order(now.state, now.ids["Chief x"], now.ids["Kim"]) is not None
    off = table(options=BattleOptions(orders_to_characters=False))
    assert why_not_order(off.state, off.ids["Chief a"], off.ids["Kim"]) is not None
    chaotic = table(kim="chaotic")
    assert why_not_order(chaotic.state, chaotic.ids["Chief a"], chaotic.ids["Kim"]) is not None


def test_w_45_who_cannot_fly_never_orders_a_unit_in_high_flight():
    now = table(troops=("griffins:Reds",)).set("Reds", posture="high_flight")
    assert "fly" in str(why_not_order(now.state, now.ids["Chief a"], now.ids["Reds"]))
    now.set("Reds", posture="close_flight")
    assert why_not_order(now.state, now.ids["Chief a"], now.ids["Reds"]) is None


def test_a_second_order_to_the_same_unit_is_refused():
    now = ordered(table(), "Reds")
    now.do(c.Distribute(now.ids["Chief x"]))
    now.set("Blues", special=True)
    now.refused(c.GiveOrder(now.ids["Blues"]), "already has a special order")


def test_who_is_engaged_alone_or_routed_commands_nothing():
    now = table(**{"Chief a": "C3", "Foe": "C2"}).engage("Chief a", "Foe")
    now.refused(c.Distribute(now.ids["Chief a"]), "engaged alone")
    routed = table().set("Chief a", morale=ROUTED)
    routed.refused(c.Distribute(routed.ids["Chief a"]), "Routed characters")


# Deeds (WC-6)


def test_w_39_the_army_leader_and_autonomous_characters_spend_no_special_order():
    now = table(x="autonomous").set("Chief x", special=True, freed=True)
    now.do(c.ChangeOrder(now.ids["Chief x"], "hold"), command=(1, 1))
    assert now.state.wings["x"].order == "hold"
    assert now.unit("Chief x").special
    leader = table()
    leader.do(c.ChangeOrder(leader.ids["Chief a"], "hold"), command=(3, 3))
    assert leader.state.wings["a"].order == "hold"


@pytest.mark.parametrize(("faces", "order"), [((1, 1), "hold"), ((6, 6), "attack")])
def test_w_39_others_spend_it_success_or_not(faces, order):
    now = table().set("Chief x", special=True, freed=True)
    now.do(c.ChangeOrder(now.ids["Chief x"], "hold"), command=faces)
    assert now.state.wings["x"].order == order
    assert not now.unit("Chief x").special
    assert not now.unit("Chief x").freed, "it doesn't free them in the action phase (W-4)"


def test_w_39_refused_without_licence():
    now = table()
    now.refused(c.ChangeOrder(now.ids["Chief x"], "hold"), "needs a special order")


def test_w_4_an_order_not_used_as_licence_frees_a_character_in_the_action_phase():
    now = ordered(table(), "Chief x")
    assert now.unit("Chief x").freed


def test_w_55_the_order_chosen_may_be_the_same_as_before():
    now = table()
    now.do(c.ChangeOrder(now.ids["Chief a"], "attack"), command=(1, 1))
    assert isinstance(now.event(e.OrderChanged), e.OrderChanged)


def test_w_5_a_vacant_wing_is_ordered_by_the_army_leader_and_taken():
    now = table(kim="autonomous").wing("x", leader="")
    assert why_not_order(now.state, now.ids["Chief a"], now.ids["Blues"]) is None
    now.do(c.TakeCommand(now.ids["Kim"], "x"), command=(1, 1))
    assert now.state.wings["x"].leader == now.ids["Kim"]


def test_w_6_who_takes_command_leaves_the_former_wing_and_its_markers_stay():
    now = table(kim="autonomous").wing("x", leader="").wing("a", shaken=2)
    now.do(c.TakeCommand(now.ids["Kim"], "x"), command=(1, 1))
    assert now.unit("Kim").wing == "x"
    assert now.state.wings["a"].shaken == 2
    assert now.state.wings["x"].shaken == 0


def test_w_61_who_takes_command_of_another_wing_comes_last_in_it():
    now = table(kim="autonomous").wing("x", leader="")
    now.do(c.TakeCommand(now.ids["Kim"], "x"), command=(1, 1))
    assert now.state.wings["x"].members[-1] == now.ids["Kim"]
    assert now.ids["Kim"] not in now.state.wings["a"].members


def test_w_6_who_resigns_stays_in_the_wing():
    now = table(x="autonomous")
    now.do(c.Resign(now.ids["Chief x"]), command=(1, 1))
    assert now.state.wings["x"].leader == ""
    assert now.unit("Chief x").wing == "x"
    assert now.state.wings["x"].order == "attack", "the order stands"


def test_w_55_a_wing_that_is_broken_or_empty_may_be_taken():
    now = table(kim="autonomous").wing("x", leader="", broken=True, order="retreat")
    now.do(c.TakeCommand(now.ids["Kim"], "x"), command=(1, 1))
    assert now.state.wings["x"].leader == now.ids["Kim"]


def test_refused_taking_a_wing_that_has_a_leader_or_leading_two():
    now = table(kim="autonomous")
    now.refused(c.TakeCommand(now.ids["Kim"], "x"), "has a leader")
    now.wing("x", leader="")
    now.refused(c.TakeCommand(now.ids["Chief a"], "x"), "already leads a wing")
    now.refused(c.TakeCommand(now.ids["Kim"], "b"), "Choose a wing of this side")


def test_w_13_a_broken_wing_cannot_be_given_another_order():
    now = table().wing("a", broken=True, order="retreat")
    now.refused(c.ChangeOrder(now.ids["Chief a"], "attack"), "can’t replace an order to retreat")


def test_w_13_a_broken_wing_keeps_its_order_even_if_the_gm_gave_it_another():
    """W-13: refused; the GM alone changes it."""
    now = table().wing("a", broken=True, order="hold")
    now.refused(c.ChangeOrder(now.ids["Chief a"], "attack"), "A broken wing can’t be given another order")
    assert now.do(c.Override("a", "order", "attack", "As agreed"))[0] == "Overridden"


def test_wc_1_7_one_deed_a_turn():
    now = table()
    now.do(c.ChangeOrder(now.ids["Chief a"], "hold"), command=(6, 6))
    assert now.unit("Chief a").activated, "a failed test too"
    now.refused(c.Distribute(now.ids["Chief a"]), "already acted this turn")


# The test (WC-3)


def test_w_44_a_chaotic_character_is_never_bound_and_counts_for_the_distance():
    now = table(kim="chaotic", Kim="P13")
    far = farthest(now.state, now.ids["Chief a"], now.state.wings["a"])
    assert far.unit == now.ids["Kim"]
    assert not bound(now.state, now.ids["Kim"])
    beasts = table(troops=("beasts:Reds",))
    assert bound(beasts.state, beasts.ids["Reds"]), "chaotic troops obey like others"


def test_wc_3_3_units_that_are_routed_or_ordered_do_not_count_for_the_distance():
    now = table(Reds="P12").set("Reds", morale=ROUTED)
    assert farthest(now.state, now.ids["Chief a"], now.state.wings["a"]).unit == now.ids["Kim"]
    now.set("Reds", morale=0, special=True)
    assert farthest(now.state, now.ids["Chief a"], now.state.wings["a"]).unit == now.ids["Kim"]


def test_wc_3_3_the_wing_is_the_one_at_stake():
    now = table(kim="autonomous", Blues="P12").wing("x", leader="")
    test = command_test(now.state, now.ids["Kim"], now.state.wings["x"])
    assert [line.value for line in test.sum.lines] == [3]


# Turns and rights (WC-9.2, 9.3)


def test_w_1_without_an_army_leader_initiative_has_no_bonus():
    now = table()
    assert bonus(now.state, 0) == 5
    now.state = now.state.but(leaders=("", now.state.leaders[1]))
    assert bonus(now.state, 0) == 0


def test_initiative_ties_are_thrown_again():
    """WC-9.2."""
    now = table()
    now.state = now.state.but(phase="initiative")
    now.do(c.RollInitiative(), initiative=(1, 2, 6, 1))
    found = now.event(e.InitiativeRolled)
    assert (len(found.rolls), found.first) == (4, 0)
    assert now.state.phase == "command"


def test_w_2_chaotic_characters_never_distribute():
    now = table(profile="chaotic")
    now.refused(c.Distribute(now.ids["Chief a"]), "Chaotic characters can’t give orders")


def test_wc_9_3_a_side_passes_by_itself_when_nobody_is_left_who_may_act():
    now = table()
    now.do(c.PassCommand(0))
    assert now.state.side == 1
    now.refused(c.Distribute(now.ids["Chief a"]), "It’s the other side’s turn to command")
    now.do(c.Distribute(now.ids["Chief b"]))
    now.do(c.EndDistribution())
    assert now.state.phase == "action", "the last character of the second side has acted"
    assert not may_command(now.state, now.ids["Kim"])


def test_w_34_a_command_on_an_older_version_bears_if_others_were_given_to_other_characters():
    one, other = c.ChangeOrder("kim", "hold"), c.Distribute("bo")
    assert LAW.bears(one, [other])
    assert not LAW.bears(one, [c.Distribute("kim")])
    assert not LAW.bears(one, [c.PassCommand(0)])
    assert not LAW.bears(c.EndWing(), [])


def test_w_33_a_player_takes_back_what_drew_no_die_and_showed_nothing():
    now = table()
    now.do(c.Distribute(now.ids["Chief a"]))
    assert not LAW.revocable(c.Distribute(now.ids["Chief a"]), now.events)
    give = c.GiveOrder(now.ids["Reds"])
    now.do(give)
    assert LAW.revocable(give, now.events)
    assert LAW.revocable(c.EndWing(), [])
    assert LAW.revocable(c.TakeWing("a"), [e.WingTaken("a")])
    assert LAW.revocable(c.PassCommand(0), [e.SidePassed(0)])
    assert LAW.revocable(Place("a:1", "C3"), [])
    assert not LAW.revocable(c.Aim("C3"), [])


def test_w_33_who_rolls_no_order_points_may_take_that_back():
    """W-33, WC-4.2: below E there is one point and no roll."""
    now = table()
    now.set("Chief a", morale=SHAKEN, fatigue=EXHAUSTED)
    now.state = now.state.with_unit(now.ids["Chief a"], own=now.unit("Chief a").own._replace(ability="E"))
    give = c.Distribute(now.ids["Chief a"])
    now.do(give)
    assert now.dice.rolled == []
    assert LAW.revocable(give, now.events)


def test_commands_are_the_owners_passing_the_chiefs_or_the_last_owners():
    """WC-11."""
    now = table()
    chief, other = side_viewer(now.state, 0), side_viewer(now.state, 1)
    x_only = type(chief)(armies=frozenset({"x"}))
    assert LAW.allows(now.state, c.Distribute(now.ids["Chief x"]), x_only)
    assert not LAW.allows(now.state, c.Distribute(now.ids["Chief a"]), x_only)
    assert not LAW.allows(now.state, c.PassCommand(0), x_only)
    assert LAW.allows(now.state, c.PassCommand(0), type(chief)(armies=frozenset({"a"})))
    now.set("Chief a", activated=True).set("Kim", activated=True)
    now.state = now.state.but(leaders=("", now.state.leaders[1]))
    assert LAW.allows(now.state, c.PassCommand(0), x_only)
    assert not LAW.allows(now.state, c.Override("a", "order", "hold", "x"), chief)
    assert LAW.allows(now.state, c.RollInitiative(), other)


def test_a_command_out_of_its_phase_is_refused():
    now = table()
    now.refused(c.TakeWing("a"), "can’t do this in this phase: Command")
    now.refused(c.ResolveRout(), "can’t do this in this phase: Command")
    now.set("Chief a", morale=SHAKEN)
    now.refused(c.Distribute("nobody"), "Choose a character")


def test_wc_4_2_a_level_is_lost_beside_an_engaged_troop_and_wc_3_2_a_point_beside_any_engaged_unit():
    ann = WingCharacter("Ann")
    wings = army("a", 0, "foot:Reds", characters=(ann,)), army("b", 1, "foot:Foe")
    for beside, level in (("Ann", "B"), ("Reds", "C")):
        away = {"Ann": "Reds", "Reds": "Ann"}[beside]
        at = {beside: "C8", "Chief a": "C8", away: "A14", "Foe": "C7", "Chief b": "P1"}
        now = Table(*wings, places=at, phase=COMMAND).engage(beside, "Foe")
        chief = now.ids["Chief a"]
        assert reduced_ability(now.state, chief) == level
        lines = command_test(now.state, chief, now.state.wings["a"]).sum.lines
        assert "Stacked with an engaged unit" in [str(line.label) for line in lines]
