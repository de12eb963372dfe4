"""How far a token goes, at every address of the API: by what its view declares, and in its own campaign only."""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from rest_framework.test import APIClient

from kingdom.accounts.authentication import TokenAuthentication, needed_scope
from kingdom.campaign.services import create_campaign
from kingdom.models import Scope
from tests.databases import tried
from tests.everyday import FULL
from tests.kingdom.conftest import api_of
from tests.manners.operations import Operation, operations_at
from tests.manners.test_bodies import KEEPS

SCOPED = "This request needs a token"
BOUND = "This token is limited to one campaign"
TEMPLATE = b"Crown and Horde"
"""A campaign to begin with, told to everybody; a kingdom of the table is called like a part of it."""


def opened(table: SimpleNamespace) -> Iterator[Operation]:
    """All that a token opens."""
    return (one for one in operations_at(table) if TokenAuthentication in one.view.authentication_classes)


def ask(api: APIClient, found: Operation) -> Any:
    """The answer; whatever it did is undone."""
    with tried():
        version = {"If-Match": '"1"'} if "commands" in found.url or "opponents" in found.url else {}
        answer = api.generic(found.method, found.url, _json(found.body), "application/json", headers=version)
        answer.getvalue()  # written while it can still be undone
    return answer


def _json(body: Any) -> str:
    return "" if body is None else json.dumps(body)


def test_every_change_says_what_token_it_takes(table):
    found = list(opened(table))
    assert sum(one.changes for one in found) > 60
    assert [str(one) for one in found if one.changes and not isinstance(getattr(one.view, "scope", None), Scope)] == []


def test_what_a_player_does_at_the_table_is_this_and_no_more(table):
    played = {str(one) for one in opened(table) if needed_scope(one.view, one.method) == Scope.PLAY}
    assert {one.removeprefix("POST /api/v1/") for one in played} == {
        "DELETE /api/v1/jobs/<pk>/",
        "DELETE /api/v1/requests/<pk>/",
        "battles/<pk>/commands/",
        "battles/<pk>/forecast/",
        "battles/<pk>/opponents/orders/",
        "forecast/",
        "forecast/sweep/",
        "kingdoms/<pk>/check/",
        "requests/<pk>/withdraw/",
        "sieges/<pk>/commands/",
    }


@pytest.mark.parametrize("scope", Scope)
def test_a_token_does_what_its_scope_covers_and_nothing_else(table, scope):
    """What a lesser one covers is asked with that one; in the full run with every one. Reads are done with one that
    reads in test_schema.py, and what takes a body is sent with one that manages in test_bodies.py.
    """
    api = api_of(table.gm, scope=scope)
    lesser = [less for less in Scope if less != scope and scope.covers(less)]
    refused, wrong = 0, []
    for one in opened(table):
        needed = needed_scope(one.view, one.method)
        sent = one.body and (one.method, one.path) not in KEEPS
        elsewhere = needed == Scope.READ or (scope == Scope.MANAGE and sent)
        if not FULL and (needed in lesser or elsewhere):
            continue
        answer = ask(api, one)
        said = b"" if answer.streaming else answer.content
        stopped = answer.status_code == 403 and SCOPED.encode() in said
        refused += stopped
        if stopped == scope.covers(needed):
            wrong.append(f"{one}: {answer.status_code} {said[:200]!r}")
    assert wrong == []
    assert (refused > 50) == (scope != Scope.MANAGE)


def names_of(table: SimpleNamespace) -> list[bytes]:
    """Ids of what no token of another campaign may be told."""
    things = (
        *(table.campaign, table.crown, table.watch, table.battle, table.town, table.stock, table.note, table.petition),
        *(table.job, table.siege, table.place, table.place.campaign, table.invitation, table.drawn),
    )
    return [str(thing.pk).encode() for thing in things] + [table.campaign.name.encode(), table.crown.name.encode()]


