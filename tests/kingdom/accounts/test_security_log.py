"""The security log of an account: what its owner is told, and nobody else."""

from __future__ import annotations

import re
import time
from base64 import b64encode
from datetime import timedelta
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.sessions.models import Session
from django.core import mail
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from config.ops import worker
from core.client_info import device_words, shorten_address
from kingdom.models import ApiToken, IdempotencyRecord, RateLimitCounter, SecurityEvent, User
from tests.kingdom.conftest import make_user

PAGE, PASSWORD, NEW = "/account/security/", "correct horse battery", "a quite different secret 7"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
HALF_MINUTE = 58_800_000  # which a code is of
HERE = {"REMOTE_ADDR": "203.0.113.7", "HTTP_USER_AGENT": FIREFOX}


@pytest.fixture
def user(db) -> User:
    return make_user("ana")


def sign_in(password: str = PASSWORD, name: str = "ana", **who: str) -> Client:
    client = Client(**{**HERE, **who})
    client.post("/accounts/login/", {"login": name, "password": password})
    return client


def kinds(user: User) -> list[str]:
    return [event.kind for event in SecurityEvent.objects.filter(user=user).order_by("id")]


def test_sign_ins_stand_there_with_a_shortened_address_and_the_device(user):
    page = sign_in().get(PAGE).content.decode()
    event = SecurityEvent.objects.get()
    assert (event.user, event.kind, event.address, event.device) == (user, "signed-in", "203.0.113.…", "Firefox, Linux")
    assert "Signed in" in page
    assert "Firefox, Linux" in page
    assert "203.0.113.7" not in page


def test_wrong_passwords_in_a_row_are_one_line(user):
    for name in ("ana", "ANA", "nobody", "\x00"):
        sign_in("wrong", name)
    sign_in("wrong", REMOTE_ADDR="198.51.100.1")
    assert [(event.kind, event.times) for event in SecurityEvent.objects.order_by("id")] == [
        ("sign-in-failed", 2),
        ("sign-in-failed", 1),
    ]
    SecurityEvent.objects.update(at=timezone.now() - timedelta(hours=2))
    sign_in("wrong")
    assert SecurityEvent.objects.count() == 3
    assert "× 2" in sign_in().get(PAGE).content.decode()


def test_passwords_tried_on_the_api_count_too(user):
    wrong = "Basic " + b64encode(b"ana:wrong").decode()
    APIClient(**HERE).post("/api/v1/auth/token/", headers={"Authorization": wrong, "Idempotency-Key": "k"})
    assert kinds(user) == ["sign-in-failed"]
    right = "Basic " + b64encode(f"ana:{PASSWORD}".encode()).decode()
    APIClient(**HERE).post("/api/v1/auth/token/", {"name": "Bot"}, format="json", headers={"Authorization": right})
    assert kinds(user) == ["sign-in-failed", "token-made"]


def test_tokens_sessions_and_passwords_stand_there(user):
    client = sign_in()
    client.post("/tokens/", {"name": "Bot", "scope": "read", "days": "7"})
    client.post(f"/tokens/{user.auth_token_set.get().public_id}/revoke/")
    client.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": NEW, "password2": NEW})
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    page = client.get(PAGE).content.decode()
    assert len(re.findall("<b>Bot</b>", page)) == 2
    client.post("/accounts/logout/")
    assert kinds(user) == ["signed-in", "token-made", "token-revoked", "password-changed", "signed-out"]


def test_a_reset_by_mail_stands_there(user):
    user.email = "ana@example.org"
    user.save()
    stranger = Client(**HERE)
    stranger.post("/accounts/password/reset/", {"email": user.email})
    assert kinds(user) == []  # asking for the mail opens nothing
    link = re.search(r"http://testserver(/\S+)", mail.outbox[0].body)
    form = stranger.get(link[1], follow=True)
    stranger.post(form.redirect_chain[-1][0], {"password1": NEW, "password2": NEW})
    assert "password-reset" in kinds(user)


def test_the_second_factor_stands_there(user, django_capture_on_commit_callbacks, monkeypatch):
    monkeypatch.setattr(totp, "yield_hotp_counters_from_time", lambda: iter([HALF_MINUTE]))  # it does not end meanwhile
    client = sign_in()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.get("/accounts/2fa/totp/activate/")
    secret = client.session["mfa.totp.secret"]
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/accounts/2fa/totp/activate/", {"code": _code(secret)})
    assert "factor-on" in kinds(user)
    door = sign_in()
    door.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert kinds(user)[-1] == "sign-in-failed"
    assert "signed-in" not in kinds(user)[1:]  # the password alone is no sign-in
    client.post("/accounts/2fa/totp/deactivate/")
    assert "factor-off" in kinds(user)
    assert not Authenticator.objects.filter(user=user, type="totp").exists()


