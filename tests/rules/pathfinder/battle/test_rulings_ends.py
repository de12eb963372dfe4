"""R-50 to R-57: how armies and battles end."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from tests.scenario import Scenario, boss, hold, order, scenario, use


def last_stand(hp: int = 3, **fields: object) -> Scenario:
    """B, ferocious, has been struck down (or routed) in the first melee phase by A."""
    s = scenario().army("A").army("B", hp=hp, abilities=["ferocity"], **fields)
    dice = {"A attack": 14} | ({} if hp <= 4 else {"B rout": 1})
    return s.melee(A=order(), dice=dice)


def test_hp_lost_and_healed_again_still_count_as_lost() -> None:
    """R-50: bled for 1, mended by 2, and still it checks for rout."""
    s = scenario().army("A", abilities=["bleed"]).army("B", hp=5, abilities=["fast-healing 4"])
    s.melee(A=order(), dice={"A attack": 11, "B rout": 20})
    assert s.hp("B") == 8
    s.melee(dice={"B bleed": 1, "B rout": 20})
    assert (s.hp("B"), len(s.all(e.RoutChecked))) == (9, 2)


def test_parting_shots_use_the_figures_of_step_six() -> None:
    """R-51: drain and paralysis of this very phase change nothing in them."""
    s = scenario().army("A", abilities=["paralysis", "energy-drain"]).army("B", hp=12)
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 2, "B rout": 1, "A parting": 11})
    assert [hit.against for hit in s.all(e.Attacked, "A")] == [19, 19]


def test_each_eligible_enemy_strikes_each_routed_army() -> None:
    """R-51: and armies routed in the same phase give none."""
    s = scenario().army("A").army("A2").army("B", hp=12).army("B2", hp=12).army("C", hp=12).army("C2")
    s.melee(A=order("B"), A2=order("B2"), B=order("C"),
            dice={"A attack": 14, "A2 attack": 14, "B attack": 14, "B rout": 1, "B2 rout": 1, "C rout": 1,
                  "A parting": [2, 2, 2], "A2 parting": [2, 2, 2], "C2 parting": [2, 2]})  # fmt: skip
    assert [s.status(name) for name in ("B", "B2", "C")] == ["routed"] * 3
    assert len([hit for hit in s.all(e.Attacked) if hit.kind == "parting"]) == 8


def test_parting_shots_leave_marks_but_no_fear_and_break_no_engine() -> None:
    """R-51."""
    s = (
        scenario()
        .army("A", abilities=["fear", "energy-drain"], tactics=["siegebreaker"])
        .army("A2")
        .army("B", hp=12)
        .army("B2")
    )
    s.override("B", "engines", 1).tactics(A="siegebreaker")
    s.melee(A=order("B2"), A2=order("B"),
            dice={"A attack": 2, "A2 attack": 15, "B rout": 1, "A parting": 14, "A2 parting": 2})  # fmt: skip
    assert (s.status("B"), s.fighter("B").engines, s.all(e.FearChecked)) == ("routed", 1, [])
    assert "drained" in s.marks("B")


def test_no_parting_shot_reaches_a_hovering_army_from_the_ground() -> None:
    """R-26, R-51: a flyer of the enemy's does."""
    s = scenario().army("A", abilities=["flight"]).army("A2", ranged=True).army("B", hp=12, abilities=["flight"])
    s.melee(A=order("B"), A2=hold(), B=hold(), dice={"A attack": 14, "B rout": 1, "A parting": 2})
    assert [hit.army for hit in s.all(e.Attacked) if hit.kind == "parting"] == ["A"]


def test_a_flyer_that_fought_is_struck_as_it_flees() -> None:
    """R-26, R-51: the contrary: it does not hover."""
    s = scenario().army("A").army("A2").army("B", hp=12, abilities=["flight"])
    s.melee(A=order("B"), A2=hold(), B=order("A"),
            dice={"A attack": 14, "B attack": 2, "B rout": 1, "A parting": 2, "A2 parting": 2})  # fmt: skip
    assert [hit.army for hit in s.all(e.Attacked) if hit.kind == "parting"] == ["A", "A2"]


def test_no_parting_shot_reaches_a_digging_army_but_from_who_burrows() -> None:
    """R-51, PF-9: it lost hp to the sandstorm and routed under the ground."""
    s = scenario().army("A").army("A2", abilities=["earth-glide"]).army("B", hp=11, abilities=["burrow"])
    s.condition("sandstorm").condition("fortification", "A", value=4)
    s.melee(A=hold(), A2=hold(), B=order("A", use("burrow", target="A")), dice={"B rout": 1, "A2 parting": 2})
    assert [hit.army for hit in s.all(e.Attacked) if hit.kind == "parting"] == ["A2"]


