"""PF-3.1 to PF-3.10 and PF-3.12: a battle from setup to its end."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.kingdom_checks import kingdom_check
from tests.scenario import SILENT, boss, hold, order, scenario, spec, use


def kinds(s, *wanted: type) -> list[type]:  # type: ignore[no-untyped-def]
    """The kinds of the last command's events, in order, of those wanted."""
    return [type(event) for event in s.records[-1][2] if isinstance(event, wanted)]


# PF-3.1 rolls
def test_an_offense_check_is_d20_and_om() -> None:
    """PF-3.1."""
    s = scenario().army("A").army("B").melee(A=order(), dice={"A attack": 14})
    hit = s.last(e.Attacked)
    assert (hit.check, hit.against, hit.damage, s.hp("B")) == (14 + 9, 19, 4, 36)


def test_a_morale_check_adds_morale_commander_boons_tactic_and_abilities() -> None:
    """PF-3.1: 2 + 3 + 4 (loyalty at 12) + 2 (cautious combat) + 5 (bravery) against rout."""
    led = boss("loyalty", charisma=3)
    s = scenario().army("A", morale=2, commander=led, abilities=["bravery 5"], tactics=["cautious-combat"]).army("B")
    s.tactics(A="cautious-combat")
    assert (s.morale("A", "rout"), s.morale("A", "tactic")) == (16, 11)


@pytest.mark.parametrize("natural, bonus, passes", [(1, 14, True), (20, -6, False), (15, 0, True), (14, 0, False)])
def test_a_morale_check_knows_no_automatic_result(natural: int, bonus: int, passes: bool) -> None:
    """PF-3.1: 1 + 14 passes DC 15, 20 − 6 does not; a total equal to the DC succeeds (PF-3.5)."""
    s = scenario().army("A", tactics=["taunt"], commander=boss(charisma=bonus)).army("B")
    s.ranged(A=hold(tactic="taunt"), dice={"A tactic": natural})
    assert s.last(e.TacticChosen, "A").success is passes


@pytest.mark.parametrize("natural, value, dc, success", [(1, 50, 20, False), (20, -50, 40, True), (10, 10, 20, True)])
def test_a_kingdom_check_has_automatic_results(natural: int, value: int, dc: int, success: bool) -> None:
    """PF-3.1: d20 + attribute − Unrest; natural 1 fails, natural 20 succeeds."""
    assert kingdom_check(attribute="loyalty", value=value, unrest=0, dc=dc, roll=natural).success is success
    assert kingdom_check(attribute="loyalty", value=10, unrest=1, dc=20, roll=10).success is False


# PF-3.2 sequence
def test_the_sequence_of_phases() -> None:
    """PF-3.2: setup, tactics, one ranged phase, then melee phases."""
    s = scenario().army("A").army("B").setup().tactics().ranged().melee().melee()
    began = [(event.phase.kind, event.phase.number) for event in s.all(e.PhaseBegan)]
    assert began == [("tactics", 1), ("ranged", 1), ("melee", 1), ("melee", 2), ("melee", 3)]


def test_the_gm_may_add_a_ranged_phase() -> None:
    """PF-3.2: before a melee phase, and nowhere else."""
    s = scenario().army("A", ranged=True).army("B").ranged(A=order(), dice={"A attack": 2}).until("melee")
    s.ranged(A=order(), dice={"A attack": 15})
    assert (s.last(e.Attacked).mode, s.state.phase.kind, s.state.phase.number) == ("shot", "melee", 1)
    assert [p.number for p in s.state.phases if p.kind == "ranged"] == [1, 2]
    for where in ("setup", "tactics", "ranged"):
        early = scenario().army("A").army("B").until(where)
        early.refused(c.Next("ranged"))


def test_an_interruption_makes_each_stretch_a_battle_of_its_own() -> None:
    """PF-3.2: hit points and energy drain stay, marks, uses, tactic and strategy do not."""
    s = scenario().army("A", hp=30, abilities=["rage", "energy-drain"], tactics=["full-defense"]).army("B")
    s.tactics(A="full-defense").melee(A=order("B", use("rage"), strategy="reckless"), dice={"A attack": 17})
    assert (s.hp("B"), s.om("B")) == (40 - (17 + 9 - 4 + 4 + 2 - 19 + 6), 8)
    s.play(c.Interrupt("rain"))
    assert (s.state.phase.kind, s.fighter("A").tactic, s.fighter("A").strategy, s.marks("A")) == (
        "setup", "standard", "standard", []
    )  # fmt: skip
    assert (s.om("B"), s.state.phase.number) == (8, 2)
    s.until("melee").melee(A=order("B", use("rage")), dice={"A attack": 2})
    assert [p.kind for p in s.state.phases].count("setup") == 2


