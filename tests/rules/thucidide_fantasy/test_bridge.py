"""The bridge (TF-8): every line of it, from what an army is to the contingent it becomes."""

from fractions import Fraction

import pytest

from rules.aftermath import Muster, MusteredLeader, MusteredTroops
from rules.core.errors import InvalidInput
from rules.thucidide_fantasy.arsenal import WEAPONS
from rules.thucidide_fantasy.documents import contingent_from
from rules.thucidide_fantasy.figures import Tables
from rules.thucidide_fantasy.starter import TROOPS

SOLDIER = Fraction(1)


def troops(*tags, rating=SOLDIER, heads=100, worth=100, name="Men", protection=0):
    return MusteredTroops(name, heads, worth, Fraction(rating), frozenset(tags), protection)


def muster(*kinds, size="medium", **more):
    return Muster("a", "Ironwatch", "k", size, kinds or (troops(),), 10, 10, **more)


def figures(*tags, size="medium", **more):
    leader = MusteredLeader("c", "Ysolde", 9)
    return contingent_from(muster(troops(*tags, **more), size=size, leader=leader)).units[0].figures


def bears(found):
    return [one.trait for one in found.traits]


@pytest.mark.parametrize(
    ("size", "number", "stands"),
    [("fine", 1, 3), ("diminutive", 1, 3), ("tiny", 1, 3), ("small", 1, 3), ("medium", 1, 4), ("large", 2, 4),
     ("huge", 4, 4), ("gargantuan", 6, 4), ("colossal", 8, 4)],
)  # fmt: skip
def test_tf_8_units_by_size_below_medium_one_weak(size, number, stands):
    units = contingent_from(muster(size=size)).units
    assert [unit.figures.stands for unit in units] == [stands] * number


def test_tf_8_a_single_huge_monster_is_a_dragon_or_a_mammoth():
    dragon = figures("dragon", "flies", size="fine", rating=9)
    assert (dragon.type, dragon.stands, dragon.assault, dragon.melee) == ("dragon", 5, 5, 4)
    assert (dragon.shot, dragon.fire) == (4, True)
    assert bears(dragon) == ["flyer", "rapid", "invulnerable", "threat"]
    giant = figures("giant", "hard-to-hurt", size="fine", rating=8)
    assert (giant.type, giant.kind, bears(giant)) == ("mammoth", "elephants", ["invulnerable"])
    assert figures("dragon", size="fine", rating=7).type != "dragon", "from CR 8 on"
    assert figures("dragon", size="medium", rating=12).type != "dragon", "an army of them is many"


@pytest.mark.parametrize(
    ("tags", "kind"),
    [(("rides",), "cavalry"), (("flies", "beast"), "cavalry"), (("animal", "beast"), "cavalry"),
     (("beast",), "cavalry"), (("flies",), "infantry"), (("giant",), "infantry"), ((), "infantry")],
)  # fmt: skip
def test_tf_8_mounts_flights_of_beasts_and_animals_are_cavalry_else_infantry(tags, kind):
    assert figures(*tags).kind == kind


@pytest.mark.parametrize(("protection", "weight"), [(-2, 2), (0, 2), (1, 3), (3, 3), (4, 4), (5, 4), (6, 5), (9, 5)])
def test_tf_8_weight_by_dv_above_10_and_acr(protection, weight):
    assert figures(protection=protection).weight == weight


def test_tf_8_moves_are_those_of_kind_and_weight():
    assert (figures(protection=4).move, figures(protection=4).calm) == (1, 2)
    assert (figures("rides", protection=4).move, figures("rides", protection=7).move) == (3, 2)


@pytest.mark.parametrize(
    ("tags", "rating", "weapon"),
    [(("rides",), 1, "lance"), (("rides", "beast"), 9, "lance"), (("beast",), 1, "claw"),
     (("animal",), 2, "strong-claw"), (("beast",), 7, "strong-claw"),
     (("beast",), 8, "very-strong-claw"), (("giant",), 8, "spear"), ((), 1, "spear")],
)  # fmt: skip
def test_tf_8_lances_on_mounts_claws_by_cr_for_beasts_else_spears(tags, rating, weapon):
    found, own = figures(*tags, rating=rating), WEAPONS[weapon]
    assert (found.weapon, found.assault, found.melee) == (weapon, own.assault, own.melee)


