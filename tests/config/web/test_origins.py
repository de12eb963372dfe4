"""Pages of other sites: only those that the site names may call the API, with a token and no cookie."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.kingdom.conftest import api_of, make_user

HERE, THERE = "https://tools.example.org", "https://elsewhere.example.org"
URL = "/api/v1/campaigns/"


@pytest.fixture(autouse=True)
def one_origin(settings):
    settings.CORS_ALLOWED_ORIGINS = [HERE]


def ask_first(origin: str, url: str = URL):
    asked = {"origin": origin, "access-control-request-method": "POST"}
    asked["access-control-request-headers"] = "authorization, content-type, if-match, idempotency-key"
    return Client().options(url, headers=asked)


def test_a_named_site_may_send_tokens_and_versions(db):
    answer = ask_first(HERE)
    assert answer["access-control-allow-origin"] == HERE
    assert "POST" in answer["access-control-allow-methods"]
    allowed = answer["access-control-allow-headers"]
    assert all(name in allowed for name in ("authorization", "content-type", "if-match", "idempotency-key"))
    assert "access-control-allow-credentials" not in answer


def test_a_named_site_reads_answers_and_refusals(db):
    answer = api_of(make_user("gm")).get(URL, headers={"origin": HERE})
    assert (answer.status_code, answer["access-control-allow-origin"]) == (200, HERE)
    assert "etag" in answer["access-control-expose-headers"]
    refused = Client().get(URL, headers={"origin": HERE})
    assert (refused.status_code, refused["access-control-allow-origin"]) == (401, HERE)


def test_no_other_site_and_no_page(db):
    assert "access-control-allow-origin" not in ask_first(THERE)
    assert "access-control-allow-origin" not in api_of(make_user("gm")).get(URL, headers={"origin": THERE})
    assert "access-control-allow-origin" not in Client().get("/accounts/login/", headers={"origin": HERE})
