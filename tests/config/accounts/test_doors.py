"""How often a door may be tried, by whom, and what that means behind a proxy."""

from __future__ import annotations

import base64
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.test import Client

from config.accounts import adapter
from config.limits import parse_proxies
from core.client_info import client_address, parse_networks
from kingdom.accounts import rate_limits
from kingdom.models import RateLimitCounter
from tests.kingdom.conftest import make_user

RIGHT = "correct horse battery"
LOGIN, TOKEN = "/accounts/login/", "/api/v1/auth/token/"
WRITTEN = (rate_limits.ADDRESS, rate_limits.ACCOUNT, rate_limits.DEVICE)
SIGNUP = adapter.SIGNUP
pytestmark = pytest.mark.django_db


def test_the_limits_are_what_the_documentation_says():
    assert [(limit.most, limit.minutes) for limit in WRITTEN] == [(30, 10), (10, 10), (10, 10)]
    assert (SIGNUP.most, SIGNUP.minutes) == (20, 60)


@pytest.fixture(autouse=True)
def small_numbers(monkeypatch):
    """6 tries by address, 3 by account, 3 by device: the same law, sooner."""
    for name, most in (("ADDRESS", 6), ("ACCOUNT", 3), ("DEVICE", 3)):
        monkeypatch.setattr(rate_limits, name, replace(getattr(rate_limits, name), most=most))


@pytest.fixture
def clock():
    with time_machine.travel(datetime(2026, 11, 21, 12, tzinfo=UTC), tick=False) as traveller:
        yield traveller


def sign_in(client: Client, name: str, password: str, **headers: str) -> str:
    """`in`, `wrong`, or the words that tell to wait."""
    response = client.post(LOGIN, {"login": name, "password": password}, **headers)  # type: ignore[arg-type]
    if response.status_code == 302:
        return "in"
    errors = " ".join(response.context["form"].non_field_errors())
    return errors if "Wait" in errors else "wrong"


def ask_key(name: str, password: str, **headers: str) -> Any:
    basic = "Basic " + base64.b64encode(f"{name}:{password}".encode()).decode()
    return Client().post(TOKEN, {}, "application/json", headers={"Authorization": basic}, **headers)  # type: ignore[arg-type]


def guess(name: str, times: int, **headers: str) -> list[str]:
    return [sign_in(Client(), name, f"guess {n}", **headers) for n in range(times)]


# By account


@pytest.mark.parametrize("name", ["ana", "nobody"])
def test_guesses_at_an_account_end_alike_whether_it_exists_or_not(clock, name):
    make_user("ana")
    found = guess(name, 4)
    assert found[:3] == ["wrong"] * 3
    assert found[3] == "Too many attempts. Wait 10 minutes, then try again."


def test_a_wrong_password_costs_as_much_work_for_a_name_nobody_has(monkeypatch):
    make_user("ana")
    work: list[str] = []
    hashing = MD5PasswordHasher.encode
    monkeypatch.setattr(MD5PasswordHasher, "encode", lambda *given: work.append("hash") or hashing(*given))
    costs = []
    for ask in (sign_in, lambda _client, name, password: ask_key(name, password)):
        for name in ("ana", "nobody"):
            work.clear()
            ask(Client(), name, "guess")
            costs.append(len(work))
    assert costs == [costs[0]] * 2 + [costs[2]] * 2
    assert min(costs) > 0


def test_the_wait_is_told_and_ends_when_it_said_and_is_not_made_longer_by_trying(clock):
    make_user("ana")
    guess("ana", 3)
    clock.shift(timedelta(minutes=7, seconds=30))
    assert "Wait 3 minutes" in sign_in(Client(), "ana", RIGHT)
    clock.shift(timedelta(minutes=2))
    assert "Wait a minute" in sign_in(Client(), "ana", RIGHT)
    clock.shift(timedelta(seconds=31))
    assert sign_in(Client(), "ana", RIGHT) == "in"


def test_a_stranger_s_guesses_shut_no_known_device_out(clock):
    make_user("ana")
    laptop = Client()
    assert sign_in(laptop, "ana", RIGHT) == "in"
    laptop.post("/accounts/logout/")
    guess("Ana", 12)
    assert "Wait" in sign_in(Client(), "ana", RIGHT), "a device nobody knows"
    assert sign_in(laptop, "ana", RIGHT) == "in", "the owner's, though from the same address"


def test_a_known_device_has_a_limit_of_its_own_and_starts_anew_when_it_was_right(clock):
    make_user("ana")
    laptop = Client()
    sign_in(laptop, "ana", RIGHT)
    for _evening in range(2):
        laptop.post("/accounts/logout/")
        assert [sign_in(laptop, "ana", "typo") for _try in range(2)] == ["wrong"] * 2
        assert sign_in(laptop, "ana", RIGHT) == "in"
    laptop.post("/accounts/logout/")
    assert "Wait" in [sign_in(laptop, "ana", "typo") for _try in range(4)][-1]
    assert sign_in(Client(), "ana", RIGHT) == "in", "other devices of hers are not shut out by it"


