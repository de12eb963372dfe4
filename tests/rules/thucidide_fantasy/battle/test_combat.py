"""Combats of thucidide-fantasy: attack, riposte, pursuit, shots, fire, the GM's report (TF-1.8 … 1.17)."""

from __future__ import annotations

import pytest

from rules.hexbattle import common
from rules.hexbattle.common import Destroyed, EffectBegan
from rules.hexbattle.ground import Timer
from rules.thucidide_fantasy.battle.combat.engagement import range_of, reaches
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.contingent import ContingentCharacter, ContingentUnit
from rules.thucidide_fantasy.spec import BattleOptions, BorneTrait
from tests.rules.thucidide_fantasy.fights import LAW, Table, army, open_ground

CORNERS = {"Chief a": "A11", "Chief b": "M1"}


def table(own, foe, *, places, **more):
    mine = own if type(own) is tuple else (own,)
    theirs = foe if type(foe) is tuple else (foe,)
    return Table(army("a", 0, *mine), army("b", 1, *theirs), places=CORNERS | places, **more)


def duel(own="foot-medium:Own", foe="foot-heavy:Foe", **more):
    return table(own, foe, places={"Own": "E6", "Foe": "E5"} | more.pop("places", {}), **more)


def test_an_attack_of_supported_foot_on_supported_foot():
    """TF-T 7: red, flag, advantage: 2 losses, the flag ignored by support, riposte."""
    now = table(
        ("foot-medium:Own", "foot-medium:Left", "foot-medium:Right"), ("foot-heavy:Foe", "pike:One", "pike:Two"),
        places={"Own": "E6", "Left": "D6", "Right": "F6", "Foe": "E5", "One": "D5", "Two": "F5"},
    )  # fmt: skip
    kinds = now.attack("Own", "Foe", attack="rfa", riposte="ggg")
    assert now.unit("Foe").stands == 2
    assert now.event(e.FlagsCounted) == e.FlagsCounted(now.id("Foe"), 1, 1, 0)
    assert kinds.count("CombatOpened") == 2
    assert now.unit("Own").stands == 4


def test_flags_are_told_with_those_ignored_if_any():
    now = duel()
    told = [str(LAW.describe(now.state, e.FlagsCounted(now.id("Own"), 2, ignored, 2)).text) for ignored in (0, 1)]
    assert told == ["Own: 2 flags.", "Own: 2 flags, 1 ignored."]


def test_an_unsupported_defender_does_not_strike_back():
    """TF-1.11."""
    now = duel()
    assert now.attack("Own", "Foe", attack="ggb").count("CombatOpened") == 1


def test_letters_win_counters_and_confirming_dice_do_not():
    """TF-1.13, T-65."""
    now = duel(foe="mammoth:Foe").now(counters=(5, 5))
    now.attack("Own", "Foe", attack="llr", confirm="l")
    assert now.state.counters == (7, 5)
    assert now.unit("Foe").stands == 4


def test_a_unit_without_stands_is_destroyed():
    """TF-1.9."""
    now = duel().set("Foe", stands=1)
    kinds = now.attack("Own", "Foe", attack="rrr")
    assert now.gone("Foe") == "destroyed"
    assert now.event(Destroyed).at == "E5"
    assert kinds.count("FlagsCounted") == 0


def test_one_combat_a_unit_and_turn():
    now = duel()
    now.attack("Own", "Foe", attack="ggg")
    now.refused(c.OpenMelee(now.id("Own"), now.id("Foe")), "already fought")


def test_only_activated_units_open_combats():
    now = duel(active=False)
    now.refused(c.OpenMelee(now.id("Own"), now.id("Foe")), "activated")


def test_t_2_who_moved_too_far_opens_no_combat():
    now = duel().set("Own", far=True)
    now.refused(c.OpenMelee(now.id("Own"), now.id("Foe")), "moved too far")


def test_t_3_an_assault_is_from_a_hex_not_beside_the_target():
    now = duel("riders-medium:Own").set("Own", start="E8", stirred=True)
    now.attack("Own", "Foe", attack="gggg")
    assert now.event(e.CombatOpened).dice == 4
    now = duel("riders-medium:Own").set("Own", start="D5", stirred=True)
    now.attack("Own", "Foe", attack="gg")
    assert now.event(e.CombatOpened).dice == 2


def test_an_advantage_hits_in_an_assault_and_by_support_only():
    """TF-1.7."""
    now = duel()
    now.attack("Own", "Foe", attack="aaa")
    assert now.unit("Foe").stands == 4
    now = duel().set("Own", start="E8", stirred=True)
    now.attack("Own", "Foe", attack="aa")
    assert now.unit("Foe").stands == 2


