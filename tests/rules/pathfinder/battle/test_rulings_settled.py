"""R-58 to R-68: what was settled in play."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.orders.legal import legal
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Part
from rules.pathfinder.spec import AbilityChoice
from rules.pathfinder.weeks.week import healed, limit, regrowth_lines
from tests.scenario import GM, Scenario, boss, hold, order, scenario, use

LEAVE, RANGE = {"tactic": "withdraw"}, {"tactic": "withdraw", "withdraw": "range"}


def in_last_stand(hp: int = 3, **fields: object) -> Scenario:
    """B, ferocious, makes its last stand in the coming melee phase: struck down by A (or routed, with more hp)."""
    s = scenario().army("A").army("B", hp=hp, abilities=["ferocity"], **fields)
    return s.melee(A=order(), dice={"A attack": 14} | ({} if hp <= 4 else {"B rout": 1}))


def frightened(**fields: object) -> Scenario:
    """B is afraid in the coming phase, and on withdraw unless told otherwise."""
    s = scenario().army("A", abilities=["fear"]).army("B", tactics=["taunt"], **fields)
    return s.melee(A=order(), B=hold(**LEAVE),
                   dice={"A attack": 14, "B fear": 1, "A withdraw": 20, "B withdraw": 1})  # fmt: skip


@pytest.mark.parametrize("ordered, dice, status", [(True, {"B rout-reroll": 20}, "fighting"), (False, {}, "routed")])
def test_hold_the_line_rerolls_only_by_order(ordered: bool, dice: dict[str, int], status: str) -> None:
    """R-58."""
    s = scenario().army("A").army("B", hp=12, commander=boss("hold-the-line"))
    parting = {} if ordered else {"A parting": 2}
    s.melee(A=order(), B=hold(hold_the_line=ordered), dice={"A attack": 14, "B rout": 1, **dice, **parting})
    assert s.status("B") == status


def test_an_army_that_may_not_leave_keeps_its_distance() -> None:
    """R-59: it beats its opponent, stays, and both may only shoot."""
    s = scenario().army("A", ranged=True).army("B").declared("cannot_leave", "A")
    s.melee(A=order("B", **LEAVE), B=order("A"), dice={"A withdraw": 20, "B withdraw": 1, "A attack": 14})
    assert (s.last(e.WithdrawalDecided).outcome, s.status("A"), s.last(e.Attacked).mode) == (
        "range",
        "fighting",
        "shot",
    )


def test_who_may_leave_does() -> None:
    """R-59: the contrary, on the same field."""
    s = scenario().army("A", ranged=True).army("A2").army("B").declared("cannot_leave", "A2")
    s.melee(A=order("B", **LEAVE), B=order("A"), dice={"A withdraw": 20, "B withdraw": 1})
    assert s.status("A") == "withdrawn"


def test_its_order_says_so_beforehand() -> None:
    """R-59, R-62: withdraw is legal and notes that it will not leave; elsewhere it notes nothing."""
    s = scenario().army("A").army("A2").army("B").declared("cannot_leave", "A").until("melee")
    bound, free = (found for found in legal(s.state, GM).armies if found.army in ("A", "A2"))
    assert [choice.note for choice in bound.tactics if choice.slug == "withdraw"] == [bound.why_it_stays]
    assert "distance" in str(bound.why_it_stays)
    assert (free.why_it_stays, {choice.note for choice in free.tactics if choice.slug == "withdraw"}) == (None, {None})
    stand = legal(in_last_stand().state, GM).armies[1]
    assert "last stand" in str(stand.why_it_stays)


@pytest.mark.parametrize("phase", ["ranged", "melee"])
def test_a_digging_army_does_not_shoot(phase: str) -> None:
    """R-60: nor in a ranged phase; the one beside it does."""
    s = scenario().army("A", ranged=True, abilities=["burrow"]).army("A2", ranged=True).army("B")
    s.condition("fortification", "B", value=4).until(phase)
    dig, shoot = order("B", use("burrow", target="B")), order("B")
    getattr(s, phase)(A=dig, A2=shoot, dice={"A2 attack": 2})
    assert [hit.army for hit in s.all(e.Attacked)] == ["A2"]


def test_range_binds_the_army_and_the_opponents_it_beat() -> None:
    """R-61: it meets a third hand to hand, who did not attack it."""
    s = scenario().army("A").army("B").army("B2")
    s.melee(A=order("B2", **RANGE), B=order("A"), B2=hold(),
            dice={"A withdraw": 20, "B withdraw": 1, "A attack": 14})  # fmt: skip
    assert (s.last(e.Attacked).mode, s.hp("B2"), s.last(e.AttackLost, "B").why) == ("melee", 38, "no-shot")


def test_the_next_withdrawer_opposes_only_those_who_can_still_attack_it() -> None:
    """R-30, R-61: A took its distance from B and cannot shoot, so nobody attacks B any more: it is free to go."""
    s = scenario().army("A").army("B").army("B2")
    s.melee(A=order("B", **RANGE), B=order("A", **LEAVE), dice={"A withdraw": 20, "B withdraw": 1})
    assert (s.all(e.WithdrawalDecided, "B")[0].opponents, s.status("B")) == ((), "withdrawn")


def test_and_those_who_shoot_still_oppose_it() -> None:
    """R-30, R-61: the same with bows; the second pair rolls too."""
    s = scenario().army("A", ranged=True).army("B").army("B2")
    s.melee(A=order("B", **RANGE), B=order("A", **LEAVE),
            dice={"A withdraw": [20, 20], "B withdraw": [1, 1], "A attack": 2})  # fmt: skip
    assert (s.last(e.WithdrawalDecided, "B").opponents, s.status("B")) == (("A",), "fighting")


def test_who_leaves_late_goes_after_regeneration_is_judged() -> None:
    """R-62: beaten to nothing while it breaks away, it is defeated and not withdrawn."""
    s = scenario().army("A", hp=3, abilities=["regeneration 2"]).army("A2").army("B").army("B2")
    s.melee(A=hold(**LEAVE), B=order("A"), B2=order("A"),
            dice={"A withdraw": 10, "B withdraw": 1, "B2 withdraw": 20, "B attack": 20, "B2 attack": 2})  # fmt: skip
    assert (s.all(e.WithdrawalDecided)[0].outcome, s.status("A")) == ("pursued", "defeated")


def test_with_no_enemy_left_to_judge_it_the_regenerating_leave() -> None:
    """R-62, R-53: at 0 hp, but its only enemy has none either."""
    s = scenario().army("A", hp=3, abilities=["regeneration 2"]).army("A2")
    s.army("B", hp=3, abilities=["regeneration 2"]).army("B2", hp=3)
    s.melee(A=order("B", **LEAVE), A2=order("B2"), B=order("A"), B2=order("A"),
            dice={"A withdraw": 10, "B withdraw": 1, "B2 withdraw": 20, "A attack": 20, "A2 attack": 20,
                  "B attack": 20, "B2 attack": 2})  # fmt: skip
    assert (s.status("A"), s.hp("A")) == ("withdrawn", 0)


@pytest.mark.parametrize("hp, fate", [(3, "defeated"), (12, "routed")])
def test_an_army_in_its_last_stand_does_not_leave(hp: int, fate: str) -> None:
    """R-62, R-52: it beats its pursuers, keeps its distance, and meets its fate at step 9."""
    s = in_last_stand(hp).melee(A=order(), B=hold(**LEAVE), dice={"A withdraw": 1, "B withdraw": 20})
    assert (s.last(e.WithdrawalDecided).outcome, s.status("B"), s.state.phase.kind) == ("range", fate, "aftermath")
    proposal = s.aftermath({"A loyalty-tactic": 1, "A loyalty-boon": 1})
    status = [change.after for change in proposal.changes if (change.subject_id, change.field) == ("B", "status")]
    assert status == [fate]
    assert [note.rule for note in proposal.notes].count("PF-6.4") == 1


def test_nor_does_one_that_nobody_attacks() -> None:
    """R-62: free to go, it would have escaped."""
    s = in_last_stand().melee(B=hold(**LEAVE))
    assert s.status("B") == "defeated"


def test_nor_one_that_always_withdraws() -> None:
    """R-62, R-32: not even by teleportation."""
    s = scenario().army("A").army("B", hp=3, abilities=["ferocity", "teleportation"])
    s.melee(A=order(), dice={"A attack": 14}).melee(A=order(), B=hold(**LEAVE))
    assert s.status("B") == "defeated"


def test_nor_late_when_its_last_stand_begins_as_it_breaks_away() -> None:
    """R-62, R-52: struck down in the phase at whose end it would have left; it stands in the next one."""
    s = scenario().army("A").army("A2").army("B", hp=3, abilities=["ferocity"])
    s.melee(A=order(), A2=order(), B=hold(**LEAVE),
            dice={"B withdraw": 10, "A withdraw": 1, "A2 withdraw": 20, "A attack": 14, "A2 attack": 2})  # fmt: skip
    assert (s.last(e.WithdrawalDecided).outcome, s.status("B"), s.hp("B")) == ("pursued", "fighting", 0)
    s.melee()
    assert s.status("B") == "defeated"


def test_an_army_doomed_by_fear_does_not_leave_but_routs() -> None:
    """R-62, R-45: it failed the check for another tactic while afraid, and was on withdraw."""
    s = frightened().melee(A=order(), B=hold(tactic="taunt"), dice={"B tactic": 1, "A withdraw": 1, "B withdraw": 20})
    assert (s.last(e.WithdrawalDecided).outcome, s.status("B")) == ("range", "routed")


def test_afraid_but_not_doomed_it_leaves() -> None:
    """R-62: the contrary: fear alone keeps nobody."""
    s = frightened().melee(A=order(), B=hold(), dice={"A withdraw": 1, "B withdraw": 20})
    assert s.status("B") == "withdrawn"


def test_earth_glide_ignores_a_moat_of_unstated_material() -> None:
    """R-63: but not one of water."""
    moat, water = (Part("moat", value=4),), (Part("moat", "water", 4),)
    for parts, dv in ((moat, 19), (water, 23)):
        s = scenario().army("A", abilities=["earth-glide"]).army("B").condition("fortification", "B", parts=parts)
        assert s.dv("B", "A") == dv


def test_light_blindness_and_light_sensitivity_add_up() -> None:
    """R-64."""
    s = scenario().army("A", abilities=["light-blindness", "light-sensitivity"]).army("B").condition("bright-light")
    assert (s.om("A"), s.dv("A")) == (9 - 3, 19 - 3)


def test_two_channelled_energies_may_both_heal_in_one_phase() -> None:
    """R-65: each at its price of half the ACR; the same one under another name only once (R-1)."""
    channels = ["undead", "channel-negative-energy", "channel-positive-energy", "lay-on-hands"]
    s = scenario().army("A", hp=10, abilities=channels).army("B")
    s.melee(A=order("B", use("channel-negative-energy"), use("channel-positive-energy")), dice={"A attack": 2})
    assert (s.hp("A"), s.last(e.Attacked).check) == (10 + 9 + 9, 2 + 9 - 4 - 4)
    s.refusal(A=order("B", use("channel-positive-energy"), use("lay-on-hands")))


def test_a_last_stand_that_begins_in_step_one_waits_for_the_next_melee_phase() -> None:
    """R-66: bled to nothing it neither acts nor is attacked in that phase; it fights in the next."""
    s = scenario().army("A", abilities=["bleed"]).army("A2").army("B", hp=5, abilities=["ferocity"])
    s.melee(A=order(), dice={"A attack": 11, "B rout": 20})
    s.melee(A=order(), A2=order(), B=order("A"), dice={"B bleed": 6})
    assert (s.status("B"), s.marks("B"), len(s.all(e.Attacked))) == ("fighting", ["last-stand"], 1)
    s.melee(B=order("A"), dice={"B attack": 15})
    assert (s.hp("A"), s.status("B")) == (39, "defeated")


def test_a_victors_loyalty_check_counts_the_losses_of_the_same_battle() -> None:
    """R-67: its kingdom lost 2 Loyalty with another army; 12 + 18 would have been enough, 12 + 16 is not."""
    s = scenario().army("A").army("A2", hp=3).army("B", hp=3)
    s.melee(A=order("B"), B=order("A2"), dice={"A attack": 14, "B attack": 14})
    dice = {"A loyalty-tactic": 12, "A loyalty-boon": 1}
    proposal = s.aftermath(dice, loyalty=18)
    assert [ch.after for ch in proposal.changes if (ch.subject_id, ch.field) == ("A", "morale")] == []
    proposal = s.aftermath(dice, loyalty=20)
    assert [ch.after for ch in proposal.changes if (ch.subject_id, ch.field) == ("A", "morale")] == [1]


def test_the_half_cap_also_limits_fast_healing() -> None:
    """R-68: what grows back by itself goes up to half; without the rule up to all."""
    regrown = regrowth_lines([AbilityChoice("fast-healing", 3)]).total
    assert (healed(5, regrown, limit(41, half=True)), healed(5, regrown, limit(41, half=False))) == (20, 41)


def test_the_gm_ending_a_battle_spares_no_last_stand() -> None:
    """R-52, R-62: however it ends."""
    assert in_last_stand().play(c.End("dusk")).status("B") == "defeated"
    assert in_last_stand(12).play(c.Interrupt("night")).status("B") == "routed"