def _code(secret: str) -> str:
    return totp.format_hotp_value(totp.hotp_value(secret, HALF_MINUTE))


def test_nobody_reads_the_log_of_another(user):
    sign_in()
    other = make_user("other")
    client = Client()
    client.force_login(other)
    assert "Firefox" not in client.get(PAGE).content.decode()
    assert Client().get(PAGE).status_code == 302


def test_it_is_read_a_page_at_a_time(user):
    SecurityEvent.objects.bulk_create(SecurityEvent(user=user, kind="signed-in") for _row in range(120))
    client = Client()
    client.force_login(user)
    assert client.get(PAGE).content.decode().count("<tr>") == 2 + 51  # the sessions above
    assert client.get(f"{PAGE}?page=3").content.decode().count("<tr>") == 2 + 21
    assert client.get(f"{PAGE}?page=x").status_code == 200


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("192.0.2.77", "192.0.2.…"),
        ("::ffff:192.0.2.77", "192.0.2.…"),
        ("2001:db8:7:1:2:3:4:5", "2001:db8:7::…"),
        ("", ""),
        ("nonsense", ""),
    ],
)
def test_an_address_is_told_without_what_names_one_device(address, told):
    assert shorten_address(address) == told


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (FIREFOX, "Firefox, Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36 Edg/141.0",
         "Edge, Windows"),
        ("Mozilla/5.0 (Linux; Android 15; Pixel) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36",
         "Chrome, Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1", "Safari, iPhone"),
        ("curl/8.5.0", "curl"),
        ("<script>" * 9_999, ""),
    ],
)  # fmt: skip
def test_a_device_is_told_in_words(agent, told):
    assert device_words(agent) == told


# Housekeeping


def keep_everything(user: User) -> None:
    """One of each that is over, and one that is not."""
    now = timezone.now()
    for days in (-1, 1):
        Session.objects.create(session_key=f"k{days}", session_data="", expire_date=now + timedelta(days=days))
        RateLimitCounter.objects.create(key=f"k{days}", count=1, until=now + timedelta(days=days))
    for age in (0, 2):
        IdempotencyRecord.objects.create(user=user, key=f"k{age}", fingerprint="x", at=now - timedelta(days=age))
    for age in (89, 91):
        SecurityEvent.objects.create(user=user, kind="signed-in", at=now - timedelta(days=age))


def left() -> list[int]:
    return [model.objects.count() for model in (Session, RateLimitCounter, IdempotencyRecord, SecurityEvent)]


def test_housekeeping_removes_what_is_over_and_nothing_else(user, monkeypatch):
    monkeypatch.setattr(worker, "PIECE", 1)
    keep_everything(user)
    told = StringIO()
    call_command("housekeeping", stdout=told)
    assert left() == [1, 1, 1, 1]
    removed = [line for line in told.getvalue().splitlines() if not line.endswith(": 0 removed")]
    assert removed == [f"{kind}: 1 removed" for kind in ("sessions", "answers", "security events", "counts")]
    call_command("housekeeping", stdout=told)
    assert left() == [1, 1, 1, 1]


@pytest.mark.django_db(transaction=True)
def test_a_server_does_it_every_day_by_itself():
    keep_everything(make_user("ana"))
    with worker.daily(first=0.01, every=60):
        until = time.monotonic() + 10
        while left() != [1, 1, 1, 1] and time.monotonic() < until:
            time.sleep(0.05)
    assert left() == [1, 1, 1, 1]


def test_a_token_that_may_do_everything_takes_the_password_once_more(db):
    User.objects.create_user("ana", password=PASSWORD)
    client = Client()
    client.force_login(User.objects.get(username="ana"))
    form = {"name": "Bot", "scope": "manage", "days": "7"}
    asked = client.post("/tokens/", form)
    assert (asked.status_code, asked["Location"].partition("?")[0]) == (302, "/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()
    assert client.post("/tokens/", {**form, "scope": "read"}).status_code == 200, "what reads takes no password"
    resumed = client.post(asked["Location"], {"password": PASSWORD})  # what was asked for is done now
    assert resumed.status_code == 200, resumed["Location"]
    assert ApiToken.objects.filter(scope="manage").count() == 1


@pytest.mark.parametrize(("scope", "status"), [("read", 403), ("play", 403), ("manage", 200)])
def test_only_a_token_that_may_do_everything_reads_the_log(db, scope, status):
    user = User.objects.create_user("ana", password=PASSWORD)
    _token, key = ApiToken.objects.create(user=user, name="Bot", scope=scope)
    answer = Client().get("/api/v1/account/security/", headers={"Authorization": f"Token {key}"})
    assert answer.status_code == status