def test_a_fleeing_unit_opens_no_melee():
    """TF-1.12; T-8 of the vectors."""
    now = duel().set("Own", temper="fleeing")
    now.refused(c.OpenMelee(now.id("Own"), now.id("Foe")), "A fleeing unit can’t start a melee")


def test_t_49_who_counts_as_fleeing_may_open_a_melee():
    now = duel().set("Foe", traits=(BorneTrait("great-threat"),))
    now.attack("Own", "Foe", attack="ggg")


def test_ground_opens_no_melee_on_a_flyer_and_ripostes():
    """TF-2.5, T-99: supported or not."""
    now = duel("foot-medium:Own", "dragon:Foe")
    now.refused(c.OpenMelee(now.id("Own"), now.id("Foe")), "Ground units can’t start a melee with a flyer")
    now = duel("dragon:Own", "foot-medium:Foe")
    kinds = now.attack("Own", "Foe", attack="gggg", riposte="ggg")
    assert kinds.count("CombatOpened") == 2


def test_t_69_a_wall_bars_melee_and_not_shots():
    walled = open_ground() | {"edges": [{"between": ["E6", "E5"], "obstacle": "wall"}]}
    now = duel(map_=walled)
    now.refused(c.OpenMelee(now.id("Own"), now.id("Foe")), "wall")
    now = duel("dragon:Own", map_=walled)
    now.attack("Own", "Foe", attack="gggg", riposte="gg")


def test_t_95_foot_in_houses_counts_as_supported_when_attacked():
    rows = ["............."] * 4 + ["....h........"] + ["............."] * 6
    now = duel(map_=open_ground(terrain=rows))
    kinds = now.attack("Own", "Foe", attack="gf", riposte="aaa")
    assert now.event(e.FlagsCounted).ignored == 1
    assert kinds.count("CombatOpened") == 2
    assert now.unit("Own").stands == 1


# Pursuit


def pursuit(own="riders-medium:Own", **more):
    places = {"Own": "E6", "Foe": "E5", "Next": "D3"}
    now = table(own, ("foot-medium:Foe", "foot-medium:Next"), places=places | more.pop("places", {}), **more)
    return now.set("Foe", stands=1)


def test_riders_pursue_into_the_hex_a_melee_has_emptied():
    """TF-1.11, T-74: with the melee factor, at whom they attack from there."""
    now = pursuit(places={"Next": "D4"})
    now.attack("Own", "Foe", attack="rr")
    assert now.state.fight.asks == "pursue"
    now.refused(c.EndPhase(), "Decide on the pursuit first")
    now.do(c.PursueFoe(now.id("Own"), now.id("Next")), attack="gg")
    assert now.at("Own") == "E5"
    assert now.event(e.CombatOpened).how == "pursuit"
    assert now.state.fight is None


def test_t_74_without_a_target_there_is_no_pursuit():
    now = pursuit(places={"Next": "A1"})
    now.attack("Own", "Foe", attack="rr")
    assert now.state.fight is None


def test_t_74_a_pursuit_may_be_declined():
    now = pursuit(places={"Next": "D4"})
    now.attack("Own", "Foe", attack="rr")
    now.do(c.PursueFoe(now.id("Own"), None))
    assert now.at("Own") == "E6"


def test_t_4_one_pursuit_a_unit_and_turn():
    now = pursuit(places={"Next": "D4"}).set("Next", stands=1)
    now.state = now.state.but(field=now.state.field.put(now.id("Chief b"), at="D3"))
    now.attack("Own", "Foe", attack="rr")
    now.do(c.PursueFoe(now.id("Own"), now.id("Next")), attack="rr")
    assert now.state.fight is None


def test_foot_does_not_pursue():
    now = pursuit("foot-heavy:Own", places={"Next": "D4"})
    now.attack("Own", "Foe", attack="rrr")
    assert now.state.fight is None


def test_t_4_no_pursuit_of_a_victor_whom_the_riposte_moved():
    """Supported by two, the defender doesn't move; the victor is thrown back; nothing is emptied."""
    now = table("riders-medium:Own", ("foot-medium:Foe", "pike:One", "pike:Two"),
                places={"Own": "E6", "Foe": "E5", "One": "D5", "Two": "F5"})  # fmt: skip
    now.attack("Own", "Foe", attack="gg", riposte="fgg")
    assert now.state.fight is None
    assert now.at("Own") == "D8"


# Shots


def shooting(own="bows:Own", foe="foot-medium:Foe", at="E3", **more):
    return table(own, foe, places={"Own": "E6", "Foe": at}, **more)


def test_shots_hit_and_advantages_give_nothing():
    """TF-1.7, 1.15."""
    now = shooting()
    now.shoot("Own", "Foe", shot="ba")
    assert now.unit("Foe").stands == 3


