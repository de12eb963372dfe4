"""Moves of thucidide-fantasy (TF-1.4, 2.5, T-1, T-2, T-6, T-25, T-50 … T-54, T-89)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.hexbattle import common
from rules.hexbattle.common import EffectBegan
from rules.hexbattle.ground import Timer
from rules.thucidide_fantasy.battle.paces import pace_of, reach_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.spec import BorneTrait
from tests.rules.thucidide_fantasy.fights import Table, army, open_ground

FAR = {"Chief a": "A11", "Chief b": "M1"}
HERO = ContingentCharacter("Hero", "hero", "medium", melee=2, resistance=3)


def table(*units, foes=("pike:Foe",), places, people=(), **more):
    own = army("a", 0, *units, people=people)
    return Table(own, army("b", 1, *foes), places=FAR | {"Foe": "M2"} | places, phase="movement", **more)


def lay(now, effect, unit, by="Chief b"):
    timer = Timer(effect, (now.id(unit),), now.id(by), 1, "spells", 2)
    now.now(field=common.after(now.state.field, EffectBegan(timer)))


def ground(*rows):
    filled = [row.ljust(13, ".") for row in rows]
    return open_ground(terrain=filled + ["............."] * (11 - len(filled)))


@pytest.mark.parametrize(
    ("unit", "fights", "calm"),
    [("foot-light", 2, 2), ("foot-medium", 1, 2), ("foot-heavy", 1, 2), ("riders-light", 4, 4), ("riders-heavy", 3, 3),
     ("giant-spider", 3, 3), ("mammoth", 2, 2), ("engine", 0, 1), ("dragon", 3, 3)],
)  # fmt: skip
def test_moves_by_kind_and_weight(unit, fights, calm):
    """TF-1.4; the dragon is rapid."""
    now = table(f"{unit}:Own", places={"Own": "E6"})
    pace = pace_of(now.state, now.id("Own"))
    assert (pace.fighting, pace.calm) == (fights, calm)


def test_t_2_the_far_move_bars_fighting_and_difficult_ground_stops():
    now = table("foot-medium:Own", places={"Own": "E6"}, map_=ground(*["."] * 4, "....ww"))
    now.refused(now.moving("Own", "E4"), "can’t reach")
    now.move("Own", "E5")
    assert not now.unit("Own").doing.far
    now = table("foot-medium:Own", places={"Own": "E6"})
    now.move("Own", "E4")
    assert now.unit("Own").doing.far


def test_t_2_who_starts_in_difficult_ground_leaves_normally():
    now = table("foot-light:Own", places={"Own": "E6"}, map_=ground(*["."] * 5, "....w"))
    now.move("Own", "E4")


def test_t_25_hills_are_open_and_streams_stop():
    now = table("foot-light:Own", places={"Own": "E6"}, map_=ground(*["."] * 4, "...^^"))
    now.move("Own", "E4")
    edges = [{"between": ["E6", one], "obstacle": "stream"} for one in ("E5", "F5")]
    now = table("foot-light:Own", places={"Own": "E6"}, map_=open_ground() | {"edges": edges})
    now.refused(now.moving("Own", path=("E5", "E4")), "has to end its move on E5")


def test_t_25_a_whole_move_along_a_road_adds_a_hex():
    rows = ["....="] * 9
    now = table("foot-medium:Own", places={"Own": "E9"}, map_=ground(*rows))
    now.move("Own", "E7")
    assert not now.unit("Own").doing.far
    now = table("foot-medium:Own", places={"Own": "E9"}, map_=ground(*rows))
    now.move("Own", "E6")
    assert now.unit("Own").doing.far
    now = table("foot-medium:Own", places={"Own": "D9"}, map_=ground(*rows))
    now.refused(now.moving("Own", "E6"), "can’t reach")


def test_t_52_rapid_and_very_rapid_do_not_add_and_raise_both_numbers():
    now = table("foot-medium:Own", places={"Own": "E6"}).set("Own", traits=(BorneTrait("rapid"),))
    assert pace_of(now.state, now.id("Own"))[:2] == (2, 3)
    now.set("Own", traits=(BorneTrait("rapid"), BorneTrait("very-rapid")))
    assert pace_of(now.state, now.id("Own"))[:2] == (3, 4)


def test_a_forced_march_adds_a_hex_that_may_fight():
    now = table("foot-heavy:Own", places={"Own": "E6"}).set("Own", bonus=1)
    now.move("Own", "E4")
    assert not now.unit("Own").doing.far


def test_t_87_a_woodsman_crosses_so_many_difficult_hexes():
    wood = ground(*["."] * 3, "....w....", "wwwwwwwww", ".........")
    now = table("foot-light:Own", places={"Own": "E6"}, map_=wood).set("Own", woodsman=1)
    now.move("Own", path=("E5", "E4"))
    now = table("foot-light:Own", places={"Own": "E7"}, map_=ground(*["."] * 4, *["wwwwwwwww"] * 2))
    now.refused(now.moving("Own", "E5"), "can’t reach")
    now.set("Own", woodsman=1, bonus=1)
    assert "E5" in reach_of(now.state, now.id("Own"))
    assert "E4" not in reach_of(now.state, now.id("Own"))


def test_nobody_crosses_an_enemy_and_light_units_cross_and_are_crossed():
    """TF-1.4."""
    near = {"Own": "E6", "Mate": "E5", "Foe": "F5"}
    now = table("riders-medium:Own", "pike:Mate", places=near)
    now.refused(now.moving("Own", path=("E5", "E4")), "can’t enter")
    now.refused(now.moving("Own", path=("F5", "F4")), "can’t enter")
    now = table("riders-medium:Own", "bows:Mate", places=near)
    now.refused(now.moving("Own", "E5"), "can’t reach")
    now.move("Own", path=("E5", "E4"))
    now = table("bows:Own", "pike:Mate", places=near)
    now.move("Own", path=("E5", "E4"))


def test_t_48_an_enemy_characters_hex_is_closed():
    now = table("bows:Own", places={"Own": "E6", "Chief b": "E5"})
    now.refused(now.moving("Own", path=("E5", "E4")), "can’t enter")


def test_flyers_go_over_everything_and_stop_on_no_occupied_hex():
    """TF-2.5, T-50, T-53, TF-1.1 and D-4: one unit in a hex, flying or not. Landing on a friend: TF-T 8."""
    rows = ground(*["."] * 4, "~~~~~~~~~")
    now = table("dragon:Own", "pike:Mate", places={"Own": "E6", "Mate": "E7", "Foe": "D4"}, map_=rows)
    now.refused(now.moving("Own", "E7"), "can’t reach")
    now.move("Own", "E3")
    walls = open_ground() | {"edges": [{"between": ["E6", "E5"], "obstacle": "wall"}]}
    now = table("dragon:Own", places={"Own": "E6"}, map_=walls)
    now.move("Own", path=("E5",))


def test_t_53_flyers_among_themselves_obey_the_crossing_rule():
    now = table("dragon:Own", "dragon:Mate", places={"Own": "E6", "Mate": "E5"})
    now.refused(now.moving("Own", path=("E5", "E4")), "can’t enter")


def test_t_1_characters_move_with_their_unit_unless_they_stay():
    now = table("pike:Own", people=(HERO,), places={"Own": "E6", "Hero": "E6", "Chief a": "E6"})
    now.move("Own", "E5", stay=("Chief a",))
    assert (now.at("Hero"), now.at("Chief a")) == ("E5", "E6")


def test_characters_alone_ignore_difficult_ground_and_cross_friends():
    """TF-1.4, T-51."""
    rows = ground(*["."] * 4, *["wwwwwwwww"] * 3)
    now = table("pike:Own", people=(HERO,), places={"Own": "E6", "Hero": "E7", "Chief a": "D7"}, map_=rows)
    now.move("Hero", path=("E6", "E5"))
    now.move("Chief a", path=("D6", "D5", "D4"))


def test_a_heros_move_is_that_of_their_armour_and_one_more():
    """TF-4.2."""
    now = table("pike:Own", people=(HERO,), places={"Own": "A9", "Hero": "E7"})
    assert pace_of(now.state, now.id("Hero"))[:2] == (2, 3)


def test_one_move_a_turn_and_only_the_activated():
    now = table("bows:Own", "pike:Other", places={"Own": "E6", "Other": "G6"}).set("Other", activated=False)
    now.move("Own", "E5")
    now.refused(now.moving("Own", "E4"), "already moved")
    now.refused(now.moving("Other", "G5"), "isn’t activated")


# Fanatics (T-6, T-29, T-54)


def test_t_6_a_fanatic_has_to_end_nearer_by_path():
    now = table("tigers:Own", places={"Own": "E6", "Foe": "E2"})
    now.refused(now.moving("Own", "E7"), "A fanatic unit has to move closer to the enemy")
    now.refused(c.EndPhase(), "must act first")
    now.move("Own", "E3")
    now.end()
    now.refused(c.EndPhase(), "must act first")


def test_t_29_a_forced_attack_is_with_the_blade_if_it_can_be():
    now = table("bows:Own", foes=("pike:Foe", "pike:Far"), places={"Own": "E6", "Foe": "E5", "Far": "E3"})
    now.set("Own", temper="fanatic").now(phase="combat")
    now.refused(c.OpenShot(now.id("Own"), now.id("Far")), "A fanatic unit that can fight in melee can’t shoot")
    now.put("Foe", "M9")
    now.shoot("Own", "Far", shot="gg")


def test_t_54_touching_an_enemy_a_fanatic_moves_only_to_where_it_touches_one():
    now = table("tigers:Own", places={"Own": "E6", "Foe": "E5"})
    now.refused(now.moving("Own", "E7"), "A fanatic unit next to an enemy has to stay next to one")
    now.move("Own", "D5")


def test_t_6_a_fanatic_that_is_not_activated_does_nothing():
    now = table("tigers:Own", places={"Own": "E6", "Foe": "E2"}).set("Own", activated=False)
    now.end()


def test_t_54_the_enemys_nature_is_no_ground_the_fanatic_may_enter():
    now = Table(army("a", 0, "tigers:Own"), army("b", 1, "pike:Foe"),
                places={"Own": "E9", "Foe": "E3", "Chief a": "A11", "Chief b": "M1"}, phase="movement")  # fmt: skip
    row = tuple(f"{letter}6" for letter in "ABCDEFGHIJKLM")
    timer = Timer("allied-nature", row, now.id("Chief b"), 1, "spells", 2)
    now.now(field=replace(now.state.field, timers=(timer,)))
    now.do(c.EndPhase())
    assert now.state.phase == "combat"


def test_t_54_a_fanatic_on_ground_that_has_closed_goes_nearer_too():
    """T-59: it stays there when allied nature ends, and may leave; nearer to the enemy, as T-6 says."""
    now = table("tigers:Own", places={"Own": "E6", "Foe": "E2"}, map_=ground(*["."] * 5, "....~........", *["."] * 5))
    now.refused(now.moving("Own", "E8"), "A fanatic unit has to move closer to the enemy")
    now.refused(now.moving("Own", "D6"), "A fanatic unit has to move closer to the enemy")
    now.move("Own", "E4")


def test_t_54_a_blocked_fanatic_may_stand():
    rows = ground(*["."] * 2, "~~~~~~~~~~~~~")
    now = table("tigers:Own", places={"Own": "E6", "Foe": "E2"}, map_=rows)
    now.end()


# Carrying (T-89)


def carry(now, unit="Load", down="F4"):
    return now.moving("Own", "E5", carry=c.CarryLoad(now.id(unit), down))


def test_t_89_a_flyer_takes_up_foot_beside_its_start_and_sets_it_down_beside_its_end():
    now = table("dragon:Own", "pike:Load", places={"Own": "E7", "Load": "E8"})
    now.do(carry(now, down="E4"))
    assert (now.at("Own"), now.at("Load")) == ("E5", "E4")
    now.end()
    now.put("Foe", "E3")
    now.refused(c.OpenMelee(now.id("Load"), now.id("Foe")), "carried")


@pytest.mark.parametrize(
    ("units", "places", "down", "words"),
    [(("dragon:Own", "riders-light:Load"), {"Load": "E8"}, "E4", "Flyers can only carry infantry"),
     (("pike:Own", "pike:Load"), {"Load": "E8"}, "E4", "can’t reach|Only flyers"),
     (("dragon:Own", "pike:Load"), {"Load": "E9"}, "E4", "The carried unit has to start next to the flyer"),
     (("dragon:Own", "pike:Load"), {"Load": "E8"}, "E3", "Unload next to the hex where the flyer ends its move")],
)  # fmt: skip
def test_t_89_what_is_not_carried(units, places, down, words):
    now = table(*units, places={"Own": "E7"} | places)
    now.refused(carry(now, down=down), words)


def test_artillery_moves_once():
    """TF-T 8: artillery moved twice."""
    now = table("engine:Own", places={"Own": "E6"})
    now.refused(now.moving("Own", "E4"), "can’t reach")
    now.move("Own", "E5")
    now.refused(now.moving("Own", "E4"), "already moved")


def test_t_29_a_fanatic_that_can_come_nearer_is_not_done_by_standing():
    """Neither by a move to its own hex nor by a way that comes back to it."""
    now = table("tigers:Own", places={"Own": "E8", "Foe": "E1"})
    own = now.id("Own")
    now.refused(c.MovePiece(own), "closer")
    now.refused(c.MovePiece(own, path=("F8", "E8")), "closer")
    now.move("Own", "E5")


def test_t_29_who_stands_because_of_repulsion_is_not_done_either():
    now = table("foot-light:Own", places={"Own": "E6", "Chief b": "E3"})
    lay(now, "repulsion", "Own", by="Chief b")
    now.refused(c.MovePiece(now.id("Own")), "away")
    now.move("Own", "E8")


def test_tf_6_3_slowness_takes_a_hex_from_guns_that_never_move_more():
    now = table("engine:Own", places={"Own": "E6"}).set("Own", fixed=True, move=0, calm=1)
    assert pace_of(now.state, now.id("Own")).calm == 1
    lay(now, "slowness", "Own")
    assert pace_of(now.state, now.id("Own")).calm == 0


def test_t_87_the_woodsman_pays_for_streams_but_not_along_a_road():
    """H-1: across a stream the hex is difficult; along a road it is clear. The last hex stops nobody."""
    rough = ground(*["."] * 4, "....www")
    road = rough | {"roads": [["D5", "E5", "F5", "G5", "H5"]]}
    for map_, ends in ((rough, False), (road, True)):
        now = table("foot-light:Own", places={"Own": "D5"}, map_=map_).set("Own", woodsman=1, bonus=2)
        path = c.MovePiece(now.id("Own"), path=("E5", "F5", "G5", "H5"))
        if ends:
            now.do(path)
        else:
            now.refused(path, "difficult")
    streams = open_ground() | {
        "edges": [{"between": list(pair), "obstacle": "stream"} for pair in (("D5", "E5"), ("E5", "F5"))]
    }
    now = table("foot-light:Own", places={"Own": "D5"}, map_=streams).set("Own", woodsman=1, bonus=1)
    now.refused(c.MovePiece(now.id("Own"), path=("E5", "F5", "G5")), "difficult")
    now.set("Own", woodsman=2).move("Own", "G5")


def test_tf_5_1_a_flyer_sets_undead_down_within_their_leash():
    mage = ContingentCharacter("Mage", "caster")
    now = table("dragon:Own", "skeletons:Dead", places={"Own": "E6", "Dead": "E7", "Mage": "E8"}, people=(mage,))
    own, dead = now.id("Own"), now.id("Dead")
    now.refused(c.MovePiece(own, to="E4", carry=c.CarryLoad(dead, "E3")), "stand")
    now.move("Own", "E4", carry=c.CarryLoad(dead, "F4"))
    assert now.at("Dead") == "F4"


def test_t_89_the_hex_that_the_flyer_leaves_is_free_for_its_load():
    now = table("dragon:Own", "pike:Load", places={"Own": "E7", "Load": "E8"})
    now.move("Own", "E6", carry=c.CarryLoad(now.id("Load"), "E7"))
    assert now.at("Load") == "E7"


def test_t_89_a_load_is_set_down_where_it_could_walk():
    """TF-6.3: not on ground that the enemy's nature closes; the page offers the same."""
    now = table("dragon:Own", "pike:Load", places={"Own": "E7", "Load": "E8"})
    timer = Timer("allied-nature", ("E4",), now.id("Chief b"), 1, "spells", 2)
    now.now(field=now.state.field.timed([timer]))
    now.refused(carry(now, down="E4"), "stand")
    offered = {act.slug for act in now.legal("Own", "E5", f"carry:{now.id('Load')}").acts}
    assert "down:F5" in offered
    assert "down:E4" not in offered


def test_t_70_who_would_set_a_load_down_on_a_grove_finds_it_and_keeps_it():
    now = table("dragon:Own", "pike:Load", places={"Own": "E7", "Load": "E8", "Foe": "E4"})
    grove = Timer("grove", (now.id("Foe"),), "", -1, "grove", 99, (("E4", "wood"),))
    now.now(field=now.state.field.timed([grove]).put(now.id("Foe"), hidden=True))
    kinds = now.do(carry(now, down="E4"))
    assert (now.at("Own"), now.at("Load")) == ("E5", "E8")
    assert "Revealed" in kinds


def test_t_33_turned_undead_are_not_carried():
    now = table("dragon:Own", "skeletons:Dead", places={"Own": "E7", "Dead": "E8"})
    now.set("Dead", turner=now.id("Chief a"))
    now.refused(carry(now, "Dead"), "This unit is turned against its own side")
