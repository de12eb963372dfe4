"""Settings of a campaign in tabs: one form, whatever tab is shown; presets fill fields in and save nothing."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from kingdom.campaign.forms import CampaignForm
from kingdom.campaign.page import PRESETS
from kingdom.models import Campaign
from tests.kingdom.conftest import client_of

SENT = {
    "name": "Restov marches", "ruleset": "combat-de-masse", "minimum_damage": "1", "parting_shots": "enemies",
    "second_loyalty_check": "always", "reform": "True", "buildings_required": "True",
    "recovery_cap": "none", "empty_phases": "True",
}  # fmt: skip


@pytest.fixture
def settings_url(campaign) -> str:
    return reverse("kingdom:campaign_edit", args=[campaign.pk])


def chosen(html: str) -> list[str]:
    """The presets that the fields are set to."""
    cards = re.findall(r"<li>.*?</li>", html.partition('class="beginnings presets"')[2].partition("</ul>")[0], re.S)
    return [card for card in cards if "as set below" in card]


def test_every_tab_leads_to_a_panel_and_one_form_saves_them_all(gm, settings_url):
    html = client_of(gm).get(settings_url).content.decode()
    tabs = re.findall(r'<a href="#(\w+)">', html.partition("data-tabs")[2].partition("</nav>")[0])
    assert tabs == ["rules", "permissions", "secrecy", "export"]
    for tab in tabs:
        assert re.search(rf'class="[^"]*tab-panel" id="{tab}"', html)
    form = html.partition('id="settings"')[2].partition("</form>")[0]
    for field in ("name", "may:march", "others_known", "kept:health"):
        assert f'name="{field}"' in form
    assert '<button class="primary" form="settings">' in html


def test_a_refused_field_marks_its_tab(gm, settings_url):
    html = client_of(gm).post(settings_url, {**SENT, "may:march": "maybe"}).content.decode()
    nav = html.partition("data-tabs")[2].partition("</nav>")[0]
    assert [tab.partition('"')[0] for tab in nav.split('href="#')[1:] if "problems" in tab] == ["permissions"]


def test_a_preset_fills_the_fields_in_keeps_what_was_typed_and_saves_nothing(gm, campaign, settings_url):
    client = client_of(gm)
    assert ["Fair" in card for card in chosen(client.get(settings_url).content.decode())] == [True]
    answer = client.post(settings_url, {**SENT, "name": "Northern march", "may:march": "no", "preset": "grim"})
    html = answer.content.decode()
    assert answer.status_code == 200
    assert 'value="Northern march"' in html
    assert re.search(r'name="may:march" value="no"[^>]*checked', html)
    for field, value in PRESETS["grim"].values.items():
        form = html.partition('id="settings"')[2]
        assert re.search(rf'name="{field}" value="{value}"[^>]*checked', form) or re.search(
            rf'<select name="{field}".*?<option value="{value}" selected', form, re.S
        ), field
    assert ["Grim" in card for card in chosen(html)] == [True]
    stored = Campaign.objects.get(pk=campaign.pk)
    assert (stored.name, stored.others_known, stored.secrecy) == ("Restov marches", campaign.others_known, {})


@pytest.mark.parametrize("slug", PRESETS)
def test_what_a_preset_filled_in_can_be_saved(gm, campaign, settings_url, slug):
    values = PRESETS[slug].values
    assert client_of(gm).post(settings_url, SENT | values).status_code == 302
    form = CampaignForm(campaign=Campaign.objects.get(pk=campaign.pk))
    assert {name: str(form[name].value()) for name in values} == {name: str(value) for name, value in values.items()}


def test_a_new_campaign_has_the_presets_too(gm):
    html = client_of(gm).post(reverse("kingdom:campaign_new"), {**SENT, "preset": "open"}).content.decode()
    assert ["All open" in card for card in chosen(html)] == [True]
    assert not Campaign.objects.filter(others_known=3).exists()


def test_websites_that_may_call_the_api_are_named_one_per_line(gm, campaign, settings_url):
    client, sites = client_of(gm), ["https://tools.example.org", "https://maps.example.org"]
    assert client.post(settings_url, {**SENT, "origins": f"{sites[0]}/\n\n {sites[1]} "}).status_code == 302
    assert Campaign.objects.get().origins == sites
    assert "\n".join(sites) in client.get(settings_url).content.decode()
    answer = client.post(settings_url, {**SENT, "origins": "https://tools.example.org/page"})
    html = answer.content.decode()
    assert (answer.status_code, "isn’t the address of a website" in html) == (422, True)
    nav = html.partition("data-tabs")[2].partition("</nav>")[0]
    assert [tab.partition('"')[0] for tab in nav.split('href="#')[1:] if "problems" in tab] == ["permissions"]
    assert Campaign.objects.get().origins == sites
