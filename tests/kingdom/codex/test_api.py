"""The codex by API: every item of a ruleset, in the asked language, with the campaign's house rules."""

from __future__ import annotations

import pytest

from kingdom.campaign.services import create_campaign
from kingdom.models import Campaign, User

pytestmark = pytest.mark.django_db


def test_the_codex_lists_every_kind_with_slug_name_description_and_rule(client):
    body = client.get("/api/v1/rules/combat-de-masse/").json()
    counts = {"tactics": 14, "strategies": 5, "boons": 11, "resources": 8, "abilities": 97, "sizes": 9}
    assert {kind: len(body[kind]) for kind in counts} == counts
    assert len(body["offices"]) == 14
    for kind in counts:
        assert all(item["slug"] and item["name"] and item["description"] and item["rule"] for item in body[kind])


def test_figures_of_an_item_are_given(client):
    resources = client.get("/api/v1/rules/combat-de-masse/?kind=resources&q=siege").json()["resources"]
    (engines,) = [item for item in resources if item["slug"] == "siege-engines"]
    assert (engines["price"], engines["consumption"], engines.get("scaled")) == (15, 3, False)


def test_the_variant_shows_its_amendments(client):
    items = client.get("/api/v1/rules/ultimate-campaign/?kind=resources").json()["resources"]
    assert {item["slug"]: item["price"] for item in items}["improved-weapons"] == 5


def test_what_a_figure_stands_in_is_translated_too(client):
    url = "/api/v1/rules/breaking-point/?kind=qualities"
    told = {
        language: [
            item["description"] for item in client.get(url, headers={"Accept-Language": language}).json()["qualities"]
        ]
        for language in ("en", "fr")
    }
    assert told["en"][1] == "Combat 1 or more."
    assert told["fr"][1] == "Combat 1 ou plus."


def test_an_unknown_ruleset_is_not_found_and_an_unknown_filter_refused(client):
    assert client.get("/api/v1/rules/chess/").status_code == 404
    assert client.get("/api/v1/rules/combat-de-masse/?colour=red").status_code == 400
    far_too_much = client.get(f"/api/v1/rules/combat-de-masse/?q={'e+' * 15_000}")
    assert (far_too_much.status_code, far_too_much.json()["errors"][0]["pointer"]) == (400, "/q")


def test_the_same_codex_is_not_sent_twice(client):
    first = client.get("/api/v1/rules/combat-de-masse/")
    assert client.get("/api/v1/rules/combat-de-masse/", headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_a_campaign_shows_its_overlay_to_its_members_only(client, django_user_model: type[User]):
    gm = django_user_model.objects.create_user("gm")
    campaign: Campaign = create_campaign(by=gm, name="Marches", ruleset="combat-de-masse")
    campaign.house_rules = {"overlay": {"resources": {"mounts": {"price": 4}}}}
    campaign.save()
    url = f"/api/v1/rules/combat-de-masse/?kind=resources&campaign={campaign.pk}"
    assert client.get(url).status_code == 404
    client.force_login(gm)
    assert {item["slug"]: item["price"] for item in client.get(url).json()["resources"]}["mounts"] == 4


def test_what_a_campaign_does_without_is_marked_off(client, django_user_model: type[User]):
    gm = django_user_model.objects.create_user("gm")
    campaign: Campaign = create_campaign(by=gm, name="Marches", ruleset="combat-de-masse")
    campaign.house_rules = {"overlay": {"tactics": {"taunt": {"off": True}}}}
    campaign.save()
    client.force_login(gm)
    tactics = client.get(f"/api/v1/rules/combat-de-masse/?kind=tactics&campaign={campaign.pk}").json()["tactics"]
    assert [item["slug"] for item in tactics if item.get("off")] == ["taunt"]
