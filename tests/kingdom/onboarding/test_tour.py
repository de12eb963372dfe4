"""The tour: stops on a campaign's real pages, by plain links, remembered once taken."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from kingdom.campaign.services import create_campaign
from kingdom.onboarding.tour import find_first_stop, list_stops
from tests.battles.conftest import demonstration  # noqa: F401 - a fixture
from tests.kingdom.conftest import client_of, make_user

SIX = ["campaign", "kingdom", "army", "map", "battle", "chronicle"]


@pytest.fixture
def demo(demonstration):  # noqa: F811
    return demonstration


def panel_of(page: str) -> str:
    found = re.search(r'<section class="tour".*?</section>', page, re.DOTALL)
    return found.group() if found else ""


def links_in(panel: str) -> dict[str, str]:
    """The addresses of its links, by the key that follows them."""
    return {key: unescape(url) for url, key in re.findall(r'href="([^"]+)" data-tour="(\w+)"', panel)}


def test_a_demo_has_six_stops_that_lead_on_and_back_by_plain_links(demo):
    client, before, seen = client_of(demo.gm), "", []
    url = client.get("/tour/")["Location"]
    while url:
        panel = panel_of(client.get(url).content.decode())
        links = links_in(panel)
        assert f"Tour · {len(seen) + 1} of 6" in panel
        assert panel.count("autofocus") == 1, "Enter goes on"
        assert links.get("ArrowLeft", "") == before
        seen.append(url.partition("?tour=")[2])
        before, url = url, links.get("ArrowRight", "")
    assert seen == SIX


def test_the_tour_is_offered_until_it_was_taken_or_skipped(demo):
    client = client_of(demo.gm)
    assert 'id="tour-offer"' in client.get("/").content.decode()
    assert client.post("/tour/end/", {"next": "/account/"})["Location"] == "/account/"
    assert 'id="tour-offer"' not in client.get("/").content.decode()
    assert client.get("/tour/").status_code == 302, "Help still leads there"


def test_who_ends_the_tour_is_led_nowhere_else(demo):
    assert client_of(demo.gm).post("/tour/end/", {"next": "https://elsewhere.example/"})["Location"] == "/"


def test_pages_show_the_panel_to_nobody_who_did_not_ask_or_has_no_such_stop(demo):
    page = f"/c/{demo.campaign.pk}/"
    client = client_of(demo.gm)
    assert panel_of(client.get(f"{page}?tour=campaign").content.decode())
    for odd in ("", "?tour=", "?tour=nowhere", "?tour=%00", "?tour=campaign%22"):
        assert not panel_of(client.get(f"{page}{odd}").content.decode()), odd
    assert not panel_of(client.get("/?tour=campaign").content.decode())
    assert not panel_of(Client().get("/help/?tour=campaign").content.decode())
    stranger = client_of(make_user("stranger"))
    assert not panel_of(stranger.get(f"{page}?tour=campaign").content.decode())


@pytest.mark.django_db
def test_the_tour_of_an_empty_campaign_leaves_out_what_is_not_there():
    gm = make_user("gm")
    assert find_first_stop(gm) is None
    assert client_of(gm).get("/tour/")["Location"] == "/"
    campaign = create_campaign(by=gm, name="Empty", ruleset="combat-de-masse")
    assert [found.stop.slug for found in list_stops(gm, campaign)] == ["campaign", "chronicle"]


def test_the_tour_chooses_the_campaign_with_most_to_show(demo):
    create_campaign(by=demo.gm, name="Empty", ruleset="combat-de-masse")
    assert str(demo.campaign.pk) in find_first_stop(demo.gm).url
