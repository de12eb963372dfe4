"""Duels: rulings W-19, W-48, W-59, W-60."""

from __future__ import annotations

import pytest

from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import EXHAUSTED, FRESH, SHAKEN, WINDED
from rules.wing_command.wing import WingCharacter
from tests.rules.wing_command.fights import LAW, Table, army


def table(*, own="trolls:Reds", foe="foot:Foe", order="attack", **places):
    """Ann with trolls beside Bo with foot."""
    ann, bo = WingCharacter("Ann", "archer-captain"), WingCharacter("Bo")
    at = {"Reds": "C8", "Ann": "C8", "Foe": "C7", "Bo": "C7", "Chief a": "A14", "Chief b": "P1", **places}
    wings = army("a", 0, own, characters=(ann,)), army("b", 1, foe, characters=(bo,))
    return Table(*wings, places=at, order=order)


def duel(now, how="melee", **more):
    return c.FightDuel(now.ids["Ann"], now.ids["Bo"], how, **more)


def test_wc_8_8_a_duel_has_effect_on_the_defender_only():
    now = table()
    kinds = now.do(duel(now), duel=(1, 1))
    assert now.event(e.DuelFought).result == "attacker-recoils"
    assert not {"Recoiled", "Tired"} & set(kinds)
    assert now.at("Ann") == "C8"
    assert "no effect" in str(LAW.describe(now.state, now.event(e.DuelFought)).text)


def test_wc_8_8_what_would_befall_the_attacker_is_not_among_the_outcomes():
    (target,) = [one for one in table().legal("Ann").targets if one.how == "duel-melee"]
    assert "attacker-recoils" not in [piece.slug for piece in target.outcomes]
    assert sum(piece.chance for piece in target.outcomes) == 1


def test_wc_8_8_if_he_recoils_he_alone_moves_and_the_attacker_never_advances():
    now = table()
    now.do(duel(now), duel=(4, 4))
    assert now.at("Bo") != "C7"
    assert (now.at("Foe"), now.at("Ann")) == ("C7", "C8")


def test_wc_8_8_he_may_join_a_friendly_stack():
    now = table()
    wings = (
        army("a", 0, "trolls:Reds", characters=(WingCharacter("Ann"),)),
        army("b", 1, "foot:Foe", "foot:Rear", characters=(WingCharacter("Bo"),)),
    )
    places = {"Reds": "C8", "Ann": "C8", "Foe": "C7", "Bo": "C7", "Rear": "C6", "Chief a": "A14", "Chief b": "P1"}
    now = Table(*wings, places=places)
    now.do(duel(now), duel=(4, 4))
    assert now.at("Bo") in ("C6", "B6")


def charge_line(now):
    return [line.value for line in now.event(e.DuelFought).lines if str(line.label) == "Charge bonus"]


def test_w_19_a_character_carried_by_a_troop_that_charged_has_its_1_for_nothing():
    """D-1: the sheet presupposes a charge marker of a duelist."""
    now = table(Reds="C10", Ann="C10")
    now.do(now.act("Reds", "C8", "Foe"), melee=(3, 3))
    assert now.unit("Ann").charged
    now.do(duel(now))
    assert charge_line(now) == [1]
    assert now.unit("Ann").fatigue == FRESH


def test_w_19_by_their_own_move_it_tires_them_and_charge_false_declines():
    now = table(Ann="C10")
    now.do(now.act("Ann", "C8"))
    now.do(duel(now))
    assert charge_line(now) == [1]
    assert now.unit("Ann").fatigue == WINDED
    other = table(Ann="C10")
    other.do(other.act("Ann", "C8"))
    other.do(duel(other, charge=False))
    assert charge_line(other) == []
    assert other.unit("Ann").fatigue == FRESH


def test_w_19_refused_to_say_charge_without_one():
    now = table()
    now.refused(duel(now, charge=True), "can’t charge")