def test_an_interruption_lets_no_last_stand_wait() -> None:
    """PF-3.2, PF-6.5, R-52: what ferocity held up happens when the stretch ends."""
    s = scenario().army("A", hp=1, abilities=["ferocity"]).army("A2").army("B")
    s.melee(B=order(), dice={"B attack": 15})
    assert (s.status("A"), s.hp("A")) == ("fighting", 0)
    assert s.play(c.Interrupt("night falls")).status("A") == "defeated"


def test_an_interruption_ends_an_ambush() -> None:
    """PF-3.2, PF-3.3: the next stretch begins as an ordinary battle."""
    s = scenario().army("A").army("B", tactics=["full-defense"]).ambush("A", "B").setup(dice={"A ambush": 20})
    s.play(c.Interrupt("a truce")).setup().tactics(B="full-defense")
    assert s.fighter("B").tactic == "full-defense"


def test_whoever_comes_back_after_an_interruption_begins_anew_too() -> None:
    """PF-3.2: an army that had left the field carries nothing of the earlier stretch."""
    s = scenario().army("A", abilities=["rage"]).army("A2").army("B").melee(A=hold(use("rage")))
    s.override("A", "status", "withdrawn").play(c.Interrupt("night falls")).override("A", "status", "fighting")
    assert s.om("A", "B") == 9


def test_an_interruption_needs_a_battle_under_way() -> None:
    """PF-3.2: the refusal."""
    assert "hasn’t begun" in str(scenario().army("A").army("B").refused(c.Interrupt("?")))


def test_reinforcements_enter_with_a_free_choice_of_tactic() -> None:
    """PF-3.2: between phases; the first change needs no check, the next one does."""
    s = scenario().army("A").army("B").until("melee")
    s.play(c.Reinforce(spec("A2", tactics=["full-defense", "taunt"]), 0))
    s.melee(A2=hold(tactic="full-defense"))
    assert (s.fighter("A2").tactic, s.last(e.TacticChosen, "A2").rolls) == ("full-defense", ())
    s.melee(A2=hold(tactic="taunt"), dice={"A2 tactic": 1})
    assert s.fighter("A2").tactic == "full-defense"


def test_who_comes_before_the_tactics_phase_chooses_there_and_not_again() -> None:
    """PF-3.2: they enter with a tactics choice, not with two."""
    s = scenario().army("A").army("B").play(c.Reinforce(spec("A2", tactics=["full-defense", "taunt"]), 0))
    s.tactics(A2="taunt").ranged(A2=hold(tactic="full-defense"), dice={"A2 tactic": 2})
    assert (s.last(e.TacticChosen, "A2").success, s.state.armies["A2"].tactic) == (False, "taunt")


def test_reinforcements_are_refused_twice_unfit_or_to_no_side() -> None:
    """PF-3.2, PF-6.2: the refusals."""
    s = scenario().army("A").army("B").until("melee")
    assert s.refused(c.Reinforce(spec("A"), 0)).field == "/army"
    assert s.refused(c.Reinforce(spec("A2"), 2)).field == "/side"
    assert s.refused(c.Reinforce(spec("A2", status="routed"), 0)).field == "/army"
    assert s.refused(c.Reinforce(spec("A2", status="defeated"), 0)).field == "/army"


# PF-3.3 ambush
@pytest.mark.parametrize("natural, caught", [(11, True), (10, False)])
def test_an_ambush_must_exceed_the_defense(natural: int, caught: bool) -> None:
    """PF-3.3: the target does not act in the tactics phase; no damage either way."""
    s = scenario().army("A").army("B", tactics=["full-defense"]).ambush("A", "B").setup(dice={"A ambush": natural})
    assert s.last(e.Ambushed).success is caught
    if caught:
        assert "ambushed" in str(s.refusal(B=order(tactic="full-defense")))
        s.tactics()
    else:
        s.tactics(B="full-defense")
    assert s.fighter("B").tactic == ("standard" if caught else "full-defense")
    assert s.hp("B") == 40


