"""PF-9: what a creature is — its body, senses, ways to move and to resist."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Part
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from tests.rules.pathfinder.shown import shows
from tests.scenario import Scenario, boss, has, hold, order, scenario, spec, use

AFFLICTIONS = [("fear", "afraid"), ("paralysis", "paralysed"), ("disease", "ill"), ("poison", "bleeding")]
WALL, MOAT, FORCE = Part("wall", "stone", 4), Part("moat", "water", 2), Part("force", "force", 1)


def besieged(*abilities: object, parts: tuple[Part, ...] = (WALL, MOAT, FORCE)) -> Scenario:
    """A with these abilities before B behind a wall of 4, a moat of 2 and a wall of force of 1."""
    return scenario().army("A", abilities=abilities).army("B").condition("fortification", "B", parts=parts)


@shows("ability:amphibious")
def test_amphibious_armies_swim_the_moat() -> None:
    """PF-9, R-14: the moat only; and no penalty on land for the aquatic."""
    assert besieged("amphibious").dv("B", "A") == 19 + 5
    s = scenario().army("A", abilities=["aquatic", "amphibious"]).army("B")
    assert s.om("A", "B") == 9


@shows("ability:aquatic")
def test_aquatic_armies_fight_well_on_water_and_badly_on_land() -> None:
    """PF-9, R-16: OM and DV +1 against armies on water, OM −2 against armies on land."""
    s = scenario().army("A", abilities=["aquatic"]).army("B").army("B2").condition("on-water", "B")
    assert (s.om("A", "B"), s.dv("A", "B")) == (10, 20)
    assert (s.om("A", "B2"), s.dv("A", "B2")) == (7, 19)


@shows("ability:blindsense", "ability:scent", "ability:tremorsense")
@pytest.mark.parametrize("sense", ["blindsense", "scent", "tremorsense"])
def test_keen_senses_halve_darkness_weather_and_invisibility(sense: str) -> None:
    """PF-9, R-2, R-12: −2/−3 → −1/−1; wind −4 → −2; invisibility −2 → −1 both ways."""
    s = scenario().army("A", abilities=[sense], ranged=True).army("B", abilities=["invisibility"]).army("B2")
    s.condition("darkness", "A").condition("wind", value="severe")
    assert (s.om("A", "B2"), s.dv("A", "B2"), s.om("A", "B2", "shot")) == (8, 18, 6)
    assert (s.om("A", "B"), s.dv("A", "B")) == (7, 17)


@shows("ability:blindsight")
def test_blindsight_ignores_them_and_sees_the_invisible() -> None:
    """PF-9, R-12."""
    s = scenario().army("A", abilities=["blindsight"], ranged=True).army("B", abilities=["invisibility"]).army("B2")
    s.condition("darkness").condition("wind", value="severe")
    assert (s.om("A", "B", "shot"), s.dv("A", "B")) == (9, 19)
    s.melee(A=order("B"), B=hold(tactic="withdraw"), dice={"A attack": 2, "A withdraw": 20, "B withdraw": 1})
    assert s.status("B") == "fighting"


@shows("ability:burrow")
def test_burrowing_takes_a_phase_then_ignores_the_fortification() -> None:
    """PF-9, R-14: no attack while it digs; afterwards nothing of that fortification counts."""
    s = besieged("burrow").melee(A=order("B", use("burrow", target="B")), B=order("A"), dice={})
    assert [event.why for event in s.all(e.AttackLost)] == ["burrowing", "burrowing"]
    s.melee(A=order("B"), dice={"A attack": 11})
    assert (s.last(e.Attacked).against, s.hp("B")) == (19, 39)


def test_burrowers_meet_under_the_ground() -> None:
    """PF-9: while digging it fights armies with burrow or earth glide."""
    s = scenario().army("A", abilities=["burrow"]).army("B", abilities=["earth-glide"]).army("B2")
    s.condition("fortification", "B", value=4, parts=(Part("wall", "wood", 4),))
    s.melee(A=order("B", use("burrow", target="B")), B=order(), B2=order("A"), dice={"A attack": 2, "B attack": 14})
    assert (s.hp("A"), s.last(e.AttackLost, "B2").why) == (36, "burrowing")


def test_there_must_be_something_to_dig_under() -> None:
    """PF-9: the refusals: no fortification, and none left to undermine."""
    s = scenario().army("A", abilities=["burrow"]).army("B").until("melee")
    assert "no fortification" in str(s.refusal(A=order("B", use("burrow", target="B"))))
    s = besieged("burrow").melee(A=order("B", use("burrow", target="B")))
    assert "no fortification" in str(s.refusal(A=order("B", use("burrow", target="B"))))


@shows("ability:climb")
def test_climbers_count_walls_a_quarter_lower() -> None:
    """PF-9, R-14: three quarters of each part it may climb; not moats, not walls of force."""
    assert besieged("climb").dv("B", "A") == 19 + 3 + 2 + 1
    assert besieged("climb", parts=(Part("wall", "stone", 5),)).dv("B", "A") == 19 + 3


@shows("ability:construct")
@pytest.mark.parametrize(
    "foe, mark", [("fear", "afraid"), ("paralysis", "paralysed"), ("disease", "ill"), ("poison", "bleeding")]
)
def test_constructs_are_immune(foe: str, mark: str) -> None:
    """PF-9: disease, fear, paralysis, poison."""
    s = scenario().army("A", abilities=[foe]).army("B", abilities=["construct"]).melee(A=order(), dice={"A attack": 14})
    assert mark not in s.marks("B")


@shows("ability:darkvision")
def test_darkvision_sees_in_darkness_and_dim_light() -> None:
    """PF-9."""
    for light in ("darkness", "dim-light"):
        s = scenario().army("A", abilities=["darkvision"]).army("B").condition(light)
        assert (s.om("A"), s.dv("A")) == (9, 19)


@shows("ability:earth-glide")
def test_earth_gliders_ignore_stone_and_earth_and_burrow_under_the_rest() -> None:
    """PF-9, R-14."""
    parts = (Part("wall", "stone", 4), Part("wall", "earth", 2), Part("wall", "wood", 3))
    s = besieged("earth-glide", parts=parts)
    assert s.dv("B", "A") == 19 + 3
    s.melee(A=order("B", use("earth-glide", target="B")))
    assert s.dv("B", "A") == 19


@shows("ability:flight")
def test_flyers_ignore_city_walls() -> None:
    """PF-9, R-14: walls only."""
    assert besieged("flight").dv("B", "A") == 19 + 2 + 1


def test_a_hovering_flyer_is_reached_by_flyers_only() -> None:
    """PF-9, R-26: in a melee phase in which it does not attack; a potion counts too; shots reach it."""
    s = scenario().army("A", abilities=["flight"], resources=["healing-potions"]).army("B", ranged=True)
    s.army("B2", abilities=["flight"]).ranged(B=order(), dice={"B attack": 14})
    s.melee(A=hold(), B=order(), B2=order(), dice={"B2 attack": 14})
    assert (s.last(e.AttackLost, "B").why, s.hp("A")) == ("hovering", 32)
    s.melee(A=order("B", use("healing-potions", kind="resource")), B=order())
    assert s.last(e.AttackLost, "B").why == "hovering"
    s.melee(A=order("B"), B=order(), dice={"A attack": 2, "B attack": 14})
    assert s.hp("A") == 36


@shows("ability:immunity")
def test_immunity_is_to_what_it_names() -> None:
    """PF-9, R-4: an enemy's ability gives it no benefit; the others still work."""
    s = scenario().army("A", abilities=["fear", "paralysis", "pounce"])
    s.army("B", abilities=[has("immunity", to=["fear", "pounce"])]).army("B2")
    assert (s.om("A", "B"), s.om("A", "B2")) == (9, 10)
    s.melee(A=order("B"), dice={"A attack": 14})
    assert s.marks("B") == ["paralysed"]


