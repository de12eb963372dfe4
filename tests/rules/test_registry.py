"""Laws are named by the settings and found by their slug."""

from __future__ import annotations

import pickle

import pytest
from django.conf import settings

from rules import registry
from rules.core.errors import InvalidInput
from rules.pathfinder.ruleset import COMBAT_DE_MASSE


def test_every_law_the_settings_name_is_found_by_its_slug():
    assert len(registry.RULESETS) == len(settings.LAWS)
    assert registry.ruleset("combat-de-masse") is COMBAT_DE_MASSE


def test_a_slug_nobody_registered_is_refused():
    with pytest.raises(InvalidInput, match="Ruleset “war-of-attrition” not found"):
        registry.ruleset("war-of-attrition")


def test_house_rules_reach_the_law_as_they_are_kept_and_what_it_does_not_know_is_left_aside():
    law = registry.ruleset("combat-de-masse", {"minimum_damage": 0, "of_another_law": True})
    assert law.house.minimum_damage == 0
    assert COMBAT_DE_MASSE.house.minimum_damage == 1


def test_the_law_of_some_house_rules_is_made_once_and_only_the_last_are_kept():
    """Whatever the order they are kept in; others make another law."""
    both = {"minimum_damage": 0, "overlay": {"tactics": {}}}
    law = registry.ruleset("combat-de-masse", both)
    assert registry.ruleset("combat-de-masse", dict(reversed(both.items()))) is law
    assert registry.ruleset("combat-de-masse", {"minimum_damage": 1}).house.minimum_damage == 1
    assert registry.ruleset("combat-de-masse", {"minimum_damage": 0}).house.minimum_damage == 0
    for number in range(registry.MOST_HOUSED):
        registry.ruleset("combat-de-masse", {"of_another_law": number})
    assert len(registry._last) == registry.MOST_HOUSED
    assert registry.ruleset("combat-de-masse", both) is not law


def test_a_law_that_is_not_there_is_told_when_the_application_starts():
    with pytest.raises(AttributeError, match="NOWHERE"):
        registry.register_all(["rules.pathfinder.ruleset.NOWHERE"])


@pytest.mark.parametrize("slug", ["wing-command", "thucidide-fantasy"])
def test_a_law_of_hexes_whose_catalogues_were_read_can_be_stored(slug):
    """A battle that remembers its law goes to another process with it."""
    law = registry.ruleset(slug)
    assert law.catalogues is not None
    assert pickle.loads(pickle.dumps(law)).slug == slug
