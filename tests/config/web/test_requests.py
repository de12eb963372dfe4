"""Requests Django itself refuses to read: a problem document on the API, a page elsewhere, no traceback."""

from __future__ import annotations

import logging

import pytest
from django.test import Client

API = "/api/v1/campaigns/"
LOGIN = "/accounts/login/"
BROKEN = {"data": b"--x\r\nno form at all", "content_type": "multipart/form-data; boundary="}
WIDE = {"data": "&".join(f"f{n}=1" for n in range(1_100)), "content_type": "application/x-www-form-urlencoded"}
LARGE = {"data": "a=" + "x" * 12_000, "content_type": "application/x-www-form-urlencoded"}
ODD_LENGTH = {"data": b"", "content_type": "multipart/form-data; boundary=x", "CONTENT_LENGTH": "-5"}


@pytest.fixture(params=["", "sessionid"])
def client(request: pytest.FixtureRequest, db: None, django_user_model: type) -> Client:
    """Somebody unknown, and somebody signed in whose token must be looked for in the body."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    if request.param:
        client.force_login(django_user_model.objects.create_user("sella"))
    client.cookies["csrftoken"] = "a" * 32
    return client


@pytest.mark.parametrize(("sent", "status", "said"), [
    (BROKEN, 400, "could not be read"),
    (WIDE, 400, "too many fields"),
    (LARGE, 413, "too large"),
])  # fmt: skip
def test_what_cannot_be_read_is_refused_with_a_reason(client, settings, caplog, sent, status, said):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000
    page = client.post(LOGIN, **sent)
    assert (page.status_code, page["Content-Type"]) == (status, "text/html; charset=utf-8")
    assert said in page.content.decode()
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []


@pytest.mark.parametrize("sent", [BROKEN, WIDE, LARGE, ODD_LENGTH])
def test_the_api_refuses_in_problem_documents(client, settings, sent):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000
    answer = client.post(API, **sent)
    assert 400 <= answer.status_code < 500
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["status"] == answer.status_code
    assert answer.json()["detail"]


def test_a_large_document_is_a_problem_document(client, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10_000
    answer = client.post(
        API, {"name": "x" * 12_000}, content_type="application/json", headers={"X-CSRFToken": "a" * 32}
    )
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.status_code == (413 if "sessionid" in client.cookies else 401)
