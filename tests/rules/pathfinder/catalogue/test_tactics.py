"""PF-3.7 and PF-3.11: strategies and tactics."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.state import events as e
from tests.rules.pathfinder.shown import shows
from tests.scenario import SILENT, hold, order, scenario, use

STRATEGIES = {  # DV, OM, damage (PF-3.7)
    "defensive": (4, -4, -6),
    "cautious": (2, -2, -3),
    "standard": (0, 0, 0),
    "aggressive": (-2, 2, 3),
    "reckless": (-4, 4, 6),
}
FLAT = {  # OM, DV of the tactics that need nothing else (PF-3.11)
    "cautious-combat": (-2, 0),
    "defensive-wall": (-2, 2),
    "expert-flankers": (2, -2),
    "full-defense": (-4, 4),
    "relentless-brutality": (4, -4),
}


@shows(*(f"strategy:{slug}" for slug in STRATEGIES))
@pytest.mark.parametrize("slug", STRATEGIES)
def test_a_strategy_moves_dv_om_and_damage(slug: str) -> None:
    """PF-3.7, in melee: A on the strategy attacks B, and Attack of B on A."""
    dv, om, damage = STRATEGIES[slug]
    s = scenario().army("A").army("B")
    s.melee(A=order(strategy=slug), B=order(), dice={"A attack": 19, "B attack": 2})
    mine, theirs = s.last(e.Attacked, "A"), s.last(e.Attacked, "B")
    assert (mine.check, theirs.against) == (19 + 9 + om, 19 + dv)
    assert mine.damage == max(1, mine.check - 19 + damage)


def test_the_strategy_track_has_an_order() -> None:
    """PF-3.7: from standard, cautious and aggressive are one step away, the outer two need a check."""
    for slug, dice in (
        ("cautious", {}),
        ("aggressive", {}),
        ("defensive", {"A strategy": 20}),
        ("reckless", {"A strategy": 20}),
    ):
        s = scenario().army("A").army("B").melee().melee(A=hold(strategy=slug), dice=dice)
        assert s.fighter("A").strategy == slug


@shows(*(f"tactic:{slug}" for slug in FLAT))
@pytest.mark.parametrize("slug", FLAT)
def test_tactics_of_plain_figures(slug: str) -> None:
    """PF-3.11."""
    om, dv = FLAT[slug]
    s = scenario().army("A", tactics=[slug]).army("B").tactics(A=slug)
    assert (s.om("A", "B"), s.dv("A", "B")) == (9 + om, 19 + dv)


@shows("tactic:standard")
def test_the_standard_tactic_ends_what_another_gave() -> None:
    """PF-3.11: none of the others' effects."""
    s = scenario().army("A", tactics=["full-defense"]).army("B").tactics(A="full-defense")
    s.ranged(A=hold(tactic="standard"), dice={"A tactic": 15})
    assert (s.om("A"), s.dv("A")) == (9, 19)


@shows("tactic:withdraw")
def test_withdraw_takes_the_army_off_the_field() -> None:
    """PF-3.10, PF-3.11."""
    s = scenario().army("A").army("A2").army("B").melee(A=hold(tactic="withdraw"))
    assert s.status("A") == "withdrawn"


def test_cautious_combat_steadies_morale() -> None:
    """PF-3.11: +2 on morale checks, of every purpose."""
    s = scenario().army("A", tactics=["cautious-combat"]).army("B").tactics(A="cautious-combat")
    assert {s.morale("A", why) for why in ("rout", "fear", "tactic", "withdraw")} == {2}


@shows("tactic:cavalry-experts")
def test_cavalry_experts_gain_two_om_against_armies_on_foot() -> None:
    """PF-3.11, R-3: needs mounts; none against the mounted."""
    s = (
        scenario()
        .army("A", tactics=["cavalry-experts"], resources=["mounts"])
        .army("B")
        .army("B2", resources=["mounts"])
    )
    s.army("B3", abilities=["mount"]).tactics(A="cavalry-experts")
    assert (s.om("A", "B"), s.om("A", "B2"), s.om("A", "B3")) == (13, 11, 11)
    s = scenario().army("A", tactics=["cavalry-experts"]).army("B").until("tactics")
    assert "needs mounts" in str(s.refusal(A=order(tactic="cavalry-experts")))


@shows("tactic:dirty-fighters")
def test_dirty_fighters_once_in_a_declared_melee_phase() -> None:
    """PF-3.11, R-28: OM +6, then no effect."""
    dirty = use("dirty-fighters", kind="tactic")
    s = scenario().army("A", tactics=["dirty-fighters"]).army("B").tactics(A="dirty-fighters")
    s.until("ranged")
    assert "melee" in str(s.refusal(A=order("B", dirty)))
    s.melee(A=order("B", dirty), dice={"A attack": 5})
    assert s.last(e.Attacked).check == 5 + 9 + 6
    assert s.om("A", "B", "melee") == 9
    assert "already" in str(s.refusal(A=order("B", dirty)))


