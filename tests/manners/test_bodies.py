"""What nobody asked for is refused, not ignored: on every operation that takes a body, nested ones too."""

from __future__ import annotations

import json

from armies.pathfinder.commanders.services import appoint_commander
from core.clean_input import DEPTH_MAX
from tests.databases import tried
from tests.everyday import by_turns
from tests.kingdom.conftest import api_of
from tests.manners.operations import operations_at

STRANGER = "nobody_asked"
TAKE = ("POST", "PUT", "PATCH")
KEEPS = {
    ("PUT", "/api/v1/campaigns/{campaign_id}/map/"),
    ("POST", "/api/v1/auth/token/"),
    ("PUT", "/api/v1/campaigns/{campaign_id}/pictures/{kind}/{thing}/"),
    ("POST", "/api/v1/campaigns/{id}/map/import/"),
}
"""What a map's file says beside what is ours is kept and written back (HX-7.1); no token makes tokens; a picture and a
map of another tool come as a form with a file (`tests/kingdom/pictures`, `tests/kingdom/map`)."""


def test_a_member_nobody_asked_for_is_refused_everywhere(table):
    api = api_of(table.gm)
    taking = [one for one in operations_at(table) if one.method in TAKE and (one.method, one.path) not in KEEPS]
    assert len(taking) > 25
    ignored = []
    with tried():  # nothing is done, unless the test fails
        for one in taking:
            commands = one.path.endswith("/commands/")
            body = {"type": "resolve"} if commands else one.body or {}
            sent = json.dumps({**body, STRANGER: 1})
            version = {"If-Match": f'"{table.battle.version}"'} if commands else {}
            answer = api.generic(one.method, one.url, sent, "application/json", headers=version)
            told = answer.json() if answer.content else {}
            if answer.status_code != 400 or not any(STRANGER in error["pointer"] for error in told.get("errors", ())):
                ignored.append((str(one), answer.status_code, told))
    assert ignored == []


def test_nested_strangers_have_their_pointer(table):
    api = api_of(table.gm)
    body = {"resource": "healing-potions", "to": [{"army": str(table.spare.pk), "quantiy": 1}]}
    answer = api.post(f"/api/v1/armies/{table.watch.pk}/transfer/", body)
    assert answer.status_code == 400
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/to/0/quantiy"]


def test_a_change_may_send_back_what_was_read(table):
    api, smith = api_of(table.gm), appoint_commander(by=table.gm, kingdom=table.crown, name="Oleg", level=3)
    for url in (f"campaigns/{table.campaign.pk}", f"settlements/{table.town.pk}", f"kingdoms/{table.crown.pk}",
                f"commanders/{smith.pk}", f"armies/{table.spare.pk}"):  # fmt: skip
        read = api.get(f"/api/v1/{url}/").json()
        answer = api.patch(f"/api/v1/{url}/", {**read, "name": "Another name"})
        assert answer.status_code == 200, (url, answer.json())
        assert answer.json()["name"] == "Another name"


def test_a_kingdom_that_is_no_id_is_refused_whatever_it_is(table):
    """A number passes for an id where JSON is read."""
    for kind in ("armies", "commanders"):
        for named in (1, 1.5, True, -1, 2**200, "x", [], {}, None):
            answer = api_of(table.gm).post(f"/api/v1/{kind}/", {"kingdom": named, "name": "Name"})
            told = [error["pointer"] for error in answer.json().get("errors", ())]
            # A whole number may be the id of nothing.
            assert answer.status_code in (400, 404), named
            assert "/kingdom" in told, named


def test_what_is_only_read_cannot_be_changed(table):
    answer = api_of(table.gm).patch(f"/api/v1/armies/{table.watch.pk}/", {"name": "Other", "om": 99})
    assert answer.status_code == 400
    assert answer.json()["errors"] == [{"pointer": "/om", "detail": "This field is read-only. Remove it."}]
    table.watch.refresh_from_db()
    assert table.watch.name == "Ironwatch"


CURSORS = ("cD0=", "cD0A", "cD3Zobik2aE=", "cD05OTk5OTk5OTk5OTk5OTk5OTk5OTk5", "é", "%00")


def test_a_cursor_of_somebody_else_is_refused(table):
    api = api_of(table.gm)
    for name in ("campaigns", "kingdoms", "settlements", "armies", "commanders", "stores", "battles",
                 f"campaigns/{table.campaign.pk}/members", f"campaigns/{table.campaign.pk}/chronicle",
                 f"campaigns/{table.campaign.pk}/invitations", f"kingdoms/{table.crown.pk}/ledger"):  # fmt: skip
        ways = name == "campaigns" or name.endswith("/chronicle")  # by ids, and by numbers
        last = name.rpartition("/")[2]
        for cursor in ("cD0w", *(CURSORS if ways else by_turns(last, CURSORS))):
            answer = api.get(f"/api/v1/{name}/?cursor={cursor}")
            ours = cursor == "cD0w" and name.endswith(("chronicle", "ledger"))  # a number, which these count by
            assert answer.status_code == (200 if ours else 400), (name, cursor)
            if not ours:
                assert [error["pointer"] for error in answer.json()["errors"]] == ["/cursor"]


def test_a_list_goes_on_where_its_cursor_says(table):
    api = api_of(table.gm)
    first = api.get("/api/v1/armies/?limit=1").json()
    second = api.get(first["next"]).json()
    assert first["results"][0]["id"] < second["results"][0]["id"]
    assert api.get(second["previous"]).json()["results"] == first["results"]


def test_a_body_nested_too_deeply_is_refused_at_its_place(table):
    deep: object = 1
    for _level in range(DEPTH_MAX + 2):
        deep = {"a": deep}
    answer = api_of(table.gm).patch(f"/api/v1/armies/{table.watch.pk}/", {"unit": deep})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["pointer"].startswith("/unit/a/a")
    assert answer["Content-Type"] == "application/problem+json"