@shows("ability:incorporeal")
def test_the_incorporeal_are_hurt_by_magic_only_and_by_half() -> None:
    """PF-9: none from ordinary attacks, a natural 20 included (R-40)."""
    for magic, natural, hp in ((False, 20, 40), (True, 19, 36)):
        s = scenario().army("A").army("B", abilities=["incorporeal"])
        if magic:
            s.declared("magical", "A")
        s.melee(A=order(), dice={"A attack": natural})
        assert s.hp("B") == hp


def test_the_incorporeal_ignore_armour_always_withdraw_and_are_mobile() -> None:
    """PF-9, R-16, R-32: OM +1 against armies without mobility, in every terrain."""
    s = scenario().army("A", abilities=["incorporeal"]).army("A2").army("B", resources=["magic-armor", "mounts"])
    s.army("B2", abilities=["mobility"])
    assert (s.dv("B", "A"), s.dv("B", "A2")) == (19 + 2, 19 + 4)
    assert (s.om("A", "B"), s.om("A", "B2")) == (10, 10)
    s.condition("suits-mobility")
    assert (s.om("A", "B"), s.om("A", "B2"), s.om("B2", "A"), s.om("B2", "B")) == (10, 9, 9, 10)
    s.melee(A=hold(tactic="withdraw"), B=order("A"))
    assert (s.status("A"), s.last(e.WithdrawalOpposed).why) == ("withdrawn", "always")


