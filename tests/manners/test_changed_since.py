"""What has changed since a moment: lists tell it by `changed_since`, of what their reader may know."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.utils import timezone

from armies.pathfinder.commanders.services import appoint_commander
from kingdom.realms.treasury_services import record_entry
from tests.databases import tried
from tests.kingdom.conftest import api_of
from tests.manners.bodies import UNIT

ROOT = "/api/v1"


def listed(api: Any, kind: str, moment: datetime, **more: Any) -> list[str]:
    answer = api.get(f"{ROOT}/{kind}/", {"changed_since": moment.isoformat(), **more})
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["results"]]


def deeds(table: Any) -> list[tuple[str, Any, str, str, Any]]:
    """List, thing, method, the rest of the address, body."""
    army, commander = table.spare.pk, appoint_commander(by=table.gm, kingdom=table.crown, name="Idle", level=6).pk
    return [
        ("armies", army, "patch", "", {"name": "Renamed"}),
        ("armies", army, "patch", "", {"revealed": True}),
        ("armies", army, "patch", "", {"count": 400}),
        ("armies", army, "post", "place/", {"hex": "B2"}),
        ("armies", army, "post", "hidden/", {"hidden": True}),
        ("armies", army, "post", "tactics/", {"tactic": "false-retreat", "granted": True}),
        ("armies", army, "post", "resources/", {"resource": "ranged-weapons"}),
        ("armies", army, "post", "disband/", {}),
        ("commanders", commander, "patch", "", {"level": 7}),
        ("commanders", commander, "patch", "", {"name": "Renamed"}),
        ("kingdoms", table.crown.pk, "patch", "", {"economy": 7}),
        ("kingdoms", table.crown.pk, "post", "ledger/", {"amount": 5, "reason": "Tolls"}),
        ("settlements", table.town.pk, "patch", "", {"buildings": []}),
    ]


def test_whatever_was_done_to_a_thing_it_has_changed(table):
    api, missed = api_of(table.gm), []
    for kind, thing, method, rest, body in deeds(table):
        with tried():
            moment = timezone.now()
            assert str(thing) not in listed(api, kind, moment)
            answer = getattr(api, method)(f"{ROOT}/{kind}/{thing}/{rest}", body)
            assert answer.status_code < 300, (kind, rest, answer.content)
            if listed(api, kind, moment) != [str(thing)]:
                missed.append((kind, method, rest, body))
    assert missed == []


def test_what_is_new_and_what_was_undone_has_changed(table):
    api = api_of(table.gm)
    moment = timezone.now()
    body = {"kingdom": str(table.crown.pk), "name": "Levy", "unit": UNIT, "count": 50}
    made = api.post(f"{ROOT}/armies/", body).json()["id"]
    assert listed(api, "armies", moment) == [made]
    api.patch(f"{ROOT}/armies/{table.spare.pk}/", {"count": 400})
    moment = timezone.now()
    assert listed(api, "armies", moment) == []
    assert api.post(f"{ROOT}/campaigns/{table.campaign.pk}/undo/", {}).status_code == 200
    assert listed(api, "armies", moment) == [str(table.spare.pk)]
    assert listed(api, "armies", moment, campaign=str(table.campaign.pk)) == [str(table.spare.pk)]
    assert listed(api, "armies", moment, campaign=str(table.walls.campaign.pk)) == []


def test_what_is_gone_stands_in_the_chronicle(table):
    api, moment = api_of(table.gm), timezone.now()
    assert api.delete(f"{ROOT}/armies/{table.spare.pk}/").status_code == 204
    assert listed(api, "armies", moment) == []
    address = f"{ROOT}/campaigns/{table.campaign.pk}/chronicle/"
    (entry,) = api.get(address, {"changed_since": moment.isoformat()}).json()["results"]
    gone = [line for line in entry["changes"] if (line["subject_id"], line["field"]) == (str(table.spare.pk), "exists")]
    assert [(line["before"], line["after"]) for line in gone] == [(True, False)]
    moment = timezone.now()
    api.post(f"{ROOT}/campaigns/{table.campaign.pk}/undo/", {})
    (again,) = api.get(address, {"changed_since": moment.isoformat()}).json()["results"]
    assert (again["id"], again["undone"]) == (entry["id"], True)
    assert again["updated_at"] > entry["updated_at"] == entry["at"]
    assert listed(api, "armies", moment) == [str(table.spare.pk)]


def test_nobody_learns_of_a_change_they_may_not_read(table):
    moment = timezone.now()
    record_entry(by=table.gm, kingdom=table.crown, amount=7, reason="Secret")
    assert str(table.crown.pk) in [row["id"] for row in api_of(table.bo).get(f"{ROOT}/kingdoms/").json()["results"]]
    assert listed(api_of(table.bo), "kingdoms", moment) == []
    assert listed(api_of(table.ana), "kingdoms", moment) == [str(table.crown.pk)]


def test_a_battle_has_changed_with_every_command_and_every_undo(table):
    api, battle = api_of(table.gm), str(table.battle.pk)

    def line() -> Any:
        return next(row for row in api.get(f"{ROOT}/battles/").json()["results"] if row["id"] == battle)

    for command in ({"type": "next"}, {"type": "resolve"}, {"type": "undo"}):
        before, moment = line(), timezone.now()
        assert battle not in listed(api, "battles", moment)
        headers = {"If-Match": f'"{before["version"]}"'}
        answer = api.post(f"{ROOT}/battles/{battle}/commands/", command, headers=headers)
        assert answer.status_code == 200, answer.content
        assert listed(api, "battles", moment) == [battle]
        assert line()["updated_at"] > before["updated_at"]


@pytest.mark.parametrize("wrong", ["", "yesterday", "2026-11-29", "2026-11-29T18:00:00", "2026-13-01T00:00:00Z", "7"])
def test_a_moment_needs_its_zone(table, wrong):
    api = api_of(table.gm)
    for kind in ("armies", "battles", f"campaigns/{table.campaign.pk}/chronicle"):
        answer = api.get(f"{ROOT}/{kind}/", {"changed_since": wrong})
        if wrong == "" and answer.status_code == 200:
            continue  # an empty filter of a list is none
        assert answer.status_code == 400, (kind, answer.content)
        assert [fault["pointer"] for fault in answer.json()["errors"]] == ["/changed_since"]


@pytest.mark.parametrize("zone", ["%2B20:23", "-23:59", "%2B16:00"])
def test_a_zone_far_away_is_reckoned_to_utc(table, zone):
    """PostgreSQL takes none more than 16 hours away."""
    api = api_of(table.gm)
    for kind in (
        "armies",
        "commanders",
        "kingdoms",
        "settlements",
        "battles",
        f"campaigns/{table.campaign.pk}/chronicle",
    ):
        answer = api.get(f"{ROOT}/{kind}/?changed_since=1202-01-07T21:39:42{zone}")
        assert answer.status_code == 200, (kind, answer.content)
        edge = api.get(f"{ROOT}/{kind}/?changed_since=0001-01-01T00:00:00%2B20:00")
        assert edge.status_code == 400, (kind, edge.content)
