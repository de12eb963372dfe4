"""What narrows a list: the same filter means the same everywhere, and a word it does not know is refused. That a filter
nobody knows is refused rather than ignored, tests/manners/test_schema.py asks wherever it reads.
"""

from __future__ import annotations

import pytest

from tests.kingdom.conftest import api_of
from tests.manners.operations import operations_at

ROOT = "/api/v1"


def with_undone(table) -> tuple[str, ...]:
    return (
        f"{ROOT}/battles/{table.battle.pk}/events/",
        f"{ROOT}/campaigns/{table.campaign.pk}/story/",
        f"{ROOT}/campaigns/{table.campaign.pk}/story/document/",
    )


def test_what_was_undone_is_asked_for_alike_everywhere(table):
    api = api_of(table.gm)
    for url in with_undone(table):
        same = (
            [api.get(f"{url}?undone={yes}") for yes in ("true", "1")],
            [api.get(f"{url}{no}") for no in ("?undone=false", "?undone=0", "")],
        )
        for answers in same:
            assert {answer.status_code for answer in answers} == {200}, url
            assert len({answer.content for answer in answers}) == 1, url
        for odd in ("x", "", "True", "yes", "2"):
            refused = api.get(f"{url}?undone={odd}")
            assert (refused.status_code, refused.json()["detail"]) == (400, "Use true or false."), (url, odd)
            assert refused.json()["errors"][0]["pointer"] == "/undone"


@pytest.mark.parametrize(
    "asked",
    [
        "campaigns/{campaign}/story/?order=x",
        "campaigns/{campaign}/story/document/?order=x",
        "campaigns/?ruleset=zz",
        "rules/combat-de-masse/?kind=x",
        "rules/breaking-point/?kind=tactics",
        "arsenal/?campaign={walls}&kind=x",
        "requests/?status=zz",
    ],
)
def test_a_word_a_filter_does_not_know_is_refused(table, asked):
    url = asked.format(campaign=table.campaign.pk, walls=table.walls.campaign.pk)
    refused = api_of(table.gm).get(f"{ROOT}/{url}")
    assert refused.status_code == 400
    told = refused.json()["errors"][0]
    assert told["pointer"] == f"/{url.rpartition('=')[0].rpartition('&')[2].rpartition('?')[2]}"
    assert told["detail"]


def test_the_words_it_knows_are_taken(table):
    api, campaign = api_of(table.gm), table.campaign.pk
    first, last = (
        [line["id"] for line in api.get(f"{ROOT}/campaigns/{campaign}/story/?order={order}").json()["results"]]
        for order in ("", "latest")
    )
    assert first == last[::-1]
    assert len(first) > 1
    found = api.get(f"{ROOT}/campaigns/?ruleset={table.campaign.ruleset}").json()["results"]
    assert str(campaign) in {row["id"] for row in found}
    assert "tactics" in api.get(f"{ROOT}/rules/combat-de-masse/?kind=tactics").json()
    assert len(api.get(f"{ROOT}/rules/combat-de-masse/?kind=").json()) > 5


def test_a_limit_beyond_its_bounds_is_refused_both_ways(table):
    """On every list: nobody is given fewer than asked for without a word."""
    api = api_of(table.gm)
    lists = [
        one for one in operations_at(table) if "limit" in {part.get("name") for part in one.told.get("parameters", ())}
    ]
    assert len(lists) > 15
    for one in lists:
        for odd in ("0", "-1", "201", "abc", "", "1.5", "+5", "99999999999999999999"):
            refused = api.get(f"{one.url}?{one.query.lstrip('?')}&limit={odd}")
            assert (refused.status_code, refused.json()["detail"]) == (400, "Use a whole number from 1 to 200."), one
            assert refused.json()["errors"][0]["pointer"] == "/limit"
        for most in ("1", "200"):
            assert api.get(f"{one.url}?{one.query.lstrip('?')}&limit={most}").status_code == 200, one
