"""What an army of this law is to the law of another battle."""

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.breaking_point.ruleset import muster_of
from rules.breaking_point.spec import General, Host
from rules.breaking_point.starter import TROOP_TYPES
from tests.rules.breaking_point.battle import fights


def muster(*units, **more):
    return muster_of(Host("a", "Ours", "k", units, **more))


def tags(unit):
    return muster(unit).troops[0].tags


def of_type(slug, **given):
    kind = TROOP_TYPES[slug]
    return replace(fights.foot(combat=given.get("combat", 4)), type=kind, armour=0, toughness=kind.toughness)


def test_heads_say_the_size_and_force_what_each_unit_is_worth():
    found = muster(fights.foot(400), fights.archers(150))
    assert (found.size, found.health, found.health_max) == ("huge", 550, 550)
    assert [(one.heads, one.worth) for one in found.troops] == [(400, 4000), (150, 750)]


def test_the_wounded_are_left_at_home():
    found = muster(fights.foot(100, wounded=20), fights.horse(0, wounded=5))
    assert [one.name for one in found.troops] == ["Foot"]
    assert (found.health, found.health_max) == (100, 125)
    assert muster(fights.foot(0, wounded=20)) is None


@pytest.mark.parametrize(
    ("combat", "rating", "spirit"),
    [(0, "1/3", -2), (1, "1", -1), (3, "1", -1), (4, "2", 0), (7, "4", 1), (9, "4", 1), (10, "8", 2)],
)
def test_bp_2_5_the_words_of_quality_are_ratings_and_spirit(combat, rating, spirit):
    found = muster(fights.foot(combat=combat))
    assert (found.troops[0].rating, found.spirit) == (Fraction(rating), spirit)


def test_monsters_are_strong_however_green():
    assert muster(of_type("elephants", combat=1)).troops[0].rating == 8
    assert muster(of_type("cavalry", combat=1)).troops[0].rating == 1


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (fights.foot(), {"armored"}),
        (of_type("infantry"), set()),
        (of_type("cavalry"), {"rides"}),
        (of_type("elephants"), {"rides"}),
        (of_type("dragons"), {"flies"}),
        (of_type("trolls"), {"giant"}),
        (of_type("dinosaurs"), {"beast", "animal"}),
        (of_type("zombies"), {"undead", "mindless"}),
        (fights.archers(), {"shoots"}),
        (fights.guns(), {"shoots"}),
    ],
)
def test_each_tag_of_the_troops(unit, expected):
    assert tags(unit) == expected


def test_bp_3_the_commander_leads_by_command():
    """3 + 5 + 5, the example of the document."""
    leader = muster(fights.foot(), commander=General("c", "Ysolde", 8, 5, 5, 5, 0)).leader
    assert (leader.id, leader.name, leader.rank) == ("c", "Ysolde", 13)
