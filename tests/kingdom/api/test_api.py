"""The REST contract of campaigns, kingdoms and settlements."""

from __future__ import annotations

import base64
import json
import threading

import pytest
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from kingdom.campaign.services import create_campaign
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.changes import Change
from kingdom.members.services import invite
from kingdom.models import ApiToken, Campaign, IdempotencyRecord, Kingdom, LedgerEntry, User
from kingdom.models.calendar import Calendar, dump_calendar
from kingdom.realms.services import found_kingdom, found_settlement
from kingdom.realms.treasury_services import record_entry
from rules.core.text import _
from tests.everyday import at_most, everyday
from tests.kingdom.conftest import api_of, make_user

ROOT = "/api/v1"


def problem_of(response, status: int) -> dict:
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    body = json.loads(response.content)
    assert body["status"] == status
    assert body["type"].startswith("urn:warhost:problem:")
    assert body["title"]
    assert body["detail"]
    return body


def kingdom_url(kingdom: Kingdom, rest: str = "") -> str:
    return f"{ROOT}/kingdoms/{kingdom.pk}/{rest}"


# Campaigns


@pytest.mark.django_db
def test_the_creator_becomes_gm():
    api = api_of(make_user("gm"))
    made = api.post(f"{ROOT}/campaigns/", {"name": "Marches", "ruleset": "combat-de-masse"})
    assert made.status_code == 201
    assert made.json() == {
        "id": made.json()["id"],
        "name": "Marches",
        "ruleset": "combat-de-masse",
        "day": 0,
        "week": 1,
        "date": "Monday, 1 January 1",
        "sky": [],
        "calendar": dump_calendar(Calendar()),
        "house_rules": {},
        "first_steps": True,
        "others_known": "name",
        "met_known": "glance",
        "players_share": False,
        "secrecy": {"health": "exact", "figures": "shown", "corrections": "told"},
        "origins": [],
        "players_may": {
            "attributes": "ask",
            "treasury": "ask",
            "raise": "ask",
            "disband": "ask",
            "buy": "free",
            "found": "ask",
            "appoint": "free",
            "march": "free",
        },
        "role": "gm",
    }
    read = api.get(f"{ROOT}/campaigns/{made.json()['id']}/")
    assert read.json() == made.json()
    assert read["ETag"] == made["ETag"]


def test_a_campaign_is_changed_and_removed(table):
    api = api_of(table.gm)
    url = f"{ROOT}/campaigns/{table.campaign.pk}/"
    changed = api.patch(url, {"name": "Stolen lands", "house_rules": {"recovery_cap": "half"}})
    assert (changed.json()["name"], changed.json()["house_rules"]) == ("Stolen lands", {"recovery_cap": "half"})
    assert api.delete(url).status_code == 204
    problem_of(api.get(url), 404)


@pytest.mark.parametrize(
    "body, pointer",
    [
        ({}, "/name"),
        ({"name": "", "ruleset": "combat-de-masse"}, "/name"),
        ({"name": "x" * 121, "ruleset": "combat-de-masse"}, "/name"),
        ({"name": 5, "ruleset": "combat-de-masse"}, "/name"),
        ({"name": "C", "ruleset": "chess"}, "/ruleset"),
        (
            {"name": "C", "ruleset": "combat-de-masse", "house_rules": {"minimum_damage": 9}},
            "/house_rules/minimum_damage",
        ),
    ],
)
@pytest.mark.django_db
def test_a_malformed_campaign_points_at_what_is_wrong(body, pointer):
    found = problem_of(api_of(make_user("gm")).post(f"{ROOT}/campaigns/", body), 400)
    assert pointer in [error["pointer"] for error in found["errors"]]
    assert not Campaign.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("body", ["[]", '"text"', "{", "null", "1e999"])
def test_a_body_that_is_no_object_is_a_400(body):
    api = api_of(make_user("gm"))
    problem_of(api.post(f"{ROOT}/campaigns/", body, content_type="application/json"), 400)