@shows("ability:invisibility")
def test_the_invisible_are_hard_to_hit_and_hit_hard() -> None:
    """PF-9: attackers OM −2 against it, its targets DV −2 against it; those who see it lose nothing (R-12)."""
    s = scenario().army("A", abilities=["invisibility"]).army("B").army("B2").declared("sees_invisible", "B2")
    assert (s.om("B", "A"), s.dv("B", "A")) == (7, 17)
    assert (s.om("B2", "A"), s.dv("B2", "A")) == (9, 19)


def test_whoever_cannot_see_it_cannot_stop_an_invisible_army() -> None:
    """PF-9, R-32; blindsense is not enough (R-12)."""
    s = scenario().army("A", abilities=["invisibility"]).army("B", abilities=["blindsense"]).army("B2")
    s.declared("sees_invisible", "B2")
    s.melee(A=hold(tactic="withdraw"), B=order("A"), B2=order("A"),
            dice={"A withdraw": 2, "B2 withdraw": 15, "B attack": 2, "B2 attack": 2})  # fmt: skip
    assert [(event.target, event.why, event.success) for event in s.all(e.WithdrawalOpposed)] == [
        ("B", "unseen", True), ("B2", "", False)
    ]  # fmt: skip


@shows("ability:light-blindness", "ability:light-sensitivity")
@pytest.mark.parametrize("slug, malus", [("light-blindness", -2), ("light-sensitivity", -1)])
def test_bright_light_hurts(slug: str, malus: int) -> None:
    """PF-9: OM and DV, in bright light only."""
    s = scenario().army("A", abilities=[slug]).army("B")
    assert (s.om("A"), s.dv("A")) == (9, 19)
    s.condition("bright-light")
    assert (s.om("A"), s.dv("A")) == (9 + malus, 19 + malus)


@shows("ability:low-light-vision")
def test_low_light_vision_helps_in_dim_light_only() -> None:
    """PF-9."""
    s = scenario().army("A", abilities=["low-light-vision"]).army("B").condition("dim-light")
    assert s.om("A") == 9
    s.condition("darkness")
    assert (s.om("A"), s.dv("A")) == (7, 16)


