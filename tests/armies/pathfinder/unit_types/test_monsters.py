"""A creature of the bestiary becomes a proposed unit type, and is saved by the form and service that exist."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from armies.pathfinder.models import UnitType
from armies.pathfinder.unit_types.queries import load_unit_types
from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, Membership, User
from tests.browser.hostile import Forms
from tests.rules.pathfinder.monsters.test_npc_actors import RAIDER as ACTOR
from tests.rules.pathfinder.monsters.test_stat_blocks import RAIDER, WYRM
from tests.worlds import built_once

pytestmark = pytest.mark.django_db


@built_once
def gm(django_user_model: type[User]) -> User:
    return django_user_model.objects.create_user("gm")


@built_once
def campaign(gm: User) -> Campaign:
    return create_campaign(by=gm, name="Marches", ruleset="combat-de-masse")


def propose(client, campaign, text):
    body = {"campaign": str(campaign.pk), "text": text}
    return client.post("/api/v1/unit-types/propose/", json.dumps(body), "application/json")


def test_a_stat_block_fills_in_the_form_and_saves_nothing(client, gm, campaign):
    client.force_login(gm)
    answer = client.post(f"/c/{campaign.pk}/units/new/", {"read": "1", "pasted": WYRM})
    page = answer.content.decode()
    assert answer.status_code == 200
    assert 'value="Mire wyrm"' in page
    assert "Breath weapon" in page
    assert "mire wave" in page
    assert not UnitType.objects.filter(campaign=campaign).exists()


def test_the_filled_in_form_is_saved_as_it_stands(client, gm, campaign):
    client.force_login(gm)
    url = f"/c/{campaign.pk}/units/new/"
    forms = Forms(url, client.post(url, {"read": "1", "pasted": WYRM}).content.decode()).found
    (filled,) = (form.data for form in forms if "unit_name" in form.data)
    assert client.post(url, filled).status_code == 302
    saved = load_unit_types(campaign)["mire-wyrm"]
    assert saved.unit == propose(client, campaign, WYRM).json()["unit"]
    assert saved.family == "monsters"


def test_an_actor_of_foundry_is_read_from_its_file(client, gm, campaign):
    client.force_login(gm)
    sent = SimpleUploadedFile("raider.json", json.dumps(ACTOR).encode())
    page = client.post(f"/c/{campaign.pk}/units/new/", {"read": "1", "file": sent}).content.decode()
    assert 'value="Ash Raider"' in page


@pytest.mark.parametrize(
    ("text", "told"),
    [("", "Choose a file or paste"), ("Milk and eggs", "stat block"), ("{", "Invalid JSON"),
     ("[{}]", "one creature at a time"), ('{"type": "pf1-kingdom-sheet.army"}', "Export an NPC")],
)  # fmt: skip
def test_what_is_no_creature_is_refused_beside_its_field(client, gm, campaign, text, told):
    client.force_login(gm)
    answer = client.post(f"/c/{campaign.pk}/units/new/", {"read": "1", "pasted": text})
    assert answer.status_code == 422
    assert told in answer.content.decode()


def test_the_api_answers_unit_family_and_lines(client, gm, campaign):
    client.force_login(gm)
    found = propose(client, campaign, RAIDER).json()
    assert found["unit"]["cr"] == "1/3"
    assert found["family"] == "humanoids"
    assert {"text": "Speed 30 ft.", "used": ["Speed"], "unused": []} in found["lines"]
    body = {"campaign": str(campaign.pk), "unit": found["unit"], "family": found["family"]}
    assert client.post("/api/v1/unit-types/", json.dumps(body), "application/json").status_code == 201


def test_the_api_points_at_the_text_it_refuses(client, gm, campaign):
    client.force_login(gm)
    refused = propose(client, campaign, "Milk and eggs")
    assert refused.status_code == 400
    assert refused.json()["errors"][0]["pointer"] == "/text"


def test_only_a_gm_is_told(client, campaign, django_user_model):
    player = django_user_model.objects.create_user("ana")
    Membership.objects.create(campaign=campaign, user=player, role="player")
    client.force_login(player)
    assert propose(client, campaign, RAIDER).status_code == 403
    assert client.post(f"/c/{campaign.pk}/units/new/", {"read": "1", "pasted": RAIDER}).status_code == 403