def test_a_device_is_known_to_the_accounts_that_signed_in_on_it_only(clock):
    make_user("ana"), make_user("mallory")
    his = Client()
    sign_in(his, "mallory", RIGHT)
    his.post("/accounts/logout/")
    assert "Wait" in [sign_in(his, "ana", f"guess {n}") for n in range(4)][-1]
    his.cookies["warhost_device"] = his.cookies["warhost_device"].value[:-1] + "x"
    assert "Wait" in [sign_in(his, "ana", f"guess {n}") for n in range(2)][-1]


# By address


def test_spraying_many_accounts_from_one_address_is_bounded(clock):
    found = [sign_in(Client(), f"user{n}", "Password1") for n in range(7)]
    assert found[:6] == ["wrong"] * 6
    assert "Wait" in found[6]
    assert ask_key("user99", "Password1").status_code == 429, "pages and API count together"
    assert sign_in(Client(), "user99", "Password1", REMOTE_ADDR="198.51.100.7") == "wrong"


def test_who_may_try_no_more_locks_no_account(clock):
    make_user("ana")
    guess("somebody", 3), guess("else", 3)
    assert all("Wait" in found for found in guess("ana", 4))
    assert sign_in(Client(), "ana", RIGHT, REMOTE_ADDR="198.51.100.7") == "in"


def test_an_ipv6_household_counts_as_one(clock):
    for n in range(6):
        sign_in(Client(), f"user{n}", "x", REMOTE_ADDR=f"2001:db8:1:2::{n:x}")
    assert "Wait" in sign_in(Client(), "user", "x", REMOTE_ADDR="2001:db8:1:2:ffff::1")
    assert sign_in(Client(), "user", "x", REMOTE_ADDR="2001:db8:1:3::1") == "wrong"


def test_right_passwords_do_not_count_and_give_a_guesser_no_new_tries(clock):
    make_user("ana"), make_user("mallory")
    for _table in range(7):
        assert sign_in(Client(), "ana", RIGHT) == "in"
    found = []
    for n in range(7):
        assert sign_in(Client(), "mallory", RIGHT) == "in" or n == 6
        found.append(sign_in(Client(), f"user{n}", "x"))
    assert "Wait" in found[-1]


# The API


def test_a_repeated_request_of_the_api_counts_each_time_it_guesses(clock):
    """With an Idempotency-Key a refused request is rolled back; its try is not."""
    make_user("ana")
    codes = []
    for n in range(5):
        basic = "Basic " + base64.b64encode(f"ana:guess {n}".encode()).decode()
        headers = {"Authorization": basic, "Idempotency-Key": f"k{n}"}
        codes.append(Client().post(TOKEN, headers=headers).status_code)
    assert codes == [401] * 3 + [429] * 2


def test_the_api_says_when_to_come_back(clock):
    make_user("ana")
    for _try in range(3):
        assert ask_key("ana", "x").status_code == 401
    clock.shift(timedelta(minutes=4))
    refused = ask_key("ana", RIGHT)
    assert (refused.status_code, refused["Retry-After"]) == (429, "360")
    assert refused["Content-Type"] == "application/problem+json"
    clock.shift(timedelta(minutes=6))
    assert ask_key("ana", RIGHT).status_code == 201


@pytest.mark.parametrize("trusted, codes", [((), [401] * 6 + [429]), (("127.0.0.1",), [401] * 7)])
def test_x_forwarded_for_is_believed_from_trusted_proxies_only(clock, settings, trusted, codes):
    settings.TRUSTED_PROXIES = parse_networks(trusted)
    answers = [ask_key(f"user{n}", "x", HTTP_X_FORWARDED_FOR=f"203.0.113.{n}") for n in range(7)]
    assert [answer.status_code for answer in answers] == codes


def test_behind_a_trusted_proxy_one_visitor_locks_nobody_else_out(clock, settings):
    settings.TRUSTED_PROXIES = parse_networks(["127.0.0.1"])
    make_user("ana")
    spray = [sign_in(Client(), f"user{n}", "x", HTTP_X_FORWARDED_FOR="203.0.113.66") for n in range(7)]
    assert "Wait" in spray[-1]
    assert sign_in(Client(), "ana", RIGHT, HTTP_X_FORWARDED_FOR="203.0.113.7") == "in"
    forged = "203.0.113.8, 203.0.113.66"  # what a visitor claims stands left of what the proxy saw
    assert "Wait" in sign_in(Client(), "user", "x", HTTP_X_FORWARDED_FOR=forged)


TRUSTED = parse_networks(["127.0.0.1", "::1", "10.0.0.0/8"])


