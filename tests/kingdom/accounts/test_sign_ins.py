"""Where an account is signed in: told to its owner and nobody else, and ended by them."""

from __future__ import annotations

import re
from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from config.accounts.adapter import SessionStore
from kingdom.campaign.services import create_campaign
from kingdom.models import ApiToken, Campaign, SecurityEvent, SignIn, User
from tests.kingdom.conftest import api_of, make_user

PAGE, OTHERS = "/account/security/", "/account/sessions/end/"
PASSWORD, NEW = "correct horse battery", "a quite different secret 7"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
PHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1"
pytestmark = pytest.mark.django_db


@pytest.fixture
def ana() -> User:
    return make_user("ana")


def sign_in(agent: str = FIREFOX, name: str = "ana", address: str = "203.0.113.7") -> Client:
    client = Client(HTTP_USER_AGENT=agent, REMOTE_ADDR=address)
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    return client


def test_whoever_signs_in_is_greeted_and_a_wrong_password_is_told_in_the_words_of_the_form(ana):
    client = Client(HTTP_ACCEPT_LANGUAGE="fr")
    given = {"login": "ana", "password": "wrong"}
    assert "Nom d’utilisateur ou mot de passe incorrect." in client.post("/accounts/login/", given).content.decode()
    greeted = client.post("/accounts/login/", given | {"password": PASSWORD}, follow=True).content.decode()
    assert "Bienvenue, ana." in greeted


def prove(client: Client) -> Client:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


def rows(client: Client) -> list[str]:
    table = re.search(r"<tbody>(.*?)</tbody>", client.get(PAGE).content.decode(), re.DOTALL)
    return re.findall(r"<tr>(.*?)</tr>", table[1], re.DOTALL)


def of_phone() -> SignIn:
    return SignIn.objects.get(device="Safari, iPhone")


def test_the_page_lists_each_device_in_words_this_one_first(ana):
    sign_in(PHONE, address="198.51.100.9")
    here = sign_in()
    first, second = rows(here)
    assert "Firefox, Linux" in first
    assert "this device" in first
    assert "203.0.113.…" in first
    assert "Safari, iPhone" in second
    assert "Sign out" in second
    assert "203.0.113.7" not in first
    assert here.session.session_key not in here.get(PAGE).content.decode()


def test_when_it_was_last_used_is_written_down_every_ten_minutes(ana):
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        client = sign_in()
        client.get("/account/")
        for minutes, noted in ((9, 0), (10, 10), (19, 10), (20, 20)):
            clock.move_to(start + timedelta(minutes=minutes))
            client.get("/account/")
            assert SignIn.objects.get().seen - start == timedelta(minutes=noted)
        assert SignIn.objects.get().since == start


def test_a_page_asks_nothing_more_for_it(ana):
    client = sign_in()
    client.get("/account/")
    with CaptureQueriesContext(
        connection,
    ) as asked:
        client.get("/account/")
    assert not [query["sql"] for query in asked if query["sql"].startswith(("INSERT", "UPDATE"))]


def test_a_session_from_before_is_told_of_once_it_is_used(ana):
    client = sign_in()
    SignIn.objects.all().delete()
    assert is_in(client)
    assert SignIn.objects.get().user == ana


def test_one_session_is_ended_after_the_password_once_more(ana):
    phone, here = sign_in(PHONE), sign_in()
    path = f"/account/sessions/{of_phone().pk}/end/"
    assert here.get(path).status_code == 405
    assert here.post(path).url.startswith("/accounts/reauthenticate/")
    assert is_in(phone)
    prove(here)
    assert here.post(path).url == PAGE
    assert not is_in(phone)
    assert is_in(here)
    assert here.post(path).status_code == 404  # ended twice
    assert SecurityEvent.objects.filter(user=ana, kind="session-ended", about="Safari, iPhone").count() == 1


def test_the_password_given_in_between_does_what_was_asked_for(ana):
    phone, here = sign_in(PHONE), sign_in()
    asked = here.post(f"/account/sessions/{of_phone().pk}/end/").url
    here.post(asked, {"password": PASSWORD, "next": f"/account/sessions/{of_phone().pk}/end/"})
    assert not is_in(phone)


def test_all_others_end_at_once_and_this_one_stays(ana):
    others, here = [sign_in(PHONE), sign_in(), sign_in("curl/8.5.0")], prove(sign_in())
    stranger = sign_in(name=make_user("bo").username)
    assert here.post(OTHERS).url == PAGE
    assert [is_in(client) for client in (*others, here, stranger)] == [False, False, False, True, True]
    assert SecurityEvent.objects.filter(user=ana, kind="others-ended").count() == 1
    assert here.post(OTHERS).status_code == 302  # there are none any more
    assert is_in(here)


def test_nobody_sees_or_ends_the_session_of_another(ana):
    phone = sign_in(PHONE)
    make_user("bo")
    other = prove(sign_in(name="bo"))
    assert "iPhone" not in other.get(PAGE).content.decode()
    assert other.post(f"/account/sessions/{of_phone().pk}/end/").status_code == 404
    other.post(OTHERS)
    assert is_in(phone)
    assert "/accounts/login/" in Client().post(OTHERS).url


def test_a_new_password_ends_the_others_at_once(ana):
    phone, here = sign_in(PHONE), sign_in()
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert [is_in(phone), is_in(here)] == [False, True]
    assert len(rows(here)) == 1
    assert Session.objects.filter(sign_in__user=ana).count() == 1


