"""A new password ends what the old one opened: other sessions and API keys, changed on the page or by mail."""

from __future__ import annotations

import re

import pytest
from django.core import mail
from django.test import Client

from kingdom.models import ApiToken, User
from tests.kingdom.conftest import api_of, client_of, make_user

OLD, NEW = "correct horse battery", "a quite different secret 7"
SAID = "revokes your API tokens"


def opens(client: Client) -> bool:
    return client.get("/tokens/").status_code == 200


@pytest.fixture
def user(db) -> User:
    user = make_user("ana")
    user.email = "ana@example.org"
    user.save()
    return user


def test_a_changed_password_ends_keys_and_other_sessions(user):
    bo = make_user("bo")
    here, there, tool, other = client_of(user), client_of(user), api_of(user), api_of(bo)
    page = here.get("/accounts/password/change/").content.decode()
    assert SAID in page
    here.post("/accounts/password/change/", {"oldpassword": OLD, "password1": NEW, "password2": NEW})
    user.refresh_from_db()
    assert user.check_password(NEW)
    assert opens(here)
    assert not opens(there)
    assert tool.get("/api/v1/campaigns/").status_code == 401
    assert other.get("/api/v1/campaigns/").status_code == 200


def test_a_refused_change_ends_nothing(user):
    here, there, tool = client_of(user), client_of(user), api_of(user)
    here.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": NEW, "password2": NEW})
    assert opens(there)
    assert tool.get("/api/v1/campaigns/").status_code == 200


def test_a_password_reset_by_mail_ends_keys_and_sessions(user):
    there, tool, stranger = client_of(user), api_of(user), Client()
    stranger.post("/accounts/password/reset/", {"email": user.email})
    link = re.search(r"http://testserver(/\S+)", mail.outbox[0].body)
    form = stranger.get(link[1], follow=True)
    assert SAID in form.content.decode()
    stranger.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    user.refresh_from_db()
    assert user.check_password(NEW)
    assert not opens(there)
    assert tool.get("/api/v1/campaigns/").status_code == 401
    assert not ApiToken.objects.filter(user=user).exists()
