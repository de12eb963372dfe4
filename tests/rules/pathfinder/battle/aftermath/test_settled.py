"""Battles by another law, settled as PF-6 counts them (WC-11)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.aftermath import DESTROYED, SCATTERED, BattleToll, BattleTolls, MusteredSide
from rules.core.errors import InvalidInput
from rules.core.text import Term
from rules.pathfinder.battle.aftermath import ArmyInCampaign, CommanderInCampaign, KingdomFigures, World
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import ArmySpec
from tests.scenario import NoServer, Recorded, boss, spec

LOYALTY = {"A loyalty-tactic": 1, "A loyalty-boon": 1}
NOTHING = BattleToll(Fraction(0), rule="WC-11", told=Term("Nothing."))


def settled(b: BattleToll, dice: Any = None, *, winner: int | None = 0, choices: Any = None, **fields: Any) -> Any:
    """Of A against B, who pays this toll."""
    armies: dict[str, ArmySpec] = {"A": spec("A"), "B": spec("B", **fields)}
    sides = (MusteredSide("Crown", ("A",)), MusteredSide("Horde", ("B",)))
    tolls = BattleTolls(sides, winner, {"A": NOTHING, "B": b})
    found = {key: ArmyInCampaign(key, 40 if one.hp is None else one.hp, one.morale, "ready", consumption=4)
             for key, one in armies.items()}  # fmt: skip
    leaders = {one.commander.id: CommanderInCampaign(one.commander) for one in armies.values() if one.commander}
    world = World({key: KingdomFigures(key, 20, 20, 20, 0, 30) for key in armies}, found, leaders)
    typed = Recorded(LOYALTY if dice is None else dice, NoServer())
    return LAW.battle.settle(tolls, armies, world, choices or {}, typed)


def toll(lost: str = "1/4", **more: Any) -> BattleToll:
    return NOTHING._replace(lost=Fraction(lost), **more)


def after(proposal: Any, subject: str, field: str) -> Any:
    found = [change.after for change in proposal.changes if (change.subject_id, change.field) == (subject, field)]
    return found[-1] if found else "unchanged"


@pytest.mark.parametrize(("lost", "hp"), [("0", "unchanged"), ("1/8", 35), ("3/8", 25), ("1/7", 35)])
def test_wc_11_hit_points_lost_are_the_share_of_those_it_has_dropped(lost: str, hp: Any) -> None:
    assert after(settled(toll(lost)), "B", "hp") == hp


def test_wc_11_the_rule_is_named_and_what_it_is_for() -> None:
    proposal = settled(toll("1/8"))
    (change,) = proposal.changes
    assert (change.rule, change.before, change.after) == ("WC-11", 40, 35)
    assert [(note.rule, note.about) for note in proposal.notes[:1]] == [("WC-11", "B")]


def test_a_hurt_army_loses_of_what_it_has_left() -> None:
    assert after(settled(toll("1/2"), hp=11), "B", "hp") == 6


def test_wc_11_all_troops_destroyed_is_a_defeat_with_all_that_it_costs() -> None:
    """PF-6.1: no hit points left, and the kingdom loses by the size."""
    proposal = settled(toll("1", left=DESTROYED))
    assert (after(proposal, "B", "hp"), after(proposal, "B", "status")) == (0, "defeated")
    assert [after(proposal, "B", name) for name in ("economy", "loyalty", "stability")] == [18, 18, 18]


def test_wc_11_all_troops_fled_is_a_rout() -> None:
    """PF-6.2: Morale −1, and never fewer hit points than its ACR."""
    proposal = settled(toll("1/2", left=SCATTERED))
    assert (after(proposal, "B", "status"), after(proposal, "B", "hp"), after(proposal, "B", "morale")) == (
        "routed", 20, -1,
    )  # fmt: skip
    assert after(settled(toll("7/8", left=SCATTERED)), "B", "hp") == 9


def test_wc_11_a_broken_wing_costs_morale() -> None:
    proposal = settled(toll(spirit=-1), morale=2)
    assert after(proposal, "B", "morale") == 1
    assert [change.rule for change in proposal.changes if change.field == "morale"] == ["WC-11"]


@pytest.mark.parametrize(("face", "status"), [(20, "killed"), (70, "captured"), (71, "unchanged")])
def test_wc_11_the_fate_of_a_commander_struck_down_is_rolled_as_for_a_lost_one(face: int, status: str) -> None:
    proposal = settled(toll(leader_lost=True), {**LOYALTY, "B commander-fate": face}, commander=boss())
    assert after(proposal, "boss of B", "status") == status


def test_tf_9_a_commander_captured_on_the_table_is_captured_without_dice() -> None:
    proposal = settled(toll(leader_lost=True, leader_captured=True), LOYALTY, commander=boss())
    assert after(proposal, "boss of B", "status") == "captured"


def test_of_a_defeated_army_whose_commander_came_away_no_fate_is_rolled() -> None:
    proposal = settled(toll("1", left=DESTROYED), commander=boss())
    assert after(proposal, "boss of B", "status") == "unchanged"
    assert [roll.name for roll in proposal.rolls] == ["loyalty-tactic", "loyalty-boon"]


def test_a_player_characters_fate_is_the_gms_to_say() -> None:
    proposal = settled(toll(leader_lost=True), choices={"fate:B": "escapes"}, commander=boss(player_character=True))
    assert [question.key for question in proposal.questions] == ["fate:B"]
    assert after(proposal, "boss of B", "status") == "unchanged"


def test_the_winner_earns_what_a_victory_earns() -> None:
    """PF-6.3: a Loyalty check that succeeds raises its Morale."""
    proposal = settled(toll(), {"A loyalty-tactic": 20, "A loyalty-boon": 20})
    assert after(proposal, "A", "morale") == 1
    assert [question.key for question in proposal.questions] == ["tactic:A"]


def test_nobody_wins_a_draw() -> None:
    assert settled(toll(), {}, winner=None).rolls == ()


def test_an_unknown_choice_is_refused() -> None:
    with pytest.raises(InvalidInput):
        settled(toll(), choices={"fate:B": "escapes"})
