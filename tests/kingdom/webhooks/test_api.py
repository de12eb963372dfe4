"""Webhooks by program."""

from __future__ import annotations

import pytest

from kingdom.models import IdempotencyRecord, Webhook, WebhookDelivery
from kingdom.webhooks import event_types
from kingdom.webhooks.services import WEBHOOKS_MAX
from tests.kingdom.conftest import api_of
from tests.kingdom.webhooks.conftest import work_off


@pytest.fixture
def api(table):
    return api_of(table.gm)


def made(api, table, url, **more):
    body = {"url": url, "events": ["time.advanced"], **more}
    return api.post(f"/api/v1/campaigns/{table.campaign.pk}/webhooks/", body, HTTP_HOST="localhost")


def test_it_is_made_and_tells_its_secret_once(api, table, listener):
    answer = made(api, table, listener.url)
    assert answer.status_code == 201
    told = answer.json()
    assert told["secret"].startswith("whsec_")
    assert (told["name"], told["state"], told["shape"]) == (listener.url.split("/")[2], "on", "standard")
    assert api.get(f"/api/v1/webhooks/{told['id']}/").json()["secret"] is None
    (listed,) = api.get(f"/api/v1/campaigns/{table.campaign.pk}/webhooks/").json()["results"]
    assert listed == {**told, "secret": None}
    assert Webhook.objects.get().origin == "http://localhost"


def test_the_secret_of_a_repeated_request_is_kept_sealed(api, table, listener):
    path = f"/api/v1/campaigns/{table.campaign.pk}/webhooks/"
    body = {"url": listener.url, "events": ["time.advanced"]}
    answers = [api.post(path, body, headers={"Idempotency-Key": "one"}).json() for _turn in range(2)]
    assert answers[0] == answers[1]
    assert Webhook.objects.count() == 1
    assert "whsec_" not in IdempotencyRecord.objects.get().body


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"url": "https://127.0.0.2/"}, "/url"),
        ({"url": "http://93.184.215.14/"}, "/url"),
        ({"url": "x" * 3000}, "/url"),
        ({"url": 7}, "/url"),
        ({"events": []}, "/events"),
        ({"events": ["everything"]}, "/events/0"),
        ({"events": ["webhook.test"]}, "/events/0"),
        ({"shape": "slack"}, "/shape"),
        ({"language": "xx"}, "/language"),
        ({"name": "x" * 500}, "/name"),
        ({"secret": "whsec_mine"}, "/secret"),
    ],
)
def test_what_no_webhook_can_be_is_refused_with_a_pointer(api, table, listener, body, pointer):
    refused = made(api, table, **{"url": listener.url, **body})
    assert refused.status_code == 400
    assert [error["pointer"] for error in refused.json()["errors"]] == [pointer]
    assert not Webhook.objects.exists()


def test_there_are_only_so_many(api, table, listener):
    for _turn in range(WEBHOOKS_MAX):
        assert made(api, table, listener.url).status_code == 201
    assert made(api, table, listener.url).status_code == 409


def test_it_is_changed_paused_and_removed(api, table, listener, hook):
    path = f"/api/v1/webhooks/{hook.pk}/"
    read = api.get(path)
    changed = api.patch(path, {"events": ["battle.ended"], "name": "Crow"}, headers={"If-Match": read["ETag"]})
    assert (changed.json()["events"], changed.json()["name"]) == (["battle.ended"], "Crow")
    assert api.patch(path, {"name": "Old"}, headers={"If-Match": read["ETag"]}).status_code == 412
    assert api.patch(path, {"state": "paused"}).json()["state"] == "paused"
    assert api.post(f"{path}test/").status_code == 409
    assert api.patch(path, {"state": "on"}).json()["state"] == "on"
    assert api.patch(path, {"state": "off"}).status_code == 400
    assert api.delete(path).status_code == 204
    assert api.get(path).status_code == 404


def test_a_test_is_sent_and_told_of_and_sent_again(api, hook, listener):
    path = f"/api/v1/webhooks/{hook.pk}/"
    listener.status = 500
    begun = api.post(f"{path}test/")
    assert (begun.status_code, begun.json()["state"]) == (202, "waiting")
    work_off()
    (told,) = api.get(f"{path}deliveries/").json()["results"]
    assert (told["message"], told["event"]) == (listener.ids()[0], "webhook.test")
    assert [(one["status"], one["trouble"]) for one in told["attempts"]] == [(500, "refused")]
    listener.status = 204
    assert api.post(f"{path}deliveries/{told['id']}/again/").status_code == 202
    work_off()
    (told,) = api.get(f"{path}deliveries/").json()["results"]
    assert (told["state"], told["next_at"], len(told["attempts"])) == ("delivered", None, 2)


def test_the_secret_is_made_anew(api, hook):
    told = api.post(f"/api/v1/webhooks/{hook.pk}/secret/").json()
    assert told["secret"].startswith("whsec_")
    assert told["secret"] != hook.secret


def test_a_delivery_of_another_webhook_is_not_there(api, table, hook, listener):
    other = made(api, table, listener.url).json()["id"]
    api.post(f"/api/v1/webhooks/{hook.pk}/test/")
    delivery = WebhookDelivery.objects.get().pk
    assert api.post(f"/api/v1/webhooks/{other}/deliveries/{delivery}/again/").status_code == 404


@pytest.mark.parametrize(("who", "code"), [("ana", 403), ("viewer", 403), ("stranger", 404)])
def test_only_gms_know_of_them(table, hook, who, code):
    api = api_of(getattr(table, who))
    for method, path in (
        ("get", f"/api/v1/campaigns/{table.campaign.pk}/webhooks/"),
        ("get", f"/api/v1/webhooks/{hook.pk}/"),
        ("get", f"/api/v1/webhooks/{hook.pk}/deliveries/"),
        ("patch", f"/api/v1/webhooks/{hook.pk}/"),
        ("delete", f"/api/v1/webhooks/{hook.pk}/"),
        ("post", f"/api/v1/webhooks/{hook.pk}/secret/"),
        ("post", f"/api/v1/webhooks/{hook.pk}/test/"),
    ):
        assert getattr(api, method)(path).status_code == code, path


def test_the_document_names_every_event(api):
    from kingdom.webhooks.api import EVENTS

    assert [slug for slug, _name in EVENTS] == event_types.list_slugs()