def test_an_ambushed_army_acts_again_after_the_tactics_phase() -> None:
    """PF-3.3: an ordinary battle from there."""
    s = scenario().army("A").army("B").ambush("A", "B").tactics(dice={"A ambush": 20})
    s.melee(B=order(), dice={"B attack": 14})
    assert s.hp("A") == 36


def test_an_ambush_is_sprung_once() -> None:
    """PF-3.3: nobody lies hidden in the stretch after an interruption."""
    s = scenario().army("A").army("B").ambush("A", "B").setup(dice={"A ambush": 20}).play(c.Interrupt("?")).setup()
    assert len(s.all(e.Ambushed)) == 1


# PF-3.4 tactics phase
def test_the_first_tactic_needs_no_check() -> None:
    """PF-3.4: one the army may use."""
    s = scenario().army("A", tactics=["full-defense"]).army("B").tactics(A="full-defense")
    assert (s.dv("A"), s.last(e.TacticChosen).rolls) == (23, ())
    s = scenario().army("A").army("B").until("tactics")
    assert "must learn" in str(s.refusal(A=order(tactic="full-defense")))


# PF-3.5 order of a phase
def test_lingering_comes_first_and_the_fallen_act_no_more() -> None:
    """PF-3.5 step 1: bled to 0, defeated before its attack."""
    s = scenario().army("A", abilities=["bleed"]).army("B", hp=5).army("B2")
    s.melee(A=order("B"), dice={"A attack": 12, "B rout": 20})
    s.melee(B=order(), dice={"B bleed": 4})
    assert (s.status("B"), s.all(e.Attacked, "B")) == ("defeated", [])


def test_healing_comes_after_bleeding_in_step_one() -> None:
    """PF-3.5 step 1: bleed, then fast healing, then who is at 0 hp falls (R-43)."""
    s = scenario().army("A", abilities=["bleed"]).army("B", hp=5, abilities=["fast-healing 4"])
    s.melee(A=order("B"), dice={"A attack": 14, "B rout": 20})  # quietly healed 2 in each of two phases: 9 − 4
    assert s.hp("B") == 5
    s.melee(dice={"B bleed": 6, "B rout": 20})
    assert (s.status("B"), s.hp("B")) == ("fighting", 2)


@pytest.mark.parametrize("natural, now", [(15, "taunt"), (14, "standard")])
def test_a_change_of_tactic_needs_fifteen(natural: int, now: str) -> None:
    """PF-3.5 step 2: failure keeps the old tactic."""
    s = scenario().army("A", tactics=["taunt"]).army("B").melee(A=hold(tactic="taunt"), dice={"A tactic": natural})
    assert s.fighter("A").tactic == now


def test_withdraw_and_the_tactic_it_has_need_no_check() -> None:
    """PF-3.5 step 2."""
    s = scenario().army("A").army("A2").army("B").melee(A=hold(tactic="withdraw"), A2=hold(tactic="standard"))
    assert (s.status("A"), s.fighter("A2").tactic) == ("withdrawn", "standard")


def test_the_first_strategy_is_free() -> None:
    """PF-3.5 step 3: any of the five in the army's first melee phase."""
    s = scenario().army("A").army("B").melee(A=hold(strategy="reckless"), B=hold(strategy="defensive"))
    assert (s.fighter("A").strategy, s.fighter("B").strategy) == ("reckless", "defensive")


@pytest.mark.parametrize("natural, now", [(20, "cautious"), (19, "aggressive")])
def test_later_one_step_is_free_and_more_need_twenty(natural: int, now: str) -> None:
    """PF-3.5 step 3: failure keeps the current one."""
    s = scenario().army("A").army("B").melee().melee(A=hold(strategy="aggressive"))
    assert (s.fighter("A").strategy, s.last(e.StrategyChosen).rolls) == ("aggressive", ())
    s.melee(A=hold(strategy="cautious"), dice={"A strategy": natural})
    assert s.fighter("A").strategy == now


def test_no_strategy_in_ranged_phases() -> None:
    """PF-3.5 step 3: neither chosen nor in force."""
    s = scenario().army("A", ranged=True).army("B").until("ranged")
    assert s.refusal(A=order(strategy="reckless")).field == "/strategy"
    s.melee(A=hold(strategy="reckless")).ranged(A=order(), dice={"A attack": 14})
    assert (s.last(e.Attacked).check, s.last(e.Attacked).damage) == (23, 4)