@shows("ability:mindless")
def test_the_mindless_never_fail_and_never_think() -> None:
    """PF-9: no morale check fails (none is rolled); only the standard tactic and strategy."""
    s = scenario().army("A", abilities=["fear"]).army("B", hp=12, abilities=["mindless"], tactics=["taunt"])
    s.melee(A=order(), dice={"A attack": 14})
    assert (s.last(e.FearChecked).automatic, s.last(e.RoutChecked).automatic, s.status("B")) == (True, True, "fighting")
    for thought in (order(tactic="taunt"), order(tactic="withdraw"), order(strategy="reckless")):
        assert "mindless" in str(s.refusal(B=thought))


@shows("ability:mobility")
def test_mobility_where_the_ground_suits_it() -> None:
    """PF-9, R-16: OM +1 against armies without it."""
    s = scenario().army("A", abilities=["mobility"]).army("B").army("B2", abilities=["mobility"])
    assert s.om("A", "B") == 9
    s.condition("suits-mobility")
    assert (s.om("A", "B"), s.om("A", "B2")) == (10, 9)


@shows("ability:plant")
@pytest.mark.parametrize("foe, mark", [pair for pair in AFFLICTIONS if pair[0] != "disease"])
def test_plants_are_immune(foe: str, mark: str) -> None:
    """PF-9: fear, paralysis, poison; not disease."""
    s = scenario().army("A", abilities=[foe, "disease"]).army("B", abilities=["plant"])
    s.melee(A=order(), dice={"A attack": 14})
    assert s.marks("B") == ["ill"]


@shows("ability:pounce", "ability:powerful-charge", "ability:trample")
@pytest.mark.parametrize("slug", ["pounce", "powerful-charge", "trample"])
def test_attacks_of_weight_add_one_each(slug: str) -> None:
    """PF-9, R-1: OM +1, and they add."""
    assert LAW.sheet(spec("A", abilities=[slug])).om.total == 10
    assert LAW.sheet(spec("A", abilities=["pounce", "powerful-charge", "trample"])).om.total == 12


@shows("ability:rake", "ability:rend")
@pytest.mark.parametrize("slug", ["rake", "rend"])
def test_claws_deal_one_more(slug: str) -> None:
    """PF-9: damage +1."""
    s = scenario().army("A", abilities=[slug]).army("B").melee(A=order(), dice={"A attack": 14})
    assert (s.last(e.Attacked).damage, s.om("A")) == (5, 9)


@shows("ability:rock-catching")
def test_rock_catching_against_shots_and_more_against_rocks() -> None:
    """PF-9: DV +1 against ranged attacks, +2 against engines and rocks; none in melee."""
    s = scenario().army("A", abilities=["rock-catching"]).army("B", ranged=True).army("B2", abilities=["rock-throwing"])
    s.army("B3", resources=["siege-engines"]).declared("engines_shoot", "B3")
    assert [s.dv("A", foe, "shot") for foe in ("B", "B2", "B3")] == [20, 21, 21]
    assert s.dv("A", "B2", "melee") == 19


@shows("ability:rock-throwing")
def test_rocks_fly_and_hurt() -> None:
    """PF-9: may attack at range; +4 damage in the ranged phase."""
    s = scenario().army("A", abilities=["rock-throwing"]).army("B").ranged(A=order(), dice={"A attack": 14})
    s.melee(A=order(), dice={"A attack": 14})
    assert [hit.damage for hit in s.all(e.Attacked)] == [8, 4]


@shows("ability:significant-defense", "ability:damage-reduction", "ability:resistance")
@pytest.mark.parametrize("slug", ["significant-defense", "damage-reduction", "resistance"])
def test_a_significant_defense_against_those_who_cannot_overcome_it(slug: str) -> None:
    """PF-9, R-42: DV +10; the GM says who overcomes whom, by default nobody."""
    s = scenario().army("A").army("A2").army("B", abilities=[slug]).declared("overcomes", ("A2", "B"))
    assert (s.dv("B", "A"), s.dv("B", "A2")) == (29, 19)


