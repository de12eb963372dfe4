"""Several armies raised in one deed, and one more like one there is: under every law, by page and by program."""

from __future__ import annotations

import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.test import Client

from armies.models import Army
from armies.ruleset_ui import get_army_ui
from core.text import load_said, render
from kingdom.campaign.services import create_campaign
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry
from kingdom.onboarding.steps import found_young_kingdom
from kingdom.realms.services import assign_player, found_kingdom
from tests.kingdom.conftest import FREELY, api_of, make_user, seat
from tests.rulesets.drivers import LAWS, Driver, driver_of

pytestmark = pytest.mark.django_db


@pytest.fixture(params=LAWS)
def driver(request) -> Driver:
    return driver_of(request.param)


@pytest.fixture
def realm(driver) -> SimpleNamespace:
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=driver.slug, players_may=FREELY)
    kingdom = found_young_kingdom(gm, campaign, "Crown")
    ui = get_army_ui(campaign)
    body = next(iter(ui.starts.troops(campaign).values())).body
    return SimpleNamespace(gm=gm, campaign=campaign, kingdom=kingdom, ui=ui, body=body, api=api_of(gm))


def entries(realm: SimpleNamespace) -> int:
    return ChronicleEntry.objects.filter(campaign=realm.campaign).count()


def raised(realm: SimpleNamespace, name: str = "2nd company") -> Army:
    army: Army = realm.ui.api.raise_army(realm.gm, realm.kingdom, {"name": name, **realm.body})
    return army


def test_several_are_one_deed_one_line_of_the_chronicle_and_one_undo(realm):
    before = entries(realm)
    three_under_one(realm)
    assert entries(realm) == before + 2  # the commander's, and theirs
    text = render(load_said(ChronicleEntry.objects.latest("seq").text))
    assert "2nd company, 3rd company, 4th company" in text
    assert re.search(r"\. Each: .+\. Total: \d+ BP a week\.$", text), "a GM can judge a request by it"
    undo_last(by=realm.gm, campaign=realm.campaign)
    assert not Army.objects.exists()


def three_under_one(realm: SimpleNamespace) -> None:
    leader = realm.ui.api.appoint_commander(realm.gm, realm.kingdom, {"name": "Vell"})
    body = {"kingdom": str(realm.kingdom.pk), "name": "2nd company", "copies": 3, "commander": str(leader.pk),
            **realm.body}  # fmt: skip
    made = realm.api.post("/api/v1/armies/several/", body, format="json")
    assert made.status_code == 201, made.json()
    assert [army["name"] for army in made.json()] == ["2nd company", "3rd company", "4th company"]
    assert [army.commander_id for army in Army.objects.order_by("name")] == [leader.pk, None, None]


def test_the_first_of_several_is_led_and_the_others_are_not(realm):
    """Under a law that keeps its armies with those of all laws, too: another turn than that of the test above."""
    three_under_one(realm)


def test_another_like_it_has_the_same_document_a_fresh_name_and_nobody_to_lead_it(realm):
    army = raised(realm)
    client = Client()
    client.force_login(realm.gm)
    assert f"/armies/{army.pk}/duplicate/" in client.get(f"/armies/{army.pk}/").content.decode()
    answer = client.post(f"/armies/{army.pk}/duplicate/")
    other = Army.objects.get(name="3rd company")
    assert answer.headers["Location"] == f"/armies/{other.pk}/"
    assert other.sheet == Army.objects.get(pk=army.pk).sheet
    assert (other.health, other.health_max, other.commander) == (army.health, army.health_max, None)
    told = render(load_said(ChronicleEntry.objects.latest("id").text))
    assert re.search(r"raised 3rd company.+ \d+ BP a week\.$", told)
    assert "identical armies" not in told
    made = realm.api.post(f"/api/v1/armies/{army.pk}/duplicate/", {"copies": 2, "name": "Guard 1"}, format="json")
    assert [one["name"] for one in made.json()] == ["Guard 1", "Guard 2"]


def test_too_many_at_once_are_refused_beside_the_field_and_none_is_raised(realm):
    body = {"kingdom": str(realm.kingdom.pk), "name": "Company", **realm.body}
    for copies in (0, 21, "many", None):
        sent = {**body, "copies": copies}
        refused = realm.api.post("/api/v1/armies/several/", sent, format="json")
        assert refused.status_code == 400
        assert refused.json()["errors"][0]["pointer"] == "/copies"
    assert not Army.objects.exists()


def test_who_does_not_run_the_kingdom_raises_nothing(realm):
    army = raised(realm)
    bo = seat(realm.gm, realm.campaign, make_user("bo"), "player")
    theirs = found_kingdom(by=realm.gm, campaign=realm.campaign, name="Horde")
    assign_player(by=realm.gm, kingdom=theirs, player=bo)
    assert api_of(bo).post(f"/api/v1/armies/{army.pk}/duplicate/", {}, format="json").status_code == 404
    client = Client()
    client.force_login(bo)
    assert client.post(f"/armies/{army.pk}/duplicate/").status_code == 404
    assert Army.objects.count() == 1


@pytest.mark.parametrize("law", ["combat-de-masse", "breaking-point", "coin"])
def test_the_form_raises_as_many_as_it_is_told(law):
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset=law)
    kingdom = found_young_kingdom(gm, campaign, "Crown")
    client = Client()
    client.force_login(gm)
    asked = f"/kingdoms/{kingdom.pk}/armies/new/"
    assert client.post(asked, {**sent_of(law), "copies": "0"}).status_code == 422
    answer = client.post(asked, {**sent_of(law), "copies": "3"})
    assert answer.headers["Location"] == f"/kingdoms/{kingdom.pk}/"
    assert sorted(Army.objects.values_list("name", flat=True)) == ["Raiders 1", "Raiders 2", "Raiders 3"]


def sent_of(law: str) -> dict[str, Any]:
    """A form filled in under this law."""
    own: dict[str, dict[str, Any]] = {
        "combat-de-masse": {"unit_name": "Orc", "cr": "1", "hit_die": "d10", "level": 1, "speed_m": 9, "count": 200,
                            "creature_type": "humanoid", "alignment": "N"},
        "breaking-point": {"units-0-name": "Levy", "units-0-type": "infantry", "units-0-strength": 100,
                           "units-0-combat": 3, "units-0-armour": 0, "units-0-group": "contact",
                           "units-0-weapons-0-slug": "spear"},
        "coin": {"sheet-men": 2},
    }  # fmt: skip
    return {"name": "Raiders 1", **own[law]}


def test_the_form_tells_what_all_of_them_cost_together():
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="Marches", ruleset="combat-de-masse")
    kingdom = found_young_kingdom(gm, campaign, "Crown")
    client = Client()
    client.force_login(gm)
    page = client.post(f"/kingdoms/{kingdom.pk}/armies/preview/", {**sent_of("combat-de-masse"), "copies": "3"})
    one = page.context["preview"]["sheet"].consumption.total
    assert page.context["preview"]["together"] == 3 * one > 0
    assert "3 armies in total" in page.content.decode()
