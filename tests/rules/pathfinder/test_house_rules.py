"""PF-HOUSE: what a campaign may set."""

from __future__ import annotations

import pytest

from rules.core.errors import IllegalCommand
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from rules.registry import ruleset
from tests.scenario import boss, order, scenario, spec


@pytest.mark.parametrize("minimum", [1, 0])
def test_the_least_damage_of_a_hit(minimum: int) -> None:
    """PF-HOUSE, R-40: 1 or 0; with 0 nothing follows from it; a natural 20 still deals its 1."""
    s = scenario(minimum_damage=minimum).army("A", abilities=["paralysis"]).army("B")
    s.melee(A=order(strategy="defensive"), dice={"A attack": 19})
    assert (s.last(e.Attacked).damage, s.hp("B"), s.marks("B")) == (minimum, 40 - minimum, ["paralysed"] * minimum)
    far = scenario(minimum_damage=minimum).army("A").army("B", acr=29).melee(A=order(), dice={"A attack": 20})
    assert far.last(e.Attacked).damage == 1


@pytest.mark.parametrize("who, shooters", [("enemies", ["A"]), ("all", ["A", "B2"])])
def test_who_gives_parting_shots(who: str, shooters: list[str]) -> None:
    """PF-HOUSE, PF-3.9: enemies only, or every army left."""
    s = scenario(parting_shots=who).army("A").army("B", hp=12).army("B2")
    s.melee(A=order("B"), dice={"A attack": 14, "B rout": 1} | {f"{army} parting": 2 for army in shooters})
    assert [hit.army for hit in s.all(e.Attacked) if hit.kind == "parting"] == shooters


def test_an_overlay_changes_prices_and_thresholds_and_takes_items_away() -> None:
    """PF-HOUSE: kept with the campaign; the ruleset itself is untouched."""
    overlay = {
        "resources": {
            "mounts": {"price": 4, "consumption": 2},
            "siege-engines": {"off": True},
            "balloons": {"price": 1},
        },
        "boons": {"loyalty": {"leadership": 1}},
        "tactics": {"taunt": {"off": True}},
    }
    law = ruleset("combat-de-masse", {"overlay": overlay})
    price = law.price(spec("A"), "mounts")
    assert (price.bp, price.consumption) == (4, 2)
    assert "balloons" not in law.resources
    assert law.resources["siege-engines"].off
    assert law.tactics["taunt"].off
    s = scenario(law).army("A", tactics=["taunt"], commander=boss("loyalty", level=1)).army("B")
    assert s.morale("A") == 2
    assert s.until("tactics").refusal(A=order(tactic="taunt")).field == "/tactic"
    assert COMBAT_DE_MASSE.price(spec("A"), "mounts").bp == 1
    assert "taunt" in COMBAT_DE_MASSE.tactics


def test_the_other_house_rules_are_kept_for_those_who_ask() -> None:
    """PF-HOUSE: buildings required, recovery cap; unknown names are ignored; none is the plain ruleset."""
    law = ruleset("combat-de-masse", {"buildings_required": False, "recovery_cap": "half", "colour": "red"})
    assert (law.house.buildings_required, law.house.recovery_cap, law.house.minimum_damage) == (False, "half", 1)
    assert ruleset("combat-de-masse", {}) is COMBAT_DE_MASSE


def without(kind: str, slug: str) -> dict[str, object]:
    return {"overlay": {kind: {slug: {"off": True}}}}


def test_an_ability_switched_off_does_nothing_and_stays_on_the_sheet() -> None:
    """PF-HOUSE: a content item a campaign does without."""
    law = ruleset("combat-de-masse", without("abilities", "pounce"))
    army = spec("A", abilities=["pounce"])
    assert COMBAT_DE_MASSE.sheet(army).om.total - law.sheet(army).om.total == 1


def test_a_resource_switched_off_cannot_be_bought_and_costs_nothing() -> None:
    """PF-HOUSE: nobody can buy it; who has it draws nothing from it and pays nothing for it."""
    law = ruleset("combat-de-masse", without("resources", "improved-armor"))
    with pytest.raises(IllegalCommand, match="switched off"):
        law.refuse_resource(spec("A"), "improved-armor")
    held = spec("A", resources={"improved-armor": 1})
    assert law.sheet(held).dv.total == law.sheet(spec("A")).dv.total
    assert law.sheet(held).consumption.total == law.sheet(spec("A")).consumption.total


def test_a_tactic_switched_off_is_neither_learned_nor_used() -> None:
    """PF-HOUSE: it leaves the list of what the army may use."""
    law = ruleset("combat-de-masse", without("tactics", "taunt"))
    known = spec("A", tactics=["taunt"])
    assert "taunt" in COMBAT_DE_MASSE.tactics_of(known)
    assert "taunt" not in law.tactics_of(known)
    assert "switched off" in str(law.learn_tactic_refusal(spec("A"), "taunt"))
