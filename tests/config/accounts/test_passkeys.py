"""Passkeys without a browser: what is asked, what is refused, and that nothing sent there breaks the server."""

from __future__ import annotations

import json
import secrets
from copy import copy
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from django.test import Client
from fido2.cose import ES256
from fido2.utils import sha256, websafe_encode
from fido2.webauthn import AttestationObject, AttestedCredentialData, AuthenticatorData, CollectedClientData

from config.accounts import adapter, passkeys
from kingdom.models import SecurityEvent, User
from tests.everyday import at_most
from tests.kingdom.conftest import make_user

ADD, LIST, DOOR = "/accounts/2fa/webauthn/add/", "/accounts/2fa/webauthn/", "/accounts/2fa/webauthn/login/"
PASSWORD, SITE = "correct horse battery", "https://testserver"
AGAIN = "/accounts/2fa/webauthn/reauthenticate/"
AJAX = {"Accept": "application/json"}
PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
pytestmark = pytest.mark.django_db


class Key:
    """A device with one key, and whatever is wrong with it."""

    def __init__(self, *, site: str = SITE, flags: int = PRESENT | VERIFIED):
        self.secret = ec.generate_private_key(ec.SECP256R1())
        self.id, self.site, self.flags = secrets.token_bytes(32), site, flags
        self.handle = ""

    def made(self, options: dict[str, Any]) -> dict[str, Any]:
        told = options["publicKey"]
        self.handle = told["user"]["id"]
        held = AttestedCredentialData.create(b"\0" * 16, self.id, ES256.from_cryptography_key(self.secret.public_key()))
        data = AuthenticatorData.create(self._home(), self.flags | ATTESTED, 0, held)
        client = CollectedClientData.create("webauthn.create", told["challenge"], self.site)
        response = {"clientDataJSON": websafe_encode(client),
                    "attestationObject": websafe_encode(AttestationObject.create("none", data, {}))}  # fmt: skip
        return self._as_json(response) | {"clientExtensionResults": {"credProps": {"rk": True}}}

    def shown(self, options: dict[str, Any]) -> dict[str, Any]:
        client = CollectedClientData.create("webauthn.get", options["publicKey"]["challenge"], self.site)
        data = AuthenticatorData.create(self._home(), self.flags, 1)
        signature = self.secret.sign(data + client.hash, ec.ECDSA(SHA256()))
        response = {"clientDataJSON": websafe_encode(client), "authenticatorData": websafe_encode(data),
                    "signature": websafe_encode(signature), "userHandle": self.handle}  # fmt: skip
        return self._as_json(response) | {"clientExtensionResults": {}}

    def _home(self) -> bytes:
        return sha256(self.site.partition("//")[2].encode())

    def _as_json(self, response: dict[str, str]) -> dict[str, Any]:
        return {"id": websafe_encode(self.id), "rawId": websafe_encode(self.id), "type": "public-key",
                "response": response}  # fmt: skip


@pytest.fixture
def ana() -> User:
    return make_user("ana")


def browser_of(name: str) -> Client:
    """Somebody who has just given the password once more."""
    client = Client()
    client.force_login(User.objects.get(username=name))
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def question(client: Client) -> dict[str, Any]:
    return client.get(ADD).context["js_data"]["creation_options"]


def add(client: Client, key: Key, name: str = "Laptop", **different: Any) -> Any:
    answer = key.made(question(client)) | different
    return client.post(ADD, {"name": name, "passwordless": "on", "credential": json.dumps(answer)})


def knock(client: Client, key: Key) -> Any:
    options = client.get(DOOR, headers=AJAX).json()["request_options"]
    return client.post(DOOR, {"credential": json.dumps(key.shown(options))})


def signed_in(client: Client) -> bool:
    return "_auth_user_id" in client.session


