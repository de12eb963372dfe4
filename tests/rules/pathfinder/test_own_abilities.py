"""Special abilities of a campaign's own (PF-9, PF-HOUSE): read, refused, in figures and in battle."""

from __future__ import annotations

from typing import Any

import pytest

from rules.core.errors import InvalidInput
from rules.house import OWN_MOST
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.catalogue.abilities import ABILITIES
from rules.pathfinder.catalogue.effects import Stat
from rules.pathfinder.own_abilities import AGAINST, LIKES, WHEN, clean_own
from rules.pathfinder.ruleset import COMBAT_DE_MASSE, ULTIMATE_CAMPAIGN, Ruleset, muster_of
from rules.pathfinder.sheet import army_sheet
from tests.scenario import Scenario, has, order, scenario, spec, use

BLESSED: dict[str, Any] = {"name": "Blessed by the lake", "summary": "The lake looks after them."}


def law(base: Ruleset = COMBAT_DE_MASSE, overlay: Any = None, **abilities: Any) -> Ruleset:
    """The law with these own abilities, by slug with `-` as `_`."""
    things = {slug.replace("_", "-"): {**BLESSED, **thing} for slug, thing in abilities.items()}
    return base.with_house({"own": clean_own({"abilities": things}), **({"overlay": overlay} if overlay else {})})


def blessed(*modifiers: Any, **more: Any) -> Ruleset:
    return law(blessed={"modifiers": list(modifiers), **more})


def wrong(thing: Any, slug: str = "blessed") -> list[str]:
    with pytest.raises(InvalidInput) as refused:
        clean_own({"abilities": {slug: thing}})
    return [pointer for pointer, _message in refused.value.errors]


def against(modifier: dict[str, Any], *, foe: Any = (), **fields: Any) -> Scenario:
    return scenario(blessed(modifier)).army("A", abilities=["blessed"]).army("B", abilities=foe, **fields)


# figures


def test_a_modifier_is_a_line_that_names_the_ability() -> None:
    """PF-1.5, PF-HOUSE."""
    found = army_sheet(blessed("om", {"stat": "dv", "amount": -2}), spec("A", abilities=["blessed"]))
    assert [(str(line.label), line.value, line.rule) for line in found.om.lines][1:] == [
        ("Blessed by the lake", 1, "PF-HOUSE")
    ]
    assert (found.om.total, found.dv.total) == (10, 17)


def test_an_amount_may_be_times_its_number_or_the_acr() -> None:
    """PF-9: as Spellcasting and Trap sense."""
    for times, gained in (("number", 6), ("half-acr", 8), ("acr", 18)):
        there = blessed({"stat": "om", "amount": 2, "times": times}, number=True)
        assert scenario(there).army("A", abilities=[has("blessed", 3)]).army("B").om("A", "B") == 9 + gained, times


def test_conditions_of_a_modifier() -> None:
    """PF-9: by the phase, the deed, the state and the enemy."""
    melee = against({"stat": "om", "amount": 3, "when": "melee"})
    assert (melee.om("A", "B", "melee"), melee.om("A", "B", "shot")) == (12, 9)
    ambush = against({"stat": "dv", "amount": 3, "when": "ambush"})
    assert (ambush.dv("A", "B", "melee", "ambush"), ambush.dv("A", "B", "melee")) == (22, 19)
    dead = against({"stat": "om", "amount": 3, "against": "undead"}, foe=["undead"]).army("B2")
    assert (dead.om("A", "B"), dead.om("A", "B2")) == (12, 9)
    living = against({"stat": "om", "amount": 3, "against": "living"}, foe=["undead"]).army("B2")
    assert (living.om("A", "B"), living.om("A", "B2")) == (9, 12)
    fey = against({"stat": "om", "amount": 3, "when": "melee", "against": "fey"}, creature_type="fey")
    assert (fey.om("A", "B", "melee"), fey.om("A", "B", "shot")) == (12, 9)
    rout = against({"stat": "morale", "amount": 3, "when": "rout"})
    assert (rout.morale("A", "rout"), rout.morale("A", "withdraw")) == (3, 0)


