"""Sessions asked for by a query that is put together once: they end when they end, and are nobody else's."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.contrib.sessions.backends.db import SessionStore as OfDjango
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.accounts.adapter import SessionStore
from tests.kingdom.conftest import make_user

pytestmark = pytest.mark.django_db


def kept(**what: Any) -> str:
    store = SessionStore()
    store.update(what)
    store.create()
    store.save()
    assert store.session_key
    return store.session_key


def test_each_key_reads_its_own_and_what_django_reads():
    keys = [kept(who=name) for name in ("ana", "bo")]
    for _again in range(2):
        assert [SessionStore(key)["who"] for key in keys] == ["ana", "bo"]
    assert [dict(OfDjango(key).items()) for key in keys] == [{"who": "ana"}, {"who": "bo"}]


@pytest.mark.parametrize("ended", [0, 1, 3600])
def test_a_session_is_over_when_its_time_is(ended):
    key = kept(who="ana")
    assert SessionStore(key)["who"] == "ana"
    Session.objects.filter(session_key=key).update(expire_date=timezone.now() - timedelta(seconds=ended))
    late = SessionStore(key)
    assert "who" not in late
    assert late.session_key is None, "the key of a session that is over is taken up by nobody"


def test_a_session_is_read_anew_each_time():
    """Another process writes, turns its key, ends it."""
    key = kept(who="ana")
    here = SessionStore(key)
    assert here["who"] == "ana"
    there = SessionStore(key)
    there["who"] = "bo"
    there.save()
    assert SessionStore(key)["who"] == "bo"
    there.cycle_key()
    there.save()
    assert SessionStore(there.session_key)["who"] == "bo"
    assert "who" not in SessionStore(key)
    there.flush()
    assert not Session.objects.exists()


def test_a_session_that_is_gone_is_not_written_again():
    key = kept(who="ana")
    here = SessionStore(key)
    here["who"] = "bo"
    SessionStore(key).delete()
    with pytest.raises(UpdateError):
        here.save()
    assert not Session.objects.filter(session_key=key).exists()


def test_who_signs_out_is_out_wherever_his_key_was_copied():
    user, here = make_user("ana"), Client()
    here.force_login(user)
    there = Client()
    there.cookies["sessionid"] = here.cookies["sessionid"].value
    page = reverse("kingdom:account")
    assert there.get(page).status_code == 200
    here.logout()
    assert there.get(page).status_code == 302


def test_what_stands_in_for_a_key_while_the_query_is_put_together_finds_nothing():
    for key in ("\ue0000", "\ue0000" * 5, "a\0b" * 9, "É" * 32, None):
        assert SessionStore(key).session_key is None


@pytest.mark.parametrize(
    "cookie",
    ["", "x", "0" * 32, "x" * 4000, "' OR 1=1 --       ", '"abcdefgh\\000ijkl"', "%s%(x)s" * 8, "é" * 32],
    ids=["none", "short", "nobody's", "long", "sql", "nul", "percent", "accents"],
)
def test_a_key_that_nobody_gave_is_a_stranger(cookie):
    kept(_auth_user_id="1")
    response = Client().get(reverse("kingdom:account"), headers={"Cookie": f"sessionid={cookie}"})
    assert response.status_code == 302
