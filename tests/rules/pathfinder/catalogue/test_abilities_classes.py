"""PF-9: what training gives — the abilities of character classes."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from tests.rules.pathfinder.shown import shows
from tests.scenario import SILENT, has, hold, order, scenario, spec, use

CLASS_LEVELS = {
    "alchemy": "alchemist 1", "animal-companion": "druid 1, ranger 4", "armor-training": "fighter 3",
    "aura-of-courage": "paladin 3", "bomb": "alchemist 1", "bravery": "fighter 2", "brew-potion": "alchemist 2",
    "challenge": "cavalier 1", "channel-negative-energy": "cleric 1", "channel-positive-energy": "cleric 1, paladin 4",
    "combat-style": "ranger 2", "discovery": "alchemist 2", "divine-health": "paladin 3", "eidolon": "summoner 1",
    "evasion": "monk 3, rogue 2", "favored-enemy": "ranger 1", "favored-terrain": "ranger 3",
    "flurry-of-blows": "monk 1", "hex": "witch 1", "hunters-bond": "ranger 4", "inspire-courage": "bard 1",
    "judgment": "inquisitor 1", "ki-pool": "monk 4", "lay-on-hands": "paladin 2", "mercy": "paladin 3",
    "mount": "cavalier 1", "order": "cavalier 1", "poison-resistance": "alchemist 2", "rage": "barbarian 1",
    "rogue-talent": "rogue 2", "shield-ally": "summoner 4", "smite-evil": "paladin 1", "sneak-attack": "rogue 1",
    "stunning-fist": "monk 1", "tactician": "cavalier 1", "track": "inquisitor 2, ranger 1", "trap-sense": "rogue 3",
    "weapon-specialization": "fighter 4", "wild-shape": "druid 4",
}  # fmt: skip


def test_class_abilities_show_class_and_level() -> None:
    """PF-9: exactly those of the table."""
    assert {slug: a.class_levels for slug, a in LAW.abilities.items() if a.class_levels} == CLASS_LEVELS


@shows("ability:alchemy")
def test_alchemy_heals_as_potions_once_and_free() -> None:
    """PF-9, R-22: apart from the two potions; one drink a phase from any source."""
    s = scenario().army("A", hp=2, abilities=["alchemy"], resources=["healing-potions"]).army("B").until("melee")
    potion = use("healing-potions", kind="resource")
    assert "An army can only drink one potion per phase" in str(s.refusal(A=hold(use("alchemy"), potion)))
    s.melee(A=order("B", use("alchemy")))
    assert (s.hp("A"), s.all(e.Attacked)) == (20, [])
    assert "already" in str(s.refusal(A=hold(use("alchemy"))))
    s.override("A", "hp", 1).melee(A=hold(potion)).melee(A=hold(potion))
    assert s.hp("A") == 37


@shows("ability:animal-companion", "ability:eidolon")
@pytest.mark.parametrize("slug", ["animal-companion", "eidolon"])
def test_companions_add_one(slug: str) -> None:
    """PF-9: OM +1; together still +1 (R-1)."""
    assert LAW.sheet(spec("A", abilities=[slug])).om.total == 10
    assert LAW.sheet(spec("A", abilities=["animal-companion", "eidolon"])).om.total == 10


@shows("ability:armor-training")
def test_armor_training_raises_speed() -> None:
    """PF-9: 6 m in medium armour march as 9 m: 2 hexes, not 1."""
    assert LAW.sheet(spec("A", speed_m=6)).speed.total == 1
    assert LAW.sheet(spec("A", speed_m=6, abilities=["armor-training"])).speed.total == 2
    assert Fraction(9) * 4 // 18 == 2


@shows("ability:aura-of-courage")
def test_an_aura_of_courage_knows_neither_fear_nor_rout() -> None:
    """PF-9: no check is rolled."""
    s = scenario().army("A", abilities=["fear"]).army("B", hp=12, abilities=["aura-of-courage"])
    s.melee(A=order(), dice={"A attack": 14})
    assert (s.all(e.FearChecked), s.last(e.RoutChecked).automatic, s.status("B")) == ([], True, "fighting")


@shows("ability:bravery")
def test_bravery_against_fear_and_rout() -> None:
    """PF-9: its value."""
    s = scenario().army("A", abilities=["bravery 3"]).army("B")
    assert [s.morale("A", why) for why in ("rout", "fear", "tactic", "withdraw")] == [3, 3, 0, 0]


@shows("ability:brew-potion")
def test_brewers_may_sell_potions_without_the_building() -> None:
    """PF-9: the trait the treasury asks for; by a witch's cauldron too."""
    for abilities, brews in ((["brew-potion"], True), ([has("hex", choice="cauldron")], True),
                             ([has("hex", choice="healing")], False), ([], False)):  # fmt: skip
        army = spec("A", abilities=abilities)
        assert (t.BREWS in compile_profile(LAW, army, army.unit.abilities).traits) is brews


