"""The kingdom's law, without a database (PF-3.1, PF-8)."""

from __future__ import annotations

import pytest

from rules.pathfinder.kingdom_checks import (
    BUILDINGS,
    control_dc,
    kingdom_check,
    settlement_defense,
    stability_unrest,
    upkeep_unrest,
)


def check(roll: int, *, value: int = 18, unrest: int = 3, dc: int = 30):
    return kingdom_check(attribute="loyalty", value=value, unrest=unrest, dc=dc, roll=roll)


def test_a_check_adds_the_attribute_and_subtracts_unrest():
    found = check(15)
    assert found.total == 15 + 18 - 3
    assert found.success
    assert [line.value for line in found.breakdown.lines] == [15, 18, -3]


def test_a_total_one_below_the_dc_fails():
    assert not check(14).success


def test_a_natural_one_fails_and_a_natural_twenty_succeeds():
    assert not check(1, value=100).success
    assert check(20, value=0, dc=99).success


def test_in_anarchy_a_check_counts_as_zero():
    found = check(20, value=40, unrest=20)
    assert found.total == 0
    assert not found.success
    assert found.breakdown.lines[-1].rule == "PF-8.4"


@pytest.mark.parametrize("roll, moved", [(15, -1), (14, 1), (11, 1), (10, 3)])
def test_the_upkeep_stability_check_moves_unrest(roll, moved):
    assert stability_unrest(check(roll), d4=3) == moved


def test_debt_and_negative_attributes_cost_unrest():
    assert upkeep_unrest(treasury=-1, attributes=(-2, 5, -1)).total == 4
    assert upkeep_unrest(treasury=0, attributes=(0, 5, 1)).total == 0


def test_an_override_is_the_whole_figure():
    assert control_dc(size=50, districts=9, modifier=3, override=12).total == 12
    assert settlement_defense(["castle"], override=5).total == 5
    assert settlement_defense(["castle"], override=0).total == 0


@pytest.mark.parametrize(
    "slug, defense", [("city-wall", 1), ("moat", 1), ("barracks", 2), ("watchtower", 2), ("castle", 8), ("smithy", 0)]
)
def test_each_building_adds_its_defense(slug, defense):
    assert settlement_defense([slug]).total == defense


def test_every_building_says_what_it_is_and_by_which_rule():
    for slug, building in BUILDINGS.items():
        assert building.slug == slug
        assert building.name
        assert building.summary
        assert building.rule.startswith("PF-")
