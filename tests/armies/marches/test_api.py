"""`armies/{id}/march/` and `…/halt/`: the same marches, by program."""

from __future__ import annotations

import pytest

from kingdom.campaign.services import update_campaign
from kingdom.map.services import configure_map
from kingdom.models import ApprovalRequest
from tests.armies.marches.conftest import WAY, fresh, pass_days, where
from tests.kingdom.conftest import api_of

pytestmark = pytest.mark.django_db


def at(army, what="march") -> str:
    return f"/api/v1/armies/{army.pk}/{what}/"


def test_a_march_is_told_before_it_is_made_and_made_as_it_was_told(marches):
    api = api_of(marches.ana)
    told = api.post(at(marches.watch), {"to": "G7", "confirm": False}, format="json").json()
    assert (told["days"], told["arrives"], told["path"][0], told["path"][-1]) == (3, 3, "A7", "G7")
    assert [stop["hex"] for stop in told["stops"]][::3] == ["A7", "G7"]
    assert sum(line["value"] for line in told["cost"]) == 6
    assert fresh(marches.watch).route is None
    made = api.post(at(marches.watch), {"path": told["path"]}, format="json").json()
    assert made == told
    pass_days(marches, 1)
    now = api.get(at(marches.watch)).json()
    expected = [{"day": day, "hex": hex} for day, hex in zip((1, 2, 3), made_hexes(made), strict=True)]
    assert now["way"]["stops"] == expected
    halted = api.post(at(marches.watch, "halt"))
    assert halted.status_code == 200, halted.json()
    pass_days(marches, 3)
    assert where(marches.watch) == [made["stops"][1]["hex"]]
    assert api.get(at(marches.watch)).json()["way"] is None


def made_hexes(made) -> list[str]:
    return [stop["hex"] for stop in made["stops"][1:]]


def test_the_hexes_an_army_can_reach_are_told_with_their_days(marches):
    api = api_of(marches.ana)
    found = {one["hex"]: one["days"] for one in api.get(at(marches.watch), {"days": 2}).json()["reach"]}
    assert (found["B7"], found["C7"], found["D7"]) == (1, 1, 2)
    assert "F7" not in found
    assert api.get(at(marches.watch), {"days": 8}).status_code == 400


WRONG = [
    ({"path": ["C7"]}, 400, "/path/0"),
    ({"path": ["B7", "x"]}, 400, "/path/1"),
    ({"path": ["B7", "Z99"]}, 400, "/path/1"),
    ({"path": ["A7", "B7", "Z99"]}, 400, "/path/2"),
    ({"path": ["A7", "D7"]}, 400, "/path/1"),
    ({"path": ["A7"]}, 400, "/path"),
    ({"to": "F4"}, 409, "/to"),
    ({"to": "Z99"}, 400, "/to"),
    ({"to": "B7", "manner": ["flying"]}, 400, "/manner"),
    ({"path": []}, 400, "/path"),
]


def test_a_march_nobody_can_make_is_refused_where_it_is_wrong(marches):
    api = api_of(marches.ana)
    for body, status, pointer in WRONG:
        answer = api.post(at(marches.watch), body, format="json")
        assert answer.status_code == status, answer.json()
        assert [error["pointer"] for error in answer.json()["errors"]] == [pointer], body
        assert fresh(marches.watch).route is None, body


def test_nobody_marches_what_is_not_his_and_leave_is_asked_where_it_is_to_be(marches):
    for who in (marches.bo, marches.viewer, marches.stranger):
        assert api_of(who).post(at(marches.watch), {"to": "B7"}, format="json").status_code in (403, 404)
        assert api_of(who).get(at(marches.watch)).status_code in (403, 404)
    update_campaign(by=marches.gm, campaign=marches.campaign, players_may={"march": "ask"})
    asked = api_of(marches.ana).post(at(marches.watch), {"path": [*WAY]}, format="json")
    assert asked.status_code == 202, asked.json()
    assert fresh(marches.watch).route is None
    waiting = ApprovalRequest.objects.get(campaign=marches.campaign)
    granted = api_of(marches.gm).post(f"/api/v1/requests/{waiting.pk}/grant/")
    assert granted.status_code == 200, granted.json()
    assert fresh(marches.watch).way.end == "G7"


def test_what_a_player_has_not_seen_is_neither_reached_nor_told_apart(marches):
    """Canary: water and plains nobody of theirs has seen are refused in the same words."""
    configure_map(by=marches.gm, campaign=marches.campaign, fog=True, sight=1)
    api = api_of(marches.ana)
    reach = {one["hex"] for one in api.get(at(marches.watch), {"days": 7}).json()["reach"]}
    assert reach <= {"A6", "B6", "B7", "A8", "B8"}
    assert reach
    told = [api.post(at(marches.watch), {"to": to}, format="json").json()["detail"] for to in ("F3", "L3")]
    sentence = "You don’t know a path to …. Choose another hex."
    assert [text.replace(to, "…") for text, to in zip(told, ("F3", "L3"), strict=True)] == [sentence] * 2
    assert "Canary" not in api.get(at(marches.watch), {"days": 7}).content.decode()