def test_orders_are_secret_until_the_phase_is_resolved() -> None:
    """PF-3.5 step 4: an order may be changed; only the last one counts."""
    s = scenario().army("A").army("B").army("B2").until("melee")
    s.order("A", order("B2")).order("A", order("B"))
    s.melee(A=SILENT, dice={"A attack": 14})
    assert (s.hp("B"), s.hp("B2")) == (36, 40)


def test_healing_is_received_before_attacks() -> None:
    """PF-3.5 step 4: 10 + 18 − 4."""
    s = scenario().army("A").army("B", hp=10, resources=["healing-potions"])
    s.melee(A=order(), B=hold(use("healing-potions", kind="resource")), dice={"A attack": 14})
    assert s.hp("B") == 24
    assert kinds(s, e.Healed, e.Attacked) == [e.Healed, e.Attacked]


def test_taunt_withdrawal_and_walls_come_before_attacks() -> None:
    """PF-3.5 step 5."""
    s = scenario().army("A", tactics=["taunt"], resources=["siege-engines"]).army("B").army("B2")
    s.condition("fortification", "B", value=4).tactics(A="taunt")
    s.melee(A=order("B"), B2=hold(tactic="withdraw"), dice={"B taunt": 20, "A siege": 2, "A attack": 14})
    assert kinds(s, e.TauntChecked, e.WithdrawalDecided, e.FortWorn, e.Attacked) == [
        e.TauntChecked, e.WithdrawalDecided, e.FortWorn, e.Attacked
    ]  # fmt: skip
    assert s.last(e.Attacked).against == 19 + 2


def test_all_attacks_are_computed_before_any_damage_and_both_may_die() -> None:
    """PF-3.5 step 6: mutual destruction is a draw."""
    s = scenario().army("A", hp=3).army("B", hp=3)
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 14})
    assert (s.status("A"), s.status("B"), s.last(e.BattleEnded).result.winner) == ("defeated", "defeated", None)


def test_bloodied_figures_count_from_the_next_phase() -> None:
    """PF-3.5 step 6: the figures of this moment, not those after the first blow."""
    s = scenario().army("A").army("B", hp=24, commander=boss("bloodied-but-unbroken", level=4))
    s.melee(A=order(), B=order(), dice={"A attack": 20, "B attack": 10})
    assert (s.last(e.Attacked, "B").check, s.om("B")) == (19, 10)


def test_consequences_follow_the_order_of_the_attacks() -> None:
    """PF-3.5 step 7: each attack leaves its mark, then fear (one check for each army that frightened it)."""
    s = scenario().army("A", abilities=["paralysis", "fear"]).army("A2", abilities=["fear"]).army("B")
    s.melee(A=order(), A2=order(), dice={"A attack": 14, "A2 attack": 14, "B fear": [1, 20]})
    assert [(event.by, event.success) for event in s.all(e.FearChecked)] == [("A", False), ("A2", True)]
    assert kinds(s, e.Attacked, e.FearChecked) == [e.Attacked, e.Attacked, e.FearChecked, e.FearChecked]


def test_being_afraid_counts_from_the_next_phase() -> None:
    """PF-3.5 step 7: the attack of the phase that frightens it still falls."""
    s = scenario().army("A", abilities=["fear"]).army("B")
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 14, "B fear": 1})
    assert s.hp("A") == 36
    s.melee(B=order())
    assert s.hp("A") == 36
    s.melee(B=order(), dice={"B attack": 14})
    assert s.hp("A") == 32


def test_a_sandstorm_falls_on_every_army_after_the_attacks() -> None:
    """PF-3.5 step 8."""
    s = scenario().army("A").army("B", hp=1).condition("sandstorm").until("ranged").ranged()
    assert (s.hp("A"), s.status("B")) == (39, "defeated")


@pytest.mark.parametrize("hp, damage, checked", [(14, 4, False), (13, 4, True), (9, 0, False)])
def test_the_rout_check_is_for_those_who_lost_hp_and_have_their_rating_or_less(
    hp: int, damage: int, checked: bool
) -> None:
    """PF-3.5 step 9: 0 < hp ≤ ACR 9, and hp lost this phase."""
    s = scenario().army("A").army("B", hp=hp)
    s.melee(A=order(), dice={"A attack": 10 + damage} | ({"B rout": 20} if checked else {}))
    assert bool(s.all(e.RoutChecked)) is checked


