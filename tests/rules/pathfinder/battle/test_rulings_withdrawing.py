"""R-30 to R-34: withdrawing and taunting."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.state import events as e
from tests.scenario import boss, hold, order, scenario, use

LEAVE, RANGE = {"tactic": "withdraw"}, {"tactic": "withdraw", "withdraw": "range"}


def test_opponents_are_those_who_would_attack_it_this_phase() -> None:
    """R-30: not one that is barred, nor one that attacks another; one d20 each."""
    s = scenario().army("A").army("A2").army("B").army("B2").army("B3", resources=["healing-potions"])
    s.melee(
        A=hold(**LEAVE),
        B=order("A"),
        B2=order("A2"),
        B3=order("A", use("healing-potions", kind="resource")),
        dice={"A withdraw": 10, "B withdraw": 5, "B2 attack": 2},
    )
    assert s.last(e.WithdrawalDecided).opponents == ("B",)


def test_one_die_for_the_withdrawer_against_all() -> None:
    """R-30."""
    s = scenario().army("A").army("A2").army("B").army("B2")
    s.melee(A=hold(**LEAVE), B=order("A"), B2=order("A"), dice={"A withdraw": 10, "B withdraw": 9, "B2 withdraw": 8})
    assert [pair.check for pair in s.all(e.WithdrawalOpposed)] == [10, 10]


def test_only_the_tied_pair_rolls_again() -> None:
    """R-30: equal bonuses."""
    s = scenario().army("A").army("A2").army("B").army("B2")
    s.melee(A=hold(**LEAVE), B=order("A"), B2=order("A"),
            dice={"A withdraw": [10, 3], "B withdraw": [10, 2], "B2 withdraw": 9})  # fmt: skip
    assert s.status("A") == "withdrawn"


def test_beating_all_it_may_stay_at_range() -> None:
    """R-31: both may only shoot, the strategy is dropped, wind and rocks rule; others still fight in melee."""
    s = scenario().army("A", abilities=["rock-throwing"]).army("B", ranged=True).army("B2").army("B3")
    s.condition("wind", value="severe").melee(A=hold(strategy="reckless"))
    s.melee(A=order("B", **RANGE), B=order("A"), B2=order("A"),
            dice={"A withdraw": 20, "B withdraw": 1, "B2 withdraw": 1, "A attack": 14, "B attack": 20})  # fmt: skip
    mine, theirs = s.last(e.Attacked, "A"), s.last(e.Attacked, "B")
    assert (mine.mode, mine.check, mine.damage) == ("shot", 14 + 9 - 2, 2 + 4)
    assert (theirs.check, theirs.against) == (20 + 9 - 4, 19 - 2)
    assert (s.last(e.AttackLost, "B2").why, s.status("A")) == ("no-shot", "fighting")


def test_at_range_only_from_its_opponents() -> None:
    """R-31: an army that did not attack it is still met in melee."""
    s = scenario().army("A").army("B").army("B2")
    s.melee(A=order("B2", **RANGE), B=order("A"), dice={"A withdraw": 20, "B withdraw": 1, "A attack": 14})
    assert (s.last(e.Attacked).mode, s.last(e.Attacked).check) == ("melee", 21)


def test_beating_some_it_may_choose_to_stay() -> None:
    """R-31: the phase stays a melee both ways; every opponent attacks; it stays if it chose range."""
    s = scenario().army("A").army("B").army("B2")
    s.melee(
        A=order("B", **RANGE),
        B=order("A"),
        B2=order("A"),
        dice={"A withdraw": 10, "B withdraw": 1, "B2 withdraw": 20, "A attack": 2, "B attack": 2, "B2 attack": 2},
    )
    assert [hit.mode for hit in s.all(e.Attacked)] == ["melee"] * 3
    assert s.status("A") == "fighting"


def test_in_a_ranged_phase_all_shoot_as_usual() -> None:
    """R-31."""
    s = scenario().army("A", ranged=True).army("B", ranged=True)
    s.ranged(A=order("B", **RANGE), B=order("A"),
             dice={"A withdraw": 20, "B withdraw": 1, "A attack": 2, "B attack": 2})  # fmt: skip
    assert len(s.all(e.Attacked)) == 2


def test_the_check_repeats_every_phase() -> None:
    """R-31: while the tactic is withdraw."""
    s = (
        scenario()
        .army("A")
        .army("B")
        .melee(A=hold(**LEAVE), B=order(), dice={"A withdraw": 1, "B withdraw": 20, "B attack": 2})
    )
    s.melee(A=hold(), B=order("A", let_go=True))
    assert s.status("A") == "withdrawn"


def test_a_mindless_opponent_wins_without_rolling() -> None:
    """R-32: no die falls for an automatic result."""
    s = scenario().army("A").army("B", abilities=["mindless"]).melee(A=hold(**LEAVE), B=order(), dice={"B attack": 2})
    assert (s.last(e.WithdrawalOpposed).why, s.last(e.WithdrawalOpposed).rolls, s.status("A")) == (
        "mindless",
        (),
        "fighting",
    )


@pytest.mark.parametrize("slug", ["incorporeal", "swarm", "teleportation"])
def test_those_who_always_withdraw_escape_even_the_mindless(slug: str) -> None:
    """R-32."""
    s = scenario().army("A", abilities=[slug]).army("A2").army("B", abilities=["mindless"])
    s.melee(A=hold(**LEAVE), B=order("A"))
    assert s.status("A") == "withdrawn"


def test_taunt_needs_a_declared_target_but_no_attack() -> None:
    """R-33: in a ranged phase by an army that cannot shoot; none while it holds."""
    s = scenario().army("A", tactics=["taunt"]).army("B").tactics(A="taunt").ranged(A=hold())
    assert s.all(e.TauntChecked) == []
    s.melee(A=hold()).ranged(A=order("B"), dice={"B taunt": 1})
    assert s.last(e.TauntChecked).success is False


def test_hit_and_run_needs_a_check_in_an_earlier_phase() -> None:
    """R-34."""
    s = scenario().army("A", commander=boss("hit-and-run", level=5)).army("B")
    s.melee(A=order(), dice={"A attack": 2})
    s.melee(A=hold(**LEAVE), B=order(), dice={"A withdraw": 9, "B withdraw": 10})
    assert (s.last(e.WithdrawalOpposed).check, s.status("A")) == (11, "withdrawn")


def test_merciless_on_parting_shots_and_on_any_attack_against_an_army_on_withdraw() -> None:
    """R-34."""
    s = scenario().army("A", commander=boss("merciless")).army("B", hp=12)
    s.melee(
        A=order(),
        B=hold(**LEAVE),
        dice={"A withdraw": 20, "B withdraw": 1, "A attack": 11, "B rout": 1, "A parting": 2},
    )
    assert [hit.check for hit in s.all(e.Attacked)] == [21, 12]
