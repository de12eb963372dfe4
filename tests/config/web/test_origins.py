"""Pages of other sites: only those that the site or a campaign names may call the API, with a token and no cookie."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, connection
from django.test import Client

from kingdom.campaign.services import create_campaign, update_campaign
from kingdom.members.services import delete_campaign
from rules.core.errors import InvalidInput
from tests.kingdom.conftest import api_of, make_user

HERE, THERE = "https://tools.example.org", "https://elsewhere.example.org"
URL = "/api/v1/campaigns/"


@pytest.fixture(autouse=True)
def one_origin(settings):
    settings.CORS_ALLOWED_ORIGINS = [HERE]


def ask_first(origin: str, url: str = URL):
    asked = {"origin": origin, "access-control-request-method": "POST"}
    asked["access-control-request-headers"] = "authorization, content-type, if-match, idempotency-key"
    return Client().options(url, headers=asked)


def test_a_named_site_may_send_tokens_and_versions(db):
    answer = ask_first(HERE)
    assert answer["access-control-allow-origin"] == HERE
    assert "POST" in answer["access-control-allow-methods"]
    allowed = answer["access-control-allow-headers"]
    assert all(name in allowed for name in ("authorization", "content-type", "if-match", "idempotency-key"))
    assert "access-control-allow-credentials" not in answer


def test_a_named_site_reads_answers_and_refusals(db):
    answer = api_of(make_user("gm")).get(URL, headers={"origin": HERE})
    assert (answer.status_code, answer["access-control-allow-origin"]) == (200, HERE)
    assert "etag" in answer["access-control-expose-headers"]
    refused = Client().get(URL, headers={"origin": HERE})
    assert (refused.status_code, refused["access-control-allow-origin"]) == (401, HERE)


def test_no_other_site_and_no_page(db):
    assert "access-control-allow-origin" not in ask_first(THERE)
    assert "access-control-allow-origin" not in api_of(make_user("gm")).get(URL, headers={"origin": THERE})
    assert "access-control-allow-origin" not in Client().get("/accounts/login/", headers={"origin": HERE})


# Sites that a campaign names


@pytest.fixture
def campaign(db):
    gm = make_user("gm")
    made = create_campaign(by=gm, name="Marches", ruleset="combat-de-masse")
    return update_campaign(by=gm, campaign=made, origins=[THERE])


def admitted(origin: str) -> bool:
    return ask_first(origin).headers.get("access-control-allow-origin") == origin


def test_a_site_that_a_campaign_names_is_admitted_until_it_is_named_no_more(campaign):
    gm = campaign.owner
    assert admitted(THERE)
    assert api_of(gm).get(URL, headers={"origin": THERE})["access-control-allow-origin"] == THERE
    assert "access-control-allow-origin" not in Client().get("/accounts/login/", headers={"origin": THERE})
    update_campaign(by=gm, campaign=campaign, origins=[])
    assert not admitted(THERE)
    update_campaign(by=gm, campaign=campaign, origins=[f"{THERE}/"])
    assert admitted(THERE)
    delete_campaign(by=gm, campaign=campaign)
    assert not admitted(THERE)


def test_sites_are_named_as_browsers_name_them_and_each_once(campaign):
    given = ["HTTPS://Elsewhere.example.org:443/", THERE, "http://localhost:5173", " https://a.example.org:8443 "]
    update_campaign(by=campaign.owner, campaign=campaign, origins=given)
    assert campaign.origins == [THERE, "http://localhost:5173", "https://a.example.org:8443"]


@pytest.mark.parametrize(
    "wrong",
    ["*", "null", "", "tools", "https://tools", "http://tools.example.org", "https://a.example.org/page", "ftp://a.b",
     "https://*.example.org", "https://a b.example.org", "https://user@a.example.org", "https://a.b?x", 3, None],
)  # fmt: skip
def test_what_is_no_site_is_refused(campaign, wrong):
    with pytest.raises(InvalidInput) as refused:
        update_campaign(by=campaign.owner, campaign=campaign, origins=[wrong])
    assert refused.value.errors[0][0] == "/origins"
    campaign.refresh_from_db()
    assert campaign.origins == [THERE]


def test_a_campaign_names_ten_at_most_and_by_its_gm_alone(campaign):
    api, url = api_of(campaign.owner), f"{URL}{campaign.pk}/"
    many = [f"https://{number}.example.org" for number in range(11)]
    assert api.patch(url, {"origins": many}).status_code == 400
    assert api.patch(url, {"origins": many[:10]}).json()["origins"] == many[:10]
    with pytest.raises(InvalidInput):
        update_campaign(by=campaign.owner, campaign=campaign, origins=many)
    assert api_of(make_user("stranger")).patch(url, {"origins": []}).status_code == 404


def test_only_requests_of_other_sites_to_the_api_ask_the_database(campaign, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert admitted(HERE)
        assert not admitted("null")
        Client().get("/healthz/", headers={"origin": THERE})
    with django_assert_num_queries(1):
        assert admitted(THERE)


def test_while_the_database_is_away_no_campaign_names_a_site(campaign):
    def away(*_asked):
        raise DatabaseError

    with connection.execute_wrapper(away):
        assert not admitted(THERE)
        assert admitted(HERE)
