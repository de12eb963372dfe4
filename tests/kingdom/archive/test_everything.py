"""A table where every kind of thing exists once travels whole, under both laws."""

from __future__ import annotations

import pytest

from kingdom.approvals.services import grant_request
from kingdom.archive.import_checks import list_carried_tables
from kingdom.campaign.services import update_campaign
from kingdom.map.services import claim_hexes, configure_map, put_settlement
from kingdom.models import ApprovalRequest, Campaign
from kingdom.realms.services import found_settlement, raze_settlement
from tests.kingdom.archive.journeys import bring_in, but_for_ids, differences, taken_along
from tests.manners.conftest import table  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db

ELSEWHERE = {"members", "kingdom_players", "week_choices", "rest_checks", "weighings", "time_steps", "army_weeks",
             "sightings", "stationed", "army_resources", "battle_records"}  # fmt: skip
"""People, and what needs a week to pass or a battle to be fought: the demonstrations have it."""

CALENDAR = {
    "months": [{"name": "Thaw", "days": 30}, {"name": "Feast", "days": 0, "between": True}],
    "weekdays": list("ABCDEFGHIJ"),
    "leap": {"month": 2, "every": 4, "skip": 100, "keep": 400},
    "seasons": [{"name": "Rains", "month": 1, "day": 15}],
    "moons": [{"name": "Somal", "cycle": 29.5, "new": 3}],
    "epoch": {"year": 4708, "month": 2, "day": 1},
}


def test_whatever_there_can_be_travels(table):  # noqa: F811
    update_campaign(by=table.gm, campaign=table.campaign, calendar=CALENDAR)
    put_settlement(by=table.gm, settlement=table.town, hex="C3")
    claim_hexes(by=table.gm, campaign=table.campaign, kingdom=table.crown, hexes=["B2", "C2", "C3"])
    configure_map(by=table.gm, campaign=table.campaign, fog=True)
    grant_request(by=table.gm, petition=ApprovalRequest.objects.get())
    hamlet = found_settlement(by=table.gm, kingdom=table.crown, name="Hamlet")
    raze_settlement(by=table.gm, settlement=hamlet)
    seen: set[str] = set()
    for pk in (table.campaign.pk, table.place.campaign_id):
        campaign = Campaign.objects.get(pk=pk)
        before = taken_along(campaign)
        seen |= {name for name, rows in before["tables"].items() if rows}
        after = taken_along(bring_in(table.gm, before).campaign)
        assert differences(but_for_ids(after), but_for_ids(before)) == []
        assert after["campaign"]["calendar"] == campaign.calendar
    assert {one.name for one in list_carried_tables()} - seen <= ELSEWHERE
