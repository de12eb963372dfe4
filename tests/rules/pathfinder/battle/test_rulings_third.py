"""R-84 to R-93: what the third comparison settled."""

from __future__ import annotations

from typing import Any

import pytest

from battles.codec import storage
from rules.core.errors import InvalidInput
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import legal
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import SetCondition
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from tests.rules.pathfinder.shown import shows
from tests.scenario import GM, Scenario, boss, hold, order, scenario, use

PLAYER = c.Viewer(armies=frozenset({"A"}), reads=frozenset({"A"}))
SURRENDER = hold(surrender=True)
AFAR = order(stay_at_range=True)


#
def risen() -> Scenario:
    """A army rises at the end of the first melee phase; A2 takes part in it."""
    s = scenario().army("A", abilities=["create-spawn"]).army("A2").army("B", hp=1).army("B2")
    return s.melee(A=order("B", spawn="army"), dice={"A attack": 14})


def test_an_army_that_rises_counts_its_melee_phases_from_the_next() -> None:
    """R-84: it takes any strategy without a check; the others, who fought before, make theirs."""
    s = risen()
    assert (s.fighter("A~1").melees, s.fighter("A2").melees) == (0, 1)
    s.melee(**{"A~1": hold(strategy="reckless"), "A2": hold(strategy="reckless")}, dice={"A2 strategy": 1})
    assert (s.fighter("A~1").strategy, s.fighter("A2").strategy) == ("reckless", "standard")


def test_its_second_melee_phase_is_no_longer_free() -> None:
    """R-84: the contrary."""
    s = risen().melee(**{"A~1": hold(strategy="reckless")})
    s.melee(**{"A~1": hold(strategy="defensive")}, dice={"A~1 strategy": 1})
    assert s.fighter("A~1").strategy == "reckless"


def test_who_rose_in_records_of_before_had_counted_that_phase() -> None:
    """R-84, R-54: a record that says nothing of it means what it meant."""
    s = risen()
    ended = [event for event in s.records[-1][2] if isinstance(event, e.PhaseEnded)]
    assert [event.risen for event in ended] == [("A~1",)]
    keeper = storage.get_keeper(LAW.battle)
    assert "risen" not in keeper.dump_events([e.PhaseEnded(ended[0].phase)])[0]


#
def test_an_interruption_ends_the_storm_an_army_raised() -> None:
    """R-85, PF-3.2."""
    s = scenario().army("A", abilities=["create-sandstorm"]).army("B")
    s.ranged(A=hold(use("create-sandstorm")))
    s.play(c.Interrupt())
    assert [held.condition for held in s.state.conditions] == []
    assert s.last(e.ConditionLifted).rule == "R-85"


def test_what_the_gm_set_on_the_field_outlives_an_interruption() -> None:
    """R-85: the contrary; also where the GM sets anew what an army had raised."""
    s = scenario().army("A", abilities=["create-sandstorm"]).army("B").condition("fog")
    s.ranged(A=hold(use("create-sandstorm"))).play(c.ChangeCondition(SetCondition("sandstorm")))
    s.play(c.Interrupt())
    assert [held.condition for held in s.state.conditions] == ["fog", "sandstorm"]


def test_each_stretch_is_a_battle_of_its_own() -> None:
    """R-85: a use of once per battle comes back; before the interruption it is refused."""
    s = scenario().army("A", abilities=["create-sandstorm"]).army("B")
    s.ranged(A=hold(use("create-sandstorm")))
    assert "already" in str(s.refusal(A=hold(use("create-sandstorm"))).message)
    s.play(c.Interrupt()).ranged(A=hold(use("create-sandstorm")))
    assert [held.condition for held in s.state.conditions] == ["sandstorm"]


def test_walls_stay_as_worn_as_they_are() -> None:
    """R-85, R-15."""
    s = scenario().army("A", resources={"siege-engines": 1}).army("B").condition("fortification", "B", value=8)
    s.melee(A=order(), dice={"A siege": 3, "A attack": 2}).play(c.Interrupt())
    assert s.state.forts[0].worn == 3


#
def frightened(**fields: Any) -> Scenario:
    s = scenario().army("A", abilities=["fear"]).army("A2", abilities=["fear"]).army("B", hp=30, **fields)
    return s.melee(A=order("B"), dice={"A attack": 14, "B fear": 1})