def test_t_45_white_is_hit_by_an_advantage_in_shots_too():
    now = shooting().set("Foe", weight=1)
    now.shoot("Own", "Foe", shot="aa")
    assert now.unit("Foe").stands == 2


def test_shots_need_range_and_sight():
    now = shooting(at="E2")
    now.refused(c.OpenShot(now.id("Own"), now.id("Foe")), "out of range")
    rows = ["............."] * 3 + ["...ww........", "...ww........"] + ["............."] * 6
    now = shooting(map_=open_ground(terrain=rows))
    now.refused(c.OpenShot(now.id("Own"), now.id("Foe")), "out of sight")


def test_t_38_neighbours_on_the_ground_never_shoot_at_each_other():
    now = shooting(at="E5")
    now.refused(c.OpenShot(now.id("Own"), now.id("Foe")), "same level")
    now = shooting(foe="dragon:Foe", at="E5")
    now.shoot("Own", "Foe", shot="gg")


def test_t_26_artillery_that_moved_does_not_shoot():
    now = shooting("engine:Own").set("Own", stirred=True)
    now.refused(c.OpenShot(now.id("Own"), now.id("Foe")), "Artillery that moved")


def test_fine_weapons_shoot_one_hex_farther():
    """TF-3 row 7."""
    now = shooting(at="E2").set("Own", traits=(BorneTrait("fine-weapons"),))
    now.shoot("Own", "Foe", shot="gg")


def test_ranges_up_to_and_down_from_a_flyer():
    """TF-T 3: bow 3: up 2, down 3; 2: up 1, down 2; 1: up none; artillery 6: 2 and 3."""
    now = shooting(foe="dragon:Foe")
    down = shooting("dragon:Own")

    def reach(one, far, steps=7):
        hexes = ["E5", "E4", "E3", "E2", "E1"]
        where = [
            at
            for at in hexes
            if reaches(one.state, one.id("Own"), far, "E6", one.put("Foe", at).state.token(one.id("Foe")))
        ]
        return len(where)

    assert [reach(now, far) for far in (3, 2, 1, 6)] == [2, 1, 0, 2]
    assert [reach(down, far) for far in (3, 2, 6)] == [3, 2, 3]


def test_hills_shorten_shots():
    """TF-1.5, T-38: at most 2 hexes upward, 3 downward; of a flyer above, no hill counts."""
    high = open_ground() | {"heights": {"E3": 1}}
    now = shooting("crossbows:Own", map_=high)
    now.refused(c.OpenShot(now.id("Own"), now.id("Foe")), "out of range")
    low = open_ground() | {"heights": {"E6": 1}}
    now = shooting("crossbows:Own", map_=low)
    now.shoot("Own", "Foe", shot="gg")
    assert range_of(now.state, now.id("Own")) == 4
    now = shooting("crossbows:Own", at="E2", map_=low)
    now.refused(c.OpenShot(now.id("Own"), now.id("Foe")), "out of range")


def test_there_is_no_riposte_to_a_shot():
    now = table("bows:Own", ("foot-heavy:Foe", "pike:One", "pike:Two"),
                places={"Own": "E7", "Foe": "E5", "One": "D5", "Two": "F5"})  # fmt: skip
    assert now.shoot("Own", "Foe", shot="gg").count("CombatOpened") == 1


# Fire (TF-1.14)


def burning(**more):
    rows = ["............."] * 4 + ["....w........"] + ["............."] * 6
    return table("dragon:Own", "foot-medium:Foe", places={"Own": "E7", "Foe": "E5"},
                 map_=open_ground(terrain=rows), **more)  # fmt: skip


def test_t_19_an_advantage_of_fire_lights_a_wood_and_drives_out_who_stands_there():
    now = burning()
    now.shoot("Own", "Foe", shot="gaaa")
    effect = now.event(EffectBegan).effect
    assert (effect.effect, effect.on, effect.left) == ("lit", ("E5",), 3)
    assert now.unit("Foe").stands == 3
    assert now.at("Foe") == "E4"
    assert now.state.field.ground.terrain("E5").footing == "impassable"


def test_t_19_who_cannot_leave_the_fire_is_destroyed():
    rows = ["............."] * 3 + ["...~~~.......", "...~w~.......", "...~~~......."] + ["............."] * 5
    now = table("dragon:Own", "foot-medium:Foe", places={"Own": "E7", "Foe": "E5"}, map_=open_ground(terrain=rows))
    now.shoot("Own", "Foe", shot="gaaa")
    assert now.gone("Foe") == "destroyed"


def test_t_46_the_fire_proof_confirm_losses_by_fire_and_throw_for_their_stand():
    now = burning().set("Foe", traits=(BorneTrait("fire-proof"),))
    now.shoot("Own", "Foe", shot="rraa", confirm="gl", fire="f")
    assert now.unit("Foe").stands == 3
    assert now.at("Foe") == "E4"