def test_tf_8_a_bow_if_ranged_a_light_flame_thrower_for_breath():
    assert (figures("shoots").missile, figures("shoots").shot, figures("shoots").range) == ("bow", 2, 3)
    breath = figures("breathes-fire", "shoots")
    assert (breath.missile, breath.shot, breath.range, breath.fire) == ("flame-thrower-light", 2, 1, True)
    assert (figures().missile, figures().shot) == ("", 0)


@pytest.mark.parametrize(
    ("rating", "experience", "dice"),
    [(Fraction(1, 3), "recruits", -1), (Fraction(1, 2), "regular", 0), (2, "regular", 0), (3, "elite", 1),
     (5, "elite", 1), (6, "guard", 2), (12, "guard", 2)],
)  # fmt: skip
def test_tf_8_experience_by_cr(rating, experience, dice):
    found = figures(rating=rating)
    assert (found.experience, found.dice) == (experience, dice)


@pytest.mark.parametrize(
    ("tag", "trait"),
    [("flies", "flyer"), ("unseen", "blur"), ("magic-proof", "bell"), ("hard-to-hurt", "invulnerable"),
     ("inspires", "morale"), ("frightens", "threat"), ("unnatural", "hindrance"), ("undead", "undead")],
)  # fmt: skip
def test_tf_8_each_trait(tag, trait):
    assert bears(figures(tag)) == [trait]


def test_tf_8_mindless_are_fanatic_the_brave_tenacious():
    assert figures("mindless").temper == "fanatic"
    assert figures("brave").temper == "tenacious"
    assert figures("mindless", "brave").temper == "fanatic"
    assert figures().temper == ""


def test_tf_8_undead_have_their_commander_as_master():
    leader = MusteredLeader("c", "Ysolde", 9)
    (unit,) = contingent_from(muster(troops("undead"), leader=leader, caster=3)).units
    assert unit.master == "c"


def test_tf_5_undead_without_anybody_are_refused():
    with pytest.raises(InvalidInput, match="Men can’t do without a master"):
        contingent_from(muster(troops("undead")))
    (unit,) = contingent_from(muster(troops("undead"), caster=1)).units
    assert unit.master == "Caster"


@pytest.mark.parametrize(
    ("rank", "level"), [(20, "great"), (12, "great"), (11, "normal"), (6, "normal"), (5, "poor"), (0, "poor")]
)
def test_tf_8_its_commander_is_a_general_of_a_level_by_leadership(rank, level):
    (chief,) = contingent_from(muster(leader=MusteredLeader("c", "Ysolde", rank))).characters
    assert (chief.name, chief.key, chief.commander) == ("Ysolde", "c", True)
    assert (chief.figures.rank, chief.figures.level) == ("general", level)


def test_without_a_commander_nobody_leads():
    assert contingent_from(muster()).characters == ()


@pytest.mark.parametrize(("caster", "points"), [(1, 3), (4, 6), (9, 11)])
def test_tf_8_spellcasting_adds_a_caster_of_two_points_more(caster, points):
    (found,) = contingent_from(muster(caster=caster)).characters
    assert (found.figures.kind, found.figures.points, found.commander) == ("caster", points, False)


def test_several_kinds_share_the_units_by_what_each_is_worth():
    kinds = troops(name="Pikes", worth=300), troops("rides", name="Knights", worth=100)
    units = contingent_from(muster(*kinds, size="huge")).units
    assert [(unit.name, unit.figures.kind) for unit in units] == [
        ("Pikes 1", "infantry"), ("Pikes 2", "infantry"), ("Pikes 3", "infantry"), ("Knights", "cavalry"),
    ]  # fmt: skip


def test_figures_are_those_of_the_tables():
    tables = Tables(weapons={**WEAPONS, "spear": WEAPONS["pike"]})
    assert contingent_from(muster(), tables).units[0].figures.melee == WEAPONS["pike"].melee
    assert set(TROOPS) >= {contingent_from(muster()).units[0].figures.type}