def test_every_condition_can_hold() -> None:
    """No condition is always unknown: each figure and each enemy answers true in some situation."""
    dead = {"mounted": {"abilities": ["mount"]}, "flying": {"abilities": ["flight"]},
            "casters": {"abilities": [has("spellcasting", 1)]}, "evil": {"alignment": "LE"},
            "undead": {"creature_type": "undead"}, "living": {}, "not-overcoming": {}}  # fmt: skip
    for slug in AGAINST:
        foe = dead.get(slug, {"creature_type": slug})
        s = scenario(blessed({"stat": "om", "amount": 5, "against": slug})).army("A", abilities=["blessed"])
        assert s.army("B", **foe).om("A", "B", "melee") - s.om("B", "A", "melee") >= 4, slug
    for slug in ("bright-light", "on-water"):
        s = against({"stat": "om", "amount": 5, "when": slug}).condition(slug, "A")
        assert s.om("A", "B") == 14, slug
    for slug in ("withdraw", "stop", "tactic", "strategy", "fear"):
        assert against({"stat": "morale", "amount": 5, "when": slug}).morale("A", slug) == 5, slug
    assert against({"stat": "om", "amount": 5, "when": "bloodied"}).army("A2", abilities=["blessed"], hp=20).om(
        "A2", "B") == 14  # fmt: skip
    assert against({"stat": "om", "amount": 5, "when": "parting"}).om("A", "B", "melee", "parting") == 14
    assert against({"stat": "om", "amount": 5, "when": "first-melee"}).until("melee").om("A", "B", "melee") == 14


def test_figures_of_the_enemy() -> None:
    """PF-9: as invisibility."""
    s = scenario(blessed({"stat": "foe_om", "amount": -3}, {"stat": "foe_dv", "amount": -2}))
    s.army("A", abilities=["blessed"]).army("B")
    assert (s.om("B", "A"), s.dv("B", "A")) == (6, 17)


def test_damage_in_battle() -> None:
    """PF-3.6: 9 + 14 against 19 deals 4, and 3 more by the ability."""
    s = against({"stat": "damage", "amount": 3}).melee(A=order(), dice={"A attack": 14})
    assert s.last(e.Attacked, "A").damage == 7


# an ability that works like another


def test_it_works_like_one_of_the_laws() -> None:
    """PF-9, R-43: the wound bears its own name."""
    s = scenario(law(venom={"like": "poison", "name": "Venom"})).army("A", abilities=["venom"]).army("B")
    s.melee(A=order(), dice={"A attack": 14})
    assert s.marks("B") == ["bleeding"]
    s.melee(dice={"B bleed": 4})
    assert s.last(e.Wounded, "B").cause == "venom"


def test_whoever_is_immune_to_its_model_is_immune_to_it() -> None:
    """R-4: by the name of its model, or by its own."""
    there = law(venom={"like": "poison", "modifiers": ["om"]})
    for foe in ("undead", has("immunity", to=["poison"]), has("immunity", to=["venom"])):
        s = scenario(there).army("A", abilities=["venom"]).army("B", abilities=[foe])
        assert s.om("A", "B") == 9, "no bonus of the ability either"
        s.melee(A=order(), dice={"A attack": 16})
        assert s.marks("B") == [], foe
    alone = scenario(there).army("A", abilities=["poison"]).army("B", abilities=[has("immunity", to=["venom"])])
    assert alone.melee(A=order(), dice={"A attack": 14}).marks("B") == ["bleeding"]


def test_poison_resistance_reduces_what_works_like_poison() -> None:
    """R-43."""
    s = scenario(law(venom={"like": "poison"})).army("A", abilities=["venom"])
    s.army("B", abilities=[has("poison-resistance", 4)]).melee(A=order(), dice={"A attack": 14})
    s.melee(dice={"B bleed": 5})
    assert s.last(e.Wounded, "B").hp_before - s.last(e.Wounded, "B").hp_after == 3


def test_one_mechanic_counts_once_and_further_effects_add() -> None:
    """R-1: trample under two names is +1; the own modifier is another source."""
    there = law(crush={"like": "trample", "modifiers": [{"stat": "om", "amount": 2}]})
    s = scenario(there).army("A", abilities=["trample", "crush"]).army("B").army("A2", abilities=["crush"])
    assert (s.om("A", "B"), s.om("A2", "B")) == (12, 12)


def test_its_use_is_ordered_under_its_own_name() -> None:
    """R-27."""
    s = scenario(law(grudge={"like": "challenge", "name": "Grudge"})).army("A", abilities=["grudge"]).army("B")
    s.melee(A=order("B", use("grudge", target="B")), dice={"A attack": 2})
    assert s.om("A", "B") == 11
    assert "Grudge" in str(s.refusal(A=order("B", use("grudge", target="B"))))


def test_it_follows_its_model_switched_off_but_keeps_its_own_effects() -> None:
    off = {"abilities": {"trample": {"off": True}}}
    there = law(overlay=off, crush={"like": "trample", "modifiers": [{"stat": "dv", "amount": 2}]})
    s = scenario(there).army("A", abilities=["crush"]).army("B")
    assert (s.om("A", "B"), s.dv("A", "B")) == (9, 21)
    assert law(overlay=off, crush={"like": "trample"}).abilities["crush"].off


def test_it_grants_immunity() -> None:
    """R-4."""
    s = scenario(law(blessed={"immune": ["disease"]})).army("A", abilities=["disease"]).army("B", abilities=["blessed"])
    assert s.melee(A=order(), dice={"A attack": 14}).marks("B") == []


