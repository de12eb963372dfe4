"""What a campaign may set of this law, and what follows from it (B-1, B-12, B-20, B-69)."""

import pytest

from rules.breaking_point.documents import units_of
from rules.breaking_point.figures import contact_power, fire_power, unit_force
from rules.breaking_point.ruleset import BREAKING_POINT
from rules.breaking_point.spec import House

SWORDS = {"units": [{"name": "x", "type": "infantry", "strength": 10, "combat": 5, "weapons": ["sword"]}]}
TANKS = {"units": [{"name": "x", "strength": 1, "combat": 5, "machine": "heavy-tank"}]}


def test_the_law_by_itself():
    assert BREAKING_POINT.house == House()
    assert (BREAKING_POINT.slug, BREAKING_POINT.family) == ("breaking-point", "breaking_point")


def test_defaults_are_those_of_the_rulings():
    assert BREAKING_POINT.house_rules.defaults == {
        "plain_die": False, "halved_armour": True, "surprise_for_battle": False, "upkeep": 0, "price": 10,
        "march": 2, "empty_phases": True,
    }  # fmt: skip
    assert {name: rule.rule for name, rule in BREAKING_POINT.house_rules.rules.items()} == {
        "plain_die": "B-1", "halved_armour": "B-12", "surprise_for_battle": "B-20", "upkeep": "B-69",
        "price": "B-80", "march": "B-69", "empty_phases": "B-19",
    }  # fmt: skip


def test_a_campaign_sets_them_and_what_the_law_does_not_know_is_left_aside():
    law = BREAKING_POINT.with_house({"plain_die": True, "upkeep": 4, "minimum_damage": 0})
    assert (law.house.plain_die, law.house.upkeep, law.house.halved_armour) == (True, 4, True)
    assert BREAKING_POINT.house.plain_die is False


def test_an_army_costs_for_every_hundred_heads_b_69():
    law = BREAKING_POINT.with_house({"upkeep": 4}).armies
    assert law.measure(law.read(SWORDS)).upkeep == 4


def test_figures_of_weapons_types_and_machines_follow_everywhere():
    overlay = {
        "weapons": {"sword": {"damage": 6}, "tank-gun": {"damage": 300}, "no-such": {"damage": 1}},
        "unit_types": {"infantry": {"toughness": 8}},
        "machines": {"heavy-tank": {"armour": 200}},
    }
    law = BREAKING_POINT.with_house({"overlay": overlay})
    (swords,) = law.armies.units_of(SWORDS)
    (tank,) = law.armies.units_of(TANKS)
    assert (contact_power(swords), unit_force(swords)) == (60, 80)
    assert (fire_power(tank), unit_force(tank)) == (320, 550)
    assert law.house.weapons.keys() == {"sword", "tank-gun"}
    assert contact_power(units_of(SWORDS)[0]) == 40
    assert law.catalogues["weapons"].items["sword"].damage == 6


def test_a_campaign_changes_no_other_figure():
    law = BREAKING_POINT.with_house({"overlay": {"weapons": {"sword": {"damage": 6, "number": 9, "off": True}}}})
    assert contact_power(law.armies.units_of(SWORDS)[0]) == 60


@pytest.mark.parametrize("kind", BREAKING_POINT.house_rules.kinds)
def test_every_figure_that_may_be_set_is_one_of_the_items(kind):
    items = BREAKING_POINT.catalogues[kind].items.values()
    for name, figure in BREAKING_POINT.house_rules.figures_of(kind).items():
        values = [getattr(item, name) for item in items if item.slug != "machines"]
        assert all(figure.least <= value <= figure.most for value in values), name