def test_two_failures_in_one_phase_frighten_once() -> None:
    """R-86, R-45."""
    s = scenario().army("A", abilities=["fear"]).army("A2", abilities=["fear"]).army("B", hp=30)
    s.melee(A=order("B"), A2=order("B"), dice={"A attack": 14, "A2 attack": 14, "B fear": [1, 1]})
    assert s.marks("B").count("afraid") == 1


def test_who_is_afraid_already_is_not_frightened_anew() -> None:
    """R-86: failing again routs it (R-45); before a last stand it is not afraid in that stand either."""
    s = frightened(abilities=["ferocity"])
    s.melee(A=order("B"), dice={"A attack": 14, "B fear": 1})
    assert (s.marks("B"), s.last(e.LastStand).fate) == (["last-stand"], "routed")
    s.melee(B=order("A"), dice={"B attack": 14, "A parting": 2, "A2 parting": 2})
    assert s.last(e.Attacked, "B").kind == "attack"


def test_who_passes_the_second_check_is_afraid_no_longer() -> None:
    """R-86: the contrary."""
    s = frightened().melee(A=order("B"), dice={"A attack": 14, "B fear": 20})
    assert (s.status("B"), s.marks("B")) == ("fighting", [])


#
@pytest.mark.parametrize("names", [("poison", "bleed"), ("bleed", "poison"), ("burn", "ability-damage")])
def test_it_bleeds_of_the_first_ability_as_the_unit_lists_them(names: tuple[str, str]) -> None:
    """R-87, R-43."""
    s = scenario().army("A", abilities=list(names)).army("B")
    s.melee(A=order(), dice={"A attack": 14})
    assert [mark.detail for mark in s.fighter("B").marks] == [names[0]]


def test_who_is_immune_to_the_first_bleeds_of_the_next() -> None:
    """R-87, R-43."""
    s = scenario().army("A", abilities=["poison", "bleed"]).army("B", abilities=["undead"])
    s.melee(A=order(), dice={"A attack": 17})
    assert [mark.detail for mark in s.fighter("B").marks] == ["bleed"]


#
def test_an_army_surrenders_instead_of_acting() -> None:
    """R-88: it strikes nobody, may be struck in that phase, and is captured at its end; the battle is over."""
    s = scenario().army("A", tactics=["taunt"]).army("B")
    s.melee(A=order("B", tactic="taunt", strategy="reckless", surrender=True), B=order("A"), dice={"B attack": 14})
    assert (s.status("A"), s.hp("A"), s.fighter("A").tactic, s.fighter("A").strategy) == (
        "captured", 36, "standard", "standard"
    )  # fmt: skip
    assert [event.army for event in s.all(e.Attacked)] == ["B"]
    assert s.last(e.BattleEnded).result.winner == 1
    assert s.last(e.Left).rule == "R-88"


def test_who_surrenders_is_attacked_no_more() -> None:
    """R-88: from that phase's end nobody finds it, and nobody strikes from behind."""
    s = scenario().army("A").army("A2").army("B").melee(A=SURRENDER, B=order("A"), dice={"B attack": 2})
    assert "left the field" in str(s.refusal(B=order("A")).message)
    assert not [event for event in s.all(e.Attacked) if event.kind == "parting"]


def test_a_surrendering_army_gives_no_parting_shot_and_does_not_withdraw() -> None:
    """R-88: instead of acting."""
    s = scenario().army("A", tactics=["taunt"]).army("B", hp=5).army("A2")
    s.melee(A=hold(tactic="withdraw"), B=order("A"), dice={"A withdraw": 1, "B withdraw": 20, "B attack": 2})
    s.melee(A=SURRENDER, A2=order("B"), B=hold(), dice={"A2 attack": 11, "B rout": 1, "A2 parting": 2})
    assert (s.status("A"), s.status("B")) == ("captured", "routed")


def test_what_is_ordered_beside_a_surrender_is_not_used() -> None:
    """R-88: instead of acting. No potion is drunk, no rage begun, and nothing of it is spent."""
    s = scenario().army("A", abilities=["rage"], resources=["healing-potions"], hp=20).army("A2").army("B")
    given = order("B", use("healing-potions", kind="resource"), use("rage"), surrender=True)
    s.melee(A=given, B=order("A"), dice={"B attack": 12})
    assert (s.status("A"), s.hp("A"), dict(s.fighter("A").spent), s.marks("A")) == ("captured", 18, {}, ["surrendered"])