@shows("ability:spell-resistance")
def test_spell_resistance_against_spellcasters() -> None:
    """PF-9: DV +6."""
    s = scenario().army("A", abilities=["spellcasting 1"]).army("A2").army("B", abilities=["spell-resistance"])
    assert (s.dv("B", "A"), s.dv("B", "A2")) == (25, 19)


@shows("ability:spellcasting")
def test_spellcasting_adds_its_highest_level() -> None:
    """PF-9: OM and DV +N; ranged attacks with a spell that reaches."""
    assert [f.total for f in (LAW.sheet(spec("A", abilities=["spellcasting 3"])).om,
                              LAW.sheet(spec("A", abilities=["spellcasting 3"])).dv)] == [12, 22]  # fmt: skip
    s = scenario().army("A", abilities=[has("spellcasting", 3, ranged=True)]).army("A2", abilities=["spellcasting 3"])
    s.army("B").ranged(A=order(), A2=order(), dice={"A attack": 2})
    assert s.last(e.AttackLost, "A2").why == "no-shot"


@shows("ability:swarm")
@pytest.mark.parametrize("magic, natural, damage", [(False, 15, 2), (True, 15, 7), (False, 11, 1)])
def test_a_swarm_takes_half_or_half_as_much_again(magic: bool, natural: int, damage: int) -> None:
    """PF-9: × 1/2 from non-magical, × 1.5 from magical attacks, rounded down, at least 1."""
    s = scenario().army("A").army("B", abilities=["swarm"])
    if magic:
        s.declared("magical", "A")
    s.melee(A=order(), dice={"A attack": natural})
    assert s.last(e.Attacked).damage == damage


def test_a_swarm_ignores_armour_and_cannot_hurt_some() -> None:
    """PF-9, R-40, R-42: neither the incorporeal nor a significant defense, even one it overcomes; always withdraws."""
    s = scenario().army("A", abilities=["swarm"]).army("B", resources=["magic-armor"])
    s.army("B2", abilities=["incorporeal"]).army("B3", abilities=["damage-reduction"])
    s.declared("magical", "A").declared("overcomes", ("A", "B3"))
    assert s.dv("B", "A") == 19
    s.melee(A=order("B2"), dice={"A attack": 20}).melee(A=order("B3"), dice={"A attack": 20})
    assert (s.hp("B2"), s.hp("B3")) == (40, 40)
    s.melee(A=hold(tactic="withdraw"), B=order("A"))
    assert s.status("A") == "withdrawn"


@shows("ability:teleportation")
def test_teleporters_ignore_fortifications_and_always_withdraw() -> None:
    """PF-9, R-14, R-32."""
    s = besieged("teleportation")
    assert s.dv("B", "A") == 19
    s.melee(A=hold(tactic="withdraw"), B=order("A"))
    assert s.status("A") == "withdrawn"


@shows("ability:undead")
@pytest.mark.parametrize(
    "foe, mark", [("fear", "afraid"), ("paralysis", "paralysed"), ("disease", "ill"), ("poison", "bleeding")]
)
def test_the_undead_are_immune_and_harder_to_hit(foe: str, mark: str) -> None:
    """PF-9: disease, fear, paralysis, poison; DV +2."""
    s = scenario().army("A", abilities=[foe]).army("B", abilities=["undead"]).melee(A=order(), dice={"A attack": 14})
    assert (s.last(e.Attacked).against, mark in s.marks("B")) == (21, False)


def test_abilities_show_on_the_sheet_only_if_they_need_nothing_else() -> None:
    """R-5."""
    sheet = LAW.sheet(spec("A", abilities=["aquatic", "mobility", "undead", "pounce"], commander=boss("sharpshooter")))
    assert (sheet.om.total, sheet.dv.total) == (10, 21)
