"""What is compressed, for whom, and that conditions survive it."""

from __future__ import annotations

import gzip
import json

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from rest_framework.test import APIClient

from config.web.responses import Compression
from tests.kingdom.conftest import make_user

GZIP = {"HTTP_ACCEPT_ENCODING": "gzip, deflate, br"}
LONG = "A host of armies. " * 100


def compressed(kind: str = "text/html", content: str = LONG, **headers: str) -> HttpResponse:
    request = RequestFactory().get("/", **{**GZIP, **headers})
    return Compression(lambda _request: HttpResponse(content, content_type=kind))(request)


@pytest.mark.parametrize(
    "kind",
    ["text/html; charset=utf-8", "application/json", "application/problem+json", "text/csv", "image/svg+xml"],
)
def test_text_is_compressed(kind):
    response = compressed(kind)
    assert (response["Content-Encoding"], response["Vary"]) == ("gzip", "Accept-Encoding")
    assert gzip.decompress(response.content).decode() == LONG


@pytest.mark.parametrize("kind", ["image/png", "application/zip", "application/octet-stream"])
def test_what_is_compressed_already_is_left_alone(kind):
    assert not compressed(kind).has_header("Content-Encoding")


@pytest.mark.parametrize("accepted", ["", "br", "gzip;q=0", "br, gzip; q=0.0, *"])
def test_who_cannot_read_gzip_gets_none(accepted):
    response = compressed(HTTP_ACCEPT_ENCODING=accepted)
    assert (response.content.decode(), response["Vary"]) == (LONG, "Accept-Encoding")


@pytest.mark.parametrize(("site", "packed"), [("cross-site", False), ("same-site", False), ("same-origin", True)])
def test_nobody_elsewhere_may_measure_our_pages(site, packed):
    assert compressed(HTTP_SEC_FETCH_SITE=site).has_header("Content-Encoding") is packed


def test_pages_that_show_lasting_secrets_are_not_compressed():
    request = RequestFactory().get("/accounts/2fa/recovery-codes/", **GZIP)
    assert not Compression(lambda _request: HttpResponse(LONG))(request).has_header("Content-Encoding")


def test_equal_pages_differ_in_length():
    assert len({len(compressed().content) for _ in range(30)}) > 1


@pytest.mark.django_db
def test_the_token_of_a_form_is_another_one_in_every_answer():
    client = Client()
    pages = [gzip.decompress(client.get("/accounts/login/", **GZIP).content).decode() for _ in range(2)]
    first, second = (page.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0] for page in pages)
    assert first != second


@pytest.fixture
def campaign(db):
    api = APIClient()
    api.force_authenticate(make_user("gm"))
    body = {"name": "Stolen Land", "ruleset": "combat-de-masse"}
    made = api.post("/api/v1/campaigns/", body, format="json")
    assert made.status_code == 201, made.content
    return api, f"/api/v1/campaigns/{made.json()['id']}/"


def test_conditions_hold_for_compressed_answers(campaign):
    api, url = campaign
    read = api.get(url, **GZIP)
    assert read["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(read.content))["name"] == "Stolen Land"
    tag = read["ETag"]
    assert tag.startswith('W/"')  # the bytes differ from time to time, what they say does not
    unchanged = api.get(url, HTTP_IF_NONE_MATCH=tag, **GZIP)
    assert (unchanged.status_code, unchanged.content) == (304, b"")
    assert api.patch(url, {"name": "Greenbelt"}, format="json", HTTP_IF_MATCH=tag, **GZIP).status_code == 200
    assert api.patch(url, {"name": "Narlmarch"}, format="json", HTTP_IF_MATCH=tag, **GZIP).status_code == 412
    assert api.get(url, HTTP_IF_NONE_MATCH=tag, **GZIP).status_code == 200
