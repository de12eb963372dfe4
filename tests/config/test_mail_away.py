"""No mail leaves: what was done stands and says so, and who asked for nothing but a mail is told that there is none."""

from __future__ import annotations

from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client

from kingdom.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough one"
BROKEN = {
    "the server is away": ConnectionRefusedError(111, "Connection refused"),
    "it refuses the address": SMTPRecipientsRefused({"ana@example.org": (550, b"No such user here")}),
}


def nothing_leaves(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def refused(*_given: Any) -> int:
        raise error

    monkeypatch.setattr(EmailBackend, "send_messages", refused)


def opened(client: Client) -> Any:
    form = {"username": "ana", "email": "ana@example.org", "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/accounts/signup/", form, follow=True)


def said(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


@pytest.mark.parametrize("why", BROKEN)
def test_an_account_is_opened_and_its_owner_signed_in(monkeypatch, why):
    nothing_leaves(monkeypatch, BROKEN[why])
    client = Client(raise_request_exception=False)
    answer = opened(client)
    assert answer.status_code == 200
    assert answer.context["user"].username == "ana"
    assert "The confirmation email could not be sent. Ask for it again later." in said(answer)
    assert not any("sent to" in one for one in said(answer))


def test_an_address_is_written_down_and_asked_about_later(client, monkeypatch):
    User.objects.create_user("ana", password=PASSWORD)
    client.post("/accounts/login/", {"login": "ana", "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    with monkeypatch.context() as meanwhile:
        nothing_leaves(meanwhile, TimeoutError())
        answer = client.post("/accounts/email/", {"email": "ana@example.net", "action_add": ""}, follow=True)
        assert answer.status_code == 200
        assert any("could not be sent" in one for one in said(answer))
    mail.outbox.clear()
    client.post("/accounts/email/", {"email": "ana@example.net", "action_send": ""})
    assert [sent.to for sent in mail.outbox] == [["ana@example.net"]]


@pytest.mark.parametrize("address", ["ana@example.org", "nobody@example.org"])
def test_who_asks_for_a_new_password_is_told_that_none_comes_whoever_he_is(monkeypatch, caplog, address):
    nothing_leaves(monkeypatch, TimeoutError("timed out"))
    User.objects.create_user("ana", "ana@example.org", PASSWORD)
    answer = Client(raise_request_exception=False).post("/accounts/password/reset/", {"email": address})
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    page = answer.content.decode()
    assert "The server can’t send email at the moment." in page
    assert "No email was sent." in page
    assert "TimeoutError: timed out" in caplog.text