def test_w_19_duels_know_state_and_ground_no_support_no_leader_nothing_of_hold():
    now = table().wing("b", order="hold").set("Ann", fatigue=EXHAUSTED).put("Chief a", "C8")
    now.do(duel(now))
    labels = {str(line.label) for line in now.event(e.DuelFought).lines}
    assert "The attacker is exhausted" in labels
    assert not labels & {"Supported by other troops", "Leader with the attacker", "The target holds its ground"}


def test_w_48_a_duel_engages_nobody_and_counts_as_fighting_for_rest():
    now = table()
    now.do(duel(now), duel=(3, 3))
    assert now.unit("Ann").foes == now.unit("Bo").foes == frozenset()
    assert now.unit("Ann").stirred
    assert now.unit("Bo").stirred


def test_w_48_it_may_follow_the_characters_own_move_before_another_unit_acts():
    now = table(own="trolls:Reds", Ann="C10")
    now.do(now.act("Ann", "C8"))
    late = now.state
    assert "DuelFought" in now.do(duel(now))
    now.state = late
    now.do(now.act("Reds", target="Foe"), melee=(3, 3))
    now.refused(duel(now), "already acted")


def test_w_48_refused_engaged_characters_fight_no_missile_duel():
    now = table(foe="trolls:Foe", Ann="D8", Reds="A13").engage("Ann", "Foe").put("Ann", "C8")
    now.refused(duel(now, "missile"), "Engaged characters|with a large unit")


def test_w_48_refused_a_melee_duel_at_two_heights():
    now = table(foe="griffins:Foe").set("Foe", posture="high_flight").set("Bo", posture="high_flight")
    now.refused(duel(now), "at the same height")


def test_w_59_who_acted_in_the_command_phase_moves_and_shoots_and_fights_no_duel():
    now = table(Foe="C7", Bo="C7").set("Ann", activated=True)
    now.refused(duel(now), "no duel this turn")
    assert "Attacked" in now.do(now.act("Ann", target="Foe", how="missile"))


def test_w_60_bound_only_in_attacking_characters_move_freely():
    now = table(order="hold", Ann="A12", Reds="A13")
    now.do(now.act("Ann", "E12"))
    assert now.at("Ann") == "E12"


@pytest.mark.parametrize(("order", "charged"), [("attack", [1]), ("hold", [])])
def test_w_60_under_hold_there_is_no_charge(order, charged):
    now = table(order=order, Ann="C10")
    now.do(now.act("Ann", "C8"))
    now.do(duel(now))
    assert charge_line(now) == charged


def test_w_60_under_advance_only_at_what_was_adjacent_before_the_move():
    now = table(order="advance", Ann="C10")
    now.do(now.act("Ann", "C8"))
    now.refused(duel(now), "A unit ordered to advance can only fight enemies that were already next to it")
    still = table(order="advance")
    assert "DuelFought" in still.do(duel(still))


def test_w_60_under_retreat_no_shot_and_no_duel():
    now = table(order="retreat")
    now.refused(duel(now), "Characters ordered to retreat can’t fight duels")
    now.refused(now.act("Ann", target="Foe", how="missile"), "can’t shoot")


def test_refused_a_duel_with_who_is_not_stacked_or_no_character():
    """WC-8.7."""
    now = table(Bo="B7")
    now.refused(duel(now), "stacked on a troop")
    now.refused(c.FightDuel(now.ids["Ann"], now.ids["Foe"]), "stacked on a troop")
    now.refused(c.FightDuel(now.ids["Reds"], now.ids["Bo"]), "Only characters can fight duels")
    now.set("Ann", morale=SHAKEN)
    now.refused(duel(now), "Shaken and routed")


def test_w_23_who_must_land_fights_no_duel_before():
    now = table(Reds="A13", Ann="C9", foe="trolls:Foe").set("Ann", posture="high_flight", fatigue=EXHAUSTED)
    now.refused(duel(now, "missile"), "has to land")
