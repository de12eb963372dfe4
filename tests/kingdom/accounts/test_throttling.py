"""Who asks too often is told how long to wait: the API by token, account and address, pages by account and address, and
what costs much.
"""

from __future__ import annotations

from datetime import timedelta
from threading import Thread

import pytest
from django.db import OperationalError, connection, connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from config import settings as own_settings
from kingdom.accounts.rate_limits import Limit, count_attempts
from kingdom.models import ApiToken, IdempotencyRecord, RateLimitCounter
from tests.kingdom.conftest import api_of, make_user

URL, FIND = "/api/v1/campaigns/", "/api/v1/find/?q=x&kind=kingdom"


@pytest.fixture
def per_minute(settings):
    """Every limit as it is given, the others off."""

    def limit(**most: int) -> None:
        named = {what.replace("_", "-"): number for what, number in most.items()}
        settings.PER_MINUTE = {**dict.fromkeys(settings.PER_MINUTE, 0), **named}

    return limit


def codes(api: APIClient | Client, url: str, times: int) -> list[int]:
    return [api.get(url).status_code for _time in range(times)]


def test_a_token_asks_so_often_and_no_more(gm, campaign, per_minute):
    per_minute(api_token=3)
    one, other = api_of(gm), api_of(gm)
    assert codes(one, URL, 5) == [200, 200, 200, 429, 429]
    assert codes(other, URL, 1) == [200]  # another tool of the same person


def test_an_account_asks_so_often_by_however_many_tokens(gm, campaign, per_minute):
    per_minute(api_account=3)
    assert codes(api_of(gm), URL, 2) == [200, 200]
    assert codes(api_of(gm), URL, 2) == [200, 429]
    session = Client()
    session.force_login(gm)
    assert codes(session, URL, 1) == [429]
    assert codes(api_of(make_user("other")), URL, 1) == [200]


def test_who_is_nobody_is_counted_by_his_address(db, per_minute):
    per_minute(api_address=2)
    rules, here = "/api/v1/rules/", APIClient(REMOTE_ADDR="192.0.2.1")
    assert codes(here, rules, 3) == [200, 200, 429]
    assert codes(APIClient(REMOTE_ADDR="192.0.2.2"), rules, 1) == [200]
    houses = [APIClient(REMOTE_ADDR=f"2001:db8::{n}") for n in range(3)]
    assert [house.get(rules).status_code for house in houses] == [200, 200, 429]  # one household


def test_the_refusal_is_a_problem_that_says_how_long_to_wait(gm, campaign, per_minute):
    per_minute(api_token=1)
    api = api_of(gm)
    api.get(URL)
    refused = api.get(URL, headers={"Accept-Language": "fr"})
    assert refused.headers["Content-Type"] == "application/problem+json"
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert refused.json()["type"] == "urn:warhost:problem:too-many-requests"
    assert "Trop de requêtes" in refused.json()["detail"]


def test_waiting_is_enough(gm, campaign, per_minute):
    per_minute(api_token=1)
    api = api_of(gm)
    assert codes(api, URL, 2) == [200, 429]
    RateLimitCounter.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert codes(api, URL, 2) == [200, 429]


def test_what_costs_much_is_counted_besides(gm, campaign, per_minute):
    per_minute(search=2, costly=1)
    assert codes(api_of(gm), FIND, 3) == [200, 200, 429]
    assert codes(api_of(gm), URL, 3) == [200] * 3
    client = Client()
    client.force_login(gm)
    page = client.get("/find/?q=x")  # the page counts as the API does
    assert (page.status_code, "Retry-After" in page.headers) == (429, True)
    assert "Too many requests" in page.content.decode()
    assert codes(client, f"/c/{campaign.pk}/story/markdown/", 2) == [200, 429]


def test_pages_are_counted_by_account_whatever_the_address_and_the_api_by_itself(gm, campaign, per_minute):
    per_minute(page_account=3)
    laptop, phone = Client(REMOTE_ADDR="192.0.2.1"), Client(REMOTE_ADDR="192.0.2.2")
    for device in (laptop, phone):
        device.force_login(gm)
    page = f"/c/{campaign.pk}/"
    assert codes(laptop, page, 2) + codes(phone, page, 2) == [200, 200, 200, 429]
    assert codes(api_of(gm), URL, 1) == [200]
    neighbour = Client(REMOTE_ADDR="192.0.2.1")
    neighbour.force_login(make_user("neighbour"))
    assert codes(neighbour, "/", 1) == [200]
    refused = laptop.get(page, headers={"Accept-Language": "fr"})
    assert 0 < int(refused["Retry-After"]) <= 60
    assert "Trop de requêtes" in refused.content.decode()


