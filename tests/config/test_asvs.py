"""docs/asvs.md names a test or a reason for each requirement: held to it here, with what no other test shows."""

from __future__ import annotations

import ast
import base64
import logging
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.password_validation import validate_password
from django.core import mail
from django.core.exceptions import ValidationError
from django.test import Client

from config import docs
from config.accounts.adapter import WORDS, SessionStore
from config.ops.logs import build_formatters
from kingdom.models import ApiToken, User
from tests.kingdom.conftest import make_user

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "docs/asvs.md"
ROW = re.compile(r"^\| (V\d+\.\d+\.\d+) \| ([12]) \| (.+?) \| (met|partly|not met|n/a) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"(tests/[\w/]+\.py)(?:::(test_\w+))?")
NUMBERS = {"V1": 8, "V2": 4, "V3": 8, "V4": 2, "V5": 4, "V6": 35, "V7": 18, "V8": 7, "V9": 4, "V10": 5, "V11": 3,
           "V12": 3, "V13": 1, "V14": 2, "V15": 3, "V16": 16}  # fmt: skip
PASSWORD = "correct horse battery"


def rows() -> list[tuple[str, ...]]:
    return ROW.findall(TABLE.read_text())


def test_every_requirement_stands_in_the_table_once():
    names = [row[0] for row in rows()]
    assert [name for name, times in Counter(names).items() if times > 1] == []
    assert Counter(name.partition(".")[0] for name in names) == NUMBERS
    assert TABLE.read_text().count("\n| V") == len(names)  # none is written otherwise than it is read here


def test_the_sum_of_the_table_is_the_one_it_tells():
    found = Counter(row[3] for row in rows())
    told = "Of {}: {} met, {} partly, {} not met, {} about what this site does not have."
    kinds = ("met", "partly", "not met", "n/a")
    assert told.format(found.total(), *(found[kind] for kind in kinds)) in TABLE.read_text()


def test_every_test_the_table_names_is_there():
    missing = []
    for path, name in TEST.findall(TABLE.read_text()):
        source, known = functions_of(path)
        if not source or (name and name not in known):
            missing.append(f"{path}::{name}")
    assert missing == []


@cache
def functions_of(path: str) -> tuple[str, set[str]]:
    """What stands there, and the names of its functions."""
    source = (ROOT / path).read_text() if (ROOT / path).exists() else ""
    return source, {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)}


def test_what_is_met_names_a_test_or_says_why():
    assert [row[0] for row in rows() if not TEST.search(row[4]) and len(row[4]) < 10] == []


# Passwords


@pytest.mark.parametrize("password", ["a" * 8, "ÄÖÜ äöü ßẞ", "🐉🏰⚔️🛡️🐎🗡️🏹👑🐉", "12 kühe & 3 ziegen", "x y z x y z x"])
def test_what_a_password_may_be(password):
    if password != "a" * 8:  # a common one
        validate_password(password, User(username="ana"))


@pytest.mark.parametrize("password", ["short7!", "password1", "qwertyuiop", "ana-maria-lopez"])
def test_what_a_password_must_be(password):
    with pytest.raises(ValidationError):
        validate_password(password, User(username="ana-maria-lopez"))


@pytest.mark.parametrize("password", ["warhost1", "WarHost2026", "pathfinder!", "my kingdom", "W a r h o s t 1 2"])
def test_words_of_this_site_are_no_passwords(password):
    with pytest.raises(ValidationError, match="word from this site"):
        validate_password(password, User(username="ana"))
    for word in WORDS:
        assert f"`{word}`" in TABLE.read_text()


def test_a_word_of_this_site_in_a_long_password_is_none():
    validate_password("warhost under a violet moon", User(username="ana"))


@pytest.mark.django_db
def test_a_password_is_taken_as_it_was_typed():
    long = "  Ein sehr langes Wort mit Ümlauten und " + "x" * 88
    Client().post("/accounts/signup/", {"username": "ana", "password1": long, "password2": long})
    user = User.objects.get(username="ana")
    assert user.check_password(long)
    for wrong in (long.strip(), long[:72], long.lower()):
        assert not user.check_password(wrong)


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/signup/"])
def test_fields_of_passwords_hide_it_and_let_helpers_fill_it(path):
    page = Client().get(path).content.decode()
    fields = [tag for tag in re.findall(r"<input[^>]*>", page) if 'name="password' in tag]
    assert fields
    for tag in fields:
        assert 'type="password"' in tag
        assert re.search(r'autocomplete="(current|new)-password"', tag)
        assert "onpaste" not in tag


@pytest.mark.django_db
def test_a_reset_by_mail_does_not_go_around_the_second_factor():
    user = make_user("ana")
    user.email = "ana@example.org"
    user.save()
    TOTP.activate(user, generate_totp_secret())
    client, new = Client(), "a quite different secret 7"
    client.post("/accounts/password/reset/", {"email": user.email})
    link = re.search(r"http://testserver(/\S+)", mail.outbox[0].body)
    form = client.get(link[1], follow=True)
    client.post(form.redirect_chain[-1][0], {"password1": new, "password2": new})
    assert client.get("/account/").status_code == 302
    assert client.post("/accounts/login/", {"login": "ana", "password": new}).url == "/accounts/2fa/authenticate/"