def test_members_and_invitations(table):
    api, url = api_of(table.gm), f"{ROOT}/campaigns/{table.campaign.pk}"
    seats = api.get(f"{url}/members/").json()["results"]
    assert seats == [
        {"user": "gm", "role": "gm", "owner": True, "guest": False},
        {"user": "ana", "role": "player", "owner": False, "guest": False},
        {"user": "bo", "role": "player", "owner": False, "guest": False},
        {"user": "viewer", "role": "viewer", "owner": False, "guest": False},
    ]
    made = api.post(f"{url}/invitations/", {"role": "player"}).json()
    assert made["url"].startswith("http://testserver/join/")
    assert (made["uses"], made["used"], made["open"]) == (1, 0, True)
    assert (
        problem_of(api.post(f"{url}/invitations/", {"role": "gm", "uses": 2}), 400)["errors"][0]["pointer"] == "/uses"
    )
    assert made["expires"].endswith("Z")
    assert len(api.get(f"{url}/invitations/").json()["results"]) == 4
    assert api.delete(f"{url}/invitations/{made['id']}/").status_code == 204
    assert api.patch(f"{url}/members/bo/", {"role": "viewer"}).json() == {
        "user": "bo",
        "role": "viewer",
        "owner": False,
        "guest": False,
    }
    assert api.delete(f"{url}/members/bo/").status_code == 204
    problem_of(api.delete(f"{url}/members/stranger/"), 404)
    assert problem_of(api.patch(f"{url}/members/gm/", {"role": "player"}), 409)["detail"].startswith("A campaign needs")


def test_chronicle_and_undo(table):
    api, url = api_of(table.gm), f"{ROOT}/campaigns/{table.campaign.pk}"
    assert problem_of(api.post(f"{url}/undo/"), 409)["detail"] == "There is nothing to undo."
    line = Change("kingdom", str(table.crown.pk), "loyalty", 18, 16, "PF-6.1", _("Consumption"), "Crown")
    chronicle_changes.apply(campaign=table.campaign, changes=[line], by=table.gm, kind="battle", text=_("Consumption"))
    (entry,) = api.get(f"{url}/chronicle/?kind=battle").json()["results"]
    assert entry["changes"] == [
        {
            "subject": "Crown",
            "subject_kind": "kingdom",
            "subject_id": str(table.crown.pk),
            "field": "loyalty",
            "before": 18,
            "after": 16,
            "rule": "PF-6.1",
            "label": "Consumption",
        }
    ]
    assert api_of(table.bo).get(f"{url}/chronicle/").json()["results"][0]["changes"] == []
    problem_of(api_of(table.ana).post(f"{url}/undo/"), 403)
    undone = api.post(f"{url}/undo/")
    assert undone.status_code == 200
    assert undone.json()["undone"] is True
    assert api.get(kingdom_url(table.crown)).json()["loyalty"] == 18


# Kingdoms


def test_a_kingdom_reads_back_as_it_was_written(gm, campaign):
    api = api_of(gm)
    body = {
        "campaign": str(campaign.pk),
        "name": "Crown",
        "alignment": "LN",
        "economy": 22,
        "loyalty": -3,
        "stability": 20,
        "unrest": 3,
        "size": 11,
        "districts": 3,
        "consumption": 4,
        "treasury": 21,
        "players": ["gm"],
        "arms": {"shield": "kite", "division": "chief", "field": "azure", "charge": "sun", "tincture": "argent"},
    }
    made = api.post(f"{ROOT}/kingdoms/", body)
    assert made.status_code == 201
    derived = {
        "id": made.json()["id"], "control_dc": 34, "control_dc_modifier": 0, "control_dc_override": None,
        "without_treasury": False, "needs_commanders": False, "updated_at": made.json()["updated_at"],
    }  # fmt: skip
    assert made.json() == {**body, **derived}
    assert api.get(f"{ROOT}/kingdoms/{made.json()['id']}/").json() == made.json()


def test_a_kingdom_is_changed_field_by_field(gm, crown):
    api = api_of(gm)
    changed = api.patch(kingdom_url(crown), {"control_dc_override": 12, "unrest": 0})
    assert (changed.json()["control_dc"], changed.json()["unrest"], changed.json()["economy"]) == (12, 0, 22)
    assert api.patch(kingdom_url(crown), {"control_dc_override": None}).json()["control_dc"] == 34
    assert api.delete(kingdom_url(crown)).status_code == 204


