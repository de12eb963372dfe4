"""What is passed on names the site as it is configured, never as whoever asks has called it."""

from __future__ import annotations

import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client, RequestFactory

from config.mail_settings import build_mailers, find_site_url, leaves
from core.text import build_absolute_url, get_origin
from kingdom.models import User

SITE = "https://warhost.example.org"
ELSEWHERE = {"Host": "localhost:9999"}


@pytest.fixture
def configured(settings):
    settings.SITE_URL = SITE
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "warhost.example.org"]


@pytest.mark.django_db
def test_a_mail_about_a_new_password_names_the_site_whatever_host_was_asked(configured):
    user = User.objects.create_user("ana", "ana@x.example", "correct horse battery")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    for address in ("ana@x.example", "nobody@x.example"):
        answer = Client(headers=ELSEWHERE).post("/accounts/password/reset/", {"email": address})
        assert answer.status_code == 302
    assert len(mail.outbox) == 2
    for sent in mail.outbox:
        told = f"{sent.subject}\n{sent.body}"
        assert "localhost" not in told
        assert set(re.findall(r"https?://[^/\s]+", told)) == {SITE}
        assert "[warhost.example.org]" in sent.subject


@pytest.mark.django_db
def test_a_mail_that_confirms_an_address_does_too(configured):
    password = "correct horse battery"
    form = {"username": "ana", "email": "ana@x.example", "password1": password, "password2": password}
    assert Client(headers=ELSEWHERE).post("/accounts/signup/", form).status_code == 302
    told = "".join(f"{sent.subject}{sent.body}" for sent in mail.outbox)
    assert f"{SITE}/accounts/confirm-email/" in told
    assert "localhost" not in told


def test_without_an_address_what_is_passed_on_is_how_the_site_was_reached(settings):
    request = RequestFactory().get("/c/", headers=ELSEWHERE)
    settings.SITE_URL = ""
    assert build_absolute_url(request, "/join/x/") == "http://localhost:9999/join/x/"
    settings.SITE_URL = SITE
    assert get_origin(request) == SITE


def test_which_address_is_configured():
    assert find_site_url("", origins=[], names=[]) == ""
    assert (
        find_site_url("https://a.example:8443/", origins=["https://b.example"], names=["c.example"])
        == "https://a.example:8443"
    )
    assert (
        find_site_url("", origins=["https://*.example", "https://b.example"], names=["c.example"])
        == "https://b.example"
    )
    assert find_site_url("", origins=[], names=[".c.example", "*", "c.example"]) == "https://c.example"
    for senseless in (
        "warhost.example.org",
        "https://a.example/below",
        "ftp://a.example",
        "https://u:p@a.example",
        "https://",
    ):
        with pytest.raises(ImproperlyConfigured):
            find_site_url(senseless, origins=[], names=[])


@pytest.mark.django_db
@pytest.mark.parametrize("away", [True, False])
def test_an_address_nobody_can_confirm_bars_nobody_from_a_second_factor(settings, away):
    """Where mail leaves it has to be confirmed first, as allauth has it."""
    settings.MFA_ALLOW_UNVERIFIED_EMAIL = away
    user = User.objects.create_user("ana", "ana@x.example", "correct horse battery")
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=False)
    client = Client()
    client.post("/accounts/login/", {"login": "ana", "password": "correct horse battery"})
    answer = client.get("/accounts/2fa/totp/activate/")
    assert answer.status_code == 302
    assert answer["Location"].partition("?")[0] == ("/accounts/reauthenticate/" if away else "/accounts/2fa/")


def test_whether_mail_leaves():
    assert not leaves(build_mailers({"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}))
    server = dict.fromkeys(("EMAIL_HOST", "EMAIL_PORT", "EMAIL_HOST_USER", "EMAIL_HOST_PASSWORD"))
    assert leaves(build_mailers({"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", **server}))