@shows("ability:challenge")
def test_a_challenge_lasts_against_one_enemy() -> None:
    """PF-9, R-27: OM +2 against it, DV −1 against all others, to the end; it never moves."""
    s = scenario().army("A", abilities=["challenge"]).army("B").army("B2").melee(A=hold(use("challenge", target="B")))
    assert (s.om("A", "B"), s.dv("A", "B"), s.om("A", "B2"), s.dv("A", "B2")) == (11, 19, 9, 18)
    assert "already" in str(s.refusal(A=hold(use("challenge", target="B2"))))
    s.melee(B=hold(tactic="withdraw"))
    assert s.dv("A", "B2") == 18


@shows("ability:combat-style", "ability:weapon-specialization")
@pytest.mark.parametrize("slug, bonus", [("combat-style", 1), ("weapon-specialization", 2)])
@pytest.mark.parametrize("style, shot, melee", [("ranged", 1, 0), ("melee", 0, 1)])
def test_a_chosen_style_for_the_rest_of_the_battle(slug: str, bonus: int, style: str, shot: int, melee: int) -> None:
    """PF-9, R-27: with ranged or with melee attacks; once per battle; the option is needed."""
    s = scenario().army("A", abilities=[slug], ranged=True).army("B").until("ranged")
    assert s.refusal(A=order("B", use(slug))).field == "/use/0/option"
    s.ranged(A=order("B", use(slug, style)), dice={"A attack": 2})
    assert s.last(e.Attacked).check == 11 + shot * bonus
    s.melee(A=order(), dice={"A attack": 2})
    assert s.last(e.Attacked).check == 11 + melee * bonus
    assert "already" in str(s.refusal(A=order("B", use(slug, style))))


@shows("ability:divine-health")
def test_divine_health_stops_disease() -> None:
    """PF-9."""
    s = scenario().army("A", abilities=["disease"]).army("B", abilities=["divine-health"]).army("B2")
    s.melee(A=order("B"), dice={"A attack": 14}).melee(A=order("B2"), dice={"A attack": 14})
    assert (s.marks("B"), s.marks("B2")) == ([], ["ill"])


@shows("ability:evasion")
def test_evasion_halves_spells_and_breath() -> None:
    """PF-9, R-41: Spellcasting OM 3 → 1; the breath die 3 → 1, at least 1."""
    s = scenario().army("A", abilities=["spellcasting 3", "breath-weapon"]).army("B", abilities=["evasion"]).army("B2")
    assert (s.om("A", "B"), s.om("A", "B2")) == (10, 12)
    s.melee(A=order("B"), dice={"A attack": 13, "A extra": 3}).melee(A=order("B2"), dice={"A attack": 11, "A extra": 3})
    s.melee(A=order("B"), dice={"A attack": 13, "A extra": 1})
    assert [hit.damage for hit in s.all(e.Attacked)] == [4 + 1, 4 + 3, 4 + 1]


