"""Campaigns of one name that somebody belongs to are told apart wherever they stand together."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from kingdom.campaign.services import create_campaign
from kingdom.models import ApiToken, Campaign
from kingdom.models.base import made_at
from kingdom.realms.services import found_kingdom
from tests.kingdom.archive.journeys import bring_in, taken_along
from tests.kingdom.conftest import client_of, make_user, seat

pytestmark = pytest.mark.django_db
FIRST, SECOND = "GM ana, created 1 Mar 2026, 14:30", "GM bo, created 2 Mar 2026, 14:30"


@pytest.fixture
def namesakes(db):
    """Ana's and Bo's, at both of which Cy sits; Dru sits at one of them alone."""
    people = {name: make_user(name) for name in ("ana", "bo", "cy", "dru")}
    tables = {}
    for day, (who, name) in enumerate((("ana", "The river war"), ("bo", "the River War"), ("bo", "Elsewhere")), 1):
        tables[day] = create_campaign(by=people[who], name=name, ruleset="combat-de-masse")
        opened = datetime(2026, 3, day, 14, 30, tzinfo=UTC)
        Campaign.objects.filter(pk=tables[day].pk).update(created_at=opened)
        seat(people[who], tables[day], people["cy"], "player")
    seat(people["ana"], tables[1], people["dru"], "player")
    return people, tables


def shown(user, name, query=""):
    return " ".join(client_of(user).get(reverse(f"kingdom:{name}") + query).content.decode().split())


def test_the_list_of_campaigns_says_whose_each_is_and_since_when(namesakes):
    people, _tables = namesakes
    page = shown(people["cy"], "home")
    assert FIRST in page
    assert SECOND in page
    assert page.count("created") == 2  # nobody is called as Elsewhere is


def test_who_sits_at_one_of_them_is_told_nothing_of_the_other(namesakes):
    people, _tables = namesakes
    assert "created" not in shown(people["dru"], "home")


def test_tokens_and_their_choice_of_a_campaign_tell_them_apart(namesakes):
    people, tables = namesakes
    ApiToken.objects.create(user=people["cy"], name="bot", campaign=tables[2])
    page = shown(people["cy"], "tokens")
    assert f">The river war ({FIRST})</option>" in page
    assert f"the River War ({SECOND}) </td>" in page


@pytest.mark.parametrize("name", ["find", "find_choices"])
def test_a_search_says_in_which_of_them_something_is(namesakes, name):
    people, tables = namesakes
    for table in (tables[1], tables[2]):
        found_kingdom(by=table.created_by, campaign=table, name="Crown")
    page = shown(people["cy"], name, "?q=crown&kind=kingdom")
    assert f"The river war ({FIRST})" in page
    assert f"the River War ({SECOND})" in page
    assert f"The river war ({FIRST})" in shown(people["cy"], name, "?q=river&kind=campaign")


def test_a_campaign_that_is_offered_or_deleted_is_told_apart_from_those_he_sits_at(namesakes):
    people, tables = namesakes
    Campaign.objects.filter(pk=tables[1].pk).update(offered_to=people["cy"])
    assert shown(people["cy"], "home").count(FIRST) == 2
    own = create_campaign(by=people["cy"], name="Elsewhere", ruleset="combat-de-masse")
    client_of(people["cy"]).post(reverse("kingdom:campaign_delete", args=[own.pk]), {"name": "Elsewhere"})
    page = shown(people["cy"], "home")
    assert "GM cy, created" in page or Campaign.objects.get(pk=own.pk).deleted_at is None


def test_a_copy_that_was_imported_says_since_when_it_is_here(namesakes):
    people, tables = namesakes
    copy = bring_in(people["ana"], taken_along(tables[1])).campaign
    page = shown(people["ana"], "home")
    assert FIRST in page
    assert f"GM ana, imported {made_at(copy.pk):%-d %b %Y, %H:%M}" in page
