"""R-40 to R-46: damage and what it leaves behind."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from tests.scenario import boss, has, hold, order, scenario, use


def test_a_base_of_nothing_or_less_is_never_multiplied() -> None:
    """R-40: 2 above DV, cautious −3: the house minimum, in fog, against a swarm."""
    s = scenario().army("A").army("B", abilities=["swarm"]).condition("fog")
    s.melee(A=order(strategy="cautious"), dice={"A attack": 14})
    assert (s.last(e.Attacked).check, s.last(e.Attacked).damage) == (21, 1)


def test_all_modifiers_are_added_before_the_factors() -> None:
    """R-40: floor((3 + 1 + 1 + die 2) × 1/2 × 3/2) = 5."""
    s = scenario().army("A", abilities=["rend", "rake", "breath-weapon"]).army("B", abilities=["swarm"])
    s.condition("fog").declared("magical", "A").melee(A=order(), dice={"A attack": 13, "A extra": 2})
    assert s.last(e.Attacked).damage == 5


def test_a_hit_that_is_halved_leaves_at_least_one() -> None:
    """R-40: floor(1 × 1/2) is 1."""
    s = scenario().army("A").army("B").condition("fog").melee(A=order(), dice={"A attack": 11})
    assert s.last(e.Attacked).damage == 1


def test_the_point_of_a_natural_twenty_is_never_multiplied() -> None:
    """R-40: nor raised by modifiers or dice."""
    s = scenario().army("A", abilities=["rend", "breath-weapon"]).army("B", acr=29, abilities=["swarm"])
    s.declared("magical", "A").melee(A=order(strategy="reckless"), dice={"A attack": 20})
    assert s.last(e.Attacked).damage == 1


def test_consequences_need_damage_before_the_cap() -> None:
    """R-40: overkill still counts; a miss or a spared target suffers nothing."""
    s = scenario().army("A", abilities=["paralysis"]).army("B", abilities=["incorporeal"]).army("B2")
    s.melee(A=order("B"), dice={"A attack": 20}).melee(A=order("B2"), dice={"A attack": 10})
    assert (s.marks("B"), s.marks("B2")) == ([], [])
    s.melee(A=order("B2"), dice={"A attack": 11})
    assert s.marks("B2") == ["paralysed"]


def test_the_point_of_a_natural_twenty_has_consequences() -> None:
    """R-40: at least 1 damage computed."""
    s = scenario().army("A", abilities=["energy-drain"]).army("B", acr=29).melee(A=order(), dice={"A attack": 20})
    assert s.marks("B") == ["drained"]


def test_extra_dice_are_rolled_only_on_a_hit_that_can_hurt() -> None:
    """R-41: neither on a miss, nor on a natural 20 that does not exceed, nor against the incorporeal."""
    s = scenario().army("A", abilities=["breath-weapon"]).army("B", acr=29).army("B2", abilities=["incorporeal"])
    s.melee(A=order("B"), dice={"A attack": 20}).melee(A=order("B2"), dice={"A attack": 15})
    assert [len(hit.rolls) for hit in s.all(e.Attacked)] == [1, 1]


def test_breath_is_rolled_before_channelled_energy() -> None:
    """R-41: one roll for each source; evasion halves the breath only."""
    s = scenario().army("A", abilities=["breath-weapon", "channel-negative-energy"]).army("B", abilities=["evasion"])
    s.melee(A=order(), dice={"A attack": 14, "A extra": [4, 3]})
    assert s.last(e.Attacked).damage == 4 + 2 + 3


def test_channelling_to_heal_forgoes_the_damage() -> None:
    """R-41: no die."""
    s = scenario().army("A", hp=9, abilities=["channel-positive-energy"]).army("B", abilities=["undead"])
    s.melee(A=order("B", use("channel-positive-energy")), dice={"A attack": 20})
    assert s.last(e.Attacked).damage == 20 + 9 - 4 - 21


@pytest.mark.parametrize(
    "attacker, magical",
    [
        ({"resources": ["magic-weapons"]}, True),
        ({"abilities": ["ki-pool"]}, True),
        ({"abilities": ["spellcasting 5"]}, False),
        ({"resources": ["improved-weapons"]}, False),
    ],
)
def test_what_makes_attacks_magical(attacker: dict[str, object], magical: bool) -> None:
    """R-42: Spellcasting alone is not."""
    s = scenario().army("A", **attacker).army("B", abilities=["incorporeal"]).melee(A=order(), dice={"A attack": 19})
    assert (s.hp("B") < 40) is magical


def test_a_judgment_of_magic_and_the_gms_word_do_too() -> None:
    """R-42."""
    s = scenario().army("A", abilities=["judgment"]).army("B", abilities=["incorporeal"])
    s.melee(A=order("B", use("judgment", "magic")), dice={"A attack": 14}).melee(A=order("B"), dice={"A attack": 14})
    assert s.hp("B") == 38
    s = scenario().army("A").army("B", abilities=["incorporeal"]).declared("magical", "A")
    assert s.melee(A=order(), dice={"A attack": 14}).hp("B") == 38


def test_one_bleed_mark_for_each_damaging_melee_attack() -> None:
    """R-43: two attackers, two dice under the bleeding army; removed after one phase; no multiplier."""
    s = scenario().army("A", abilities=["bleed"]).army("A2", abilities=["poison"]).army("B").condition("fog")
    s.melee(A=order(), A2=order(), dice={"A attack": 12, "A2 attack": 12})
    s.melee(dice={"B bleed": [6, 5]}).melee()
    assert s.hp("B") == 38 - 11


def test_a_mark_is_named_after_the_first_name_the_target_is_not_immune_to() -> None:
    """R-43."""
    s = scenario().army("A", abilities=["poison", "burn"]).army("B", abilities=["undead", "poison-resistance 8"])
    s.melee(A=order(), dice={"A attack": 14}).melee(dice={"B bleed": 3})
    assert (s.last(e.Wounded).cause, s.last(e.Wounded).amount) == ("burn", 3)


def test_poison_resistance_may_leave_nothing() -> None:
    """R-43: floor(value/2) off, to 0."""
    s = scenario().army("A", abilities=["poison"]).army("B", abilities=["poison-resistance 12"])
    s.melee(A=order(), dice={"A attack": 14}).melee(dice={"B bleed": 6})
    assert s.hp("B") == 36


def test_bled_to_nothing_then_healed_it_survives() -> None:
    """R-43, R-50: but it lost hp, so it checks for rout."""
    s = scenario().army("A", abilities=["bleed"]).army("B", hp=3, abilities=["fast-healing 2"])
    s.melee(A=order(), dice={"A attack": 11, "B rout": 20})
    s.melee(dice={"B bleed": 6, "B rout": 15})
    assert (s.status("B"), s.hp("B")) == ("fighting", 1)


def test_drain_and_paralysis_add_with_every_damaging_attack() -> None:
    """R-44: two armies in one phase."""
    s = (
        scenario()
        .army("A", abilities=["energy-drain", "stunning-fist"])
        .army("A2", abilities=["energy-drain", "whirlwind"])
    )
    s.army("B").melee(A=order(), A2=order(), dice={"A attack": 12, "A2 attack": 12})
    assert (s.om("B"), s.dv("B")) == (7, 15)


def test_afraid_lasts_the_whole_next_phase_whatever_it_is() -> None:
    """R-45: a ranged phase uses it up."""
    s = scenario().army("A", abilities=["fear"]).army("B").melee(A=order(), dice={"A attack": 14, "B fear": 1})
    s.ranged().melee(B=order(), dice={"B attack": 14})
    assert s.hp("A") == 36


@pytest.mark.parametrize(
    "orders, dice",
    [({"B": hold(tactic="taunt")}, {"B tactic": 1}), ({"B": hold(strategy="reckless")}, {"B strategy": 1}),
     ({"A2": order("B")}, {"B taunt": 1, "A2 attack": 2})],
)  # fmt: skip
def test_any_failed_check_against_a_fixed_dc_while_afraid_routs(
    orders: dict[str, object], dice: dict[str, int]
) -> None:
    """R-45: tactic, strategy, taunt; at step 9, without Hold the Line."""
    s = scenario().army("A", abilities=["fear"]).army("A2", tactics=["taunt"])
    s.army("B", tactics=["taunt"], commander=boss("hold-the-line")).tactics(A2="taunt")
    s.melee(A=order(), dice={"A attack": 14, "B fear": 1})
    s.melee(**orders, dice={**dice, "A parting": 2, "A2 parting": 2})
    assert s.status("B") == "routed"


def test_a_rout_check_failed_while_afraid_has_no_reroll() -> None:
    """R-45."""
    s = scenario().army("A", abilities=["fear"]).army("B", hp=16, commander=boss("hold-the-line"))
    s.melee(A=order(), dice={"A attack": 14, "B fear": 1}).melee(
        A=order(), B=hold(hold_the_line=True), dice={"A attack": 14, "B fear": 20, "B rout": 14, "A parting": 2}
    )
    assert s.status("B") == "routed"


def test_an_opposed_check_lost_while_afraid_routs_nobody() -> None:
    """R-45."""
    s = scenario().army("A", abilities=["fear"]).army("B").melee(A=order(), dice={"A attack": 14, "B fear": 1})
    s.melee(A=order(), B=hold(tactic="withdraw"), dice={"A withdraw": 20, "B withdraw": 1, "A attack": 2})
    assert s.status("B") == "fighting"


def test_several_failures_in_the_phase_that_frightens_make_one_mark() -> None:
    """R-45."""
    s = scenario().army("A", abilities=["fear"]).army("A2", abilities=["fear"]).army("B")
    s.melee(A=order(), A2=order(), dice={"A attack": 14, "A2 attack": 14, "B fear": [1, 1]})
    assert (s.marks("B"), s.status("B")) == (["afraid"], "fighting")


@pytest.mark.parametrize("deed", ["attack", "siegebreaker", "parting"])
def test_a_natural_one_on_any_offense_check_bars_the_next_phase(deed: str) -> None:
    """R-46."""
    s = scenario().army("A", tactics=["siegebreaker"]).army("B", hp=12, resources=["siege-engines"]).army("B2")
    dice = {"A attack": 14, "A siegebreaker": 2, "B rout": 1, "A parting": 2, f"A {deed}": 1}
    if deed == "attack":
        dice = {"A attack": 1}
    s.tactics(A="siegebreaker").melee(A=order("B"), dice=dice)
    s.melee(A=order("B2"))
    assert not any(hit.target == "B2" for hit in s.all(e.Attacked))


def test_the_next_phase_is_the_next_ranged_or_melee_phase() -> None:
    """R-46: used up even by an army that could not have attacked in it."""
    s = scenario().army("A").army("B").melee(A=order(), dice={"A attack": 1})
    s.ranged(A=order()).melee(A=order(), dice={"A attack": 14})
    assert s.hp("B") == 36


def test_a_natural_twenty_counts_on_parting_shots_not_on_siegebreaker() -> None:
    """R-46: its 1 damage; the second check of siegebreaker must exceed the DV."""
    s = scenario().army("A", acr=2, tactics=["siegebreaker"]).army("B", acr=20, hp=9, resources=["siege-engines"])
    s.tactics(A="siegebreaker").melee(
        A=order(), dice={"A attack": 20, "A siegebreaker": 20, "B rout": 1, "A parting": 20}
    )
    assert (s.fighter("B").engines, s.hp("B"), s.last(e.Attacked).damage) == (1, 7, 1)


def test_an_ambushes_natural_one_bars_nothing() -> None:
    """R-46: only checks of ranged and melee phases."""
    s = scenario().army("A", ranged=True).army("B").ambush("A", "B").setup(dice={"A ambush": 1})
    s.ranged(A=order(), dice={"A attack": 14})
    assert s.hp("B") == 36


def test_immunity_stops_what_it_names_after_the_hit() -> None:
    """R-4, R-40: energy drain and disease."""
    s = scenario().army("A", abilities=["energy-drain", "disease"])
    s.army("B", abilities=[has("immunity", to=["energy-drain", "disease"])])
    s.melee(A=order(), dice={"A attack": 14}).play(c.End("dusk"))
    assert s.marks("B") == []