def test_one_side_left_ends_the_battle() -> None:
    """PF-3.5 step 11."""
    s = scenario().army("A").army("B", hp=3).melee(A=order(), dice={"A attack": 14})
    assert (s.state.phase.kind, s.state.result.winner) == ("aftermath", 0)  # type: ignore[union-attr]
    assert "over" in str(s.refused(c.Resolve()))


def test_an_offense_check_must_exceed_the_defense() -> None:
    """PF-3.5: a tie does nothing."""
    s = scenario().army("A").army("B").melee(A=order(), dice={"A attack": 10})
    assert (s.last(e.Attacked).damage, s.hp("B")) == (0, 40)


def test_without_orders_an_army_goes_on_as_before() -> None:
    """PF-3.5: tactic, strategy and target kept; at first the first enemy."""
    s = scenario().army("A").army("B").army("B2")
    s.until("melee").melee(A=SILENT, dice={"A attack": 2})
    assert s.last(e.Attacked).target == "B"
    s.melee(A=order("B2", strategy="aggressive"), dice={"A attack": 2}).melee(A=SILENT, dice={"A attack": 2})
    assert (s.last(e.Attacked).target, s.fighter("A").strategy) == ("B2", "aggressive")


# PF-3.6 damage
def test_a_hit_of_no_more_than_zero_deals_one() -> None:
    """PF-3.6: check − DV + modifiers, at least 1: 5 above DV − 6 of the defensive strategy."""
    s = scenario().army("A").army("B").melee(A=order(strategy="defensive"), dice={"A attack": 19})
    assert (s.last(e.Attacked).check - s.last(e.Attacked).against, s.hp("B")) == (5, 39)


@pytest.mark.parametrize("acr, damage", [(9, 1), (10, 1), (11, 2)])
def test_a_natural_twenty_that_does_not_exceed_deals_exactly_one(acr: int, damage: int) -> None:
    """PF-3.6: below and on a tie; above it is an ordinary hit."""
    s = (
        scenario()
        .army("A", acr=acr)
        .army("B", acr=19, hp=60)
        .melee(A=order(strategy="standard"), dice={"A attack": 20})
    )
    assert (s.last(e.Attacked).damage, s.hp("B")) == (damage, 60 - damage)


def test_a_natural_one_bars_the_next_phase_only() -> None:
    """PF-3.6: it is resolved normally (and may hit)."""
    s = scenario().army("A", acr=19).army("B")
    s.melee(A=order(), dice={"A attack": 1})
    assert s.hp("B") == 39
    s.melee(A=order())
    assert s.hp("B") == 39
    s.melee(A=order(), dice={"A attack": 2})
    assert s.hp("B") == 37


def test_multipliers_apply_to_the_whole_and_round_down() -> None:
    """PF-3.6: (4 + 3) × 1/2 in fog = 3."""
    s = scenario().army("A").army("B").condition("fog")
    s.melee(A=order(strategy="aggressive"), dice={"A attack": 12})
    assert s.last(e.Attacked).damage == 3


# PF-3.8 who may attack
def test_in_a_ranged_phase_only_those_who_can_shoot_attack() -> None:
    """PF-3.8: the others charge."""
    s = scenario().army("A", ranged=True).army("A2").army("B")
    s.ranged(A=order(), A2=order(), dice={"A attack": 14})
    assert (s.last(e.AttackLost, "A2").why, s.hp("B")) == ("no-shot", 36)


RANGED = {
    "ranged weapons": {"resources": ["ranged-weapons"]},
    "marked on the unit": {"ranged": True},
    "breath weapon": {"abilities": ["breath-weapon"]},
    "bomb": {"abilities": ["bomb"]},
    "rock throwing": {"abilities": ["rock-throwing"]},
}


@pytest.mark.parametrize("means", RANGED)
def test_what_lets_an_army_shoot(means: str) -> None:
    """PF-3.8."""
    s = scenario().army("A", **RANGED[means]).army("B").ranged(A=order(), dice={"A attack": 2})
    assert s.last(e.Attacked).mode == "shot"


