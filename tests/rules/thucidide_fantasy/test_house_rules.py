"""House rules (TF-HOUSE): what a campaign may set, and the tables and battles that follow."""

from __future__ import annotations

import pytest

from rules.thucidide_fantasy.contingent import ContingentUnit
from rules.thucidide_fantasy.figures import unit_figures
from rules.thucidide_fantasy.house import HOUSE_RULES, house_of, options_of
from rules.thucidide_fantasy.ruleset import THUCIDIDE_FANTASY
from rules.thucidide_fantasy.spec import BattleOptions, House, Ladder


def law(**stored):
    return THUCIDIDE_FANTASY.with_house(stored)


def test_everything_the_law_lists_may_be_set():
    """TF-HOUSE: supply and its number, hindrance, tables of weapons, moves, hits and prices, victory share, turn limit,
    combat, appeals, flyers beside; C-5, C-6 and C-7 their figures.
    """
    assert {*HOUSE_RULES.rules} == {
        "supply", "supply_points", "hindrance", "victory_share", "turn_limit", "combat", "appeals", "flyers_beside",
        "upkeep", "survivors", "stands_back",
    }  # fmt: skip
    assert {kind: {*HOUSE_RULES.figures_of(kind)} for kind in HOUSE_RULES.kinds} == {
        "troops": {"stands", "points"},
        "weapons": {"assault", "melee", "shot", "range"},
        "moves": {"move", "calm"},
        "hits": {"hits", "confirms"},
        "experiences": {"dice", "points"},
        "spells": {"cost"},
    }
    rules = THUCIDIDE_FANTASY.catalogues["rules"].items
    assert {rule.rule for rule in HOUSE_RULES.rules.values()} | {HOUSE_RULES.rule} <= rules.keys()


def test_the_defaults_are_those_of_the_law():
    for slug, default in HOUSE_RULES.defaults.items():
        assert getattr(House(), slug) == default
        assert HOUSE_RULES.rules[slug].knows(default)
    told = options_of(House(), THUCIDIDE_FANTASY.tables)
    assert told._replace(spells={}, ladder=()) == BattleOptions()


@pytest.mark.parametrize(
    ("rule", "value"),
    [("supply", "points"), ("supply_points", 9), ("hindrance", "all"), ("victory_share", "half"), ("turn_limit", 8),
     ("combat", "table"), ("appeals", "never"), ("flyers_beside", "not")],
)  # fmt: skip
def test_house_rules_reach_battles(rule, value):
    assert HOUSE_RULES.rules[rule].knows(value)
    chosen = law(**{rule: value})
    assert getattr(options_of(chosen.house, chosen.tables), rule) == value


def test_t_21_flyers_beside_count_unless_the_campaign_says_not():
    rule = HOUSE_RULES.rules["flyers_beside"]
    assert (rule.default, list(rule.choices), rule.rule) == ("count", ["count", "not"], "T-21")
    assert not rule.knows("sometimes")


@pytest.mark.parametrize("value", [0, 21, "6", True])
def test_a_number_of_points_that_cannot_be_is_not_known(value):
    assert not HOUSE_RULES.rules["supply_points"].knows(value)


def test_what_the_law_does_not_know_is_left_aside():
    assert house_of({"unknown": 1, "turn_limit": 9}) == House(turn_limit=9)


def test_tables_of_weapons_and_moves_reach_units():
    chosen = law(overlay={"weapons": {"pike": {"melee": 6}}, "moves": {"infantry-heavy": {"move": 2, "calm": 3}}})
    pike = unit_figures(ContingentUnit("pike"), chosen.tables)
    assert (pike.assault, pike.melee, pike.move, pike.calm) == (3, 6, 2, 3)
    assert unit_figures(ContingentUnit("pike", weapon="spear"), chosen.tables).melee == 3


def test_tables_of_hits_experience_and_spells_reach_battles():
    chosen = law(overlay={
        "hits": {"level-4": {"hits": 2}}, "experiences": {"elite": {"dice": 2}},
        "spells": {"fear": {"cost": 3}}, "weapons": {"rockets-heavy": {"shot": 4}},
    })  # fmt: skip
    options = options_of(chosen.house, chosen.tables)
    assert options.ladder[:5] == (Ladder(3, 0, True), Ladder(3), Ladder(2), Ladder(2), Ladder(1, 3))
    assert (options.spells["fear"].cost, options.spells["rain-of-fire"].shot) == (3, 4)
    assert unit_figures(ContingentUnit("pike", experience="elite"), chosen.tables).dice == 2


def test_a_campaign_s_stands_are_those_of_its_armies():
    chosen = law(overlay={"troops": {"pike": {"stands": 6}}})
    measure = chosen.armies.measure({"units": [{"type": "pike", "lost": 4}]})
    assert (measure.health, measure.fit) == (6, 2)


def test_the_ruleset_says_what_it_is():
    assert (THUCIDIDE_FANTASY.slug, THUCIDIDE_FANTASY.family) == ("thucidide-fantasy", "thucidide_fantasy")
    assert THUCIDIDE_FANTASY.changes_since("1") == ()
    assert law(supply_points=4).house.supply_points == 4