def test_the_treasury_is_changed_by_its_ledger_only(gm, crown):
    api = api_of(gm)
    found = problem_of(api.patch(kingdom_url(crown), {"treasury": 1000}), 400)
    assert found["errors"][0]["pointer"] == "/treasury"
    assert api.patch(kingdom_url(crown), {"treasury": 21}).status_code == 200
    made = api.post(kingdom_url(crown, "ledger/"), {"amount": -5, "reason": "Roads"})
    assert made.status_code == 201
    assert (made.json()["balance"], made.json()["source"], made.json()["by"]) == (16, "manual", "gm")
    entries = api.get(kingdom_url(crown, "ledger/")).json()["results"]
    assert [(entry["amount"], entry["balance"]) for entry in entries] == [(21, 21), (-5, 16)]
    assert api.get(kingdom_url(crown)).json()["treasury"] == sum(entry["amount"] for entry in entries)


@pytest.mark.parametrize(
    "body, pointer",
    [
        ({"amount": 0, "reason": "x"}, "/amount"),
        ({"amount": 10**18, "reason": "x"}, "/amount"),
        ({"amount": 10**400, "reason": "x"}, "/amount"),
        ({"amount": "5", "reason": "x"}, "/amount"),
        ({"amount": 1.5, "reason": "x"}, "/amount"),
        ({"amount": True, "reason": "x"}, "/amount"),
        ({"amount": 5}, "/reason"),
        ({"amount": 5, "reason": "a\u0000b"}, "/reason"),
        ({"amount": 5, "reason": "\ud800"}, "/reason"),
    ],
)
def test_odd_ledger_entries_are_refused(gm, crown, body, pointer):
    response = api_of(gm).post(kingdom_url(crown, "ledger/"), json.dumps(body), content_type="application/json")
    assert [error["pointer"] for error in problem_of(response, 400)["errors"]] == [pointer]
    assert LedgerEntry.objects.count() == 1


def test_a_check_shows_its_arithmetic(gm, crown):
    api = api_of(gm)
    typed = api.post(kingdom_url(crown, "check/"), {"attribute": "loyalty", "dice": [15]}).json()
    assert (typed["roll"], typed["total"], typed["dc"], typed["success"], typed["source"]) == (
        15,
        30,
        34,
        False,
        "typed",
    )
    assert typed["breakdown"] == [
        {"label": "d20", "value": 15, "rule": "PF-3.1"},
        {"label": "Loyalty", "value": 18, "rule": "PF-8.1"},
        {"label": "Unrest", "value": -3, "rule": "PF-8.1"},
    ]
    rolled = api.post(kingdom_url(crown, "check/"), {"attribute": "economy", "dc": 10}).json()
    assert 1 <= rolled["roll"] <= 20
    assert rolled["total"] == rolled["roll"] + 19
    assert rolled["source"] == "rolled"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"attribute": "charm"},
        {"attribute": "loyalty", "dice": [21]},
        {"attribute": "loyalty", "dice": [0]},
        {"attribute": "loyalty", "dice": [3, 4]},
        {"attribute": "loyalty", "dc": "high"},
    ],
)
def test_odd_checks_are_refused(gm, crown, body):
    problem_of(api_of(gm).post(kingdom_url(crown, "check/"), body), 400)


def test_settlements_read_back_with_their_defense(gm, crown):
    api = api_of(gm)
    body = {"kingdom": str(crown.pk), "name": "Restov", "districts": 2, "buildings": ["smithy", "city-wall", "castle"]}
    made = api.post(f"{ROOT}/settlements/", body)
    assert made.status_code == 201
    assert made.json()["defense"] == 9
    assert sorted(made.json()["buildings"]) == sorted(body["buildings"])
    url = f"{ROOT}/settlements/{made.json()['id']}/"
    assert api.patch(url, {"defense_override": 3}).json()["defense"] == 3
    found = problem_of(api.patch(url, {"buildings": ["smithy", "casino"]}), 400)
    assert found["errors"][0]["pointer"] == "/buildings/1"
    assert [row["name"] for row in api.get(f"{ROOT}/settlements/?kingdom={crown.pk}").json()["results"]] == ["Restov"]
    assert api.delete(url).status_code == 204


# Who may what

