"""A form whose secret is shown once creates one thing, also when both halves of a double click are under way."""

from __future__ import annotations

import pytest
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.test import RequestFactory

from config.accounts.adapter import SessionStore
from core.forms.form_fields import claim_submission, release_submission

pytestmark = pytest.mark.django_db


@pytest.fixture
def key() -> str:
    session = SessionStore()
    session["lang"] = "fr"
    session.create()
    return str(session.session_key)


def sent(key: str, once: str = "abc") -> HttpRequest:
    """A request that has read its session already."""
    request = RequestFactory().post("/", {"once": once})
    session: SessionBase = SessionStore(key)
    assert session["lang"] == "fr"
    request.session = session
    return request


def test_of_two_requests_under_way_one_creates_it(key):
    first, second = sent(key), sent(key)
    assert claim_submission(first, "token")
    assert not claim_submission(second, "token")
    second.session.save()
    first.session.save()
    assert not claim_submission(sent(key), "token"), "the page is loaded again"
    assert claim_submission(sent(key, "def"), "token"), "another form"
    assert claim_submission(sent(key), "share"), "of another thing"
    assert SessionStore(key)["lang"] == "fr"


def test_a_form_that_created_nothing_is_sent_again(key):
    refused = sent(key)
    assert claim_submission(refused, "token")
    release_submission(refused, "token")
    refused.session.save()
    assert claim_submission(sent(key), "token")


def test_a_form_that_created_nothing_leaves_the_one_before_claimed(key):
    made, refused = sent(key), sent(key, "def")
    assert claim_submission(made, "token")
    made.session.save()
    assert claim_submission(refused, "token")
    release_submission(refused, "token")
    refused.session.save()
    assert not claim_submission(sent(key), "token"), "the page of the first is loaded again"


def test_a_form_without_a_token_creates_each_time(key):
    assert [claim_submission(sent(key, ""), "token") for _time in range(2)] == [True, True]
