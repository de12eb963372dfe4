"""PF-VAR: `ultimate-campaign` amends a few lines and nothing else."""

from __future__ import annotations

from dataclasses import fields

import pytest

from rules.core.errors import InvalidInput
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.ruleset import COMBAT_DE_MASSE, ULTIMATE_CAMPAIGN, Ruleset
from rules.registry import RULESETS, ruleset
from tests.scenario import boss, hold, order, scenario, spec, use

DIFFERENCES = {
    "resources": {"improved-weapons"},
    "offices": {"royal-enforcer"},
    "abilities": {"evasion", "brew-potion", "inspire-courage"},
    "boons": {"hit-and-run"},
}


def catalogue(law: Ruleset, kind: str) -> dict[str, object]:
    return dict(getattr(law, kind))


def test_the_declared_differences_are_all_there_are() -> None:
    """PF-VAR: kind by kind, item by item."""
    kinds = [field.name for field in fields(Ruleset) if hasattr(getattr(COMBAT_DE_MASSE, field.name), "items")]
    assert set(kinds) >= {"sizes", "tactics", "strategies", "boons", "resources", "abilities", "conditions", "offices"}
    for kind in kinds:
        ours, theirs = catalogue(COMBAT_DE_MASSE, kind), catalogue(ULTIMATE_CAMPAIGN, kind)
        assert ours.keys() == theirs.keys()
        assert {slug for slug in ours if ours[slug] != theirs[slug]} == DIFFERENCES.get(kind, set())


def test_improved_weapons_cost_five() -> None:
    """PF-VAR."""
    prices = [law.price(spec("A"), "improved-weapons").bp for law in (COMBAT_DE_MASSE, ULTIMATE_CAMPAIGN)]
    assert prices == [3, 5]


def test_the_royal_enforcers_boons() -> None:
    """PF-VAR: Bonus Tactic, Merciless, Sharpshooter."""
    loyal = boss(office="royal-enforcer", office_boon="loyalty")
    COMBAT_DE_MASSE.check_commander(loyal)
    with pytest.raises(InvalidInput):
        ULTIMATE_CAMPAIGN.check_commander(loyal)
    assert ULTIMATE_CAMPAIGN.offices["royal-enforcer"].boons == ("bonus-tactic", "merciless", "sharpshooter")


def test_class_levels() -> None:
    """PF-VAR: evasion from monk 2, brew potion from alchemist 1."""
    abilities = ULTIMATE_CAMPAIGN.abilities
    assert (abilities["evasion"].class_levels, abilities["brew-potion"].class_levels) == (
        "monk 2, rogue 2",
        "alchemist 1",
    )


@pytest.mark.parametrize(
    "law, after",
    [
        (COMBAT_DE_MASSE, {"ranged": 2, "first": 2, "later": 2}),
        (ULTIMATE_CAMPAIGN, {"ranged": 2, "first": 2, "later": 0}),
    ],
)
def test_hit_and_run_after_a_ranged_or_the_first_melee_phase(law: Ruleset, after: dict[str, int]) -> None:
    """PF-VAR: not after an attack in a later melee phase only."""
    for when, bonus in after.items():
        s = scenario(law).army("A", ranged=True, commander=boss("hit-and-run", level=5)).army("B")
        if when == "ranged":
            s.ranged(A=order(), dice={"A attack": 2})
        elif when == "first":
            s.melee(A=order(), dice={"A attack": 2})
        else:
            s.melee().melee(A=order(), dice={"A attack": 2})
        assert s.morale("A", "withdraw") == bonus
    s.ranged(A=order(), dice={"A attack": 2})
    assert s.morale("A", "withdraw") == 2


@pytest.mark.parametrize("law, own", [(COMBAT_DE_MASSE, 10), (ULTIMATE_CAMPAIGN, 9)])
def test_inspire_courage_for_itself_or_an_ally(law: Ruleset, own: int) -> None:
    """PF-VAR, R-25: itself unless an ally is named."""
    s = scenario(law).army("A", abilities=["inspire-courage"]).army("A2").army("B")
    assert (s.om("A"), s.morale("A", "rout")) == (10, 2)
    s.melee(A=hold(use("inspire-courage", target="A2")))
    assert (s.om("A"), s.om("A2")) == (own, 10)
    s.melee(A=hold(use("inspire-courage")))
    assert (s.om("A"), s.om("A2")) == (10, 9)


def test_hit_points_and_damage_are_unchanged() -> None:
    """PF-VAR."""
    stories = []
    for law in (COMBAT_DE_MASSE, ULTIMATE_CAMPAIGN):
        s = scenario(law).army("A").army("B").melee(A=order(strategy="reckless"), dice={"A attack": 14})
        stories.append((s.hp("B"), s.last(e.Attacked).damage))
    assert stories[0] == stories[1] == (26, 14)


def test_the_registry_knows_both_and_refuses_others() -> None:
    """PF-VAR: a battle pins its ruleset by slug."""
    assert {"combat-de-masse", "ultimate-campaign"} <= set(RULESETS)
    assert ruleset("ultimate-campaign") is ULTIMATE_CAMPAIGN
    with pytest.raises(InvalidInput) as refused:
        ruleset("chess")
    assert refused.value.field == "/ruleset"
