"""Heroes, leaders, casters and useful people in combat (TF-4, T-9, T-27, T-28, T-39, T-48, T-66, T-71 … T-73)."""

from __future__ import annotations

from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.spec import BorneTrait
from tests.rules.thucidide_fantasy.fights import Table, army

FAR = {"Chief a": "A11", "Chief b": "M1"}


def hero(name, **more):
    return ContingentCharacter(name, "hero", **{"armour": "medium", "melee": 2, "resistance": 3} | more)


MAGE = ContingentCharacter("Mage", "caster")


def table(own=("foot-medium:Own",), foes=("foot-heavy:Foe",), people=(), rivals=(), places=None, **more):
    mine, theirs = army("a", 0, *own, people=people), army("b", 1, *foes, people=rivals)
    return Table(mine, theirs, places=FAR | {"Own": "E6", "Foe": "E5"} | (places or {}), **more)


def test_a_heros_dice_join_those_of_his_unit():
    """TF-4.3."""
    now = table(people=[hero("Hero")], places={"Hero": "E6"})
    now.attack("Own", "Foe", attack="ggggg")
    assert now.event(e.CombatOpened).joined == (now.id("Hero"),)
    assert now.event(e.CombatOpened).dice == 5
    assert now.person("Hero").doing.fought


def test_t_27_heroes_on_both_sides_fight_first_and_add_no_dice():
    now = table(people=[hero("Hero")], rivals=[hero("Rival")], places={"Hero": "E6", "Rival": "E5"})
    now.attack("Own", "Foe", heroes="bg", attack="ggg")
    opened = now.all(e.CombatOpened)
    assert [one.how for one in opened] == ["duel", "melee"]
    assert opened[1].dice == 3
    assert now.person("Rival").left == 2


def test_t_73_a_duel_knows_support_and_its_flags_move_nobody():
    now = table(own=("foot-medium:Own", "pike:L", "pike:R"), people=[hero("Hero")], rivals=[hero("Rival")],
                places={"Hero": "E6", "Rival": "E5", "L": "D6", "R": "F6"})  # fmt: skip
    now.attack("Own", "Foe", heroes="af", attack="ggg")
    assert now.person("Rival").left == 2
    assert now.at("Rival") == "E5"


def test_t_73_a_supported_hero_strikes_back_in_a_duel():
    now = table(foes=("foot-heavy:Foe", "pike:L", "pike:R"), people=[hero("Hero")], rivals=[hero("Rival")],
                places={"Hero": "E6", "Rival": "E5", "L": "D5", "R": "F5"})  # fmt: skip
    now.attack("Own", "Foe", heroes="ggrr", attack="ggg", riposte="ggg")
    assert now.person("Hero").left == 1


def test_t_72_several_heroes_are_paired_and_the_rest_add_their_dice():
    now = table(people=[hero("Hero"), hero("Second", melee=1)], rivals=[hero("Rival")],
                places={"Hero": "E6", "Second": "E6", "Rival": "E5"})  # fmt: skip
    now.attack("Own", "Foe", heroes="gg", attack="gggg")
    assert now.all(e.CombatOpened)[1].joined == (now.id("Second"),)


def test_a_hero_out_of_resistance_is_removed():
    now = table(people=[hero("Hero")], rivals=[hero("Rival", resistance=1)], places={"Hero": "E6", "Rival": "E5"})
    now.attack("Own", "Foe", heroes="rr", attack="ggg")
    assert now.gone("Rival") == "destroyed"


def test_hits_beyond_the_stands_of_his_unit_are_thrown_again_at_the_hero():
    """TF-4.4: 2 stands, 5 hits: 3 dice. T-28: the hero stays in the hex and nobody pursues."""
    now = table(own=("riders-medium:Own",), rivals=[hero("Rival")], places={"Rival": "E5"})
    now.set("Foe", stands=2, weight=2).set("Own", start="E9", stirred=True, melee=4, assault=5)
    now.put("Rival", "E5")
    now.attack("Own", "Foe", attack="rrrrr", surplus="bbg")
    assert now.gone("Foe") == "destroyed"
    assert now.person("Rival").left == 1
    assert now.at("Rival") == "E5"
    assert now.state.fight is None


def test_t_66_of_several_heroes_the_surplus_goes_to_the_first():
    now = table(rivals=[hero("Rival"), hero("Other")], places={"Rival": "E5", "Other": "E5"}).set("Foe", stands=1)
    now.attack("Own", "Foe", attack="rrr", surplus="rr")
    assert (now.person("Rival").left, now.person("Other").left) == (1, 3)


