"""What a reader can look up in this law."""

import json

import pytest

from rules.breaking_point.ruleset import BREAKING_POINT
from rules.core.text import Term

KINDS = {
    "weapons": 33, "armours": 11, "machines": 14, "unit_types": 14, "units": 40, "qualities": 5, "places": 3,
    "ground": 7, "weather": 7, "marks": 8, "rules": 109,
}  # fmt: skip


def test_the_kinds_with_all_their_items():
    assert {kind: len(catalogue.items) for kind, catalogue in BREAKING_POINT.catalogues.items()} == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_every_item_has_a_name_a_sentence_and_a_rule(kind):
    for slug, item in BREAKING_POINT.catalogues[kind].items.items():
        assert item.slug == slug
        assert isinstance(item.name, Term)
        assert str(item.name)
        assert str(item.summary).endswith("."), slug
        assert item.rule.startswith(("BP-", "B-")), slug


@pytest.mark.parametrize("kind", KINDS)
def test_an_items_figures_are_plain_json(kind):
    catalogue = BREAKING_POINT.catalogues[kind]
    for item in catalogue.items.values():
        told = {name: getattr(item, name, None) for name in catalogue.figures} | catalogue.members(item)
        assert json.loads(json.dumps(told)) == told
        assert all(str(said) for said in catalogue.facts(item))


def facts(kind, slug):
    catalogue = BREAKING_POINT.catalogues[kind]
    return [str(said) for said in catalogue.facts(catalogue.items[slug])]


def test_facts_of_a_weapon():
    assert facts("weapons", "mg-42") == ["damage 5", "rate 4", "long range", "bursts", "firearm"]


def test_facts_of_a_unit():
    assert facts("units", "catapults") == [
        "combat 4", "per head: power 0, fire power 2.5, force 5", "breaks at 50%", "5 crew per piece",
    ]  # fmt: skip
    assert facts("units", "zombies")[-1] == "never breaks"


def test_facts_of_a_machine():
    assert facts("machines", "hellcat") == [
        "toughness 60, armor 5", "mobility 8", "6 × .50 machine gun", "2 × 1000-lb bomb",
    ]  # fmt: skip


def test_facts_of_places():
    assert facts("places", "fortress") == ["garrison of 500 or more", "force × 3", "defense +10"]
    assert facts("places", "fort")[0] == "garrison of 50 to 500"