@shows("tactic:false-retreat")
def test_false_retreat_costs_an_attack_and_gives_six_in_the_next_phase() -> None:
    """PF-3.11, R-28: OM and DV +6 against the lured army only, if the tactic is kept; once per battle."""
    feign = use("false-retreat", target="B", kind="tactic")
    s = scenario().army("A", tactics=["false-retreat"]).army("B").army("B2").tactics(A="false-retreat")
    s.melee(A=order("B", feign))
    assert s.all(e.Attacked) == []
    assert (s.om("A", "B"), s.dv("A", "B"), s.om("A", "B2"), s.dv("A", "B2")) == (15, 25, 9, 19)
    assert "already" in str(s.refusal(A=order("B", feign)))
    s.melee(A=order("B"), dice={"A attack": 5})
    assert (s.last(e.Attacked).check, s.om("A", "B")) == (20, 9)


def test_a_false_retreat_given_up_gives_nothing() -> None:
    """R-28: the tactic must be kept."""
    feign = use("false-retreat", target="B", kind="tactic")
    s = scenario().army("A", tactics=["false-retreat"]).army("B").tactics(A="false-retreat").melee(A=order("B", feign))
    s.melee(A=order("B", tactic="standard"), dice={"A tactic": 15, "A attack": 2})
    assert s.last(e.Attacked).check == 11


@shows("tactic:siegebreaker")
def test_siegebreaker_destroys_one_engine() -> None:
    """PF-3.11: a second Offense check against the same DV, when it damages; R-15: from the next phase."""
    s = (
        scenario()
        .army("A", tactics=["siegebreaker"])
        .army("B", resources={"siege-engines": 2})
        .tactics(A="siegebreaker")
    )
    s.melee(A=order(), dice={"A attack": 14, "A siegebreaker": 10})
    assert (s.last(e.EngineAttacked).success, s.fighter("B").engines) == (False, 2)
    s.melee(A=order(), dice={"A attack": 14, "A siegebreaker": 11})
    assert (s.fighter("B").engines, s.om("B")) == (1, 11)
    s.melee(A=order(), dice={"A attack": 14, "A siegebreaker": 11})
    assert (s.fighter("B").engines, s.om("B")) == (0, 9)
    s.melee(A=order(), dice={"A attack": 10})
    s.melee(A=order(), dice={"A attack": 14})


@shows("tactic:sniper-support")
def test_sniper_support_deals_two_more_in_melee() -> None:
    """PF-3.11: only in melee; needs a ranged attack."""
    s = scenario().army("A", tactics=["sniper-support"], ranged=True).army("B").tactics(A="sniper-support")
    s.ranged(A=order(), dice={"A attack": 14}).melee(A=order(), dice={"A attack": 14})
    assert [hit.damage for hit in s.all(e.Attacked)] == [4, 6]
    s = scenario().army("A", tactics=["sniper-support"]).army("B").until("tactics")
    assert "ranged attack" in str(s.refusal(A=order(tactic="sniper-support")))


@shows("tactic:spellbreaker")
def test_spellbreaker_against_spellcasters() -> None:
    """PF-3.11: DV +4."""
    s = scenario().army("A", tactics=["spellbreaker"]).army("B", abilities=["spellcasting 2"]).army("B2")
    s.tactics(A="spellbreaker")
    assert (s.dv("A", "B"), s.dv("A", "B2")) == (23, 19)


@shows("tactic:taunt")
@pytest.mark.parametrize("natural, provoked", [(18, True), (19, False)])
def test_taunt_provokes_its_target(natural: int, provoked: bool) -> None:
    """PF-3.11: morale DC 10 + ACR, or OM and DV −2 against the taunter this phase."""
    s = scenario().army("A", tactics=["taunt"]).army("A2").army("B").tactics(A="taunt")
    s.melee(
        A=order(), A2=order(), B=order("A"), dice={"B taunt": natural, "A attack": 2, "A2 attack": 2, "B attack": 2}
    )
    malus = -2 if provoked else 0
    assert (s.last(e.Attacked, "A").against, s.last(e.Attacked, "B").check) == (19 + malus, 11 + malus)
    assert s.last(e.Attacked, "A2").against == 19
    assert s.dv("B", "A") == 19


def test_two_successes_make_immune_to_every_taunter() -> None:
    """PF-3.11, R-33: in any phases."""
    s = scenario().army("A", tactics=["taunt"]).army("A2", tactics=["taunt"]).army("B")
    s.tactics(A="taunt", A2="taunt").melee(A=order(), dice={"A attack": 2, "B taunt": 19})
    s.melee(A=order(), dice={"A attack": 2, "B taunt": 1})
    s.melee(A=order(), dice={"A attack": 2, "B taunt": 19})
    s.melee(A=order(), A2=order(), dice={"A attack": 2, "A2 attack": 2})
    assert len(s.all(e.TauntChecked)) == 3


def test_a_tactic_ends_with_the_battle() -> None:
    """PF-3.11: the next one starts on standard."""
    s = scenario().army("A", tactics=["full-defense"]).army("B").tactics(A="full-defense")
    again = scenario().army("A", tactics=["full-defense"]).army("B")
    assert (s.dv("A"), again.dv("A")) == (23, 19)


def test_a_tactic_is_kept_without_orders() -> None:
    """PF-3.5."""
    s = scenario().army("A", tactics=["full-defense"]).army("B").tactics(A="full-defense")
    s.melee(A=SILENT, dice={"A attack": 2})
    assert s.dv("A") == 23
