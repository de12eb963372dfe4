"""NPC actors of Foundry's Pathfinder 1 system as unit types (PF-1.11, PF-9). The creatures are invented."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from rules.core.errors import InvalidInput
from rules.pathfinder.documents import unit_from_json
from rules.pathfinder.monsters.npc_actors import ITEMS_MOST, read_npc_actor
from rules.registry import ruleset
from tests.everyday import at_most

LAW = ruleset("combat-de-masse")

RAIDER = {
    "name": "Ash Raider", "type": "npc",
    "system": {
        "abilities": {"int": {"value": 7}},
        "attributes": {"speed": {"land": {"base": 30}, "fly": {"base": 0}}},
        "details": {"alignment": "ce", "cr": {"base": 0.3375}},
        "traits": {"size": "med", "senses": {"dv": 60, "ll": {"enabled": False}}},
    },
    "items": [
        {"type": "class", "name": "Warrior", "system": {"hd": 10, "subType": "npc"}},
        {"type": "race", "name": "Ash folk", "system": {"subTypes": ["Orc"]}},
        {"type": "feat", "name": "Mobility", "system": {}},
        {"type": "feat", "name": "Ferocity", "system": {"subType": "racial"}},
        {"type": "feat", "name": "Light Sensitivity", "system": {"subType": "racial"}},
        {"type": "feat", "name": "Weapon Familiarity", "system": {"subType": "racial"}},
        {"type": "weapon", "name": "Javelin", "system": {"actions": [{"actionType": "twak"}]}},
        {"type": "equipment", "name": "Leather", "system": {}},
    ],
}  # fmt: skip

GOLEM = {
    "name": "Tar Golem", "type": "npc",
    "system": {
        "abilities": {"int": {"value": None}},
        "attributes": {"speed": {"land": {"base": 20}}, "sr": {"formula": "21"}},
        "details": {"alignment": "tn", "cr": {"base": 8}},
        "traits": {
            "senses": {"dv": {"value": 60}, "ll": {"enabled": True}}, "dr": {"value": [{"amount": 5}], "custom": ""},
            "ci": {"value": ["disease", "poison", "energyDrain", "sleep"], "custom": "Necromancy"},
            "di": {"value": ["fire"]}, "regen": "5 (cold)", "eres": "",
        },
    },
    "items": [
        {"type": "class", "name": "Construct", "system": {"hd": 10, "level": 9, "subType": "racial"}},
        {"type": "attack", "name": "Slam", "system": {"actions": [{"actionType": "mwak"}],
                                                      "attackNotes": ["plus poison", "plus grab"]}},
    ],
}  # fmt: skip

WITCH = {
    "name": "Bog witch", "type": "character",
    "system": {"details": {"cr": {"base": 4}, "alignment": "ne"}},
    "items": [
        {"type": "class", "name": "Witch", "system": {"hd": 6, "level": 5}},
        {"type": "class", "name": "Fey", "system": {"hd": 6, "level": 2, "subType": "racial"}},
        {"type": "feat", "name": "Hex (Healing)", "system": {"subType": "classFeat"}},
        {"type": "spell", "name": "Alarm", "system": {"level": 1}},
        {"type": "spell", "name": "Hail of thorns", "system": {
            "level": 3, "actions": [{"actionType": "save", "range": {"units": "long"}, "damage": {"parts": [1]}}]}},
    ],
}  # fmt: skip


def read(actor):
    return read_npc_actor(actor, LAW)


def abilities(found):
    return {one["ability"]: one for one in found.unit["abilities"]}


def test_a_soldier_is_read_whole():
    found = read(RAIDER)
    assert {name: value for name, value in found.unit.items() if name != "abilities"} == {
        "name": "Ash Raider", "cr": "1/3", "hit_die": "d10", "level": 1, "speed_m": 9, "creature_type": "humanoid",
        "alignment": "CE", "ranged": True,
    }  # fmt: skip
    assert set(abilities(found)) == {"darkvision", "ferocity", "light-sensitivity"}
    assert found.unused == ("Weapon Familiarity",)
    assert found.notes == ()


def test_a_construct_has_the_traits_of_its_type_and_its_own_immunities():
    """PF-9: a construct is immune to disease and poison already; no Intelligence is mindless."""
    found = read(GOLEM)
    own = abilities(found)
    assert set(own) == {
        "construct", "mindless", "darkvision", "low-light-vision", "damage-reduction", "spell-resistance",
        "regeneration", "immunity", "poison", "grab",
    }  # fmt: skip
    assert own["immunity"]["options"] == {"to": ["energy-drain", "burn"]}
    assert own["regeneration"]["value"] == 5
    assert (found.unit["level"], found.unit["hit_die"], found.family) == (9, "d10", "constructs")
    assert found.unused == ("sleep", "Necromancy")


def test_a_caster_has_the_highest_level_of_its_spells():
    """PF-9: Spellcasting attacks at range where an offensive spell has a range beyond touch."""
    own = abilities(read(WITCH))
    assert own["spellcasting"] == {"ability": "spellcasting", "value": 3, "options": {"ranged": True}}
    assert own["hex"]["options"] == {"choice": "healing"}
    assert read(WITCH).unit["level"] == 7
    assert read(WITCH).unit["creature_type"] == "fey"


@pytest.mark.parametrize(
    "actor",
    [None, [], "npc", {}, {"type": "pf1-kingdom-sheet.army", "system": {}}, {"type": "npc"},
     {"type": "npc", "system": [], "items": []}, {"type": "npc", "system": {}, "items": [{}] * (ITEMS_MOST + 1)}],
)  # fmt: skip
def test_what_is_no_creature_is_refused(actor):
    with pytest.raises(InvalidInput, match="Export an NPC"):
        read(actor)


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["value", "base", "custom", "x"]), inner)
    ),
    max_leaves=6,
)


@st.composite
def changed(draw):
    """An actor with a strange value somewhere in it."""
    actor = copy.deepcopy(draw(st.sampled_from([RAIDER, GOLEM, WITCH])))
    here = actor
    for _step in range(draw(st.integers(1, 5))):
        places = list(here) if isinstance(here, dict) else list(range(len(here)))
        places = [place for place in places if place != "type" or here is not actor]
        place = draw(st.sampled_from(places))
        if not isinstance(here[place], dict | list) or not here[place]:
            break
        here = here[place]
    key = draw(st.sampled_from(list(here) if isinstance(here, dict) else list(range(len(here)))))
    if here is actor:
        key = "items"
    here[key] = draw(ODD)
    return actor


@profile(max_examples=at_most(80, full=800), deadline=None)
@given(changed())
def test_whatever_stands_in_an_actor_gives_a_unit_the_law_accepts_or_a_refusal(actor):
    try:
        found = read(actor)
    except InvalidInput:
        return
    assert unit_from_json(found.unit, LAW)


def test_pf_house_an_actor_s_features_name_a_campaign_s_own_abilities():
    """By name, whatever the case and the accents; attack notes too, and immunities."""
    own = LAW.with_house({"own": {"abilities": {
        "lake": {"name": "Bénédiction du Lac", "summary": "The lake looks after them."},
        "venom": {"name": "Lake venom", "summary": "Poisoned.", "number": True},
        "dread": {"name": "Dread of the deep", "summary": "They stay away."},
    }}})  # fmt: skip
    actor = copy.deepcopy(RAIDER)
    actor["items"] += [
        {"type": "feat", "name": "BENEDICTION DU LAC", "system": {"subType": "racial"}},
        {"type": "feat", "name": "Dread of the deep", "system": {"subType": "feat"}},
        {"type": "attack", "name": "Bite", "system": {"attackNotes": ["plus lake venom 3"]}},
    ]
    actor["system"]["traits"]["ci"] = {"value": [], "custom": "dread of the deep"}
    found = {one["ability"]: one for one in read_npc_actor(actor, own).unit["abilities"]}
    assert found["lake"] == {"ability": "lake"}
    assert found["venom"]["value"] == 3
    assert "dread" not in found
    assert found["immunity"]["options"] == {"to": ["dread"]}
    assert not found.keys() & {one["ability"] for one in read(actor).unit["abilities"]} & {"lake", "venom"}