def test_a_token_of_one_campaign_knows_of_no_other(table):
    """Its owner is GM there, too: what has an id is not found, and no list and no search tells of it."""
    other = create_campaign(by=table.gm, name="Elsewhere", ruleset="combat-de-masse")
    api, secrets, wrong = api_of(table.gm, scope=Scope.MANAGE, campaign=other), names_of(table), []
    for one in opened(table):
        answer = ask(api, one)
        named = "<pk>" in one.door.pattern or "_id>" in one.door.pattern
        said = b"" if answer.streaming else answer.content.replace(one.url.encode(), b"")
        if (named and answer.status_code != 404) or answer.streaming:
            wrong.append(f"{one}: {answer.status_code} {said[:200]!r}")
        said = said.replace(TEMPLATE, b"")
        if told := [secret for secret in secrets if secret in said]:
            wrong.append(f"{one} tells {told}: {said[:300]!r}")
        if one.changes and answer.status_code < 300 and "forecast" not in one.url:
            wrong.append(f"{one} was done: {answer.status_code}")
    assert wrong == []
    found = api.get("/api/v1/find/", {"q": table.crown.name}).json()
    assert found["results"] == []
    assert [row["id"] for row in api.get("/api/v1/campaigns/").json()["results"]] == [str(other.pk)]
    for kind in ("kingdoms", "armies", "battles", "requests", "notes"):
        asked = api.get(f"/api/v1/{kind}/", {"campaign": str(table.campaign.pk)} if kind != "notes" else {})
        assert asked.status_code == 200, kind
        assert asked.json()["results"] == [], kind
    assert api.get("/api/v1/rules/combat-de-masse/", {"campaign": str(table.campaign.pk)}).status_code == 404


@pytest.mark.slow
def test_a_token_of_a_campaign_opens_it_as_its_owner_does(table):
    """Every day tests/manners/test_schema.py reads by such a token."""
    api, whole = api_of(table.ana, scope=Scope.READ, campaign=table.campaign), api_of(table.ana, scope=Scope.READ)
    urls = [one.url for one in opened(table) if one.method == "GET" and "<pk>" in one.door.pattern]
    elsewhere = ("/export/", "/jobs/", "/places/", "/sieges/")
    urls = [url for url in urls if not any(part in url for part in elsewhere)]
    asked = {url: api.get(url).status_code for url in urls}
    assert asked == {url: whole.get(url).status_code for url in urls}
    assert list(asked.values()).count(200) > 12


def test_a_token_of_a_campaign_opens_no_other_and_reads_no_job_of_none(table):
    api = api_of(table.gm, scope=Scope.MANAGE, campaign=table.campaign)
    refused = api.post("/api/v1/campaigns/", {"name": "New", "ruleset": "combat-de-masse"}, format="json")
    assert refused.status_code == 403
    assert BOUND in refused.json()["detail"]
    type(table.job).objects.filter(pk=table.job.pk).update(campaign=None)
    assert api.get(f"/api/v1/jobs/{table.job.pk}/").status_code == 404
    assert api_of(table.gm, scope=Scope.READ).get(f"/api/v1/jobs/{table.job.pk}/").status_code == 200


def test_whoever_left_the_campaign_of_his_token_sees_nothing_by_it(table):
    api = api_of(table.bo, scope=Scope.MANAGE, campaign=table.campaign)
    assert api.get(f"/api/v1/campaigns/{table.campaign.pk}/").status_code == 200
    table.campaign.memberships.filter(user=table.bo).delete()
    assert api.get(f"/api/v1/campaigns/{table.campaign.pk}/").status_code == 404
    assert api.get("/api/v1/campaigns/").json()["results"] == []


def test_an_answer_kept_for_one_token_is_not_told_to_one_of_another_campaign(table):
    """The key of a repeated request is its owner's, not its token's."""
    other = create_campaign(by=table.gm, name="Elsewhere", ruleset="combat-de-masse")
    url, once = f"/api/v1/kingdoms/{table.crown.pk}/check/", {"Idempotency-Key": "once"}
    body = {"attribute": "economy"}
    assert api_of(table.gm, scope=Scope.PLAY).post(url, body, format="json", headers=once).status_code == 200
    again = api_of(table.gm, scope=Scope.PLAY, campaign=other).post(url, body, format="json", headers=once)
    assert again.status_code == 422
    assert str(table.crown.pk) not in again.content.decode()
    assert api_of(table.gm, scope=Scope.READ).post(url, body, format="json", headers=once).status_code == 403