@shows("ability:favored-enemy")
def test_a_favored_enemy() -> None:
    """PF-9: OM +1 against the chosen creature type."""
    s = scenario().army("A", abilities=[has("favored-enemy", creature_type="dragon")])
    s.army("B", creature_type="dragon").army("B2")
    assert (s.om("A", "B"), s.om("A", "B2"), s.om("A")) == (10, 9, 9)


@shows("ability:favored-terrain")
def test_favored_terrain_halves_the_enemies_bonus_of_the_ground() -> None:
    """PF-9, R-16: 2 → 1, in figures against the army that has it."""
    s = scenario().army("A", abilities=["favored-terrain"]).army("A2").army("B").condition("battlefield-advantage", "B")
    s.condition("advantageous-terrain", "B")
    assert (s.om("B", "A"), s.dv("B", "A")) == (10, 21)
    assert (s.om("B", "A2"), s.dv("B", "A2")) == (11, 23)


@shows("ability:flurry-of-blows")
def test_a_flurry_grows_after_the_first_melee_phase() -> None:
    """PF-9: OM +1 in the first, +2 in later ones; none at range, none on the sheet (R-5)."""
    s = (
        scenario()
        .army("A", abilities=["flurry-of-blows"], ranged=True)
        .army("B")
        .ranged(A=order(), dice={"A attack": 2})
    )
    s.melee(A=order(), dice={"A attack": 2}).melee(A=order(), dice={"A attack": 2})
    assert [hit.check for hit in s.all(e.Attacked)] == [11, 12, 13]
    assert LAW.sheet(spec("A", abilities=["flurry-of-blows"])).om.total == 9


@shows("ability:hex")
def test_a_healing_hex_heals_half_the_rating_once() -> None:
    """PF-9: without costing the attack; the cauldron has no use."""
    s = scenario().army("A", hp=10, abilities=[has("hex", choice="healing")]).army("B")
    s.melee(A=order("B", use("hex")), dice={"A attack": 2})
    assert s.hp("A") == 14
    assert "already" in str(s.refusal(A=hold(use("hex"))))
    brewer = scenario().army("A", abilities=[has("hex", choice="cauldron")]).army("B").until("melee")
    assert "can’t use" in str(brewer.refusal(A=hold(use("hex"))))


@shows("ability:hunters-bond")
def test_hunters_companions_help_one_army_for_the_battle() -> None:
    """PF-9: itself or an ally, OM +1, once; an animal bond is an animal companion."""
    bond = has("hunters-bond", choice="companions")
    s = scenario().army("A", abilities=[bond]).army("A2").army("B").melee(A=hold(use("hunters-bond", target="A2")))
    assert (s.om("A"), s.om("A2")) == (9, 10)
    assert "already" in str(s.refusal(A=hold(use("hunters-bond"))))
    s = scenario().army("A", abilities=[bond]).army("B").melee(A=hold(use("hunters-bond")))
    assert s.om("A") == 10
    assert LAW.sheet(spec("A", abilities=[has("hunters-bond", choice="animal")])).om.total == 10
    both = spec("A", abilities=[has("hunters-bond", choice="animal"), "animal-companion"])
    assert LAW.sheet(both).om.total == 10


@shows("ability:inspire-courage")
def test_bards_inspire_themselves_and_one_ally() -> None:
    """PF-9, R-25: OM +1 and +2 against fear and rout; kept until changed or the bards leave."""
    s = scenario().army("A", abilities=["inspire-courage"]).army("A2").army("A3").army("B")
    assert (s.om("A"), s.morale("A", "rout"), s.morale("A", "fear"), s.morale("A", "tactic")) == (10, 2, 2, 0)
    s.melee(A=hold(use("inspire-courage", target="A2"))).melee()
    assert (s.om("A"), s.om("A2"), s.morale("A2", "rout"), s.om("A3")) == (10, 10, 2, 9)
    s.melee(A=hold(use("inspire-courage", target="A3")))
    assert (s.om("A2"), s.om("A3")) == (9, 10)
    s.melee(A=hold(tactic="withdraw"))
    assert s.om("A3") == 9


