"""Flags and retreat (TF-1.10, T-5, T-24, T-63)."""

from __future__ import annotations

import pytest

from rules.thucidide_fantasy.battle.combat.retreat import flags_of
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.spec import BorneTrait
from tests.rules.thucidide_fantasy.fights import Table, army, open_ground

CORNERS = {"Chief a": "A11", "Chief b": "M11"}


def shot(foe="foot-medium:Foe", at="E5", own="engine:Own", source="E8", others=(), faces="fgg", **more):
    """A shot that lays flags on a unit."""
    places = CORNERS | {"Own": source, "Foe": at} | more.pop("places", {})
    now = Table(army("a", 0, own), army("b", 1, foe, *others), places=places, **more)
    for name, fields in more.pop("sets", {}).items():
        now.set(name, **fields)
    return now, lambda: now.shoot("Own", "Foe", shot=faces)


@pytest.mark.parametrize(("foe", "end"), [("foot-heavy:Foe", "E4"), ("riders-heavy:Foe", "F3"), ("mammoth:Foe", "E4")])
def test_one_hex_on_foot_two_mounted_elephants_one(foe, end):
    """TF-1.10."""
    now, fire = shot(foe, faces="fll")
    fire()
    assert now.at("Foe") == end


def test_each_hex_that_cannot_be_taken_costs_a_stand():
    rows = ["............."] * 3 + ["...~~........"] + ["............."] * 7
    now, fire = shot("foot-heavy:Foe", map_=open_ground(terrain=rows), faces="ffl")
    fire()
    assert now.at("Foe") == "E5"
    assert now.unit("Foe").stands == 2
    assert len(now.all(e.RetreatBlocked)) == 2


def test_t_5_on_the_base_line_each_flag_costs_a_stand():
    """T-63: the mounted too."""
    for foe in ("foot-heavy:Foe", "riders-heavy:Foe"):
        now, fire = shot(foe, at="E1", source="E4", faces="ffl")
        fire()
        assert now.unit("Foe").stands == 2


def test_t_63_a_mounted_unit_that_reaches_the_line_first_pays_for_the_second_hex():
    now, fire = shot("riders-heavy:Foe", at="E2", source="E5", faces="fll")
    fire()
    assert now.at("Foe") == "F1"
    assert now.unit("Foe").stands == 3


def test_t_24_of_several_hexes_the_one_with_fewest_enemies_beside_it():
    now, _fire = shot("foot-heavy:Foe", faces="fll")
    now.state = now.state.but(field=now.state.field)
    two = Table(army("a", 0, "engine:Own", "pike:Near"), army("b", 1, "foot-heavy:Foe"),
                places=CORNERS | {"Own": "E8", "Foe": "E5", "Near": "F3"})  # fmt: skip
    two.shoot("Own", "Foe", shot="fll")
    assert two.at("Foe") == "D4"


def test_t_24_difficult_ground_does_not_stop_a_retreat_and_a_wall_does():
    rows = ["............."] * 3 + ["...mm........"] + ["............."] * 7
    now, fire = shot("riders-heavy:Foe", map_=open_ground(terrain=rows), faces="fll")
    fire()
    assert now.at("Foe") == "F3"
    walls = [{"between": ["E5", one], "obstacle": "wall"} for one in ("D4", "E4")]
    now, fire = shot("foot-heavy:Foe", map_=open_ground() | {"edges": walls}, faces="fll")
    fire()
    assert now.at("Foe") == "E5"


def test_t_5_characters_retreat_with_their_unit():
    now, fire = shot("foot-heavy:Foe", faces="fll", places={"Chief b": "E5"})
    fire()
    assert now.at("Chief b") == now.at("Foe") == "E4"


def test_who_ignores_flags():
    """TF-1.10: tenacious 1, morale 1, support 1; fanatics and undead all."""
    now, _fire = shot("foot-heavy:Foe", others=("pike:One", "pike:Two"))
    unit = now.id("Foe")
    assert flags_of(now.state, unit, 2).left == 2
    now.set("Foe", temper="tenacious")
    assert flags_of(now.state, unit, 2).left == 1
    now.put("One", "D5").put("Two", "F5")
    assert flags_of(now.state, unit, 2).left == 0
    assert flags_of(now.state, unit, 2, support=False).left == 1
    now.set("One", traits=(BorneTrait("morale"),))
    assert flags_of(now.state, unit, 3).left == 0
    now.set("Foe", temper="fanatic").put("One", "").put("Two", "")
    assert flags_of(now.state, unit, 5).left == 0


def test_an_aura_does_not_affect_its_bearer():
    """TF-3.1."""
    now, _fire = shot("foot-heavy:Foe")
    now.set("Foe", traits=(BorneTrait("morale"),))
    assert flags_of(now.state, now.id("Foe"), 1).left == 1


def test_hesitant_adds_one_flag_and_fleeing_two_if_there_is_one():
    now, _fire = shot("foot-heavy:Foe")
    unit = now.id("Foe")
    for temper, flags in (("hesitant", 2), ("fleeing", 3)):
        now.set("Foe", temper=temper)
        assert flags_of(now.state, unit, 1).left == flags
        assert flags_of(now.state, unit, 0).left == 0


def test_t_49_who_counts_as_fleeing_or_hesitant_adds_their_flags():
    now, _fire = shot("foot-heavy:Foe")
    unit = now.id("Foe")
    now.put("Own", "E7").set("Own", traits=(BorneTrait("threat"),))
    assert flags_of(now.state, unit, 1).left == 2
    now.set("Own", traits=(BorneTrait("great-threat"),))
    assert flags_of(now.state, unit, 1).left == 3
    now.put("Own", "E8")
    assert flags_of(now.state, unit, 1).left == 1


def test_t_49_undead_take_the_trait_and_ignore_its_flags():
    now, _fire = shot("skeletons:Foe")
    now.put("Own", "E7").set("Own", traits=(BorneTrait("great-threat"),))
    assert flags_of(now.state, now.id("Foe"), 3).left == 0
