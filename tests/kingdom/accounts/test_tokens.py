"""Tokens of outside tools: made on the page and for a password, with a name, a scope, a campaign and an end."""

from __future__ import annotations

import importlib
from base64 import b64encode
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction
from django.urls import reverse
from django.utils import timezone
from rest_framework.test import APIClient

from kingdom.accounts.services import create_token
from kingdom.campaign.services import create_campaign
from kingdom.models import ApiToken, Scope
from rules.core.errors import InvalidInput
from tests.kingdom.conftest import client_of, make_user

PAGE, MADE = "/tokens/", "/api/v1/auth/token/"


def basic(name: str, password: str = "correct horse battery") -> dict[str, str]:
    return {"Authorization": "Basic " + b64encode(f"{name}:{password}".encode()).decode()}


def ask(user, **body):
    return APIClient().post(MADE, body, format="json", headers=basic(user.username))


def test_for_a_password_there_is_a_token_as_there_always_was(gm, campaign):
    """The contract: `token` and `expiry`. Without a word it manages everything for three months, and has a name."""
    made = ask(gm).json()
    assert made.keys() >= {"token", "expiry"}
    token = ApiToken.objects.get()
    assert (token.scope, token.campaign, token.name[:9]) == (Scope.MANAGE, None, "Token of ")
    assert timedelta(89) < token.expiry - timezone.now() < timedelta(91)


def test_a_token_is_made_with_name_scope_campaign_and_end(gm, campaign):
    end = (timezone.now() + timedelta(days=2)).isoformat()
    made = ask(gm, name="Bot", scope="play", campaign=str(campaign.pk), expiry=end).json()
    assert (made["name"], made["scope"], made["campaign"]) == ("Bot", "play", str(campaign.pk))
    token = ApiToken.objects.get()
    assert (str(token.public_id), token.scope, token.campaign) == (made["id"], "play", campaign)
    assert abs(token.expiry - timezone.now() - timedelta(days=2)) < timedelta(minutes=1)


NO_TOKENS = [
    ({"scope": "everything"}, 400, "/scope"),
    ({"campaign": "nowhere"}, 400, "/campaign"),
    ({"campaign": "01890000-0000-7000-8000-000000000000"}, 404, "/campaign"),
    ({"expiry": "2001-01-01T00:00:00Z"}, 400, "/expiry"),
    ({"expiry": "2999-01-01T00:00:00Z"}, 400, "/expiry"),
    ({"expiry": "soon"}, 400, "/expiry"),
    ({"name": "x" * 5000}, 400, "/name"),
    ({"days": 3}, 400, "/days"),
]


def test_what_no_token_can_be_is_refused(gm, campaign):
    for body, code, pointer in NO_TOKENS:
        refused = ask(gm, **body)
        assert refused.status_code == code, body
        assert [error["pointer"] for error in refused.json()["errors"]] == [pointer]
        assert not ApiToken.objects.exists(), body


def test_nobody_has_a_token_of_a_campaign_he_does_not_sit_at(campaign):
    assert ask(make_user("stranger"), campaign=str(campaign.pk)).status_code == 404


def test_no_token_lives_longer_than_the_site_lets_it(gm, settings):
    settings.TOKEN_DAYS_MOST = 30
    assert create_token(by=gm, name="usual").token.expiry < timezone.now() + timedelta(days=31)
    with pytest.raises(InvalidInput):
        create_token(by=gm, name="long", days=31)
    page = client_of(gm).get(PAGE).content.decode()
    assert "a month" in page
    assert "three months" not in page
    settings.TOKEN_DAYS_MOST = 3
    assert "3 days" in client_of(gm).get(PAGE).content.decode()


def test_the_page_makes_a_token_as_narrow_as_it_is_asked_for(gm, campaign):
    client = client_of(gm)
    assert 'value="read"' in client.get(PAGE).content.decode().split("checked")[0].rsplit("<input", 1)[1]
    sent = {"name": "Bot", "scope": "play", "campaign": str(campaign.pk), "days": "7"}
    page = client.post(PAGE, sent).content.decode()
    token = ApiToken.objects.get()
    assert (token.scope, token.campaign) == ("play", campaign)
    assert campaign.name in page.split("Your tokens")[1].split("New token")[0]
    for wrong in ({"scope": "all"}, {"campaign": str(make_user("x").pk)}, {"days": "4000"}, {"name": ""}):
        assert client.post(PAGE, {**sent, **wrong}).status_code == 422
    elsewhere = create_campaign(by=make_user("other"), name="Theirs", ruleset="combat-de-masse")
    assert client.post(PAGE, {**sent, "campaign": str(elsewhere.pk)}).status_code == 422
    assert ApiToken.objects.count() == 1


def test_its_last_use_is_noted_once_a_minute_at_most(gm, campaign, django_assert_num_queries):
    token, key = create_token(by=gm, name="Bot")
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    assert "never" in client_of(gm).get(PAGE).content.decode()
    api.get("/api/v1/campaigns/")
    token.refresh_from_db()
    first = token.last_used_at
    assert first is not None
    with django_assert_num_queries(1):  # whose it is
        api.get("/api/v1/rules/")
    token.refresh_from_db()
    assert token.last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=2))
    api.get("/api/v1/rules/")
    token.refresh_from_db()
    assert token.last_used_at > first - timedelta(minutes=1)
    assert "never" not in client_of(gm).get(PAGE).content.decode()


def test_a_refused_request_is_a_use_too(gm, campaign):
    token, key = create_token(by=gm, name="Bot", scope=Scope.MANAGE)
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    refused = api.post("/api/v1/campaigns/", {"name": ""}, format="json", headers={"Idempotency-Key": "k"})
    assert refused.status_code == 400
    token.refresh_from_db()
    assert token.last_used_at is not None


def test_a_scope_nobody_knows_is_kept_out_of_the_table(gm):
    with pytest.raises(IntegrityError), transaction.atomic():
        ApiToken.objects.create(user=gm, name="x", scope="all")


def test_tokens_from_before_have_a_name_and_manage(gm):
    """The migration's own statement, on a row as it was."""
    _token, key = ApiToken.objects.create(user=gm, name="")
    migration = importlib.import_module("kingdom.migrations.0017_scopes_of_tokens")
    with connection.cursor() as cursor:
        cursor.execute(migration.NAMED)
    token = ApiToken.objects.get()
    assert token.name == f"Token of {token.created:%Y-%m-%d}"
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Token {key}")
    made = api.post("/api/v1/campaigns/", {"name": "New", "ruleset": "combat-de-masse"}, format="json")
    assert made.status_code == 201


def test_a_token_goes_with_its_campaign(gm, campaign):
    create_token(by=gm, name="Bot", campaign=campaign)
    campaign.delete()
    assert not ApiToken.objects.exists()
    assert client_of(gm).get(reverse("kingdom:tokens")).status_code == 200


@pytest.mark.parametrize("word", ["Token", "Bearer", "bearer"])
def test_a_key_follows_either_word(gm, campaign, word):
    key = create_token(by=gm).key
    assert APIClient().get("/api/v1/campaigns/", headers={"Authorization": f"{word} {key}"}).status_code == 200
    refused = APIClient().get("/api/v1/campaigns/", headers={"Authorization": f"{word} {key}x"})
    assert (refused.status_code, refused["WWW-Authenticate"]) == (401, word.capitalize())