@shows("ability:judgment")
def test_each_judgment() -> None:
    """PF-9, R-24: damage +1, DV +1, heal floor(ACR/2) or magical attacks, for the phase declared."""
    figures = {}
    for option in ("damage", "defense", "heal", "magic"):
        s = scenario().army("A", hp=20, abilities=["judgment"]).army("B", abilities=["incorporeal"]).army("B2")
        s.declared("magical", *(() if option == "magic" else ("A",)))
        s.melee(A=order("B", use("judgment", option)), B2=order("A"), dice={"A attack": 14, "B2 attack": 2})
        figures[option] = (s.last(e.Attacked, "A").damage, s.last(e.Attacked, "B2").against, s.hp("A"))
    assert figures == {"damage": (2, 19, 20), "defense": (2, 20, 20), "heal": (2, 19, 24), "magic": (2, 19, 20)}
    s = (
        scenario()
        .army("A", abilities=["judgment"])
        .army("B")
        .melee(A=order("B", use("judgment", "damage")), dice={"A attack": 14})
    )
    s.melee(A=order("B"), dice={"A attack": 14})
    assert [hit.damage for hit in s.all(e.Attacked)] == [5, 4]


@shows("ability:ki-pool")
def test_ki_makes_attacks_magical() -> None:
    """PF-9."""
    for abilities, hp in ((["ki-pool"], 38), ([], 40)):
        s = scenario().army("A", abilities=abilities).army("B", abilities=["incorporeal"])
        s.melee(A=order(), dice={"A attack": 14})
        assert s.hp("B") == hp


@shows("ability:mercy")
def test_mercy_cures_an_ally_after_the_battle() -> None:
    """PF-9: one allied army, itself included; not one that was destroyed with it."""
    s = scenario().army("A", abilities=["mercy"], disease=2).army("A2").army("B", abilities=["disease"])
    s.melee(B=order("A2"), dice={"B attack": 14}).play(c.End("dusk"))
    now = {"A": {"disease": 2, "ill": True}}
    cured = [(ch.subject_id, ch.after) for ch in s.aftermath(now=now).changes if ch.field == "ill"]
    assert cured == [("A2", True), ("A", False)]
    chosen = s.aftermath(choices={"mercy:A": "A2"}, now=now)
    assert [(ch.subject_id, ch.after) for ch in chosen.changes if ch.field == "ill"] == [("A2", True), ("A2", False)]


@shows("ability:mount")
def test_mount_counts_as_mounted() -> None:
    """PF-9, R-3: OM and DV +1."""
    sheet = LAW.sheet(spec("A", abilities=["mount"]))
    assert (sheet.om.total, sheet.dv.total, sheet.mounted) == (10, 20, True)


@shows("ability:order")
def test_an_order_defends_against_the_challenged() -> None:
    """PF-9, R-27: DV +1 against the army it challenged, nobody before."""
    s = scenario().army("A", abilities=["challenge", "order"]).army("B").army("B2")
    assert s.dv("A", "B") == 19
    s.melee(A=hold(use("challenge", target="B")))
    assert (s.dv("A", "B"), s.dv("A", "B2")) == (20, 18)


@shows("ability:poison-resistance")
def test_poison_resistance_takes_half_its_value_off_poison() -> None:
    """PF-9, R-43: not off other bleeding; to 0 if need be."""
    for ability, left in (("poison", 36 - 2), ("bleed", 36 - 5)):
        s = scenario().army("A", abilities=[ability]).army("B", abilities=["poison-resistance 7"])
        s.melee(A=order(), dice={"A attack": 14}).melee(dice={"B bleed": 5})
        assert s.hp("B") == left