ALLOWED = {
    # who: (campaign, crown, patch crown, ledger, post ledger, check, settlement, patch settlement, invite, undo)
    "gm": (200, 200, 200, 200, 201, 200, 200, 200, 201, 200),
    "ana": (200, 200, 200, 200, 201, 200, 200, 200, 403, 403),
    "bo": (200, 200, 403, 404, 403, 403, 404, 404, 403, 403),
    "viewer": (200, 200, 403, 200, 403, 403, 200, 403, 403, 403),
    "stranger": (404,) * 10,
    None: (401,) * 10,
}


@pytest.mark.parametrize("who", everyday(list(ALLOWED), keep=lambda who: who == "ana"))
def test_who_may_what(table, who):
    """Whoever is refused is asked every day in tests/access, too."""
    town = found_settlement(by=table.gm, kingdom=table.crown, name="Restov")
    api = api_of(getattr(table, who) if who else None)
    campaign = f"{ROOT}/campaigns/{table.campaign.pk}"
    answers = (
        api.get(f"{campaign}/"),
        api.get(kingdom_url(table.crown)),
        api.patch(kingdom_url(table.crown), {"economy": 23}),
        api.get(kingdom_url(table.crown, "ledger/")),
        api.post(kingdom_url(table.crown, "ledger/"), {"amount": 1, "reason": "gift"}),
        api.post(kingdom_url(table.crown, "check/"), {"attribute": "loyalty"}),
        api.get(f"{ROOT}/settlements/{town.pk}/"),
        api.patch(f"{ROOT}/settlements/{town.pk}/", {"name": "Restov"}),
        api.post(f"{campaign}/invitations/", {"role": "player"}),
        api.post(f"{campaign}/undo/"),
    )
    assert tuple(answer.status_code for answer in answers) == ALLOWED[who]
    for answer in answers:
        if answer.status_code >= 400:
            problem_of(answer, answer.status_code)


def test_other_players_know_a_kingdom_by_name_only(table):
    read = api_of(table.bo).get(kingdom_url(table.crown)).json()
    shown = {name: value for name, value in read.items() if value is not None}
    assert shown == {
        "id": str(table.crown.pk),
        "campaign": str(table.campaign.pk),
        "name": "Crown of Restov",
        "players": ["ana"],
        "arms": table.crown.arms,
        "updated_at": read["updated_at"],
    }
    listed = {row["name"]: row["economy"] for row in api_of(table.bo).get(f"{ROOT}/kingdoms/").json()["results"]}
    assert listed == {"Crown of Restov": None, "Greenbelt horde": 9}


def test_another_campaigns_ids_are_refused(table):
    api = api_of(table.stranger)
    body = {"campaign": str(table.campaign.pk), "name": "Mine"}
    assert problem_of(api.post(f"{ROOT}/kingdoms/", body), 404)["errors"][0]["pointer"] == "/campaign"
    body = {"kingdom": str(table.crown.pk), "name": "Mine"}
    assert problem_of(api.post(f"{ROOT}/settlements/", body), 404)["errors"][0]["pointer"] == "/kingdom"
    found = problem_of(api_of(table.gm).patch(kingdom_url(table.crown), {"players": ["ana", "stranger"]}), 404)
    assert found["errors"][0]["pointer"] == "/players/1"
    problem_of(api_of(table.ana).post(f"{ROOT}/kingdoms/", {"campaign": str(table.campaign.pk), "name": "x"}), 403)


def test_lists_hold_only_ones_own_tables(table):
    api = api_of(table.stranger)
    for name in ("campaigns", "kingdoms", "settlements"):
        assert api.get(f"{ROOT}/{name}/").json()["results"] == []


# Conventions


@pytest.mark.django_db
def test_lists_come_in_pages_by_cursor():
    gm = make_user("gm")
    names = [f"C{number:02}" for number in range(7)]
    for name in names:
        create_campaign(by=gm, name=name, ruleset="combat-de-masse")
    api, url, seen = api_of(gm), f"{ROOT}/campaigns/?limit=3", []
    while url:
        page = api.get(url).json()
        assert page.keys() == {"next", "previous", "results"}
        seen += [row["name"] for row in page["results"]]
        url = page["next"]
    assert seen == names