def test_one_that_was_withdrawing_and_surrenders_makes_no_check() -> None:
    """R-88: instead of acting; without the −2 of a withdrawal (PF-3.10)."""
    s = scenario().army("A").army("A2").army("B").until("melee").melee(A=hold(tactic="withdraw", withdraw="range"))
    s.melee(A=SURRENDER, B=order("A"), dice={"B attack": 14})
    assert (s.status("A"), s.last(e.Attacked, "B").damage, len(s.all(e.WithdrawalDecided))) == ("captured", 4, 1)


def test_where_both_last_armies_surrender_nobody_wins() -> None:
    """R-88, PF-3.5, R-56: both kingdoms bear a defeat, and no die is thrown."""
    s = scenario().army("A").army("B").melee(A=SURRENDER, B=SURRENDER)
    assert s.last(e.BattleEnded).result.winner is None
    found = {(one.subject_id, one.field): one.after for one in s.aftermath().changes}
    assert [found[army, "status"] for army in "AB"] == ["captured", "captured"]
    assert [found[army, "economy"] for army in "AB"] == [18, 18]


@pytest.mark.parametrize(("victor", "fate"), [((), "captured"), (("mindless",), "killed")])
def test_a_player_character_is_captured_with_it_and_nothing_is_asked(victor: tuple[str, ...], fate: str) -> None:
    """R-88, PF-2.8: without a roll, where a defeat asks the GM. A mindless victor takes no captives."""
    s = scenario().army("A", size="fine", commander=boss(player_character=True)).army("B", abilities=victor)
    after = s.melee(A=SURRENDER).aftermath({"B loyalty-tactic": 1, "B loyalty-boon": 1})
    found = {(one.subject_id, one.field): one.after for one in after.changes}
    assert (found["boss of A", "status"], after.questions) == (fate, ())
    assert ("A", "economy") not in found  # a fine army costs its kingdom nothing (PF-1.2)


def test_one_struck_down_in_that_phase_is_defeated() -> None:
    """R-88: it is attacked until the phase ends."""
    s = scenario().army("A", hp=2).army("A2").army("B")
    s.melee(A=SURRENDER, B=order("A"), dice={"B attack": 14})
    assert s.status("A") == "defeated"


def test_a_last_stand_that_begins_in_that_phase_goes_on() -> None:
    """R-88, R-62: what does not leave the field does not surrender either, and it is refused to it afterwards."""
    s = scenario().army("A", hp=2, abilities=["ferocity"]).army("B")
    s.melee(A=SURRENDER, B=order("A"), dice={"B attack": 14})
    assert (s.status("A"), s.marks("A")) == ("fighting", ["last-stand"])
    assert s.refusal(A=SURRENDER).errors[0][0] == "/surrender"


@pytest.mark.parametrize("phase", ["tactics", "ranged"])
def test_no_army_surrenders_before_melee(phase: str) -> None:
    """R-88."""
    s = scenario().army("A").army("B").until(phase)
    given = order(surrender=True) if phase == "tactics" else SURRENDER
    refusal = s.refusal(A=given)
    assert refusal.errors[0][0] == "/surrender"
    assert str(refusal.message) == "An army can only surrender in a melee phase."


def test_only_who_commands_an_army_lets_it_surrender() -> None:
    """R-88: the side that commands it; the choice is told to it, in melee."""
    s = scenario().army("A").army("B").until("melee")
    assert "You don’t command" in str(s.refusal(PLAYER, B=SURRENDER).message)
    assert [known.may_surrender for known in legal(s.state, PLAYER).armies] == [True]
    before = scenario().army("A").army("B").until("ranged")
    assert not any(known.may_surrender for known in legal(before.state, GM).armies)


