from __future__ import annotations

import pytest
from django.core import mail
from django.db import DatabaseError, connection
from django.db.backends.postgresql.base import ServerBindingCursor
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import load_backend
from django.test import Client

from config.mail_settings import build_mailers
from config.ops import health_checks, serve
from config.settings import env


@pytest.fixture(autouse=True)
def ask_again():
    health_checks._require_migrated.cache_clear()


def test_the_process_lives(client):
    assert client.get("/healthz/").json() == {"status": "ok"}


@pytest.mark.django_db
def test_ready_when_migrated(client):
    assert client.get("/readyz/").json() == {"status": "ok"}


@pytest.mark.django_db
def test_not_ready_while_migrations_are_missing(client):
    MigrationRecorder.Migration.objects.filter(app="kingdom").delete()
    answer = client.get("/readyz/")
    assert (answer.status_code, answer.json()) == (503, {"status": "migrations are missing"})


def test_not_ready_without_a_database(client, monkeypatch):
    def refuse(*arguments):
        raise DatabaseError

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/readyz/")
    assert (answer.status_code, answer.json()) == (503, {"status": "the database does not answer"})


@pytest.mark.django_db
def test_a_query_that_is_asked_again_is_a_prepared_statement(django_user_model):
    """Else every page waits until its queries are planned anew; not behind a pooler that keeps no statements."""

    def list_prepared() -> list[str]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT statement FROM pg_prepared_statements")
            return [statement for (statement,) in cursor.fetchall()]

    for _time in range(3):
        assert not django_user_model.objects.filter(username="nobody").exists()
    assert any('"username" = $2' in statement for statement in list_prepared())
    off = env.db_url_config("postgres://warhost@pooler/warhost?server_side_binding=0", engine="config.postgres")
    bare = load_backend("config.postgres").DatabaseWrapper({**connection.settings_dict, "OPTIONS": off["OPTIONS"]})
    assert not issubclass(bare.get_connection_params()["cursor_factory"], ServerBindingCursor)


def test_the_content_policy_allows_nothing_inline_and_nothing_from_elsewhere(client):
    policy = client.get("/healthz/")["Content-Security-Policy"]
    assert "unsafe" not in policy
    assert "data:" not in policy
    assert "script-src 'self'" in policy


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/healthz/", "/readyz/"])
def test_a_supervisor_knows_the_process_by_any_name(client, path):
    assert client.get(path, headers={"Host": "10.0.0.7:8000"}).json() == {"status": "ok"}


def test_the_addresses_told_are_those_a_browser_can_open(settings):
    settings.PUBLIC_NAMES, settings.CSRF_TRUSTED_ORIGINS = [], []
    assert serve.list_addresses(["localhost", "::1"], 8000) == ["http://localhost:8000/", "http://[::1]:8000/"]
    settings.HTTPS = True
    assert serve.list_addresses(["localhost"], 8000) == []
    settings.PUBLIC_NAMES = ["warhost.example.org", ".example.net", "*"]
    assert serve.list_addresses(["localhost"], 8000) == ["https://warhost.example.org/", "https://example.net/"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://warhost.example.org:8443", "https://*.example.net"]
    assert serve.list_addresses(["localhost"], 8000) == ["https://warhost.example.org:8443/"]


@pytest.mark.django_db
@pytest.mark.parametrize(("is_open", "accounts"), [(True, 1), (False, 0)])
def test_signing_up_can_be_switched_off(client, settings, django_user_model, is_open, accounts):
    settings.SIGNUP_OPEN = is_open
    form = {"username": "sella", "password1": "a long enough one", "password2": "a long enough one"}
    client.post("/accounts/signup/", form)
    assert django_user_model.objects.count() == accounts
    page = Client().get("/accounts/signup/").content.decode()
    assert not is_open or (page.count("Create an account"), "Sign Up" in page) == (3, False), "title, heading, button"


@pytest.mark.django_db
def test_the_first_password_is_told_until_it_is_changed(django_user_model, settings, tmp_path, monkeypatch):
    monkeypatch.setenv("WARHOST_HOME", str(tmp_path))
    password = serve.find_first_password()
    master = django_user_model.objects.get()
    assert (master.username, master.check_password(password)) == ("gm", True)
    assert serve.find_first_password() == password
    master.set_password("another one")
    master.save()
    assert serve.find_first_password() == ""


@pytest.mark.django_db
def test_nobody_is_made_up_where_somebody_is(django_user_model, tmp_path, monkeypatch):
    monkeypatch.setenv("WARHOST_HOME", str(tmp_path))
    django_user_model.objects.create_user("sella")
    assert serve.find_first_password() == ""
    assert django_user_model.objects.count() == 1


def test_an_email_url_becomes_a_mailer():
    url = env.email_url_config("smtp+tls://me:secret@mail.example.org:587")
    assert build_mailers(url)["default"]["OPTIONS"] == {
        "host": "mail.example.org",
        "port": 587,
        "username": "me",
        "password": "secret",
        "use_tls": True,
        "use_ssl": False,
        "timeout": 10,
    }


def test_mail_is_sent_through_the_default_mailer():
    mail.send_mail("Subject", "Text", None, ["sella@example.org"])
    assert len(mail.outbox) == 1
