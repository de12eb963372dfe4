"""A table where every kind of thing exists once travels whole, under both laws."""

from __future__ import annotations

import pytest

from kingdom.approvals.services import grant_request
from kingdom.archive.import_checks import list_carried_tables
from kingdom.map.services import claim_hexes, configure_map, put_settlement
from kingdom.models import ApprovalRequest, Campaign
from kingdom.realms.services import found_settlement, raze_settlement
from tests.kingdom.archive.journeys import bring_in, but_for_ids, differences, taken_along
from tests.manners.conftest import table  # noqa: F401 - fixtures

pytestmark = pytest.mark.django_db

ELSEWHERE = {"members", "kingdom_players", "week_choices", "rest_checks", "weighings", "time_steps", "army_weeks",
             "sightings", "stationed", "army_resources", "battle_records"}  # fmt: skip
"""People, and what needs a week to pass or a battle to be fought: the demonstrations have it."""


def test_whatever_there_can_be_travels(table):  # noqa: F811
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
    assert {one.name for one in list_carried_tables()} - seen <= ELSEWHERE