def test_a_surrender_costs_the_kingdom_a_defeat_and_the_commander_without_a_die() -> None:
    """R-88, PF-6.1, PF-2.8."""
    s = scenario().army("A", commander=boss()).army("B").melee(A=SURRENDER)
    changes = s.aftermath({"B loyalty-tactic": 1, "B loyalty-boon": 1}).changes
    found = {(one.subject_id, one.field): (one.before, one.after, one.rule) for one in changes}
    assert found["A", "economy"] == (20, 18, "R-88")
    assert (found["A", "loyalty"][1], found["A", "stability"][1], found["A", "status"][1]) == (18, 18, "captured")
    assert found["boss of A", "status"][1] == "captured"
    assert ("A", "hp") not in found


def test_a_capture_for_want_of_a_way_out_costs_the_kingdom_nothing() -> None:
    """R-55, R-88: the contrary; also for one that the GM called back after it had surrendered."""
    s = scenario().army("A", hp=12).army("B").declared("cannot_leave", "A")
    s.melee(A=hold(), B=order("A"), dice={"B attack": 14, "A rout": 1})
    assert (s.status("A"), s.last(e.Left).rule) == ("captured", "PF-3.9")
    changes = s.aftermath({"B loyalty-tactic": 1, "B loyalty-boon": 1}).changes
    assert not [one for one in changes if one.subject_kind == "kingdom"]
    back = scenario().army("A").army("A2").army("B").melee(A=SURRENDER).override("A", "status", "fighting")
    assert back.override("A", "status", "captured").marks("A") == []


def test_a_surrender_outlives_an_interruption() -> None:
    """R-88, R-85: the kingdom bears it though the battle goes on."""
    s = scenario().army("A").army("A2").army("B").melee(A=SURRENDER).play(c.Interrupt())
    assert s.marks("A") == ["surrendered"]


#
def archers(**fields: Any) -> Scenario:
    return scenario().army("A", ranged=True, **fields).army("B", ranged=True).army("B2").until("ranged")


def test_both_sides_stay_at_range() -> None:
    """R-89: every army that can shoot is ordered to; B2 cannot. Another ranged phase follows by itself."""
    s = archers().ranged(A=hold(stay_at_range=True), B=hold(stay_at_range=True), B2=order())
    assert (s.state.phase.kind, s.state.phase.number) == ("ranged", 2)
    assert s.all(e.DistanceKept)
    s.ranged(A=hold(), B=hold(), B2=hold())
    assert s.state.phase.kind == "melee"


@pytest.mark.parametrize("orders", [{"A": AFAR}, {"B": AFAR}, {}])
def test_one_that_comes_on_brings_the_melee(orders: dict[str, Any]) -> None:
    """R-89: the contrary."""
    dice = {f"{army} attack": 2 for army in ("A", "B")}
    s = archers().ranged(**{"A": order(), "B": order(), **orders}, dice=dice)
    assert s.state.phase.kind == "melee"


def test_a_side_without_archers_cannot_be_kept_away() -> None:
    """R-89: each side has such an army; of those that left none counts."""
    s = scenario().army("A", ranged=True).army("B").until("ranged").ranged(A=hold(stay_at_range=True))
    assert s.state.phase.kind == "melee"
    s = scenario().army("A", ranged=True, hp=40).army("B", ranged=True, hp=1).army("B2").until("ranged")
    s.ranged(A=order("B", stay_at_range=True), B=hold(stay_at_range=True), dice={"A attack": 14})
    assert (s.status("B"), s.state.phase.kind) == ("defeated", "melee")


def test_who_cannot_shoot_stays_not_at_range() -> None:
    """R-89: nor in a wind that keeps it from shooting, nor in melee."""
    s = archers()
    assert s.refusal(B2=AFAR).errors[0][0] == "/stay_at_range"
    assert "so can’t stay at range" in str(s.refusal(B2=AFAR).message)
    assert [known.may_stay_at_range for known in legal(s.state, GM).armies] == [True, True, False]
    s.condition("wind", value="tornado")
    assert "wind" in str(s.refusal(A=AFAR).message)
    melee = scenario().army("A", ranged=True).army("B").until("melee")
    assert str(melee.refusal(A=AFAR).message) == "An army can only stay at range in a ranged phase."


