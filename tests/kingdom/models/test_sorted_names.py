"""The same order of names in the database and in Python: numbers as people count, letters whatever their accents."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as at_random
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from kingdom.campaign.services import create_campaign
from kingdom.models import Kingdom, User
from kingdom.models.base import Natural, make_natural_key
from kingdom.realms.services import found_kingdom
from tests.everyday import at_most

IN_ORDER = ["2e Œuvre", "10e Épée", "Eclaireurs", "Écuyers", "Élan 2", "Elan 10", "Étoile", "Zèle"]


@pytest.mark.django_db
def test_letters_with_accents_stand_where_they_stand_without():
    assert sorted([*IN_ORDER[4:], *IN_ORDER[:4]], key=make_natural_key) == IN_ORDER
    gm = User.objects.create_user("gm")
    campaign = create_campaign(by=gm, name="Names", ruleset="combat-de-masse")
    for name in reversed(IN_ORDER):
        found_kingdom(by=gm, campaign=campaign, name=name)
    assert [one.name for one in Kingdom.objects.filter(campaign=campaign).order_by(Natural("name"))] == IN_ORDER


class BothAlike(TestCase):
    @given(st.text("aZéÉœŒß 0159²-'", max_size=12))
    @at_random(max_examples=at_most(12, full=400), deadline=None)
    def test_the_database_sorts_a_name_as_python_does(self, name):
        User.objects.all().delete()
        User.objects.create_user("one", first_name=name)
        assert User.objects.values_list(Natural("first_name"), flat=True).get() == make_natural_key(name)