def test_at_nothing_it_gives_no_parting_shot() -> None:
    """R-51, R-53: a regenerating army at 0 hp."""
    s = scenario().army("A", hp=12).army("B", hp=3, abilities=["regeneration 2"]).army("B2").until("melee")
    s.override("B", "hp", 1)
    s.melee(A=order("B"), B2=order("A"), dice={"A attack": 20, "B2 attack": 14, "A rout": 1, "B2 parting": 2})
    assert [hit.army for hit in s.all(e.Attacked) if hit.kind == "parting"] == ["B2"]


def test_a_last_stand_does_nothing_in_ranged_phases() -> None:
    """R-52: it takes no orders and is not attacked there."""
    s = last_stand(commander=boss()).play(c.Next("ranged"))
    assert "last stand" in str(s.refusal(B=hold()))
    s.ranged().melee(B=order(), dice={"B attack": 15})
    assert (s.hp("A"), s.status("B")) == (40 - 1, "defeated")


def test_a_last_stand_cannot_heal() -> None:
    """R-52: nor does fast healing."""
    s = last_stand(resources=["healing-potions"])
    assert "can’t heal in a last stand" in str(s.refusal(B=hold(use("healing-potions", kind="resource"))))
    s = (
        scenario()
        .army("A")
        .army("B", hp=1, abilities=["ferocity", "fast-healing 8"])
        .until("melee")
        .override("B", "hp", 1)
    )
    s.melee(A=order(), dice={"A attack": 20}).melee(B=order(), dice={"B attack": 2})
    assert s.status("B") == "defeated"


def test_a_routed_army_stands_once_more_then_leaves_under_parting_shots() -> None:
    """R-52: no rout check in its last stand; parting shots then."""
    s = last_stand(hp=12)
    assert (s.status("B"), s.marks("B"), s.hp("B")) == ("fighting", ["last-stand"], 8)
    s.melee(A=order(), B=order(), dice={"A attack": 7, "B attack": 2, "A parting": 2})
    assert (s.status("B"), s.hp("B"), len(s.all(e.RoutChecked))) == ("routed", 7, 1)


def test_struck_to_nothing_in_its_last_stand_it_is_defeated() -> None:
    """R-52."""
    s = last_stand(hp=12).melee(A=order(), dice={"A attack": 20})
    assert s.status("B") == "defeated"


def test_no_second_stand() -> None:
    """R-52."""
    s = last_stand().melee()
    assert (s.status("B"), len(s.all(e.LastStand))) == ("defeated", 1)


def test_the_battle_waits_for_a_last_stand_while_it_has_an_enemy() -> None:
    """R-52: with none, its fate falls at once."""
    assert last_stand().state.phase.kind == "melee"
    s = scenario().army("A", hp=3).army("B", hp=3, abilities=["ferocity"])
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 14})
    assert (s.status("B"), s.state.result.winner) == ("defeated", None)  # type: ignore[union-attr]


def test_alone_on_the_field_a_routed_last_stand_routs_at_once() -> None:
    """R-52: its enemy left at the end of the phase; it still has hit points."""
    s = scenario().army("A").army("B", hp=12, abilities=["ferocity"]).army("B2")
    s.melee(A=order("B", tactic="withdraw"), B=order("A"), B2=order("A"),
            dice={"A withdraw": 10, "B withdraw": 1, "B2 withdraw": 20, "A attack": 16, "B attack": 2, "B2 attack": 2,
                  "B rout": 1})  # fmt: skip
    assert (s.status("A"), s.status("B"), s.hp("B"), len(s.all(e.LastStand))) == ("withdrawn", "routed", 8, 1)


def test_two_last_stands_meet_in_one_more_phase() -> None:
    """R-52."""
    s = scenario().army("A", hp=3, abilities=["ferocity"]).army("B", hp=3, abilities=["ferocity"])
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 14})
    assert s.state.phase.kind == "melee"
    s.melee(A=order(), B=order(), dice={"A attack": 2, "B attack": 2})
    assert (s.status("A"), s.status("B")) == ("defeated", "defeated")


def test_two_regenerating_armies_at_nothing_both_remain() -> None:
    """R-53."""
    s = scenario().army("A", hp=3, abilities=["regeneration 2"]).army("B", hp=3, abilities=["regeneration 2"])
    s.melee(A=order(), B=order(), dice={"A attack": 19, "B attack": 19})
    assert (s.status("A"), s.status("B"), s.all(e.RoutChecked)) == ("fighting", "fighting", [])
    s.melee()
    assert (s.hp("A"), s.hp("B")) == (1, 1)


def test_only_an_enemy_with_hit_points_ends_a_regenerating_army() -> None:
    """R-53."""
    s = scenario().army("A").army("B", hp=3, abilities=["regeneration 2"]).melee(A=order(), dice={"A attack": 20})
    assert s.status("B") == "defeated"