def test_a_wrong_old_password_ends_nothing(ana):
    phone, here = sign_in(PHONE), sign_in()
    here.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": NEW, "password2": NEW})
    assert [is_in(phone), is_in(here)] == [True, True]


def test_a_password_reset_by_mail_ends_all(ana):
    ana.email = "ana@example.org"
    ana.save()
    phone, stranger = sign_in(PHONE), Client()
    stranger.post("/accounts/password/reset/", {"email": ana.email})
    link = re.search(r"http://testserver(/\S+)", mail.outbox[0].body)
    form = stranger.get(link[1], follow=True)
    stranger.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    assert not is_in(phone)
    assert not SignIn.objects.exists()


def test_a_password_set_by_hand_leaves_dead_sessions_out_of_the_list(ana):
    sign_in(PHONE)
    ana.set_password(NEW)  # manage.py changepassword
    ana.save()
    client = Client()
    client.force_login(ana)
    assert len(rows(client)) == 1


def test_what_is_over_is_neither_listed_nor_kept(ana):
    phone, here = sign_in(PHONE), sign_in()
    Session.objects.filter(session_key=phone.session.session_key).update(expire_date=timezone.now())
    assert len(rows(here)) == 1
    phone.post("/accounts/logout/")
    here.post("/accounts/logout/")
    assert Session.objects.filter(sign_in__isnull=False).count() <= 1
    Session.objects.all().delete()
    assert not SignIn.objects.exists()


def test_an_account_that_is_gone_takes_its_sessions_list_along(ana):
    client = sign_in()
    ana.delete()
    assert not SignIn.objects.exists()
    assert client.get("/account/").status_code == 302


def test_who_gives_no_browser_is_an_unknown_device(ana):
    assert "Unknown device" in rows(sign_in("x" * 5_000))[0]


def test_a_page_that_only_listens_keeps_the_device_that_is_known(ana):
    """A live page looks its session up outside of any request."""
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        client = sign_in()
        clock.move_to(start + timedelta(minutes=11))
        SessionStore(client.session.session_key).load()
        told = SignIn.objects.get()
    assert (told.device, told.address, told.seen) == ("Firefox, Linux", "203.0.113.…", start + timedelta(minutes=11))


def test_a_session_ends_that_was_not_used_for_long(ana):
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        client = sign_in()
        Session.objects.update(expire_date=start + timedelta(days=365))
        clock.move_to(start + timedelta(days=13, hours=23))
        assert is_in(client)
        clock.move_to(start + timedelta(days=28))
        assert not is_in(client)


def test_a_session_ends_that_was_used_for_very_long(ana):
    start = timezone.now()
    with time_machine.travel(start, tick=False) as clock:
        client = sign_in()
        Session.objects.update(expire_date=start + timedelta(days=365))
        for day in (10, 20, 29):
            clock.move_to(start + timedelta(days=day))
            assert is_in(client)
        clock.move_to(start + timedelta(days=30))
        assert not is_in(client)


def test_whoever_runs_the_site_ends_sessions(ana):
    here, other = sign_in(), sign_in(name=make_user("bo").username)
    ApiToken.objects.create(user=ana)
    call_command("signout", "ana", stdout=(told := StringIO()))
    assert told.getvalue() == "1 sessions and 0 tokens ended.\n"
    assert [is_in(here), is_in(other)] == [False, True]
    call_command("signout", everybody=True, tokens=True, stdout=told)
    assert not is_in(other)
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("said", [{}, {"username": "nobody"}, {"username": "ana", "everybody": True}])
def test_a_sign_out_of_nobody_is_refused(ana, said):
    with pytest.raises(CommandError, match="account"):
        call_command("signout", **said)


# By the API

LOG = "/api/v1/account/security/"


def test_the_log_is_read_by_the_api_own_rows_only(ana):
    sign_in()
    SecurityEvent.objects.create(user=make_user("bo"), kind="signed-in", device="Edge, Windows")
    (row,) = api_of(ana).get(LOG).json()["results"]
    assert {name: row[name] for name in ("kind", "device", "address", "times")} == {
        "kind": "signed-in",
        "device": "Firefox, Linux",
        "address": "203.0.113.…",
        "times": 1,
    }
    assert api_of(None).get(LOG).status_code == 401
    assert api_of(ana).post(LOG).status_code == 405


def test_the_log_comes_a_page_at_a_time_newest_first(ana):
    SecurityEvent.objects.bulk_create(SecurityEvent(user=ana, kind="signed-in", about=f"{n}") for n in range(5))
    api = api_of(ana)
    first = api.get(LOG, {"limit": 2}).json()
    assert [row["about"] for row in first["results"]] == ["4", "3"]
    assert [row["about"] for row in api.get(first["next"]).json()["results"]] == ["2", "1"]
    assert api.get(LOG, {"limit": 0}).status_code == 400
    assert api.get(LOG, {"user": "bo"}).status_code == 400
    assert api.get(LOG, {"cursor": "nonsense"}).status_code == 400


def test_a_token_of_one_campaign_does_not_read_the_log(ana):
    campaign: Campaign = create_campaign(by=ana, name="March", ruleset="combat-de-masse")
    _token, key = ApiToken.objects.create(user=ana, name="Bot", campaign=campaign)
    assert Client().get(LOG, headers={"Authorization": f"Token {key}"}).status_code == 403