ODD_PAGING = ("limit=0", "limit=-1", "limit=x", "limit=", "cursor=zzz", "limit=٣")
IN_PAGES = ("campaigns/", "kingdoms/", "kingdoms/{crown}/ledger/", "campaigns/{campaign}/members/")


@pytest.mark.parametrize(("turn", "path"), [*enumerate(IN_PAGES)])
def test_odd_paging_and_unknown_filters_are_400(gm, crown, turn, path):
    """Every day one of two odd pages at each."""
    api, path = api_of(gm), path.format(crown=crown.pk, campaign=crown.campaign_id)
    for query in ("colour=red", *at_most(ODD_PAGING[turn % 2 :: 2], full=ODD_PAGING)):
        found = problem_of(api.get(f"{ROOT}/{path}?{query}"), 400)
        assert found["errors"][0]["pointer"] == "/" + query.split("=")[0]


def test_a_limit_above_the_most_is_refused(gm, crown):
    assert api_of(gm).get(f"{ROOT}/kingdoms/?limit=200").status_code == 200
    problem_of(api_of(gm).get(f"{ROOT}/kingdoms/?limit=100000"), 400)


def test_kingdoms_are_filtered_by_campaign(gm, crown):
    other = create_campaign(by=gm, name="Other", ruleset="combat-de-masse")
    api = api_of(gm)
    assert api.get(f"{ROOT}/kingdoms/?campaign={other.pk}").json()["results"] == []
    assert len(api.get(f"{ROOT}/kingdoms/?campaign={crown.campaign_id}").json()["results"]) == 1
    problem_of(api.get(f"{ROOT}/kingdoms/?campaign=nonsense"), 400)


def test_single_reads_carry_an_etag_and_answer_304(gm, crown):
    api = api_of(gm)
    etag = api.get(kingdom_url(crown))["ETag"]
    again = api.get(kingdom_url(crown), HTTP_IF_NONE_MATCH=etag)
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", etag)
    api.patch(kingdom_url(crown), {"unrest": 0})
    assert api.get(kingdom_url(crown), HTTP_IF_NONE_MATCH=etag).status_code == 200


def test_a_change_on_an_old_version_is_412(gm, crown):
    api = api_of(gm)
    etag = api.get(kingdom_url(crown))["ETag"]
    assert api.patch(kingdom_url(crown), {"unrest": 0}, HTTP_IF_MATCH=etag).status_code == 200
    problem_of(api.patch(kingdom_url(crown), {"unrest": 9}, HTTP_IF_MATCH=etag), 412)
    assert Kingdom.objects.get(pk=crown.pk).unrest == 0


def test_problems_speak_the_asked_language_and_slugs_do_not(gm, crown, settings):
    api = api_of(gm)
    english = problem_of(api.get(kingdom_url(crown, "ledger/") + "?colour=red"), 400)
    french = problem_of(api.get(f"{ROOT}/campaigns/?limit=0", HTTP_ACCEPT_LANGUAGE="fr"), 400)
    assert english["type"] == french["type"]
    checked = api.post(kingdom_url(crown, "check/"), {"attribute": "loyalty"}, HTTP_ACCEPT_LANGUAGE="fr").json()
    assert checked["attribute"] == "loyalty"


def test_a_wrong_method_and_a_missing_id_are_problems(gm, crown):
    api = api_of(gm)
    problem_of(api.put(kingdom_url(crown), {}), 405)
    problem_of(api.get(f"{ROOT}/kingdoms/00000000-0000-7000-8000-000000000000/"), 404)
    problem_of(api.post(f"{ROOT}/kingdoms/", "x=1", content_type="text/plain"), 415)


@pytest.mark.parametrize("path", ["nonsense/", "kingdoms/xyz/", "kingdoms/xyz/ledger/"])
def test_an_address_that_names_nothing_is_a_problem_too(gm, path):
    for client in (api_of(gm), APIClient(enforce_csrf_checks=True)):
        problem_of(client.get(f"{ROOT}/{path}"), 404)
        problem_of(client.post(f"{ROOT}/{path}", {}), 404)


# Idempotency


