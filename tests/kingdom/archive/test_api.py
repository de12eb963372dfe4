"""`campaigns/{id}/export/` and `campaigns/import/`."""

from __future__ import annotations

import gzip
import io
import json

import pytest
from django.test import Client

from kingdom.models import Campaign, Membership
from tests.kingdom.archive.journeys import but_for_ids, differences, taken_along
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db
IMPORT = "/api/v1/campaigns/import/"


def exported(table, query: str = "") -> dict:
    answer = api_of(table.gm).get(f"/api/v1/campaigns/{table.campaign.pk}/export/{query}")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/json"
    assert answer.streaming
    return json.loads(answer.getvalue())


def test_what_the_api_gives_the_api_takes(table):
    document = exported(table)
    answer = api_of(table.stranger).post(IMPORT, document, format="json")
    assert answer.status_code == 201
    assert (answer.data["name"], answer.data["role"], answer.data["warnings"]) == (table.campaign.name, "gm", [])
    there = Campaign.objects.get(pk=answer.data["id"])
    assert there.pk != table.campaign.pk
    assert differences(but_for_ids(taken_along(there)), but_for_ids(document)) == []


def test_it_may_come_packed(table):
    packed = gzip.compress(json.dumps(exported(table)).encode())
    answer = api_of(table.gm).post(IMPORT, packed, content_type="application/gzip")
    assert answer.status_code == 201
    broken = api_of(table.gm).post(IMPORT, packed[:-50], content_type="application/gzip")
    assert (broken.status_code, broken["Content-Type"]) == (400, "application/problem+json")


@pytest.mark.parametrize(("who", "code"), [("ana", 403), ("viewer", 403), ("stranger", 404)])
def test_only_a_gm_takes_a_campaign_along(table, who, code):
    for url in (f"/api/v1/campaigns/{table.campaign.pk}/export/", f"/c/{table.campaign.pk}/export/"):
        client = api_of(getattr(table, who)) if "api" in url else Client()
        if "api" not in url:
            client.force_login(getattr(table, who))
        assert client.get(url).status_code == code


def test_people_are_named_only_if_asked(table):
    bare, named = exported(table), exported(table, "?members=true")
    assert bare["people"] == []
    assert not {"members", "kingdom_players"} & bare["tables"].keys()
    assert "ana" not in json.dumps(bare).replace(" ", "").split('"')
    assert [one["name"] for one in named["people"]] == ["gm", "ana", "bo", "viewer"]
    assert len(named["tables"]["members"]) == 4
    assert api_of(table.gm).get(f"/api/v1/campaigns/{table.campaign.pk}/export/?members=maybe").status_code == 400
    assert api_of(table.gm).get(f"/api/v1/campaigns/{table.campaign.pk}/export/?what=now").status_code == 400


def test_nobody_is_seated_because_a_document_says_so(table):
    answer = api_of(table.stranger).post(IMPORT, exported(table, "?members=true"), format="json")
    assert answer.status_code == 201
    assert answer.data["warnings"] == [
        "The file names gm, ana, bo, viewer. They aren’t members here until you invite them."
    ]
    seats = Membership.objects.filter(campaign=answer.data["id"])
    assert [(seat.user, seat.role) for seat in seats] == [(table.stranger, "gm")]


def test_a_repeated_request_brings_in_one_campaign(table):
    client, document = api_of(table.gm), exported(table)
    first = client.post(IMPORT, document, format="json", headers={"Idempotency-Key": "once"})
    again = client.post(IMPORT, document, format="json", headers={"Idempotency-Key": "once"})
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.data["id"] == again.data["id"]
    changed = {**document, "campaign": {**document["campaign"], "name": "Another"}}
    assert client.post(IMPORT, changed, format="json", headers={"Idempotency-Key": "once"}).status_code == 422


@pytest.mark.parametrize(("body", "kind", "code"), [
    (b"", "application/json", 400), (b"{", "application/json", 400), (b"[]", "application/json", 400),
    (b"null", "application/json", 400), (b'{"a": 1}', "application/json", 400), (b"x", "text/plain", 415),
    (b"\x1f\x8bnonsense", "application/json", 400), (b"\xff\xfe", "application/json", 400),
])  # fmt: skip
def test_what_is_no_document_is_refused(table, body, kind, code):
    before = Campaign.objects.count()
    answer = api_of(table.gm).post(IMPORT, body, content_type=kind)
    assert (answer.status_code, answer["Content-Type"]) == (code, "application/problem+json")
    assert Campaign.objects.count() == before


def test_a_page_takes_it_along_and_brings_it_in(table):
    client = Client()
    client.force_login(table.gm)
    assert "/export/" in client.get(f"/c/{table.campaign.pk}/edit/").content.decode()
    assert "/campaigns/import/" in client.get("/").content.decode()
    taken = client.get(f"/c/{table.campaign.pk}/export/", {"members": "on"})
    assert taken["Content-Disposition"] == 'attachment; filename="restov-marches.warhost.json"'
    file = io.BytesIO(taken.getvalue())
    file.name = "restov.json"
    answer = client.post("/campaigns/import/", {"file": file}, follow=True)
    assert answer.redirect_chain[-1][1] == 302
    assert "You are its GM" in answer.content.decode()
    assert Campaign.objects.filter(name=table.campaign.name).count() == 2


def test_a_page_says_what_is_wrong_with_a_document(table):
    client = Client()
    client.force_login(table.gm)
    file = io.BytesIO(json.dumps({**exported(table), "version": 99}).encode())
    answer = client.post("/campaigns/import/", {"file": file})
    assert answer.status_code == 422
    assert "/version: This file has format version 99" in answer.content.decode()
    assert client.post("/campaigns/import/", {}).status_code == 422
