"""Pages that are none of a campaign's own keep its navigation: rules, what is not there, what is refused."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.urls import reverse

from kingdom.campaign.services import create_campaign
from tests.kingdom.conftest import client_of

RULE = "/rules/PF-3.5/"


def places(answer):
    """The campaign whose navigation stands on the page, by the address of its first place."""
    html = answer.content.decode()
    return html.split('class="places"')[1].split('href="')[1].split('"')[0] if 'class="places"' in html else ""


def board(campaign):
    return reverse("kingdom:campaign", args=[campaign.pk])


def test_an_address_that_is_not_there_keeps_the_navigation_of_the_campaign_above_it(table):
    client = client_of(table.ana)
    for path in (f"{board(table.campaign)}nowhere/", f"/kingdoms/{table.crown.pk}/nowhere/at/all/"):
        answer = client.get(path)
        assert answer.status_code == 404
        assert places(answer) == board(table.campaign), path
        assert "Page not found" in answer.content.decode()


def test_a_stranger_and_nobody_are_told_of_no_campaign(table):
    for user in (table.stranger, None):
        answer = client_of(user).get(f"{board(table.campaign)}nowhere/")
        assert answer.status_code in (302, 404)
        assert places(answer) == ""


def test_a_rule_keeps_the_navigation_of_the_page_that_led_to_it(table):
    client, led = client_of(table.ana), {"HTTP_REFERER": f"http://testserver/kingdoms/{table.crown.pk}/"}
    assert places(client.get(RULE, **led)) == board(table.campaign)
    assert places(client.get(RULE)) == ""
    assert places(client.get(RULE, HTTP_REFERER=f"https://elsewhere.example{board(table.campaign)}")) == ""
    elsewhere = create_campaign(by=table.gm, name="Elsewhere", ruleset="combat-de-masse")
    assert places(client.get(RULE, HTTP_REFERER=f"http://testserver{board(elsewhere)}")) == ""


@pytest.mark.parametrize("led", ["http://[", "::", f"http://testserver/c/{UUID(int=1)}/", "http://testserver/c/x/"])
def test_odd_pages_that_led_here_name_no_campaign(table, led):
    answer = client_of(table.ana).get(RULE, HTTP_REFERER=led)
    assert (answer.status_code, places(answer)) == (200, "")


def test_requests_stand_in_the_frame_of_their_campaign(table):
    html = client_of(table.ana).get(reverse("kingdom:petitions", args=[table.campaign.pk])).content.decode()
    here = html.split('class="places"')[1].split("</nav>")[0]
    assert here.count('aria-current="page"') == 1