def test_one_point_is_enough_to_end_a_regenerating_army() -> None:
    """R-53."""
    s = scenario().army("A", hp=5).army("B", hp=3, abilities=["regeneration 2"])
    s.melee(A=order(), B=order(), dice={"A attack": 20, "B attack": 14, "A rout": 20})
    assert (s.hp("A"), s.status("B")) == (1, "defeated")


def test_the_attack_that_takes_the_last_hp_makes_the_spawn() -> None:
    """R-54: in attack order, by an army with hp left; default healing."""
    s = scenario().army("A", hp=9, abilities=["create-spawn"]).army("A2", hp=9, abilities=["create-spawn"])
    s.army("B", hp=6).army("B2")
    s.melee(A=order("B"), A2=order("B"), dice={"A attack": 14, "A2 attack": 14})
    assert (s.hp("A"), s.hp("A2")) == (9, 27)
    s = scenario().army("A", hp=3, abilities=["create-spawn"]).army("A2").army("B", hp=3).army("B2")
    s.melee(A=order("B"), B=order("A"), dice={"A attack": 14, "B attack": 14})
    assert s.all(e.Spawned) == []


@pytest.mark.parametrize("size, acr", [("diminutive", 9), ("medium", "1/4")])
def test_no_spawn_below_fine_or_an_eighth(size: str, acr: object) -> None:
    """R-54: it heals instead."""
    s = (
        scenario()
        .army("A", acr=acr, size=size, hp=1, abilities=["create-spawn"])
        .army("B", acr=acr, size=size, hp=1)
        .army("B2")
    )
    s.melee(A=order("B", spawn="army"), dice={"A attack": 20})
    assert list(s.state.armies) == ["A", "B", "B2"]
    assert s.all(e.Healed, "A")


def test_a_tiny_army_raises_a_single_creature() -> None:
    """R-54: two sizes below tiny is fine."""
    s = scenario().army("A", size="tiny", abilities=["create-spawn"]).army("B", hp=1).army("B2")
    s.melee(A=order("B", spawn="army"), dice={"A attack": 20})
    assert (s.fighter("A~1").spec.count, s.fighter("A~1").acr) == (1, 5)


def test_a_spawn_of_an_eighth_is_an_army() -> None:
    """R-54: CR 1/2 at tiny size."""
    s = scenario().army("A", acr="1/2", hp=1, abilities=["create-spawn"]).army("B", acr="1/2", hp=1).army("B2", acr=1)
    s.melee(A=order("B", spawn="army"), dice={"A attack": 20})
    assert (str(s.law.sheet(s.fighter("A~1").spec).acr), s.fighter("A~1").hp) == ("1/8", 1)


def test_a_captured_army_keeps_hp_and_morale_and_shoots_nobody() -> None:
    """R-55."""
    s = scenario().army("A").army("B", hp=12, morale=2).army("C", hp=12).army("C2").declared("cannot_leave", "B")
    s.melee(
        A=order("B"),
        C2=order("A"),
        B=order("C"),
        dice={"A attack": 14, "C2 attack": 2, "B attack": 14, "B rout": 1, "C rout": 1, "A parting": 2},
    )
    assert (s.status("B"), s.hp("B"), s.fighter("B").morale, s.status("C")) == ("captured", 8, 2, "routed")
    assert [(hit.army, hit.target) for hit in s.all(e.Attacked) if hit.kind == "parting"] == [("A", "C")]


def test_a_ranged_phase_in_which_nobody_shoots_still_takes_place() -> None:
    """R-57: tactics, healing and weather."""
    s = scenario().army("A", hp=30, abilities=["fast-healing 4"], tactics=["taunt"]).army("B").condition("sandstorm")
    s.ranged(A=hold(tactic="taunt"), dice={"A tactic": 15})
    assert (s.hp("A"), s.hp("B"), s.fighter("A").tactic) == (31, 39, "taunt")


def test_the_gm_may_end_a_battle_with_or_without_a_victor() -> None:
    """PF-3.2, R-56: with a reason; a side that is not there is refused."""
    s = scenario().army("A").army("B").until("melee")
    assert s.refused(c.End(" ")).field == "/reason"
    assert s.refused(c.End("dusk", 2)).field == "/winner"
    assert s.play(c.End("dusk", 1)).state.result.winner == 1  # type: ignore[union-attr]
    s.refused(c.End("again"))


def test_a_battle_is_closed_and_reopened() -> None:
    """PF-6: only after its end, and only what is closed reopens."""
    s = scenario().army("A").army("B").until("melee")
    s.refused(c.Close())
    s.play(c.End("dusk")).refused(c.Reopen())
    s.play(c.Close())
    assert s.state.phase.kind == "closed"
    assert s.play(c.Reopen()).state.phase.kind == "aftermath"