def test_a_hero_alone_fights_as_a_unit_and_flags_do_not_move_him():
    """TF-4.4."""
    now = table(foes=("pike:Other",), rivals=[hero("Foe")], places={"Other": "M9"})
    now.attack("Own", "Foe", attack="fbr")
    assert now.person("Foe").left == 1
    assert now.at("Foe") == "E5"


def test_t_27_a_hero_alone_prefers_heroes():
    now = table(foes=("pike:Foe", "pike:Plain"), people=[hero("Hero")], rivals=[hero("Rival")],
                places={"Own": "A9", "Hero": "E6", "Foe": "E5", "Rival": "E5", "Plain": "D6"})  # fmt: skip
    now.refused(c.OpenMelee(now.id("Hero"), now.id("Plain")), "A lone hero has to fight an adjacent hero first")
    now.attack("Hero", "Foe", heroes="gg")
    assert [one.how for one in now.all(e.CombatOpened)] == ["duel"]


def test_t_27_a_unit_strikes_a_hero_alone_after_its_own_hero_has():
    now = table(people=[hero("Hero")], foes=("pike:Other",), rivals=[hero("Foe")],
                places={"Hero": "E6", "Other": "M9"})  # fmt: skip
    now.attack("Own", "Foe", heroes="gg", attack="ggg")
    assert [one.how for one in now.all(e.CombatOpened)] == ["duel", "melee"]


def test_t_58_a_heros_shot_joins_in_his_own_range_only():
    for at, dice in (("E4", 4), ("E3", 2)):
        now = table(own=("bows:Own",), people=[hero("Hero", shot=2, range=2)], places={"Hero": "E6", "Foe": at})
        now.shoot("Own", "Foe", shot="g" * dice)
        assert now.event(e.CombatOpened).dice == dice


def test_t_58_a_unit_without_a_shot_does_not_shoot_for_its_hero():
    now = table(people=[hero("Hero", shot=2, range=4)], places={"Hero": "E6", "Foe": "E4"})
    now.refused(c.OpenShot(now.id("Own"), now.id("Foe")), "can’t shoot")


# Those who don't fight (TF-4.5)


def caught(**more):
    return table(foes=("pike:Far",), rivals=[MAGE], places={"Mage": "E5", "Far": "M9"} | more)


def test_t_9_a_caster_alone_flees_where_their_side_says():
    now = caught()
    now.attack("Own", "Mage")
    assert now.state.fight.asks == "flee"
    assert now.unit("Own").doing.fought
    now.refused(c.FleeTo(now.id("Mage"), "E2"), "Choose one of these hexes")
    now.refused(c.EndPhase(), "has to flee first")
    now.do(c.FleeTo(now.id("Mage"), "E3"))
    assert now.at("Mage") == "E3"
    assert now.gone("Mage") == ""


def test_t_39_the_usual_flight_is_the_farthest_from_the_enemy():
    now = caught()
    now.attack("Own", "Mage")
    assert now.state.fight.options[0] in ("D3", "E3", "F3")
    assert "E5" in now.state.fight.options


def test_who_flees_and_has_an_enemy_beside_is_captured():
    """TF-4.5; T-9: with them go a general's activations."""
    now = caught()
    now.attack("Own", "Mage")
    now.do(c.FleeTo(now.id("Mage"), "E5"))
    assert now.gone("Mage") == "captured"
    now = table(foes=("pike:Far",), places={"Chief b": "E5", "Far": "M9"})
    now.attack("Own", "Chief b")
    now.do(c.FleeTo(now.id("Chief b"), "E5"))
    assert now.state.generals[1] == ""


def test_t_9_who_joins_a_friendly_unit_is_safe():
    now = table(foes=("pike:Mate",), rivals=[MAGE], places={"Mage": "E5", "Mate": "D5"})
    now.attack("Own", "Mage")
    now.do(c.FleeTo(now.id("Mage"), "D5"))
    assert now.gone("Mage") == ""


def test_a_useful_person_flees_one_hex():
    now = table(foes=("pike:Far",), rivals=[ContingentCharacter("Sage", "useful")],
                places={"Sage": "E5", "Far": "M9"})  # fmt: skip
    now.attack("Own", "Sage")
    assert "E3" not in now.state.fight.options
    assert "E4" in now.state.fight.options


def test_with_a_unit_they_are_safe_until_it_dies():
    """TF-4.5: then as attacked."""
    now = table(rivals=[MAGE], places={"Mage": "E5"})
    now.refused(c.OpenMelee(now.id("Own"), now.id("Mage")), "Attack the unit")
    now.set("Foe", stands=1)
    now.attack("Own", "Foe", attack="rrr")
    assert now.state.fight.asks == "flee"
    now.do(c.FleeTo(now.id("Mage"), "E4"))
    assert now.at("Mage") == "E4"


