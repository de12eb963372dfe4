"""Methods: every address of the API answers each of them, and what it does not do is refused, never broken."""

from __future__ import annotations

import base64

from rest_framework.test import APIClient

from kingdom.accounts import rate_limits
from kingdom.models import Campaign
from tests.databases import tried
from tests.everyday import spread
from tests.kingdom.conftest import api_of
from tests.manners.doors import doors

METHODS = ("OPTIONS", "HEAD", "TRACE", "GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "QUERY")
MOST_DOORS = 30  # of the API, every day


def test_no_method_breaks_an_address(table, no_demo):
    broken = []
    for name, api in (("gm", api_of(table.gm)), ("nobody", APIClient())):
        api.raise_request_exception = False
        for door in spread([door for door in doors(table) if door.api], MOST_DOORS):
            for method in METHODS:
                with tried():
                    answer = api.generic(method, door.url)
                if answer.status_code >= 500:
                    broken.append((name, method, door.pattern, answer.status_code))
    assert broken == []


def test_head_answers_as_get_does(table, no_demo):
    """Two addresses took it for the change they also offer: with a body, a token that may only read could make it."""
    api, odd = api_of(table.gm), []
    for door in doors(table):
        if not door.api or "{" in door.url:
            continue
        with tried():
            read = api.get(door.url).status_code
        with tried():
            told = api.head(door.url).status_code
        if told != read:
            odd.append((door.pattern, read, told))
    assert odd == []


def test_options_tell_the_methods_of_an_address_and_where_its_shapes_are(table):
    told = api_of(table.gm).options("/api/v1/armies/").json()
    assert set(told["methods"]) == {"GET", "POST", "HEAD", "OPTIONS"}
    assert told["takes"] == told["answers"] == ["application/json"]
    assert told["document"].endswith("/api/v1/schema/")


def test_without_its_slash_a_change_is_sent_on_as_it_was(table, settings):
    """308: after 301 a client asks again with GET, and the body is gone."""
    api, before = api_of(table.gm), Campaign.objects.count()
    for debug in (False, True):
        settings.DEBUG = debug
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            answer = api.generic(method, "/api/v1/campaigns?a=b", "{}")
            assert (answer.status_code, answer["Location"]) == (308, "/api/v1/campaigns/?a=b"), (method, debug)
        assert api.get("/api/v1/campaigns").status_code == 301
    assert Campaign.objects.count() == before
    body = {"name": "Marches", "ruleset": "combat-de-masse"}
    assert api.post("/api/v1/campaigns", body, format="json", follow=True).status_code == 201


def test_over_plain_http_a_change_is_sent_on_as_it_was(table, settings):
    settings.SECURE_SSL_REDIRECT = True
    answer = api_of(table.gm).post("/api/v1/campaigns/", {"name": "Marches"})
    assert (answer.status_code, answer["Location"]) == (308, "https://testserver/api/v1/campaigns/")


def test_only_a_post_tries_a_password(table, monkeypatch):
    """Any other method says 405 whether the password is right or wrong, and counts no try."""
    monkeypatch.setattr(rate_limits, "ACCOUNT", rate_limits.Limit("password-account", 3, 10))
    table.gm.set_password("right")
    table.gm.save()
    api = APIClient()
    for password in ("wrong", "right"):
        api.credentials(HTTP_AUTHORIZATION="Basic " + base64.b64encode(f"gm:{password}".encode()).decode())
        for method in ("GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE"):
            assert api.generic(method, "/api/v1/auth/token/").status_code == 405, (password, method)
        assert api.options("/api/v1/auth/token/").status_code == 200
    assert api.post("/api/v1/auth/token/").status_code == 201
