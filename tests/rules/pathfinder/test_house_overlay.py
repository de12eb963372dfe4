"""PF-HOUSE: a content item switched off does nothing, in battle and after it; changed numbers hold everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.errors import InvalidInput
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.ruleset import Price, Ruleset
from rules.pathfinder.spec import ArmySpec, MountSpec, UnitSpec
from rules.registry import ruleset
from tests.scenario import boss, has, hold, order, scenario, use


def law(**overlay: Any) -> Ruleset:
    return ruleset("combat-de-masse", {"overlay": overlay})


def without(kind: str, slug: str) -> Ruleset:
    return law(**{kind: {slug: {"off": True}}})


def test_armour_switched_off_replaces_nothing() -> None:
    """PF-HOUSE, PF-5: the improved armour beneath it still counts."""
    s = scenario(without("resources", "magic-armor")).army("A", resources=["improved-armor", "magic-armor"]).army("B")
    assert s.dv("A", "B") == 20


def test_the_animals_of_a_bond_are_its_own() -> None:
    """PF-HOUSE, R-1: without the ability animal companion the hunter's bond gives its +1, an eidolon beside it too."""
    bond = has("hunters-bond", choice="animal")
    s = scenario(without("abilities", "animal-companion")).army("A", abilities=[bond, "eidolon"]).army("B")
    s.army("B2", abilities=["animal-companion"])
    assert (s.om("A", "B"), s.om("B2", "A")) == (10, 9)


def test_mounts_switched_off_fear_no_unnatural_aura() -> None:
    """PF-HOUSE, R-45."""
    s = scenario(without("resources", "mounts")).army("A", abilities=["unnatural-aura"]).army("B", resources=["mounts"])
    s.melee(A=order(), dice={"A attack": 14})
    assert s.all(e.FearChecked) == []


def test_engines_switched_off_are_neither_lost_nor_given() -> None:
    """PF-HOUSE, R-15: they stay on the sheet by name."""
    s = (
        scenario(without("resources", "siege-engines"))
        .army("A", resources={"siege-engines": 2})
        .army("B")
        .until("melee")
    )
    assert "switched off" in str(s.refused(c.Override("A", "engines", 3, "?")))
    changes = s.play(c.End("dusk")).aftermath().changes
    assert [change.field for change in changes] == []


def test_no_sandstorm_is_created_where_there_are_none() -> None:
    """PF-HOUSE: the condition is switched off, the ability is not."""
    s = scenario(without("conditions", "sandstorm")).army("A", abilities=["create-sandstorm"]).army("B").until("melee")
    assert "switched off" in str(s.refusal(A=hold(use("create-sandstorm"))))


def test_potions_cost_what_the_campaign_says() -> None:
    """PF-HOUSE, R-22: 5 × 2 for a large army."""
    potions = law(resources={"healing-potions": {"consumption": 5}})
    s = scenario(potions).army("A", size="large", resources=["healing-potions"]).army("B")
    s.melee(A=hold(use("healing-potions", kind="resource"))).play(c.End("dusk"))
    assert [change.after for change in s.aftermath().changes if change.field == "surcharge"] == [10]


def test_r83_potions_and_mounts_the_campaign_makes_free_cost_nothing() -> None:
    """R-83, PF-HOUSE: the minimum of 1 is for the scaled figures of the book."""
    free = law(resources={"healing-potions": {"price": 0, "consumption": 0}, "mounts": {"price": 0, "consumption": 0}})
    s = scenario(free).army("A", size="small", resources=["healing-potions"]).army("B")
    s.melee(A=hold(use("healing-potions", kind="resource"))).play(c.End("dusk"))
    assert [change.after for change in s.aftermath().changes if change.field == "surcharge"] == []
    spec = ArmySpec("a", "A", UnitSpec("Orc", "1"), 50, mount=MountSpec("Wolf", "3"), resources={"mounts": 1})
    assert free.price(spec, "mounts") == Price(0, 0)
    assert free.price(spec, "healing-potions") == Price(0, 0)
    assert [line.value for line in free.sheet(spec).consumption.lines] == [1]
    assert ruleset("combat-de-masse").price(spec, "mounts") == Price(1, 1)


def test_a_boon_switched_off_sleeps_and_says_why() -> None:
    """PF-HOUSE, R-7: learned or by office, it does nothing."""
    house = without("boons", "loyalty")
    for chief in (boss("loyalty"), boss(office="heir", office_boon="loyalty")):
        (state,) = [state for state in house.commander_sheet(chief).boons if state.boon.slug == "loyalty"]
        assert (state.active, "switched off" in str(state.why)) == (False, True)


def test_a_tactic_switched_off_is_neither_lent_nor_taught() -> None:
    """PF-HOUSE, PF-1.10, PF-6.3: what the campaign does without, no boon gives."""
    house = without("tactics", "taunt")
    spec = ArmySpec("a", "A", UnitSpec("Orc", "1"), 100, commander=boss("bonus-tactic:taunt"))
    assert (house.bonus_tactics(spec), ruleset("combat-de-masse").bonus_tactics(spec)) == ([], ["taunt"])
    with pytest.raises(InvalidInput, match="switched off"):
        house.check_boon_learned(boss(), "bonus-tactic", "taunt")
    s = scenario(house).army("A", commander=boss(level=6)).army("B", hp=3).melee(A=order(), dice={"A attack": 14})
    (asked,) = s.aftermath({"A loyalty-tactic": 1, "A loyalty-boon": 20}, loyalty=100).questions
    offered = [slug for slug, _label in asked.options]
    assert ("bonus-tactic:taunt" in offered, "bonus-tactic:full-defense" in offered) == (False, True)
