"""R-20 to R-29: orders and what they declare."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from tests.scenario import SILENT, boss, has, hold, order, scenario, spec, use

POTION = use("healing-potions", kind="resource")


def test_attacks_go_by_sides_then_armies_then_reinforcements() -> None:
    """R-20."""
    s = scenario().army("A").army("B").army("B2").army("A2").until("melee").play(c.Reinforce(spec("A3"), 0))
    names = ("A", "A2", "A3", "B", "B2")
    s.melee(**{name: order() for name in names}, dice={f"{name} attack": 2 for name in names})
    assert [event.army for event in s.all(e.Attacked)] == list(names)


def test_uses_act_in_that_order_then_as_listed() -> None:
    """R-20."""
    s = scenario().army("A", hp=5, abilities=["rage", has("hex", choice="healing")]).army("B", abilities=["rage"])
    s.melee(A=hold(use("hex"), use("rage")), B=hold(use("rage")))
    assert [(event.army, event.slug) for event in s.all(e.Used)] == [("A", "hex"), ("A", "rage"), ("B", "rage")]


def test_every_other_side_is_an_enemy() -> None:
    """R-20: three sides."""
    s = scenario().army("A").army("B").army("C")
    s.melee(A=order("B"), B=order("C"), C=order("A"), dice={f"{name} attack": 14 for name in "ABC"})
    assert [s.hp(name) for name in "ABC"] == [36, 36, 36]


def test_a_field_not_given_is_kept_and_null_holds() -> None:
    """R-20."""
    s = scenario().army("A").army("B").melee(A=order("B", strategy="aggressive"), dice={"A attack": 2})
    s.melee(A=order(), dice={"A attack": 2})
    assert (s.fighter("A").strategy, s.last(e.Attacked).target) == ("aggressive", "B")
    s.melee(A=hold())
    assert (len(s.all(e.Attacked)), s.fighter("A").target) == (2, None)


def test_the_first_melee_phase_of_a_strategy_is_the_armys_own() -> None:
    """R-20: reinforcements choose freely when they come."""
    s = scenario().army("A").army("B").melee().play(c.Reinforce(spec("A2"), 0))
    s.melee(A2=hold(strategy="reckless"))
    assert s.fighter("A2").strategy == "reckless"


def test_a_target_gone_before_the_phase_counts_as_none_ordered() -> None:
    """R-21."""
    s = (
        scenario()
        .army("A")
        .army("B")
        .army("B2")
        .until("melee")
        .order("A", order("B"))
        .override("B", "status", "withdrawn")
    )
    s.melee(A=SILENT, dice={"A attack": 14})
    assert s.hp("B2") == 36


def test_a_target_gone_at_step_five_loses_the_attack() -> None:
    """R-21."""
    s = scenario().army("A").army("B").army("B2").melee(A=order("B", let_go=True), B=hold(tactic="withdraw"))
    assert (s.last(e.AttackLost).why, s.hp("B2")) == ("gone", 40)


def test_a_use_is_spent_even_if_it_proves_useless() -> None:
    """R-22: a challenge to an army that withdraws at once."""
    s = scenario().army("A", abilities=["challenge"]).army("B").army("B2")
    s.melee(A=hold(use("challenge", target="B")), B=hold(tactic="withdraw"))
    assert "already" in str(s.refusal(A=hold(use("challenge", target="B2"))))


def test_triage_adds_to_every_drink_without_being_spent() -> None:
    """R-22: to potions and alchemy; its own use stays, at its own price."""
    s = (
        scenario()
        .army("A", hp=1, abilities=["alchemy"], resources=["healing-potions"], commander=boss("triage"))
        .army("B")
    )
    s.melee(A=hold(POTION))
    assert s.hp("A") == 1 + 18 + 4
    s.override("A", "hp", 1).melee(A=hold(use("alchemy")))
    assert s.hp("A") == 1 + 18 + 4
    s.melee(A=hold(use("triage", kind="boon")))
    assert s.hp("A") == 27


def test_rage_sees_the_tactic_just_chosen() -> None:
    """R-23: it becomes standard at once, without a check."""
    s = scenario().army("A", abilities=["rage"], tactics=["defensive-wall"]).army("B")
    s.melee(A=order("B", use("rage"), tactic="defensive-wall"), dice={"A tactic": 15, "A attack": 2})
    assert (s.fighter("A").tactic, s.last(e.Attacked).check) == ("standard", 2 + 11)


def test_a_tactic_whose_need_is_lost_stays_without_effect() -> None:
    """R-23: cavalry experts that lose their mounts."""
    s = scenario().army("A", abilities=["mount"], tactics=["cavalry-experts"]).army("B").tactics(A="cavalry-experts")
    assert s.om("A", "B") == 12
    s.override("A", "ability", "-mount")
    assert (s.om("A", "B"), s.fighter("A").tactic) == (9, "cavalry-experts")


def test_judgment_is_barred_by_fear_not_by_a_natural_one() -> None:
    """R-24."""
    s = scenario().army("A", hp=20, abilities=["judgment"]).army("B", abilities=["fear"])
    s.melee(A=order(), dice={"A attack": 1}).melee(A=order("B", use("judgment", "heal")))
    assert s.hp("A") == 24
    s.melee(B=order(), dice={"B attack": 14, "A fear": 1})
    assert "afraid" in str(s.refusal(A=hold(use("judgment", "heal"))))


def test_judgment_of_defense_comes_before_attacks_for_one_phase() -> None:
    """R-24."""
    s = scenario().army("A", abilities=["judgment"]).army("B")
    s.melee(A=hold(use("judgment", "defense")), B=order(), dice={"B attack": 11}).melee(
        B=order(), dice={"B attack": 11}
    )
    assert [hit.against for hit in s.all(e.Attacked)] == [20, 19]


def test_an_ally_may_be_inspired_in_any_phase() -> None:
    """R-25: in a ranged phase; naming itself names nobody."""
    s = scenario().army("A", abilities=["inspire-courage"]).army("A2").army("B")
    s.ranged(A=hold(use("inspire-courage", target="A2")))
    assert (s.om("A"), s.om("A2")) == (10, 10)
    s.melee(A=hold(use("inspire-courage")))
    assert (s.om("A"), s.om("A2")) == (10, 9)
    assert "can’t target" in str(s.refusal(A=hold(use("inspire-courage", target="B"))))


def test_effects_of_attacking_need_an_offense_check() -> None:
    """R-26: an army barred by a potion trips, grabs, wears and stops nobody; it still taunts."""
    s = scenario().army(
        "A", abilities=["trip", "grab"], resources=["siege-engines", "healing-potions"], tactics=["taunt"]
    )
    s.army("A2").army("B").army("B2").condition("fortification", "B", value=4).tactics(A="taunt")
    s.melee(A=order("B", POTION), A2=order("B"), dice={"B taunt": 1, "A2 attack": 2})
    assert (s.last(e.Attacked).against, s.all(e.FortWorn), s.last(e.TauntChecked).success) == (23, [], False)
    s.melee(A=order("B", POTION), B=hold(tactic="withdraw"), dice={"B taunt": 20})
    assert s.status("B") == "withdrawn"


def test_holding_by_choice_bars_nothing_else() -> None:
    """R-26: an army that held gives its parting shot."""
    s = scenario().army("A").army("A2").army("B", hp=12)
    s.melee(A=order(), A2=hold(), dice={"A attack": 14, "B rout": 1, "A parting": 2, "A2 parting": 2})
    assert [event.army for event in s.all(e.Attacked) if event.kind == "parting"] == ["A", "A2"]


def test_a_flyer_barred_at_declaration_hovers() -> None:
    """R-26: by fear or a natural 1; in melee phases only."""
    s = scenario().army("A", abilities=["flight"]).army("B", ranged=True).melee(A=order(), dice={"A attack": 1})
    s.melee(A=order(), B=order("A"))
    assert s.last(e.AttackLost, "B").why == "hovering"
    s.ranged(A=hold(), B=order(), dice={"B attack": 14})
    assert s.hp("A") == 36


def test_challenge_order_and_its_cost_outlast_the_challenged() -> None:
    """R-27."""
    s = scenario().army("A", abilities=["challenge", "order"]).army("B").army("B2")
    s.melee(A=hold(use("challenge", target="B"))).melee(B=hold(tactic="withdraw"))
    assert s.dv("A", "B2") == 18


def test_style_follows_the_pairing_not_the_phase() -> None:
    """R-27: kept at range in a melee phase, it shoots."""
    style = use("combat-style", "ranged")
    s = scenario().army("A", abilities=["combat-style"], ranged=True).army("B", ranged=True)
    s.melee(A=order("B", style), B=order("A", tactic="withdraw", withdraw="range"),
            dice={"A withdraw": 1, "B withdraw": 20, "A attack": 2, "B attack": 2})  # fmt: skip
    assert (s.last(e.Attacked, "A").mode, s.last(e.Attacked, "A").check) == ("shot", 12)


def test_a_false_retreat_names_an_enemy_and_holds_in_the_very_next_phase_only() -> None:
    """R-28."""
    feign = use("false-retreat", target="B", kind="tactic")
    s = scenario().army("A", tactics=["false-retreat"]).army("A2").army("B").tactics(A="false-retreat")
    assert "can’t target" in str(s.until("ranged").refusal(A=hold(use("false-retreat", target="A2", kind="tactic"))))
    s.ranged(A=hold(feign))
    assert (s.om("A", "B"), s.dv("A", "B")) == (15, 25)
    s.melee()
    assert (s.om("A", "B"), s.dv("A", "B")) == (9, 19)


def test_dirty_fighting_is_declared_with_its_tactic() -> None:
    """R-28: an army on another tactic has no such use; a failed change wastes nothing."""
    dirty = use("dirty-fighters", kind="tactic")
    s = scenario().army("A", tactics=["dirty-fighters"]).army("B").until("melee")
    assert "can’t use" in str(s.refusal(A=order("B", dirty)))
    s.melee(A=order("B", dirty, tactic="dirty-fighters"), dice={"A tactic": 1, "A attack": 2})
    assert s.last(e.Attacked).check == 11
    s.melee(A=order("B", dirty, tactic="dirty-fighters"), dice={"A tactic": 15, "A attack": 2})
    assert s.last(e.Attacked).check == 17


def test_trip_needs_a_melee_attack_on_the_target() -> None:
    """R-29: a shot trips nobody, and only the target stumbles."""
    s = scenario().army("A", abilities=["trip"], ranged=True).army("A2", ranged=True).army("B").army("B2")
    s.ranged(A=order("B"), A2=order("B"), dice={"A attack": 2, "A2 attack": 2})
    s.melee(A=order("B"), A2=order("B2"), dice={"A attack": 2, "A2 attack": 2})
    assert [hit.against for hit in s.all(e.Attacked)] == [19, 19, 18, 19]


def test_grab_needs_a_melee_attack_on_the_target() -> None:
    """R-29: a shot grabs nobody."""
    s = scenario().army("A", abilities=["grab"], ranged=True).army("B", hp=12)
    s.ranged(A=order(), dice={"A attack": 14, "B rout": 15})
    assert (s.last(e.RoutChecked).check, s.status("B")) == (15, "fighting")


# Without an order for a target (PF-3.5): the first enemy it may attack


def test_without_a_target_it_attacks_the_first_enemy_that_does_not_hover() -> None:
    """PF-3.5, R-26: a non-flyer passes over the hovering; a flyer takes the first; in a ranged phase all may."""
    s = scenario().army("A", ranged=True).army("A2", abilities=["flight"]).army("B", abilities=["flight"]).army("B2")
    s.melee(A=order(), A2=order(), dice={"A attack": 14, "A2 attack": 14})
    assert [(hit.army, hit.target) for hit in s.all(e.Attacked)] == [("A", "B2"), ("A2", "B")]
    s = scenario().army("A", ranged=True).army("B", abilities=["flight"]).army("B2")
    s.ranged(A=order(), dice={"A attack": 14})
    assert s.last(e.Attacked).target == "B"


@pytest.mark.parametrize("phase", ["ranged", "melee"])
def test_nor_does_it_seek_one_that_digs(phase: str) -> None:
    """PF-3.5, PF-9: unless it burrows itself."""
    s = scenario().army("A", ranged=True).army("A2", abilities=["burrow"], ranged=True)
    s.army("B", abilities=["burrow"]).army("B2").condition("fortification", "A", value=4).until(phase)
    getattr(s, phase)(A=order(), A2=order(), B=order("A", use("burrow", target="A")),
                      dice={"A attack": 14, "A2 attack": 14})  # fmt: skip
    assert [(hit.army, hit.target) for hit in s.all(e.Attacked)] == [("A", "B2"), ("A2", "B")]


def test_with_nobody_within_reach_it_holds() -> None:
    """PF-3.5."""
    s = scenario().army("A").army("B", abilities=["flight"]).melee(A=order())
    assert (s.fighter("A").target, s.all(e.AttackLost)) == (None, [])


def test_a_flyer_that_finds_nobody_hovers() -> None:
    """PF-3.5, R-26: its only enemy digs; beside another enemy it takes that one."""
    s = scenario().army("A", abilities=["flight"]).army("B", abilities=["burrow"])
    s.condition("fortification", "A", value=4).melee(A=order(), B=order("A", use("burrow", target="A")))
    assert (s.fighter("A").target, [marked.mark.kind for marked in s.all(e.Marked, "A")]) == (None, ["hovering"])
    s = scenario().army("A", abilities=["flight"]).army("B", abilities=["burrow"]).army("B2")
    s.condition("fortification", "A", value=4)
    s.melee(A=order(), B=order("A", use("burrow", target="A")), dice={"A attack": 2})
    assert s.last(e.Attacked).target == "B2"


def test_an_ordered_target_out_of_reach_and_one_it_had_are_kept() -> None:
    """PF-3.5, R-26: the attack is lost."""
    s = scenario().army("A").army("B", abilities=["flight"]).army("B2").melee(A=order("B"))
    assert (s.last(e.AttackLost).why, s.hp("B2")) == ("hovering", 40)
    s.melee(A=order())
    assert (s.fighter("A").target, len(s.all(e.AttackLost))) == ("B", 2)