def test_pages_of_nobody_are_counted_by_address_also_with_a_made_up_session(db, per_minute):
    per_minute(page_address=2)
    door, here = "/accounts/login/", Client(REMOTE_ADDR="192.0.2.1")
    assert codes(here, door, 2) == [200, 200]
    here.cookies["sessionid"] = "a" * 32
    assert codes(here, door, 1) == [429]
    assert codes(Client(REMOTE_ADDR="192.0.2.2"), door, 1) == [200]
    assert codes(here, "/healthz/", 3) + codes(here, "/readyz/", 3) == [200] * 6


def test_a_page_is_shown_though_the_database_is_away_and_cannot_count_it(db, per_minute, monkeypatch):
    def away(counted: object) -> float:
        raise OperationalError("away")

    per_minute(page_address=2)
    monkeypatch.setattr("kingdom.accounts.rate_limits.count_attempts", away)
    assert codes(Client(), "/credits/", 3) == [200] * 3


def test_wrong_tokens_are_counted_by_address_and_right_ones_are_not(gm, campaign, per_minute):
    per_minute(wrong_token=2)
    wrong = APIClient(REMOTE_ADDR="192.0.2.1")
    wrong.credentials(HTTP_AUTHORIZATION=f"Token {'a' * 64}")
    assert codes(wrong, URL, 3) == [401, 401, 429]
    assert codes(api_of(gm), URL, 5) == [200] * 5


def test_it_costs_one_query_whatever_is_counted(gm, campaign, settings):
    api = api_of(gm)
    api.get(FIND)
    with CaptureQueriesContext(
        connection,
    ) as without:
        api.get(FIND)
    settings.PER_MINUTE = dict.fromkeys(settings.PER_MINUTE, 100)
    for _time in range(2):
        with CaptureQueriesContext(connection) as counted:
            api.get(FIND)
        assert len(counted) == len(without) + 1


def test_nothing_is_counted_where_it_is_off(gm, campaign):
    codes(api_of(gm), FIND, 3)
    assert not RateLimitCounter.objects.exists()


def test_on_a_site_it_is_on(db):
    assert own_settings.PER_MINUTE.keys() == {
        "api-token", "api-account", "api-address", "page-account", "page-address", "wrong-token", "costly", "search"
    }  # fmt: skip
    assert all(most >= 30 for most in own_settings.PER_MINUTE.values())


def test_a_refused_request_counts_and_is_no_answer_to_a_repeated_one(gm, per_minute):
    per_minute(api_token=1)
    api, body = api_of(gm), {"name": "New", "ruleset": "combat-de-masse"}
    api.get(URL)
    refused = api.post(URL, body, format="json", headers={"Idempotency-Key": "once"})
    assert refused.status_code == 429
    assert not IdempotencyRecord.objects.exists()
    RateLimitCounter.objects.all().delete()
    assert api.post(URL, body, format="json", headers={"Idempotency-Key": "once"}).status_code == 201
    assert ApiToken.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_all_processes_count_together_and_none_is_forgotten():
    """As many at once as there are; of two limits at once in any order, which waits for nobody for ever."""
    limits = [(Limit("a", 40, 1), "x"), (Limit("b", 40, 1), "x")]
    waits: list[float] = []

    def ask(counted: list[tuple[Limit, str]]) -> None:
        waits.extend(count_attempts(counted) for _time in range(10))
        connections.close_all()

    threads = [Thread(target=ask, args=(limits[:: 1 if n % 2 else -1],)) for n in range(6)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    assert (len(waits), sum(wait > 0 for wait in waits)) == (60, 20)


def test_answers_say_how_the_limits_stand(gm, campaign, per_minute):
    per_minute(api_token=2, api_account=5)
    api = api_of(gm)
    first, second, third = api.get(URL), api.get(URL), api.get(URL)
    assert first["RateLimit-Policy"] == '"api-account";q=5;w=60, "api-token";q=2;w=60'
    assert first["RateLimit"].startswith('"api-account";r=4;t=')
    assert ['"api-token";r=0;t=' in answer["RateLimit"] for answer in (first, second, third)] == [False, True, True]
    assert (third.status_code, third["Retry-After"]) == (429, third["RateLimit"].rpartition("t=")[2])


def test_search_and_codex_say_it_too(gm, campaign, per_minute):
    per_minute(api_account=5, search=3)
    found = api_of(gm).get(FIND)
    assert found["RateLimit-Policy"] == '"api-account";q=5;w=60, "search";q=3;w=60'
    for url in ("/api/v1/rules/", "/api/v1/rules/combat-de-masse/"):
        assert "RateLimit" in api_of(gm).get(url), url


def test_where_nothing_is_limited_nothing_is_said_of_limits(gm, campaign, per_minute):
    per_minute()
    assert "RateLimit" not in api_of(gm).get(URL)