def test_siege_engines_shoot_where_the_gm_lets_them() -> None:
    """PF-3.8."""
    s = scenario().army("A", resources=["siege-engines"]).army("B").ranged(A=order())
    assert s.last(e.AttackLost).why == "no-shot"
    s = scenario().army("A", resources=["siege-engines"]).army("B").declared("engines_shoot", "A")
    s.ranged(A=order(), dice={"A attack": 14})
    assert s.last(e.Attacked).check == 14 + 9 + 2


def test_a_target_may_change_every_phase() -> None:
    """PF-3.8: one target per phase."""
    s = scenario().army("A").army("B").army("B2")
    s.melee(A=order("B"), dice={"A attack": 2}).melee(A=order("B2"), dice={"A attack": 2})
    assert [event.target for event in s.all(e.Attacked)] == ["B", "B2"]


# PF-3.9 rout
@pytest.mark.parametrize("natural, status", [(15, "fighting"), (14, "routed")])
def test_a_rout_check_needs_fifteen(natural: int, status: str) -> None:
    """PF-3.9: failure, and the army leaves under a parting shot."""
    s = scenario().army("A").army("B", hp=12)
    dice = {"A attack": 14, "B rout": natural} | ({"A parting": 2} if status == "routed" else {})
    s.melee(A=order(), dice=dice)
    assert s.status("B") == status


def test_an_army_that_cannot_leave_surrenders() -> None:
    """PF-3.9, R-55: captured, no parting shots."""
    s = scenario().army("A").army("B", hp=12).declared("cannot_leave", "B")
    s.melee(A=order(), dice={"A attack": 14, "B rout": 1})
    assert (s.status("B"), s.hp("B")) == ("captured", 8)


def test_each_enemy_left_gets_one_parting_shot_with_the_figures_of_the_phase() -> None:
    """PF-3.9: even one that attacked another; not its own side."""
    s = scenario().army("A").army("A2").army("B", hp=12).army("B2")
    s.melee(A=order("B"), A2=order("B2"),
            dice={"A attack": 14, "A2 attack": 2, "B rout": 1, "A parting": 12, "A2 parting": 13})  # fmt: skip
    assert [(event.army, event.damage) for event in s.all(e.Attacked) if event.kind == "parting"] == [
        ("A", 2),
        ("A2", 3),
    ]
    assert (s.status("B"), s.hp("B")) == ("routed", 3)


def test_reduced_to_nothing_by_parting_shots_it_is_defeated_instead() -> None:
    """PF-3.9."""
    s = scenario().army("A").army("B", hp=6).melee(A=order(), dice={"A attack": 14, "B rout": 1, "A parting": 20})
    assert (s.status("B"), s.hp("B")) == ("defeated", 0)


def test_whoever_was_barred_this_phase_gives_no_parting_shot() -> None:
    """PF-3.9: barred by a natural 1 of the phase before; a 1 of this phase bars only the next."""
    s = scenario().army("A").army("A2").army("B", hp=12)
    s.melee(A=order(), dice={"A attack": 1})
    s.melee(A2=order(), dice={"A2 attack": 14, "B rout": 1, "A2 parting": 2})
    assert [event.army for event in s.all(e.Attacked) if event.kind == "parting"] == ["A2"]


def test_a_natural_one_of_this_phase_does_not_bar_its_parting_shot() -> None:
    """PF-3.9."""
    s = scenario().army("A", acr=19).army("B", hp=9)
    s.melee(A=order(), dice={"A attack": 1, "B rout": 1, "A parting": 20})
    assert s.status("B") == "defeated"


def test_in_a_ranged_phase_only_shooters_give_parting_shots() -> None:
    """PF-3.9."""
    s = scenario().army("A", ranged=True).army("A2").army("B", hp=12)
    s.ranged(A=order(), dice={"A attack": 14, "B rout": 1, "A parting": 2})
    assert [event.army for event in s.all(e.Attacked) if event.kind == "parting"] == ["A"]


# PF-3.10 withdraw
def test_nobody_attacking_it_is_free_to_go() -> None:
    """PF-3.10."""
    s = scenario().army("A").army("A2").army("B").melee(A=hold(tactic="withdraw"))
    assert (s.status("A"), s.all(e.WithdrawalOpposed)) == ("withdrawn", [])


