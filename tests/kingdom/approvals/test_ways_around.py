"""What the GM keeps from players is kept on every way there: by tables, by reform, by one of many changes."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from armies.documents.commander_services import appoint_commander
from armies.forces.services import raise_army
from armies.models import Army, Commander
from armies.pathfinder.armies.reform_services import WantedArmy, request_reform
from kingdom.campaign.services import update_campaign
from kingdom.models import ApprovalRequest
from tests.armies.conftest import appointed, raised
from tests.armies.wing_command.conftest import SHEET, army_of, kept
from tests.armies.wing_command.conftest import table as wings  # noqa: F401 - fixture
from tests.armies.wing_command.test_tables import bring
from tests.databases import tried
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader


def let(table: SimpleNamespace, **players_may: str) -> None:
    update_campaign(by=table.gm, campaign=table.campaign, players_may=players_may)


def a_second(table: SimpleNamespace) -> tuple[Army, Commander]:
    """A second army of the crown, under Ulf."""
    ulf = appoint_commander(by=table.gm, kingdom=table.crown, name="Ulf", sheet={"ability": "A"})
    return raise_army(by=table.gm, kingdom=table.crown, name="Second", sheet=SHEET, commander=ulf), ulf


def test_a_table_changes_no_sheets_of_commanders_without_leave_for_sheets(wings):  # noqa: F811
    changed = f"id,ability\n{wings.leader.pk},A\n"
    let(wings, attributes="no")
    with tried():
        assert bring(wings, wings.ana, "commanders", changed).status_code == 403
    let(wings, attributes="ask")
    with tried():
        assert bring(wings, wings.ana, "commanders", changed).status_code == 202
        assert ApprovalRequest.objects.get().kind == "attributes"
    assert kept(wings.leader)["ability"] == "B"


def test_a_table_that_appoints_needs_no_leave_for_sheets(wings):  # noqa: F811
    let(wings, attributes="no")
    text = f"id,kingdom,commander,ability\n{wings.leader.pk},Crown,Isaut,B\n,Crown,Ulf,A\n"
    assert bring(wings, wings.ana, "commanders", text).status_code == 200
    assert Commander.objects.filter(name="Ulf").exists()


def test_the_preview_of_a_table_says_that_the_gm_is_asked(wings):  # noqa: F811
    let(wings, attributes="ask")
    url = f"/c/{wings.campaign.pk}/tables/commanders/"
    for text, asked in ((f"id,ability\n{wings.leader.pk},A\n", True), ("commander,ability\nUlf,A\n", False)):
        page = Reader(wings.ana).client.post(url, {"pasted": text}).content.decode()
        assert ("Ask the GM: Import" in page) == asked


def test_commanders_are_not_exchanged_by_reform_without_leave_to_appoint(wings):  # noqa: F811
    second, ulf = a_second(wings)
    parts = [
        {"army": str(wings.watch.pk), "commander": str(ulf.pk),
         "takes": [{"army": str(second.pk), "part": "troops", "entry": 0}]},
        {"army": str(second.pk), "commander": str(wings.leader.pk), "takes": []},
    ]  # fmt: skip
    let(wings, appoint="no")
    assert reform(wings, second, parts).status_code == 403
    assert army_of("Ironwatch").commander == wings.leader
    let(wings, appoint="ask")
    assert reform(wings, second, parts).status_code == 202
    assert ApprovalRequest.objects.get().kind == "appoint"


def test_armies_are_combined_without_leave_to_appoint(wings):  # noqa: F811
    second, _ulf = a_second(wings)
    let(wings, appoint="no")
    assert reform(wings, second, []).status_code == 200
    assert army_of("Ironwatch").commander == wings.leader


def reform(table: SimpleNamespace, other: Army, parts: list[dict[str, Any]]) -> Any:
    api, url = api_of(table.ana), f"/api/v1/armies/{table.watch.pk}/reform/"
    body: dict[str, Any] = {"armies": [str(other.pk)], **({"parts": parts} if parts else {})}
    mark = api.post(url, body, format="json").json()["mark"]
    return api.post(url, {**body, "confirm": True, "mark": mark}, format="json")


def test_r94_whoever_leads_another_army_than_before_is_appointed(court):
    first = court.levy
    second = raised(court.gm, court.crown, "Second", commander=appointed(court.gm, court.crown, "Gorth"))
    vell, gorth = first.leader, second.leader
    for parts, kinds in (
        ([WantedArmy(1, first), WantedArmy(1, second)], {"raise"}),
        ([WantedArmy(1, first, commander=vell), WantedArmy(1, second)], {"raise"}),
        ([WantedArmy(1, first, commander=gorth), WantedArmy(1, second)], {"raise", "appoint"}),
        ([WantedArmy(1, first), WantedArmy(1, name="New", commander=vell)], {"raise", "appoint"}),
        ([WantedArmy(2, first, commander=vell)], {"raise"}),
        ([WantedArmy(2, first, commander=gorth)], {"raise", "appoint"}),
    ):
        wish = request_reform({"army": first, "others": [second], "parts": parts})
        assert set(wish.kinds) == kinds, parts


@pytest.mark.parametrize("wrong", [{"order": "sideways"}, {"health": 1}, {"troops": []}])
def test_a_refused_change_of_an_army_leaves_its_commander(wings, wrong):  # noqa: F811
    _second, ulf = a_second(wings)
    Army.objects.filter(name="Second").update(commander=None)
    body = {"commander": str(ulf.pk), "name": "Renamed", **wrong}
    answer = api_of(wings.ana).patch(f"/api/v1/armies/{wings.watch.pk}/", body, format="json")
    assert answer.status_code in (400, 403)
    assert army_of("Ironwatch").commander == wings.leader


def test_several_changes_of_an_army_wait_for_the_gm_together(wings):  # noqa: F811
    _second, ulf = a_second(wings)
    Army.objects.filter(name="Second").update(commander=None)
    let(wings, **{"raise": "ask"})
    body = {"commander": str(ulf.pk), "order": "attack"}
    assert api_of(wings.ana).patch(f"/api/v1/armies/{wings.watch.pk}/", body, format="json").status_code == 202
    assert army_of("Ironwatch").commander == wings.leader
    assert {change["field"] for change in ApprovalRequest.objects.get().changes} == {"commander", "sheet"}