def test_t_80_a_shot_at_a_flyer_lights_nothing():
    rows = ["............."] * 4 + ["....w........"] + ["............."] * 6
    now = table("dragon:Own", "dragon:Foe", places={"Own": "E7", "Foe": "E5"}, map_=open_ground(terrain=rows))
    now.shoot("Own", "Foe", shot="aaaa")
    assert not now.all(EffectBegan)


# On a real table (TF-1.17)


def on_table(own="foot-medium:Own", **more):
    return duel(own, options=BattleOptions(combat="table"), **more)


def test_t_40_each_throw_waits_for_the_gms_report():
    now = on_table()
    now.attack("Own", "Foe")
    assert now.state.fight.asks == "report"
    assert not now.all(e.DiceThrown)
    now.refused(c.ReportThrow(stands=4), "0 to 3")
    now.refused(c.ReportThrow(hexes=17), "0 to 16")
    now.do(c.ReportThrow(stands=2, flags=1, hexes=1, counters=1))
    assert now.unit("Foe").stands == 2
    assert now.at("Foe") == "E4"
    assert now.state.counters == (1, 0)


def test_t_40_a_hex_that_cannot_be_taken_costs_a_stand_besides():
    now = on_table(places={"Own": "E2", "Foe": "E1"})
    now.attack("Own", "Foe")
    now.do(c.ReportThrow(stands=1, hexes=2))
    assert now.unit("Foe").stands == 1


@pytest.mark.parametrize(("chief", "hexes", "lost"), [("E8", 6, 0), ("D8", 4, 2)])
def test_t_5_undead_retreat_farther_than_their_leash_if_their_master_goes_with_them(chief, hexes, lost):
    """T-24: elsewhere the leash of four hexes stops them, and each hex they miss costs a stand."""
    places = {"Own": "E9", "Foe": "E8", "Chief b": chief}
    now = table("foot-medium:Own", "skeletons:Foe", places=places, options=BattleOptions(combat="table"))
    before = now.unit("Foe").stands
    now.attack("Own", "Foe")
    now.do(c.ReportThrow(hexes=6))
    (retreated,) = now.all(e.Retreated)
    assert len(retreated.path) - 1 == hexes
    assert (now.at("Foe") == now.at("Chief b")) == (lost == 0)
    assert now.unit("Foe").stands == before - lost


def test_t_40_players_do_not_report():
    now = on_table()
    now.attack("Own", "Foe")
    from tests.rules.thucidide_fantasy.fights import side_viewer

    assert not LAW.allows(now.state, c.ReportThrow(), side_viewer(now.state, 0))


def test_t_67_no_surplus_and_no_fire_on_the_table():
    rows = ["............."] * 4 + ["....w........"] + ["............."] * 6
    now = table("dragon:Own", "foot-medium:Foe", places={"Own": "E7", "Foe": "E5"}, map_=open_ground(terrain=rows),
                options=BattleOptions(combat="table"))  # fmt: skip
    now.shoot("Own", "Foe")
    now.do(c.ReportThrow(stands=4))
    assert now.gone("Foe") == "destroyed"
    assert not now.all(EffectBegan)


def test_experience_costs_recruits_a_die():
    now = duel(ContingentUnit("foot-medium", "Own", "recruits"))
    now.attack("Own", "Foe", attack="gg")


def test_tf_1_12_a_fleeing_unit_made_fanatic_opens_a_melee():
    """Fanatics count neither as hesitant nor fleeing."""
    now = table("foot-medium:Own", "foot-medium:Foe", places={"Own": "E6", "Foe": "E5"}).set("Own", temper="fleeing")
    own = now.id("Own")
    now.refused(c.OpenMelee(own, now.id("Foe")), "fleeing")
    timer = Timer("fanaticism", (own,), "", 0, "spells", 2)
    now.now(field=common.after(now.state.field, EffectBegan(timer)))
    assert "CombatOpened" in now.attack("Own", "Foe")


def test_t_23_the_hex_is_lit_before_those_whose_unit_died_flee():
    """A mage in it leaves the fire, homeward first, and flees from there."""
    rows = ["............."] * 4 + ["....w........"] + ["............."] * 6
    now = Table(
        army("a", 0, "dragon:Own"), army("b", 1, "foot-medium:Foe", people=(ContingentCharacter("Mage", "caster"),)),
        places=CORNERS | {"Own": "E7", "Foe": "E5", "Mage": "E5"}, map_=open_ground(terrain=rows),
    ).set("Foe", stands=1)  # fmt: skip
    kinds = now.shoot("Own", "Foe", shot="raaa")
    assert kinds.index("EffectBegan") < kinds.index("HexBurned") < kinds.index("FightPaused")
    assert now.at("Mage") == "E4"