def test_ammunition_lasts_for_so_many_ranged_phases() -> None:
    """R-89: after that nobody stays at range. A stretch after an interruption has its own (R-85)."""
    s = scenario().army("A", ranged=True).army("B", ranged=True).ammunition(2)
    s.until("ranged").ranged(A=hold(stay_at_range=True), B=hold(stay_at_range=True))
    assert s.state.phase.number == 2
    assert str(s.refusal(A=AFAR).message) == "No ammunition is left for another ranged phase."
    assert not any(known.may_stay_at_range for known in legal(s.state, GM).armies)
    s.ranged(A=hold(), B=hold())
    assert s.state.phase.kind == "melee"
    s.play(c.Interrupt()).until("ranged").ranged(A=hold(stay_at_range=True), B=hold(stay_at_range=True))
    assert s.state.phase.kind == "ranged"


def test_with_ammunition_for_one_phase_nobody_stays() -> None:
    """R-89: of three armies on a side none."""
    s = scenario().army("A", ranged=True).army("A2", ranged=True).army("A3").army("B", ranged=True).ammunition(1)
    s.until("ranged")
    assert [s.refusal(**{army: AFAR}).errors[0][0] for army in ("A", "A2", "B")] == ["/stay_at_range"] * 3


def test_a_ranged_phase_the_gm_adds_takes_ammunition_too() -> None:
    """R-89, PF-3.2: the second of three, though a melee lay between."""
    s = scenario().army("A", ranged=True).army("B", ranged=True).ammunition(3).melee()
    s.ranged(A=hold(stay_at_range=True), B=hold(stay_at_range=True))
    assert (s.state.phase.kind, s.state.phase.number) == ("ranged", 3)
    assert "No ammunition is left for another ranged phase" in str(s.refusal(A=AFAR).message)


def test_all_of_a_side_stay_and_all_sides_do() -> None:
    """R-89: one of two archers, barred by its natural 1, brings the melee; so does a third side without archers."""
    s = scenario().army("A", ranged=True).army("A2", ranged=True).army("B", ranged=True).until("ranged")
    s.ranged(A=AFAR, A2=hold(stay_at_range=True), B=hold(stay_at_range=True), dice={"A attack": 1})
    assert s.state.phase.number == 2
    assert s.ranged(A=order(), A2=hold(stay_at_range=True), B=hold(stay_at_range=True)).state.phase.kind == "melee"
    third = scenario().army("A", ranged=True).army("B", ranged=True).army("C").until("ranged")
    assert third.ranged(A=hold(stay_at_range=True), B=hold(stay_at_range=True)).state.phase.kind == "melee"


@pytest.mark.parametrize("ammunition", [0, -1, 100])
def test_ammunition_is_for_one_to_ninety_nine_phases(ammunition: int) -> None:
    """R-89."""
    s = scenario().army("A").army("B").ammunition(ammunition)
    with pytest.raises(InvalidInput, match="from 1 to 99") as refused:
        open_battle(LAW, s.opening())
    assert refused.value.errors[0][0] == "/ammunition"


#
def test_the_attacks_of_one_enemy_do_nothing_to_an_invincible_army() -> None:
    """R-90: no damage, a natural 20 included, nothing that follows from it, no trip and no grab; others hurt it."""
    s = scenario().army("A", abilities=["fear", "bleed", "trip"]).army("A2").army("B")
    s.override("B", "invincible", "+A")
    s.melee(A=order("B"), A2=order("B"), dice={"A attack": 20, "A2 attack": 14})
    mine, other = s.last(e.Attacked, "A"), s.last(e.Attacked, "A2")
    assert (mine.damage, mine.spared, other.damage) == (0, "invincible", 4)
    assert s.marks("B") == ["invincible"]
    assert not s.all(e.FearChecked)


def test_an_enemy_to_whom_it_is_invincible_does_not_stop_its_withdrawal() -> None:
    """R-90, R-26: no die, though the enemy is mindless. Another one that attacks it rolls as ever."""
    s = scenario().army("A", abilities=["mindless"]).army("B").override("B", "invincible", "+A").until("melee")
    s.melee(A=order("B"), B=hold(tactic="withdraw"))
    assert (s.status("B"), s.last(e.WithdrawalOpposed).why) == ("withdrawn", "invincible")
    s = scenario().army("A").army("A2").army("B").override("B", "invincible", "+A").until("melee")
    dice = {"B withdraw": 1, "A2 withdraw": 20, "A attack": 20, "A2 attack": 2}
    s.melee(A=order("B"), A2=order("B"), B=hold(tactic="withdraw"), dice=dice)
    assert [one.success for one in s.all(e.WithdrawalOpposed)] == [True, False]


