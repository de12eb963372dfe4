"""The demonstration campaign: a siege in its fifth week, with all that belongs to one."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import translation

from armies.breaking_point.sieges.queries import build_siege_page
from kingdom.models import Campaign
from kingdom.onboarding import checklist
from tests.battles.pathfinder.demo.test_demo import PROPER, names_of
from tests.kingdom.conftest import make_user

pytestmark = pytest.mark.django_db


def test_a_siege_is_in_its_fifth_week_and_its_log_tells_the_four_before(river):
    page = build_siege_page(river.gm, river.siege)
    assert (river.siege.status, river.siege.state["weeks"], river.siege.campaign.day) == ("open", 4, 31)
    assert {line.day for line in page.log} == {0, 7, 14, 21, 28}
    told = " ".join(str(line.text) for line in page.log)
    for word in ("laid siege", "besiegers’ pieces shoot", "garrison’s pieces answer", "terms offered", "week 4"):
        assert word in told


def test_its_fort_is_held_worn_and_far_from_starving(river):
    """Guns on both sides, both have cost the other something; there is food for weeks, and all of it can be seen."""
    page = build_siege_page(river.gm, river.siege)
    assert (page.invested, page.properly_held) == (True, True)
    assert 0 < page.garrison.lost < page.garrison.breaks_at
    assert page.besieger.lost > 0
    assert page.hold.total - river.siege.state["weeks"] == 10
    assert river.siege.place.settlement is not None


def test_it_stands_on_the_pages_of_the_campaign(river):
    client = river.as_(river.dru)
    for url in (
        reverse("kingdom:campaign", args=[river.campaign.pk]),
        reverse("armies:sieges", args=[river.campaign.pk]),
        reverse("armies:siege", args=[river.siege.pk]),
        reverse("armies:place", args=[river.siege.place_id]),
    ):
        page = client.get(url)
        assert page.status_code == 200, url
        assert "Fort Drelev" in page.content.decode()


def test_the_battles_are_fought_meanwhile(river):
    assert river.bridge.day == river.orbit.day == 31
    assert Campaign.objects.get(pk=river.campaign.pk).day == 31


def test_whatever_means_something_in_it_can_be_said_in_french(river):
    said = names_of(river.campaign) - PROPER
    with translation.override("fr"):
        assert {name for name in said if translation.gettext(name) == name} == set()


@pytest.mark.slow
def test_whoever_reads_french_gets_it_in_french(river):
    """Each name that means something is another than in English; those of people and places may be the same."""
    with translation.override("fr"):
        there = checklist.make(owner=make_user("lea"), law="breaking-point")
    told, said = names_of(there), names_of(river.campaign)
    assert len(told) == len(said) > 10
    assert told & said <= PROPER