def test_a_repeated_post_is_answered_not_done_again(gm, crown):
    api, body = api_of(gm), {"amount": 5, "reason": "gift"}
    first = api.post(kingdom_url(crown, "ledger/"), body, HTTP_IDEMPOTENCY_KEY="k-1")
    again = api.post(kingdom_url(crown, "ledger/"), body, HTTP_IDEMPOTENCY_KEY="k-1")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again["Idempotency-Replayed"] == "true"
    assert Kingdom.objects.get(pk=crown.pk).treasury == 26


def test_a_key_with_another_body_is_422(gm, crown):
    api = api_of(gm)
    api.post(kingdom_url(crown, "ledger/"), {"amount": 5, "reason": "gift"}, HTTP_IDEMPOTENCY_KEY="k")
    other = api.post(kingdom_url(crown, "ledger/"), {"amount": 6, "reason": "gift"}, HTTP_IDEMPOTENCY_KEY="k")
    problem_of(other, 422)
    elsewhere = api.post(kingdom_url(crown, "check/"), {"attribute": "loyalty"}, HTTP_IDEMPOTENCY_KEY="k")
    problem_of(elsewhere, 422)
    assert Kingdom.objects.get(pk=crown.pk).treasury == 26


def test_a_refused_post_does_not_use_the_key_up(gm, crown):
    api, url = api_of(gm), kingdom_url(crown, "ledger/")
    problem_of(api.post(url, {"amount": 0, "reason": "gift"}, HTTP_IDEMPOTENCY_KEY="k"), 400)
    assert not IdempotencyRecord.objects.exists()
    assert api.post(url, {"amount": 5, "reason": "gift"}, HTTP_IDEMPOTENCY_KEY="k").status_code == 201


def test_keys_of_two_people_do_not_meet(table):
    body = {"amount": 5, "reason": "gift"}
    for user in (table.gm, table.ana):
        made = api_of(user).post(kingdom_url(table.crown, "ledger/"), body, HTTP_IDEMPOTENCY_KEY="k")
        assert made.status_code == 201
    assert Kingdom.objects.get(pk=table.crown.pk).treasury == 31


@pytest.mark.parametrize("key", ["", "x" * 201, "clé"])
def test_an_odd_key_is_refused(gm, crown, key):
    made = api_of(gm).post(kingdom_url(crown, "ledger/"), {"amount": 5, "reason": "x"}, HTTP_IDEMPOTENCY_KEY=key)
    problem_of(made, 400)


@pytest.mark.django_db(transaction=True)
def test_the_same_post_twice_at_once_is_done_once():
    gm = make_user("gm")
    campaign = create_campaign(by=gm, name="C", ruleset="combat-de-masse")
    kingdom = found_kingdom(by=gm, campaign=campaign, name="K", treasury=10)
    api, start, answers = api_of(gm), threading.Barrier(2), []
    header = api._credentials["HTTP_AUTHORIZATION"]

    def post() -> None:
        try:
            client = APIClient()
            start.wait(timeout=10)
            answer = client.post(
                kingdom_url(kingdom, "ledger/"),
                {"amount": 5, "reason": "gift"},
                HTTP_AUTHORIZATION=header,
                HTTP_IDEMPOTENCY_KEY="same",
            )
            answers.append((answer.status_code, answer.content))
        finally:
            connection.close()

    threads = [threading.Thread(target=post) for _each in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=20)
    assert [code for code, _body in answers] == [201, 201]
    assert answers[0][1] == answers[1][1]
    assert Kingdom.objects.get(pk=kingdom.pk).treasury == 15


# Keys


def basic(user: str, password: str) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()}


@pytest.mark.django_db
def test_username_and_password_buy_a_key():
    make_user("ana")
    made = APIClient().post(f"{ROOT}/auth/token/", **basic("ana", "correct horse battery"))
    assert made.status_code == 201
    assert made.json().keys() == {"id", "token", "expiry", "name", "scope", "campaign"}
    assert made.json()["expiry"].endswith("Z")
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {made.json()['token']}")
    assert api.get(f"{ROOT}/campaigns/").status_code == 200