@pytest.mark.django_db
def test_a_password_alone_makes_no_token_where_there_is_a_second_factor_and_says_where_to_make_one():
    TOTP.activate(make_user("ana"), generate_totp_secret())
    told = []
    for password in (PASSWORD, "a wrong one"):
        basic = base64.b64encode(f"ana:{password}".encode()).decode()
        given = {"content_type": "application/json", "headers": {"Authorization": f"Basic {basic}"}}
        told.append(Client().post("/api/v1/auth/token/", {}, **given))
    assert [answer.status_code for answer in told] == [403, 401]
    detail = "This account uses two-factor authentication. Create its tokens on the site."
    assert [answer.json()["detail"] == detail for answer in told] == [True, False]


# Sessions


@pytest.mark.django_db
def test_keys_of_sessions_are_long_and_never_the_same():
    keys = set()
    for _n in range(50):
        store = SessionStore()
        store.create()
        keys.add(store.session_key)
    assert len(keys) == 50
    assert all(re.fullmatch("[a-z0-9]{32,}", key) for key in keys)  # 5.17 bits a letter


@pytest.mark.django_db
def test_an_account_that_is_closed_is_out_at_once():
    user = make_user("ana")
    _token, key = ApiToken.objects.create(user=user)
    client = Client()
    client.force_login(user)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert client.get("/account/").status_code == 302
    assert Client().get("/api/v1/campaigns/", headers={"Authorization": f"Token {key}"}).status_code == 401
    assert Client().post("/accounts/login/", {"login": "ana", "password": PASSWORD}).url == "/accounts/inactive/"


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/account/", "/accounts/2fa/", "/tokens/", "/credits/", "/nowhere/"])
def test_every_page_leads_out(path):
    client = Client()
    client.force_login(make_user("ana"))
    assert "/accounts/logout/" in client.get(path).content.decode()


@pytest.mark.django_db
def test_a_token_in_an_address_opens_nothing():
    _token, key = ApiToken.objects.create(user=make_user("ana"))
    for name in ("token", "key", "access_token", "api_key"):
        assert Client().get("/api/v1/campaigns/", {name: key}).status_code == 401


# Answers

KINDS = {"/": "text/html; charset=utf-8", "/nowhere/": "text/html; charset=utf-8",
         "/api/v1/campaigns/": "application/problem+json", "/api/v1/schema/": "application/vnd.oai.openapi",
         "/manifest.webmanifest": "application/manifest+json"}  # fmt: skip


@cache
def answer_to(path: str) -> Any:
    """What a page of another site would be answered. The document is a short one, which is made sooner."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(docs, "_document", lambda _language, _form: b"openapi: 3.0.3")
        return Client().get(path, headers={"Origin": "https://elsewhere.example"})


@pytest.mark.django_db
@pytest.mark.parametrize("path", KINDS)
def test_every_kind_of_answer_says_what_it_is_and_is_not_sniffed(path):
    answer = answer_to(path)
    assert answer["Content-Type"].startswith(KINDS[path])
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.django_db
@pytest.mark.parametrize("path", KINDS)
def test_no_answer_lets_another_site_read_it(path):
    assert "Access-Control-Allow-Origin" not in answer_to(path)


@pytest.mark.django_db
def test_forms_of_other_sites_are_refused():
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("ana"))
    elsewhere = {"Origin": "https://elsewhere.example"}
    assert client.post("/tokens/", {"name": "x"}).status_code == 403
    assert client.post("/tokens/", {"name": "x"}, headers=elsewhere).status_code == 403
    body = '{"name": "x", "ruleset": "combat-de-masse"}'
    for kind in ("application/json", "text/plain"):
        answer = client.post("/api/v1/campaigns/", body, content_type=kind, headers=elsewhere)
        assert answer.status_code in (401, 403, 415)
    assert not ApiToken.objects.exists()


@pytest.mark.django_db
def test_reading_signs_nobody_out():
    client = Client()
    client.force_login(make_user("ana"))
    client.get("/accounts/logout/")
    assert client.get("/account/").status_code == 200


@pytest.mark.django_db
def test_the_cookies_of_a_site_under_https_go_by_https_only(settings):
    settings.SESSION_COOKIE_SECURE = settings.CSRF_COOKIE_SECURE = True
    make_user("ana")
    client = Client()
    client.get("/accounts/login/", secure=True)
    client.post("/accounts/login/", {"login": "ana", "password": PASSWORD}, secure=True)
    kept = {name: client.cookies[name] for name in ("sessionid", "csrftoken", "warhost_device")}
    assert all(cookie["secure"] and cookie["samesite"] for cookie in kept.values())
    assert kept["sessionid"]["httponly"]
    assert kept["warhost_device"]["httponly"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/.git/config", "/.git/HEAD", "/manage.py", "/config/settings.py", "/static/../.env"])
def test_no_source_is_served(path):
    assert Client().get(path).status_code == 404


def test_no_broken_hash_is_used():
    """The tests' own settings aside, whose passwords are nobody's."""
    found = []
    for app in ("rules", "core", "kingdom", "armies", "battles", "config"):
        for path in (ROOT / app).rglob("*.py"):
            source = path.read_text().lower()
            named = "md5" in source or "sha1" in source  # most have neither, and a pattern takes long
            if path.name != "settings_test.py" and named and re.search(r"\b(md5|sha1)\b", source):
                found.append(path.name)
    assert found == []


def test_lines_of_the_log_bear_their_offset():
    for how in build_formatters().values():
        line = logging.Formatter(how.get("format", how.get("fmt")), how["datefmt"], "{", defaults={"request_id": "-"})
        said = line.format(logging.LogRecord("x", logging.INFO, "x", 1, "Hello", None, None))
        assert re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} ", said)