def test_no_further_die_falls_for_an_attack_that_does_nothing() -> None:
    """R-90, R-41, R-51: no breath, no engine lost, no parting shot that strikes; what bled before bleeds on."""
    s = scenario().army("A", abilities=["bleed", "breath-weapon"], tactics=["siegebreaker"])
    s.army("B", hp=15, resources={"siege-engines": 1}).army("B2").tactics(A="siegebreaker").until("melee")
    s.melee(A=order("B"), dice={"A attack": 14, "A extra": 1, "A siegebreaker": 2})
    s.override("B", "invincible", "+A").override("B", "hp", 12)
    s.melee(A=order("B"), dice={"B bleed": 3, "A attack": 20, "B rout": 1, "A parting": 20})
    assert (s.hp("B"), s.status("B"), s.fighter("B").engines) == (9, "routed", 1)


def test_invincibility_is_the_gms_to_give_and_to_take() -> None:
    """R-90: an override with a reason, told like the others, and it stays beyond an interruption."""
    s = scenario().army("A").army("B").override("B", "invincible", "+A")
    assert s.last(e.Overridden).reason == "test"
    s.until("melee").play(c.Interrupt())
    assert s.marks("B") == ["invincible"]
    assert s.override("B", "invincible", "-A").marks("B") == []


@pytest.mark.parametrize("value", ["+B2", "+nobody", "A", "", "-A", None, 3])
def test_invincible_names_an_enemy(value: Any) -> None:
    """R-90: the refusals; the mark is not given by itself, nor without a reason, nor by a player."""
    s = scenario().army("A").army("B").army("B2")
    assert s.refused(c.Override("B", "invincible", value, "test")).errors[0][0] == "/value"
    assert s.refused(c.Override("B", "mark", "+invincible", "test")).errors[0][0] == "/value"
    assert s.refused(c.Override("B", "invincible", "+A", " ")).errors[0][0] == "/reason"
    assert "GM" in str(s.refused(c.Override("B", "invincible", "+A", "test"), viewer=PLAYER).message)


#
@shows("ability:ethereal-travel")
def test_travel_through_the_ether_counts_as_teleportation() -> None:
    """R-91: walls do not stop it, nobody stops its withdrawal; but immunity is by printed name (R-4)."""
    s = scenario().army("A", abilities=["ethereal-travel"]).army("B").condition("fortification", "B", value=8)
    assert s.dv("B", "A", "melee") == 19
    s.melee(A=hold(tactic="withdraw"), B=order("A"))
    assert s.status("A") == "withdrawn"
    assert LAW.abilities["ethereal-travel"].key == LAW.abilities["teleportation"].key


#
def test_the_codex_says_for_whom_the_even_fight_is_meant() -> None:
    """R-92, PF-6.6."""
    assert (
        "One army of ACR 9 equals three of ACR 6, but mainly for humanoid armies"
        in LAW.catalogues["rules"].items["PF-6.6"].summary
    )


#
def victor(**house: Any) -> Scenario:
    s = scenario(LAW, **house).army("A", commander=boss(soldier_ranks=10)).army("B", hp=1)
    return s.melee(A=order(), dice={"A attack": 14})


def test_the_two_checks_of_a_victor_are_independent() -> None:
    """R-93, R-56."""
    found = victor().aftermath({"A loyalty-tactic": 2, "A loyalty-boon": 20})
    assert [question.key for question in found.questions] == ["boon:boss of A"]


def test_a_campaign_may_make_the_second_check_only_after_the_first() -> None:
    """R-93, PF-HOUSE: `after-first`; where the first succeeds the second is made, and it may fail."""
    s = victor(second_loyalty_check="after-first")
    assert s.aftermath({"A loyalty-tactic": 2}).questions == ()
    found = s.aftermath({"A loyalty-tactic": 20, "A loyalty-boon": 1})
    assert [roll.name for roll in found.rolls] == ["loyalty-tactic", "loyalty-boon"]
    assert [question.key for question in found.questions] == ["tactic:A"]
