"""Other rulesets: what the law of a campaign has nothing of is told as such, to whoever may know of what was named."""

from __future__ import annotations

import pytest

from armies.breaking_point.armies.services import appoint_commander
from rules.registry import RULESETS
from tests.kingdom.conftest import api_of, make_user

BREAKING = f"Not available in this ruleset ({RULESETS['breaking-point'].name})."


def doors(table):
    walls, army = table.walls, table.walls.guard.pk
    chief = table.chief.pk
    return [
        *(("post", f"armies/{army}/{deed}/", {}, BREAKING)
          for deed in ("assign", "resources", "transfer", "promote", "tactics", "rest", "disband", "regroup",
                       "reserve")),
        ("get", f"armies/{army}/resources/", None, BREAKING),
        ("get", f"armies/{army}/foundry/", None, BREAKING),
        ("delete", f"armies/{army}/tactics/shield-wall/", None, BREAKING),
        ("post", f"commanders/{chief}/boons/", {}, BREAKING),
        ("post", f"commanders/{chief}/ransom/", {}, BREAKING),
        ("get", f"kingdoms/{walls.crown.pk}/foundry/", None, BREAKING),
        ("post", f"campaigns/{walls.campaign.pk}/foundry/", {}, BREAKING),
        ("get", f"unit-types/?campaign={walls.campaign.pk}", None, BREAKING),
        ("post", "unit-types/", {"campaign": str(walls.campaign.pk), "unit": {}}, BREAKING),
    ]  # fmt: skip


@pytest.fixture
def both(table):
    table.chief = appoint_commander(by=table.gm, kingdom=table.walls.crown, name="Ysolde", mental=8)
    return table


def test_what_a_ruleset_has_nothing_of_says_so(both):
    api = api_of(both.walls.gm)
    for method, path, body, said in doors(both):
        answer = getattr(api, method)(f"/api/v1/{path}", body, format="json")
        assert (answer.status_code, answer.json()["detail"]) == (404, said), path


def test_a_stranger_does_not_learn_by_it_that_something_is_there(both):
    api = api_of(make_user("nobody"))
    for method, path, body, _said in doors(both):
        answer = getattr(api, method)(f"/api/v1/{path}", body, format="json")
        told = answer.json()["detail"]
        assert (answer.status_code, told) == (404, "Not found, or you have no access to it."), path