@shows("ability:rage")
def test_rage_for_the_rest_of_the_battle() -> None:
    """PF-9: OM +2, DV −1, +1 against fear and rout; once."""
    s = scenario().army("A", abilities=["rage"]).army("B").melee(A=hold(use("rage")))
    assert (s.om("A"), s.dv("A"), s.morale("A", "rout"), s.morale("A", "fear"), s.morale("A", "tactic")) == (
        11,
        18,
        1,
        1,
        0,
    )
    assert "already" in str(s.refusal(A=hold(use("rage"))))


@pytest.mark.parametrize(
    "tactic", ["cautious-combat", "defensive-wall", "expert-flankers", "sniper-support", "withdraw"]
)
def test_rage_bars_careful_tactics(tactic: str) -> None:
    """PF-9, R-23: the one in use turns to standard without a check; ordering it later is illegal."""
    s = scenario().army("A", abilities=["rage"], tactics=[tactic], ranged=True).army("B").until("melee")
    s.override("A", "tactic", tactic).melee(A=order("B", use("rage")), dice={"A attack": 2})
    assert s.fighter("A").tactic == "standard"
    assert "while raging" in str(s.refusal(A=order(tactic=tactic)))


@pytest.mark.parametrize("strategy", ["defensive", "cautious"])
def test_rage_bars_careful_strategies(strategy: str) -> None:
    """PF-9, R-23: even the one chosen in the same phase."""
    s = scenario().army("A", abilities=["rage"]).army("B")
    s.melee(A=order("B", use("rage"), strategy=strategy), dice={"A attack": 2})
    assert (s.fighter("A").strategy, s.last(e.Attacked).check) == ("standard", 13)
    assert "while raging" in str(s.refusal(A=order(strategy=strategy)))


@shows("ability:shield-ally")
def test_shield_ally() -> None:
    """PF-9: DV +1."""
    assert LAW.sheet(spec("A", abilities=["shield-ally"])).dv.total == 20


@shows("ability:smite-evil")
@pytest.mark.parametrize(
    "foe, bonus",
    [
        ({"alignment": "CE"}, 2),
        ({"alignment": "NE", "abilities": ["undead"]}, 4),
        ({"alignment": "LE", "creature_type": "outsider"}, 4),
    ],
)
def test_smite_evil(foe: dict[str, object], bonus: int) -> None:
    """PF-9, R-27: in one melee phase per battle; +4 if undead or an outsider."""
    s = scenario().army("A", abilities=["smite-evil"]).army("B", **foe).until("ranged")
    assert "melee" in str(s.refusal(A=order("B", use("smite-evil", target="B"))))
    s.melee(A=order("B", use("smite-evil", target="B")), dice={"A attack": 2})
    assert s.last(e.Attacked).check == 11 + bonus
    s.melee(A=order("B"), dice={"A attack": 2})
    assert s.last(e.Attacked).check == 11


def test_only_the_evil_are_smitten() -> None:
    """PF-9, R-27: the refusal."""
    s = scenario().army("A", abilities=["smite-evil"]).army("B", alignment="N", abilities=["undead"]).until("melee")
    assert "not evil" in str(s.refusal(A=order("B", use("smite-evil", target="B"))))


@shows("ability:sneak-attack")
def test_sneak_attack_in_its_three_cases() -> None:
    """PF-9, R-28: ambushing, with expert flankers, in the phase after a false retreat against anyone."""
    s = scenario().army("A", abilities=["sneak-attack"]).army("B").ambush("A", "B").setup(dice={"A ambush": 10})
    assert s.last(e.Ambushed).success is True
    s = (
        scenario()
        .army("A", abilities=["sneak-attack"], tactics=["expert-flankers", "false-retreat"])
        .army("B")
        .army("B2")
    )
    assert s.om("A", "B") == 9
    s.tactics(A="expert-flankers")
    assert s.om("A", "B") == 12
    s = scenario().army("A", abilities=["sneak-attack"], tactics=["false-retreat"]).army("B").army("B2")
    s.tactics(A="false-retreat").melee(A=hold(use("false-retreat", target="B", kind="tactic")))
    assert (s.om("A", "B"), s.om("A", "B2")) == (16, 10)