@pytest.mark.parametrize(
    "peer, forwarded, client",
    [
        ("203.0.113.5", "198.51.100.1", "203.0.113.5"),
        ("127.0.0.1", "", "127.0.0.1"),
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.7", "198.51.100.1"),
        ("127.0.0.1", "10.0.0.8, 10.0.0.7", "10.0.0.8"),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("127.0.0.1", "1.1.1.1, <script>, 10.0.0.7", "10.0.0.7"),
        ("::ffff:127.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("::1", "[2001:db8::7]:4711", "2001:db8::7"),
        ("", "198.51.100.1", ""),
    ],
)
def test_the_client_is_the_first_on_the_way_back_who_is_no_trusted_proxy(peer, forwarded, client):
    assert client_address(peer, forwarded, TRUSTED) == client


def test_a_wrong_list_of_proxies_says_so_at_the_start():
    with pytest.raises(ImproperlyConfigured, match="WARHOST_TRUSTED_PROXIES"):
        parse_proxies(["nginx"])
    assert parse_proxies(["10.0.0.1/8", ""]) == parse_networks(["10.0.0.0/8"])


# Other doors


def test_accounts_are_opened_so_often_and_no_oftener_and_the_page_says_how_long(clock, monkeypatch):
    monkeypatch.setattr(adapter, "SIGNUP", replace(SIGNUP, most=3))
    codes = [Client().post("/accounts/signup/", {"username": f"u{n}"}).status_code for n in range(4)]
    assert codes == [200] * 3 + [429]
    refused = Client().post("/accounts/signup/", {}, headers={"Accept-Language": "fr"})
    assert refused["Retry-After"] == "3600"
    assert "minutes" in refused.content.decode()
    assert Client().get("/accounts/signup/").status_code == 200


def test_mails_to_reset_a_password_are_few(clock, django_user_model):
    user = make_user("ana")
    user.email = "ana@example.org"
    user.save()
    codes = []
    for n in range(5):
        form = {"email": "Ana@example.org"}
        codes.append(Client(REMOTE_ADDR=f"198.51.100.{n}").post("/accounts/password/reset/", form).status_code)
    assert codes == [302] * 3 + [429] * 2
    assert len(mail.outbox) == 3
    unknown = [Client().post("/accounts/password/reset/", {"email": "no@example.org"}).status_code for _n in range(4)]
    assert unknown == [302] * 3 + [429], "an address nobody has is refused alike"


def with_second_factor(name: str) -> Any:
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    user = make_user(name)
    TOTP.activate(user, generate_totp_secret())
    return user


def try_code(client: Client) -> int:
    return client.post("/accounts/2fa/authenticate/", {"code": "000000"}).status_code


def test_codes_of_a_second_factor_are_tried_ten_times_by_the_account(clock):
    with_second_factor("ana")
    codes = []
    for _session in range(3):  # a new session starts no new count
        client = Client()
        assert client.post(LOGIN, {"login": "ana", "password": RIGHT}).url == "/accounts/2fa/authenticate/"
        codes += [try_code(client) for _try in range(4)]
    assert codes == [200] * 10 + [429] * 2


def test_who_changes_his_password_guesses_no_further(clock):
    client = Client()
    client.force_login(make_user("ana"))
    form = {"oldpassword": "x", "password1": "y" * 12, "password2": "y" * 12}
    codes = [client.post("/accounts/password/change/", form).status_code for _try in range(11)]
    assert codes[-1] == 429
    assert 429 not in codes[:5]


# The store


@pytest.mark.django_db(transaction=True)
def test_processes_at_once_count_every_try():
    def knock(_n: int) -> float:
        try:
            return rate_limits.count_attempt(rate_limits.ACCOUNT, "ana")
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        waits = list(threads.map(knock, range(40)))
    assert sum(not wait for wait in waits) == rate_limits.ACCOUNT.most
    assert RateLimitCounter.objects.get().count == 40


def test_the_past_is_swept_away_and_names_are_not_kept(clock):
    for n in range(5):
        rate_limits.count_attempt(rate_limits.ACCOUNT, f"user{n}")
    assert not RateLimitCounter.objects.filter(key__contains="user").exists()
    clock.shift(timedelta(hours=1))
    rate_limits.count_attempt(rate_limits.ACCOUNT, "another")
    assert RateLimitCounter.objects.count() == 1


# Sessions


def test_the_session_cookie_changes_when_somebody_signs_in(clock):
    make_user("ana")
    client = Client()
    client.get("/")
    session = client.session
    session["seen"] = True
    session.save()
    client.cookies["sessionid"] = before = session.session_key
    assert sign_in(client, "ana", RIGHT) == "in"
    assert client.cookies["sessionid"].value != before
    stolen = Client()
    stolen.cookies["sessionid"] = before
    assert stolen.get("/account/").status_code == 302
