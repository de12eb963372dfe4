"""Battles by another law, settled as B-47 to B-51 count losses (WC-11)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.aftermath import DESTROYED, SCATTERED, BattleToll, BattleTolls, MusteredSide
from rules.breaking_point.battle.aftermath import ArmyInCampaign, World
from rules.breaking_point.battle.battle_law import Fights
from rules.breaking_point.spec import General, Host
from rules.core.dice import Rolled, Typed, TypedDie
from rules.core.errors import InvalidInput
from rules.core.text import Term
from tests.rules.breaking_point.battle.aftermath.test_aftermath import documents, found, measured, unit_of
from tests.rules.breaking_point.siege.sieges import foot

NOTHING = BattleToll(Fraction(0), rule="WC-11", told=Term("Nothing."))
UNITS = (foot(100),)
CHIEF = General("c", "Gruk", 5, 5, 5, 5, 0)


def settled(b, *, a=NOTHING, winner=0, choices=None, fate=None, units=UNITS, leader=CHIEF):
    """Of a against b, who pays this toll."""
    armies = {"a": Host("a", "Ours", "k", (foot(100),)), "b": Host("b", "Theirs", "l", tuple(units), leader)}
    tolls = BattleTolls((MusteredSide("One", ("a",)), MusteredSide("Two", ("b",))), winner, {"a": a, "b": b})
    kept = {key: ArmyInCampaign(documents(host), "ready", sum(u.strength for u in host.units), 10**6)
            for key, host in armies.items()}  # fmt: skip
    world = World(kept, measured, commanders={"c": "free"})
    typed = [TypedDie("b", "commander-fate", (fate,))] if fate else []
    return Fights().settle(tolls, armies, world, choices or {}, Typed(typed, by="GM", server=Rolled()))


def toll(lost="1/4", **more):
    return NOTHING._replace(lost=Fraction(lost), **more)


def test_wc_11_of_the_loser_the_share_of_its_force_is_lost_half_dead_half_wounded():
    """A quarter of 500 points are 125: 25 heads of 5."""
    unit = unit_of(settled(toll()), "b")
    assert (unit["strength"], unit["wounded"]) == (75, 12)


def test_b48_of_the_victor_half_of_it_is_back():
    unit = unit_of(settled(NOTHING, a=toll()), "a")
    assert (unit["strength"], "wounded" in unit) == (88, False)


def test_wc_11_all_troops_destroyed_is_a_defeat_nobody_is_left():
    sequel = settled(toll("7/8", left=DESTROYED))
    assert (found(sequel, "b", "health"), found(sequel, "b", "status")) == (0, "defeated")


def test_wc_11_all_troops_fled_is_a_rout_its_wounded_are_prisoners():
    sequel = settled(toll("1/2", left=SCATTERED))
    unit = unit_of(sequel, "b")
    assert (unit["strength"], "wounded" in unit, found(sequel, "b", "status")) == (50, False, "routed")


def test_reserves_fought_like_everybody():
    units = (foot(100), replace(foot(100), name="Reserve", reserve=True))
    sequel = settled(toll(), units=units)
    assert [unit["strength"] for unit in found(sequel, "b", "sheet")["units"]] == [75, 75]


def test_b50_who_won_and_who_lost_learn_from_it():
    sequel = settled(toll())
    assert [(question.key, question.chosen) for question in sequel.questions] == [
        ("experience-0", "25"), ("experience-1", "2"),
    ]  # fmt: skip


@pytest.mark.parametrize(("face", "status"), [(20, "killed"), (70, "captured"), (71, None)])
def test_wc_11_the_fate_of_a_commander_struck_down_is_rolled(face, status):
    sequel = settled(toll(leader_lost=True), fate=face)
    assert found(sequel, "c", "status") == status
    assert [roll.name for roll in sequel.rolls] == ["commander-fate"]


def test_tf_9_a_commander_captured_on_the_table_is_captured_without_dice_unless_the_gm_says():
    captured = toll(leader_lost=True, leader_captured=True)
    sequel = settled(captured)
    assert (found(sequel, "c", "status"), sequel.rolls) == ("captured", [])
    assert found(settled(captured, choices={"fate:b": "escapes"}), "c", "status") is None


def test_the_gm_may_rule_another_fate():
    sequel = settled(toll(leader_lost=True), fate=1, choices={"fate:b": "captured"})
    assert found(sequel, "c", "status") == "captured"


def test_a_sergeant_has_no_fate():
    assert settled(toll(leader_lost=True), leader=None).rolls == []


def test_each_toll_is_told_with_its_rule_and_an_unknown_choice_is_refused():
    assert [(note.rule, note.about) for note in settled(toll()).notes[:2]] == [("WC-11", "a"), ("WC-11", "b")]
    with pytest.raises(InvalidInput):
        settled(toll(), choices={"fate:b": "escapes"})
