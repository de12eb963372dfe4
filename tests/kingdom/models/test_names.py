"""Names are listed in the order people count in: the 2nd company before the 10th."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from armies.models import Army, Commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander, UnitType
from kingdom.models import Campaign, Kingdom, Settlement
from kingdom.models.base import Natural, make_natural_key
from tests.everyday import at_most

LISTED = (Campaign, Kingdom, Settlement, Army, PathfinderArmy, Commander, PathfinderCommander, UnitType)


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("Company 2", "Company 10"),
        ("company 9", "Company 10"),
        ("10th of 9", "10th of 10"),
        ("Company 9", "Company 09b"),
        ("Company", "Company 1"),
        ("2", "Alpha"),
    ],
)
def test_numbers_in_names_count_by_their_worth(first, then):
    assert make_natural_key(first) < make_natural_key(then)


@pytest.mark.parametrize("model", LISTED, ids=lambda model: model.__name__)
def test_whatever_bears_a_name_is_listed_so(model):
    assert model._meta.ordering[0] == Natural("name")


@pytest.mark.django_db
def test_the_database_lists_kingdoms_as_people_count(campaign):
    names = ["March 10", "march 9", "March 1", "March 100", "March 2b"]
    for name in names:
        Kingdom.objects.create(campaign=campaign, name=name)
    found = [name for name in Kingdom.objects.filter(campaign=campaign).values_list("name", flat=True) if name in names]
    assert found == ["March 1", "March 2b", "march 9", "March 10", "March 100"]


@pytest.mark.django_db
@settings(max_examples=at_most(8, full=150), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text("aB 0129-", max_size=40))
def test_database_and_server_read_a_name_alike(crown, name):
    kingdom = Kingdom.objects.filter(pk=crown.pk)
    kingdom.update(name=name)
    assert kingdom.values_list(Natural("name"), flat=True)[0] == make_natural_key(name)