def test_t_71_shots_name_units_and_heroes_only():
    now = table(own=("bows:Own",), foes=("pike:Far",), rivals=[MAGE], places={"Mage": "E4", "Far": "M9"})
    now.refused(c.OpenShot(now.id("Own"), now.id("Mage")), "only contact drives them off")


def test_t_48_other_characters_threaten_nobody():
    now = table(people=[MAGE], places={"Mage": "D5", "Own": "A9", "Foe": "M9", "Chief b": "E5"}, phase="movement")
    now.do(c.AnnounceSpell(now.id("Mage")))


def test_t_48_a_caster_who_is_a_hero_too_counts_as_a_hero():
    both = ContingentCharacter("Both", "hero", "medium", melee=1, resistance=2, points=4)
    now = table(foes=("pike:Far",), rivals=[both], places={"Both": "E5", "Far": "M9"})
    now.attack("Own", "Both", attack="ggg")
    assert now.state.fight is None


def test_characters_do_not_open_combats_unless_heroes_alone():
    now = table(people=[MAGE], places={"Mage": "D6"})
    now.refused(c.OpenMelee(now.id("Mage"), now.id("Foe")), "can’t fight")


def test_a_hero_who_is_invulnerable_confirms():
    now = table(foes=("pike:Other",), rivals=[hero("Foe")], places={"Other": "M9"})
    now.set("Foe", traits=(BorneTrait("invulnerable"),))
    now.attack("Own", "Foe", attack="rrg", confirm="gl")
    assert now.person("Foe").left == 2


def test_tf_1_11_a_unit_whose_hero_felled_the_enemy_has_had_its_combat():
    """One combat a unit and turn, one target: the hero alone fell in the duel."""
    now = Table(
        army("a", 0, "foot-medium:Own", people=(ContingentCharacter("Hero", "hero", "medium", melee=2, resistance=3),)),
        army("b", 1, "foot-medium:Foe", people=(ContingentCharacter("Rival", "hero", "light", melee=2, resistance=1),)),
        places={"Chief a": "A11", "Chief b": "M1", "Own": "E6", "Hero": "E6", "Foe": "D6", "Rival": "E5"},
    )  # fmt: skip
    now.attack("Own", "Rival", heroes="rr")
    assert now.gone("Rival") == "destroyed"
    now.refused(c.OpenMelee(now.id("Own"), now.id("Foe")), "already fought")


def test_t_45_what_hits_the_unit_by_its_own_ladder_does_not_hit_the_hero_beyond_it():
    """A mammoth is white to ghouls: advantages hit it, without assault or support. The surplus is thrown at the hero,
    who is heavy to them as a light one, and no advantage hits."""
    rival = ContingentCharacter("Rival", "hero", "light", melee=2, resistance=3)
    now = Table(
        army("a", 0, "ghouls:Own"), army("b", 1, "mammoth:Foe", people=(rival,)),
        places={"Chief a": "E8", "Chief b": "M1", "Own": "E6", "Foe": "E5", "Rival": "E5"},
    ).set("Foe", stands=1)  # fmt: skip
    now.attack("Own", "Foe", attack="aa", surplus="a")
    assert now.gone("Foe") == "destroyed"
    assert now.person("Rival").left == 3


def test_t_74_a_duel_in_a_pursuit_is_no_assault():
    """The unit came from afar and assaulted; in its pursuit an advantage hits no hero (TF-1.8, T-73)."""
    hero, rival = (ContingentCharacter(name, "hero", "medium", melee=1, resistance=3) for name in ("Hero", "Rival"))
    now = Table(
        army("a", 0, "riders-medium:Own", people=(hero,)),
        army("b", 1, "foot-medium:Foe", "foot-medium:Next", people=(rival,)),
        places={"Chief a": "A11", "Chief b": "M1", "Own": "E6", "Hero": "E6", "Foe": "E5", "Next": "E4", "Rival": "E4"},
    ).set("Own", start="E9").set("Foe", stands=1)  # fmt: skip
    now.attack("Own", "Foe", attack="rgggg")
    now.do(c.PursueFoe(now.id("Own"), now.id("Next")), heroes="a", attack="gg")
    assert now.person("Rival").left == 3


def test_t_22_the_likes_of_a_hero_who_hinders_are_spared():
    """TF-3: traits are of units or characters."""
    shy = BorneTrait("hindrance", likes=("warg-riders",))
    for unit, dice in (("warg-riders", 3), ("riders-medium", 1)):
        now = table(own=(f"{unit}:Own",), rivals=[hero("Kaa")], places={"Foe": "M9", "Kaa": "E5"})
        now.set("Kaa", traits=(shy,))
        now.attack("Own", "Kaa", attack="l" * dice)