def test_a_passkey_signs_in_where_it_was_made_for(ana):
    key = Key()
    assert add(browser_of("ana"), key).status_code == 302
    client = Client()
    assert knock(client, key).url == "/"
    assert client.session["_auth_user_id"] == str(ana.pk)


def test_an_answer_counts_once(ana):
    key = Key()
    add(browser_of("ana"), key)
    client = Client()
    answer = key.shown(client.get(DOOR, headers=AJAX).json()["request_options"])
    client.post(DOOR, {"credential": json.dumps(answer)})
    assert signed_in(client)
    client.post("/accounts/logout/")
    for other in (client, Client()):
        other.post(DOOR, {"credential": json.dumps(answer)})
        other.get(DOOR, headers=AJAX)  # another question
        other.post(DOOR, {"credential": json.dumps(answer)})
        assert not signed_in(other)


WRONG: list[dict[str, Any]] = [
    {"site": "https://elsewhere.example"},
    {"site": "http://testserver"},
    {"flags": PRESENT},  # nobody's finger
    {"flags": VERIFIED},
    {"id": b"another"},
    {"secret": ec.generate_private_key(ec.SECP256R1())},
    {"handle": ""},
    {"handle": websafe_encode(b"999999999999999999999999999")},
    {"handle": websafe_encode(b"\xff\0")},
]


def test_a_passkey_with_anything_wrong_opens_nothing(ana):
    key = Key()
    add(browser_of("ana"), key)
    for wrong in WRONG:
        spoilt, client = copy(key), Client()
        vars(spoilt).update(wrong)
        assert knock(client, spoilt).url == "/accounts/login/", wrong
        assert not signed_in(client), wrong
        assert "Incorrect code." in client.get("/accounts/login/").content.decode(), wrong
    assert knock(Client(), key).url == "/"


def test_a_password_alone_is_no_longer_enough(ana):
    key = Key()
    add(browser_of("ana"), key)
    client = Client()
    assert client.post("/accounts/login/", {"login": "ana", "password": PASSWORD}).url == "/accounts/2fa/authenticate/"
    page = client.get("/accounts/2fa/authenticate/")
    answer = key.shown(page.context["js_data"]["request_options"])
    forged = answer | {"response": answer["response"] | {"signature": websafe_encode(b"x" * 70)}}
    page = client.post("/accounts/2fa/authenticate/", {"credential": json.dumps(forged)})
    assert "Incorrect code." in page.content.decode()
    assert SecurityEvent.objects.filter(user=ana, kind="sign-in-failed").count() == 1
    assert not signed_in(client)
    answer = key.shown(page.context["js_data"]["request_options"])
    assert client.post("/accounts/2fa/authenticate/", {"credential": json.dumps(answer)}).url == "/"
    assert signed_in(client)


@pytest.mark.parametrize("wrong", [{"site": "https://elsewhere.example"}, {"flags": 0}], ids=["site", "untouched"])
def test_a_passkey_made_for_another_site_or_untouched_is_not_kept(ana, wrong):
    answer = add(browser_of("ana"), Key(**wrong))
    assert "Incorrect code." in answer.content.decode()
    assert not Authenticator.objects.exists()


NONSENSE = [
    "", "null", "[]", "7", '"x"', "{}", "{", '{"id": 1}', '{"response": []}', '{"rawId": "AA", "response": {}}',
    '{"id": "AA", "rawId": "AA", "response": {"attestationObject": "AA", "clientDataJSON": "AA"}}',
    '{"id": "AA", "rawId": "AA", "response": {"authenticatorData": "AA", "clientDataJSON": "e30", "signature": "AA"}}',
    '{"response": {"userHandle": 7}}', '{"response": {"userHandle": "\\u0000"}}', '{"x": "\\u0000"}', "\0",
    "[" * 5_000, "{" + " " * 50_000 + "}", '{"rawId": "é"}', '{"rawId": "A"}',
]  # fmt: skip


