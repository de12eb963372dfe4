"""The machine's trouble is told as what it is: 503 or 507, what was saved, when to come back."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import path

from config.ops import infrastructure_errors
from config.postgres.base import InDoubt

handler500 = "config.ops.infrastructure_errors.server_error"


def fails_in_database(request: HttpRequest, state: str) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("DO $$ BEGIN RAISE EXCEPTION 'as asked' USING ERRCODE = '%s'; END $$" % state)  # noqa: UP031
    return HttpResponse()


def fails_on_disk(request: HttpRequest) -> HttpResponse:
    Path("/dev/full").write_text("more than fits")
    return HttpResponse()


def fails_by_mistake(request: HttpRequest) -> HttpResponse:
    raise KeyError("a fault of the program")


urlpatterns = [
    path("page/state/<state>/", fails_in_database),
    path("api/v1/state/<state>/", fails_in_database),
    path("page/disk/", fails_on_disk),
    path("api/v1/disk/", fails_on_disk),
    path("page/mistake/", fails_by_mistake),
    path("api/v1/mistake/", fails_by_mistake),
]


@pytest.fixture
def failing(settings: Any, db: None) -> Client:
    settings.ROOT_URLCONF = __name__
    return Client(raise_request_exception=False)


STATES = [
    ("53100", 507, "disk"),  # disk full
    ("53200", 503, "too busy"),  # out of memory
    ("53300", 503, "too busy"),  # too many connections
    ("57P01", 503, "isn’t responding"),  # shut down by its administrator
    ("57P02", 503, "isn’t responding"),  # crashed
    ("57P03", 503, "isn’t responding"),  # still starting
    ("08006", 503, "isn’t responding"),  # connection failure
    ("25006", 503, "can’t save"),  # a standby, or default_transaction_read_only
    ("23503", 503, "same moment"),  # names what somebody else has just deleted
    ("40001", 503, "same moment"),  # serialization failure
    ("40P01", 503, "same moment"),  # deadlock
    ("55P03", 503, "same moment"),  # a lock that was not to be had in time
    ("57014", 503, "too busy"),  # statement_timeout
]


@pytest.mark.parametrize("state, status, words", STATES)
def test_what_the_database_cannot_do_is_a_problem_document_on_the_api(failing, state, status, words):
    answer = failing.post(f"/api/v1/state/{state}/")
    assert answer.status_code == status
    assert answer["Content-Type"] == "application/problem+json"
    assert int(answer["Retry-After"]) > 0
    told = answer.json()
    assert set(told) == {"type", "title", "status", "detail"}
    assert told["status"] == status
    assert words in told["detail"]
    assert told["detail"].endswith("Nothing was saved.")


@pytest.mark.parametrize("state, status, words", STATES)
def test_what_the_database_cannot_do_is_a_page_that_comes_back_by_itself(failing, state, status, words):
    answer = failing.get(f"/page/state/{state}/")
    page = answer.content.decode()
    assert answer.status_code == status
    assert words in page
    assert f'<meta http-equiv="refresh" content="{answer["Retry-After"]}">' in page
    assert "saved" not in page


def test_what_was_sent_is_not_sent_again_by_itself(failing):
    page = failing.post("/page/state/57P03/").content.decode()
    assert 'http-equiv="refresh"' not in page
    assert "Nothing was saved." in page
    assert "Reload this page" in page


def test_a_full_disk_outside_the_database_is_told_the_same(failing):
    answers = failing.post("/api/v1/disk/"), failing.post("/page/disk/")
    assert [answer.status_code for answer in answers] == [507, 507]
    assert "must free up space" in answers[0].json()["detail"]
    assert "must free up space" in answers[1].content.decode()


def test_a_part_of_a_page_shows_the_trouble_among_the_messages(failing):
    answer = failing.post("/page/state/57P03/", headers={"HX-Request": "true"})
    assert (answer.status_code, answer["HX-Retarget"], answer["HX-Reswap"]) == (503, "#messages", "innerHTML")
    part = answer.content.decode().strip()
    assert part.startswith('<div class="message error"')
    assert "Nothing was saved." in part


def test_the_trouble_is_told_in_the_language_asked_for(failing):
    french = {"Accept-Language": "fr"}
    assert "Rien n’a été enregistré" in failing.post("/api/v1/state/53100/", headers=french).json()["detail"]
    assert '<html lang="fr">' in failing.get("/page/state/53100/", headers=french).content.decode()


def test_a_fault_of_the_program_stays_one(failing):
    on_api, on_page = failing.get("/api/v1/mistake/"), failing.get("/page/mistake/")
    assert (on_api.status_code, on_page.status_code) == (500, 500)
    assert on_api["Content-Type"] == "application/problem+json"
    assert "Server error" in on_page.content.decode()


def answer_to(error: Exception, **request: Any) -> HttpResponse:
    try:
        raise error
    except Exception:
        return infrastructure_errors.server_error(RequestFactory().post("/campaigns/", **request))


def test_the_answer_asks_neither_database_nor_session(db, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert answer_to(OperationalError(), headers={"Cookie": "sessionid=x"}).status_code == 500  # nothing behind it
        assert answer_to(InDoubt(), headers={"Cookie": "sessionid=x"}).status_code == 503


def test_a_broken_commit_claims_neither_that_it_was_saved_nor_that_it_was_not():
    page = answer_to(InDoubt()).content.decode()
    assert "Either everything was saved or nothing" in page
    assert "Nothing was saved" not in page
    assert "Reload this page" not in page


def test_the_log_tells_the_trouble_in_one_line_and_a_mistake_with_its_trace(failing, caplog):
    caplog.set_level(logging.ERROR, "django.request")
    logging.getLogger("django.request").addFilter(brief := infrastructure_errors.OneLineFilter())
    try:
        failing.get("/page/state/57P03/")
        failing.get("/page/mistake/")
    finally:
        logging.getLogger("django.request").removeFilter(brief)
    trouble_line, mistake = caplog.records[-2:]
    assert trouble_line.exc_info is None
    assert "as asked" in trouble_line.getMessage()
    assert mistake.exc_info