@shows("ability:tactician")
def test_a_tactician_knows_one_more_tactic() -> None:
    """PF-9: not counted."""
    army = spec("A", acr=1, abilities=[has("tactician", tactic="defensive-wall")])
    assert "defensive-wall" in LAW.tactics_of(army)
    assert (LAW.sheet(army).tactics_max, LAW.sheet(army).tactics_counted) == (0, 0)


@shows("ability:track")
def test_trackers_stop_withdrawals_see_ambushes_and_see_in_fog() -> None:
    """PF-9, R-13: ACR to both; fog × 3/4."""
    s = scenario().army("A", abilities=["track"]).army("B").condition("fog").ambush("B", "A")
    assert (s.morale("A", "stop"), s.morale("A", "withdraw")) == (9, 2)
    s.setup(dice={"B ambush": 19})
    assert (s.last(e.Ambushed).against, s.last(e.Ambushed).success) == (28, False)
    s.melee(A=order(), dice={"A attack": 17})
    assert s.last(e.Attacked).damage == 5


@shows("ability:trap-sense")
def test_trap_sense_helps_the_second_check_of_siegebreaker() -> None:
    """PF-9: + floor(ACR/2)."""
    s = scenario().army("A", abilities=["trap-sense"], tactics=["siegebreaker"]).army("B", resources=["siege-engines"])
    s.tactics(A="siegebreaker").melee(A=order(), dice={"A attack": 11, "A siegebreaker": 7})
    assert (s.last(e.Attacked).check, s.last(e.EngineAttacked).check, s.fighter("B").engines) == (20, 7 + 9 + 4, 0)


WILD_SHAPES = ("aquatic", "amphibious", "climb", "darkvision", "flight", "low-light-vision", "scent")


@shows("ability:wild-shape")
@pytest.mark.parametrize("shape", WILD_SHAPES)
def test_wild_shape_gives_an_ability_and_takes_spellcasting(shape: str) -> None:
    """PF-9, R-24: at once; ended freely at step 4; once per battle in all."""
    s = scenario().army("A", abilities=["wild-shape", has("spellcasting", 2, ranged=True)]).army("B")
    assert (s.om("A"), s.dv("A")) == (11, 21)
    s.melee(A=hold(use("wild-shape", shape)))
    assert shape in s.fighter("A").profile.choices
    assert (s.om("A"), s.dv("A")) == (9, 19)
    assert s.refusal(A=hold(use("wild-shape", shape))).field == "/use/0/option"
    s.melee(A=hold(use("wild-shape", "end")))
    assert shape not in s.fighter("A").profile.choices
    assert s.om("A") == 11
    assert "already" in str(s.refusal(A=hold(use("wild-shape", shape))))


def test_a_shape_without_hands_casts_no_spell_this_phase() -> None:
    """R-24: its shot of this phase is lost, and so is spellbreaker's bonus against it."""
    s = scenario().army("A", abilities=["wild-shape", has("spellcasting", 2, ranged=True)])
    s.army("B", tactics=["spellbreaker"]).tactics(B="spellbreaker")
    assert s.dv("B", "A") == 23
    s.ranged(A=order("B", use("wild-shape", "scent")))
    assert (s.last(e.AttackLost).why, s.dv("B", "A")) == ("no-shot", 19)


def test_a_shape_stays_without_orders() -> None:
    """R-24: until it is ended."""
    s = scenario().army("A", abilities=["wild-shape"]).army("B").melee(A=hold(use("wild-shape", "flight")))
    s.melee(A=SILENT, dice={"A attack": 2})
    assert "flight" in s.fighter("A").profile.choices
