"""What an army of this law is to the law of another battle."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.ruleset import muster_of
from rules.pathfinder.spec import ArmySpec, MountSpec
from tests.scenario import boss, has, spec


def muster(**fields):
    return muster_of(LAW, spec("A", **fields))


def tags(**fields):
    (troops,) = muster(**fields).troops
    return troops.tags


def test_size_heads_health_and_morale_are_those_of_the_sheet():
    found = muster(size="huge", acr=9, hp=11, morale=-2, kingdom="k")
    (troops,) = found.troops
    assert (found.size, troops.heads, troops.name, troops.rating) == ("huge", 500, "A soldier", Fraction(5))
    assert (found.health, found.health_max, found.spirit, found.kingdom) == (11, 40, -2, "k")


def test_an_unhurt_army_has_all_its_health():
    found = muster()
    assert found.health == found.health_max == 40


@pytest.mark.parametrize(
    ("fields", "tag"),
    [
        ({"abilities": ["flight"]}, "flies"),
        ({"mount": MountSpec("Horse")}, "rides"),
        ({"resources": ["mounts"]}, "rides"),
        ({"abilities": ["rock-throwing"]}, "throws-rocks"),
        ({"ranged": True}, "shoots"),
        ({"abilities": [has("spellcasting", 2, ranged=True)]}, "shoots"),
        ({"resources": ["improved-armor"]}, "armored"),
        ({"resources": ["magic-armor"]}, "armored"),
        ({"creature_type": "animal"}, "beast"),
        ({"creature_type": "magical-beast"}, "beast"),
        ({"creature_type": "vermin"}, "beast"),
        ({"creature_type": "animal"}, "animal"),
        ({"creature_type": "undead"}, "undead"),
        ({"abilities": ["mindless"]}, "mindless"),
        ({"abilities": ["mobility"]}, "infiltrates"),
        ({"abilities": ["invisibility"]}, "infiltrates"),
        ({"abilities": ["burrow"]}, "infiltrates"),
        ({"abilities": ["earth-glide"]}, "infiltrates"),
        ({"alignment": "CG"}, "chaotic"),
    ],
)  # fmt: skip
def test_each_tag_of_the_troops(fields, tag):
    assert tag in tags(**fields)
    assert tag not in tags()


def test_a_magical_beast_is_no_animal():
    assert "animal" not in tags(creature_type="magical-beast")


def test_giants_are_units_like_those_of_the_library_whatever_they_are_called():
    named = ArmySpec("A", "A", replace(UNITS["trolls"].unit, name="Bridge wardens"), 100)
    (troops,) = muster_of(LAW, named).troops
    assert "giant" in troops.tags
    assert "giant" not in tags(alignment="CE")


def test_spells_are_told_by_their_highest_level():
    assert muster(abilities=[has("spellcasting", 4)]).caster == 4
    assert muster().caster == 0


def test_the_commander_leads_by_leadership_and_flexible_tactics_make_them_autonomous():
    leader = muster(commander=boss(level=9, charisma=2, leadership_feat=True)).leader
    assert (leader.id, leader.name, leader.rank, leader.autonomous) == ("boss of A", "Boss", 14, False)
    assert muster(commander=boss("flexible-tactics", level=20)).leader.autonomous


def test_a_commander_who_is_away_leads_nobody():
    assert muster(commander=boss(active=False)).leader is None