def test_beating_all_it_leaves_and_their_attacks_are_lost() -> None:
    """PF-3.10, R-21."""
    s = scenario().army("A").army("A2").army("B").army("B2")
    s.melee(
        A=hold(tactic="withdraw"),
        B=order("A"),
        B2=order("A"),
        dice={"A withdraw": 11, "B withdraw": 10, "B2 withdraw": 1},
    )
    assert s.status("A") == "withdrawn"
    assert [event.why for event in s.all(e.AttackLost)] == ["gone", "gone"]


def test_beating_some_it_leaves_at_the_end_and_all_attack_it() -> None:
    """PF-3.10: in melee, at DV −2."""
    s = scenario().army("A").army("A2").army("B").army("B2")
    s.melee(A=hold(tactic="withdraw"), B=order("A"), B2=order("A"),
            dice={"A withdraw": 10, "B withdraw": 2, "B2 withdraw": 15, "B attack": 9, "B2 attack": 10})  # fmt: skip
    assert [(event.against, event.damage) for event in s.all(e.Attacked)] == [(17, 1), (17, 2)]
    assert (s.status("A"), s.hp("A")) == ("withdrawn", 37)


def test_beating_none_it_stays_at_minus_two() -> None:
    """PF-3.10: OM and DV −2 for the rest of the phase, not the next."""
    s = scenario().army("A").army("B")
    s.melee(A=order(tactic="withdraw"), B=order("A"),
            dice={"A withdraw": 1, "B withdraw": 20, "A attack": 10, "B attack": 2})  # fmt: skip
    assert (s.last(e.Attacked, "A").check, s.last(e.Attacked, "B").against, s.status("A")) == (17, 17, "fighting")
    assert (s.om("A"), s.dv("A")) == (9, 19)


def test_a_tie_goes_to_the_higher_bonus_then_to_another_roll() -> None:
    """PF-3.10, R-30."""
    s = scenario().army("A", morale=2).army("A2").army("B")
    s.melee(A=hold(tactic="withdraw"), B=order("A"), dice={"A withdraw": 8, "B withdraw": 10})
    assert s.status("A") == "withdrawn"
    s = scenario().army("A", morale=-2).army("B")
    s.melee(A=hold(tactic="withdraw"), B=order("A"), dice={"A withdraw": 10, "B withdraw": 8, "B attack": 2})
    assert s.status("A") == "fighting"
    s = scenario().army("A").army("A2").army("B")
    s.melee(A=hold(tactic="withdraw"), B=order("A"), dice={"A withdraw": [8, 8, 9], "B withdraw": [8, 8, 3]})
    assert (s.status("A"), len(s.last(e.WithdrawalOpposed).rolls)) == ("withdrawn", 6)


def test_an_opponent_may_fail_on_purpose() -> None:
    """PF-3.10: letting go needs no roll."""
    s = scenario().army("A").army("A2").army("B").melee(A=hold(tactic="withdraw"), B=order("A", let_go=True))
    assert (s.status("A"), s.last(e.WithdrawalOpposed).why) == ("withdrawn", "let-go")


# PF-3.12 player characters
@pytest.mark.parametrize("value", [4, -4])
def test_heroes_sway_their_army_for_the_battle(value: int) -> None:
    """PF-3.12: OM and DV +4, or −4."""
    s = scenario().army("A").army("B").condition("heroes", "A", value=value)
    assert (s.om("A"), s.dv("A"), s.om("B")) == (9 + value, 19 + value, 9)


def test_the_gm_may_change_hp_tactic_or_abilities() -> None:
    """PF-3.12, with a reason in the log; a wrong value is refused."""
    s = scenario().army("A").army("B").until("melee")
    s.override("A", "hp", 12).override("A", "tactic", "full-defense").override("A", "ability", "+pounce")
    assert (s.hp("A"), s.dv("A"), s.om("A")) == (12, 23, 9 - 4 + 1)
    s.override("A", "ability", "-pounce").override("A", "om", 3).override("A", "dv", -2)
    assert (s.om("A"), s.dv("A")) == (9 - 4 + 3, 21)
    for field, value in (("hp", 41), ("hp", -1), ("tactic", "x"), ("status", "x"), ("mark", "afraid"), ("x", 1)):
        assert s.refused(c.Override("A", field, value, "?")).field in ("/value", "/field")
    assert s.refused(c.Override("A", "hp", 3, " ")).field == "/reason"