def test_other_laws_see_it_as_its_model() -> None:
    """TF-8: what works like fear frightens."""
    tags = muster_of(law(dread={"like": "fear"}), spec("A", abilities=["dread"])).troops[0].tags
    assert "frightens" in tags


def test_both_rulesets_take_it() -> None:
    assert "blessed" in law(ULTIMATE_CAMPAIGN, blessed={"modifiers": ["om"]}).abilities
    assert "blessed" not in COMBAT_DE_MASSE.abilities


# words


def test_its_effects_in_words() -> None:
    there = blessed(
        {"stat": "om", "amount": 2, "when": "melee", "against": "undead"}, {"stat": "dv", "times": "number"},
        number=True, like="poison", immune=["fear"],
    )  # fmt: skip
    facts = there.catalogues["abilities"].facts(there.abilities["blessed"])
    assert [str(fact) for fact in facts] == [
        "has a number", "works like Poison", "Offense (OM) +2 in melee against the undead",
        "Defense (DV) +1 × its number", "immune to Fear",
    ]  # fmt: skip


# reading


def test_what_was_read_reads_back() -> None:
    thing = {**BLESSED, "number": True, "like": "poison", "immune": ["fear"],
             "modifiers": ["om", {"stat": "dv", "amount": 2, "times": "number", "when": "melee"}]}  # fmt: skip
    kept = clean_own({"abilities": {"blessed": thing}})
    thing["modifiers"][0] = {"stat": "om", "amount": 1}
    assert kept == {"abilities": {"blessed": thing}}
    assert clean_own(kept) == kept
    assert clean_own({}) == {}


def test_what_is_wrong_is_named() -> None:
    at = "/abilities/blessed"
    for thing, pointer in (
        ({"summary": "?"}, "/name"),
        ({"name": "Blessed"}, "/summary"),
        ({**BLESSED, "like": "luck"}, "/like"),
        ({**BLESSED, "like": "spellcasting"}, "/like"),
        ({**BLESSED, "like": "wild-shape"}, "/like"),
        ({**BLESSED, "modifiers": ["luck"]}, "/modifiers/0"),
        ({**BLESSED, "modifiers": [{"stat": "luck"}]}, "/modifiers/0/stat"),
        ({**BLESSED, "modifiers": [{"stat": "om", "amount": 0}]}, "/modifiers/0/amount"),
        ({**BLESSED, "modifiers": [{"stat": "om", "amount": 21}]}, "/modifiers/0/amount"),
        ({**BLESSED, "modifiers": [{"stat": "om", "when": "monday"}]}, "/modifiers/0/when"),
        ({**BLESSED, "modifiers": [{"stat": "om", "when": "rout"}]}, "/modifiers/0/when"),
        ({**BLESSED, "modifiers": [{"stat": "morale", "when": "melee"}]}, "/modifiers/0/when"),
        ({**BLESSED, "modifiers": [{"stat": "morale", "against": "fey"}]}, "/modifiers/0/against"),
        ({**BLESSED, "modifiers": [{"stat": "om", "times": "number"}]}, "/modifiers/0/times"),
        ({**BLESSED, "modifiers": ["om"] * 13}, "/modifiers"),
        ({**BLESSED, "immune": ["luck"]}, "/immune/0"),
        ({**BLESSED, "immune": ["fear", "fear"]}, "/immune/1"),
        ({**BLESSED, "cost": 3}, "/cost"),
    ):
        assert wrong(thing) == [at + pointer], thing
    assert wrong(BLESSED, "poison") == ["/abilities"], "the law has it"
    assert wrong(BLESSED, "A b") == ["/abilities"]
    with pytest.raises(InvalidInput):
        clean_own({"abilities": {f"blessed-{n}": BLESSED for n in range(OWN_MOST + 1)}})
    with pytest.raises(InvalidInput):
        clean_own({"weapons": {}})


def test_an_immunity_may_name_another_own_ability() -> None:
    both = {"venom": {**BLESSED, "like": "poison"}, "antidote": {**BLESSED, "immune": ["venom"]}}
    assert clean_own({"abilities": both})["abilities"]["antidote"]["immune"] == ["venom"]


def test_every_model_acts_alike_under_another_name() -> None:
    """Each ability that may be a model gives its own likeness the same sources."""
    for slug in LIKES:
        own = law(twin={"like": slug}).abilities["twin"]
        model = ABILITIES[slug]
        assert (own.modifiers, own.traits, own.immune, own.use, own.key) == (
            model.modifiers, model.traits, model.immune, model.use, model.key), slug  # fmt: skip
    assert all(isinstance(stat, Stat) for one in (*WHEN.values(), *AGAINST.values()) for stat in one.stats)