@pytest.mark.django_db
def test_a_wrong_password_is_401_and_guessing_is_slowed():
    make_user("ana")
    codes = [APIClient().post(f"{ROOT}/auth/token/", **basic("ana", "guess")).status_code for _try in range(11)]
    assert codes == [401] * 10 + [429]
    slowed = APIClient().post(f"{ROOT}/auth/token/", **basic("ana", "guess"))
    assert "Wait 10 minutes" in problem_of(slowed, 429)["detail"]
    assert 540 < int(slowed["Retry-After"]) <= 600
    moved = {**basic("Ana", "correct horse battery"), "HTTP_X_FORWARDED_FOR": "203.0.113.9"}
    problem_of(APIClient().post(f"{ROOT}/auth/token/", **moved), 429)


@pytest.mark.django_db
def test_no_credentials_are_401_with_a_challenge():
    refused = APIClient().post(f"{ROOT}/auth/token/")
    problem_of(refused, 401)
    assert refused["WWW-Authenticate"].startswith("Basic")
    refused = APIClient().get(f"{ROOT}/campaigns/")
    problem_of(refused, 401)
    assert refused["WWW-Authenticate"] == "Token"


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "nonsense", "x" * 64, "é" * 20, "a b", "\x01" * 20])
def test_a_wrong_key_is_401(key):
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    problem_of(api.get(f"{ROOT}/campaigns/"), 401)


@pytest.mark.django_db
def test_a_repeated_key_request_gives_the_same_key_and_keeps_no_readable_copy():
    make_user("ana")
    headers = {**basic("ana", "correct horse battery"), "HTTP_IDEMPOTENCY_KEY": "once"}
    first, again = (APIClient().post(f"{ROOT}/auth/token/", **headers).json() for _try in range(2))
    assert first == again
    assert ApiToken.objects.count() == 1
    assert first["token"] not in IdempotencyRecord.objects.get().body


@pytest.mark.django_db
def test_an_account_with_a_second_factor_makes_keys_on_the_site():
    ana = make_user("ana")
    Authenticator.objects.create(user=ana, type=Authenticator.Type.TOTP, data={"secret": "x"})
    problem_of(APIClient().post(f"{ROOT}/auth/token/", **basic("ana", "correct horse battery")), 403)
    assert not ApiToken.objects.exists()


@pytest.mark.django_db
def test_a_session_without_csrf_token_is_403_and_with_it_works():
    user = make_user("ana")
    api = APIClient(enforce_csrf_checks=True)
    api.force_login(user)
    problem_of(api.post(f"{ROOT}/campaigns/", {"name": "C", "ruleset": "combat-de-masse"}), 403)


# Cost


LISTS = (
    "campaigns/",
    "kingdoms/",
    "settlements/",
    "{crown}/ledger/",
    "{campaign}/members/",
    "{campaign}/chronicle/",
    "{campaign}/invitations/",
)


def test_a_list_costs_the_same_with_one_row_and_with_ten(gm, campaign, crown):
    """Every day with three."""
    more = at_most(2, full=9)
    api = api_of(gm)
    named = {"crown": f"kingdoms/{crown.pk}", "campaign": f"campaigns/{campaign.pk}"}
    urls = [f"{ROOT}/{path}".format(**named) for path in LISTS]
    grow(gm, campaign, crown, 1)
    few = {url: count_queries(api, url) for url in urls}
    grow(gm, campaign, crown, more)
    assert {url: count_queries(api, url) for url in urls} == few
    assert [url for url in urls if len(api.get(url).json()["results"]) < 1 + more] == []


def grow(gm: User, campaign: Campaign, crown: Kingdom, rows: int) -> None:
    for _row in range(rows):
        more = create_campaign(by=gm, name="C", ruleset="combat-de-masse")
        kingdom = found_kingdom(by=gm, campaign=more, name="K")
        found_settlement(by=gm, kingdom=kingdom, name="T", buildings=["smithy"])
        record_entry(by=gm, kingdom=crown, amount=1, reason="gift")
        invite(by=gm, campaign=campaign, role="viewer")
        member = User.objects.create(username=f"m{User.objects.count()}")
        campaign.memberships.create(user=member, role="viewer")
        line = Change("kingdom", str(crown.pk), "unrest", 3, 3, "PF-8.4", _("Unrest"), "Crown")
        chronicle_changes.apply(campaign=campaign, changes=[line], by=gm, kind="other", text=_("Unrest"))


def count_queries(api: APIClient, url: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        assert api.get(url).status_code == 200
    return len(queries)