def test_nonsense_is_refused_in_words(ana, monkeypatch):
    """To give the password once more reads it as the door does: that is sent a third of it every day."""
    for door in ("PASSKEY", "OWN_PASSWORD", "CODE", "CODE_ADDRESS"):
        monkeypatch.setattr(adapter, door, adapter.Limit(door, 10 * len(NONSENSE), 10))
    client, door = browser_of("ana"), Client()
    for number, sent in enumerate(NONSENSE):
        door.get(DOOR, headers=AJAX)
        paths = (AGAIN, ADD, DOOR) if number % at_most(3, full=1) == 0 else (ADD, DOOR)
        if AGAIN in paths:
            question(client)  # where one is added, the page that refuses asks the next one
        for path in paths:
            answer = (door if path == DOOR else client).post(path, {"name": "x", "credential": sent})
            assert answer.status_code in (200, 302), (path, sent)
            assert path != ADD or answer.context["js_data"]["creation_options"]
        assert not Authenticator.objects.exists()
        assert not signed_in(door)


def test_what_is_right_but_for_a_nul_is_refused_too(ana):
    answer = add(browser_of("ana"), Key(), authenticatorAttachment="\0")
    assert "Incorrect code." in answer.content.decode()


def test_names_are_short_and_one_that_is_missing_is_given(ana):
    client = browser_of("ana")
    assert "At most 60 characters" in add(client, Key(), "x" * 61).content.decode()
    assert add(client, Key(), "").status_code == 302
    (passkey,) = Authenticator.objects.filter(type="webauthn")
    assert passkey.wrap().name
    page = client.post(f"{LIST}keys/{passkey.pk}/edit/", {"name": "x" * 61})
    assert "60 characters" in page.content.decode()
    client.post(f"{LIST}keys/{passkey.pk}/edit/", {"name": "<b>Phone</b>"})
    assert "&lt;b&gt;Phone&lt;/b&gt;" in client.get(LIST).content.decode()


def test_an_account_keeps_only_so_many(ana, monkeypatch):
    monkeypatch.setattr(passkeys, "MOST", 2)
    client = browser_of("ana")
    assert [add(client, Key(), f"{n}").status_code for n in range(3)] == [302, 302, 200]
    assert "2 passkeys at most" in add(client, Key()).content.decode()


def test_nobody_touches_the_passkey_of_another(ana):
    add(browser_of("ana"), Key())
    passkey = Authenticator.objects.get(type="webauthn")
    make_user("bo")
    other = browser_of("bo")
    for deed in ("edit", "remove"):
        for answer in (other.get(f"{LIST}keys/{passkey.pk}/{deed}/"), other.post(f"{LIST}keys/{passkey.pk}/{deed}/")):
            assert answer.status_code == 404
    assert "Laptop" not in other.get(LIST).content.decode()
    passkey.refresh_from_db()


def test_the_password_is_asked_for_again_before_one_is_added_renamed_or_removed(ana):
    add(browser_of("ana"), Key())
    passkey = Authenticator.objects.get(type="webauthn")
    client = Client()
    client.force_login(ana)
    for path in (ADD, f"{LIST}keys/{passkey.pk}/edit/", f"{LIST}keys/{passkey.pk}/remove/"):
        assert client.post(path, {"name": "x"}).url.startswith("/accounts/"), path
    assert Authenticator.objects.get(pk=passkey.pk).wrap().name == "Laptop"


def test_questions_and_answers_at_the_door_are_counted_by_address(monkeypatch):
    monkeypatch.setattr(adapter, "PASSKEY", adapter.Limit("passkey", 4, 10))
    codes = [Client().get(DOOR, headers=AJAX).status_code for _n in range(3)]
    codes += [Client().post(DOOR, {"credential": "{}"}).status_code for _n in range(2)]
    assert codes == [200, 200, 200, 302, 429]
    assert Client(REMOTE_ADDR="198.51.100.1").get(DOOR, headers=AJAX).status_code == 200
