"""Battle maps in a campaign's document."""

from __future__ import annotations

import pytest

from battles.maps.queries import read_map
from battles.maps.services import delete_map
from battles.models import BattleMap
from kingdom.chronicle.services import undo_last
from rules.core.errors import InvalidInput
from rules.hexes.mapfile import written
from tests.kingdom.archive.journeys import bring_in, taken_along


def test_they_come_along_and_what_was_deleted_comes_back_there(table, kept):
    before = written(read_map(kept))
    delete_map(by=table.gm, kept=kept)
    there = bring_in(table.gm, taken_along(table.campaign)).campaign
    assert not BattleMap.objects.filter(campaign=there).exists()
    undo_last(by=table.gm, campaign=there)
    assert written(read_map(BattleMap.objects.get(campaign=there))) == before
    undo_last(by=table.gm, campaign=table.campaign)
    again = bring_in(table.gm, taken_along(table.campaign)).campaign
    assert written(read_map(BattleMap.objects.get(campaign=again))) == before


@pytest.mark.parametrize(
    ("column", "value"),
    [("columns", 9), ("name", ""), ("written", []), ("written", {"format": "warhost-hexmap"})],
)
def test_one_that_is_no_battle_map_refuses_the_document(table, kept, column, value):
    document = taken_along(table.campaign)
    document["tables"]["battle_maps"][0][column] = value
    with pytest.raises(InvalidInput) as refusal:
        bring_in(table.gm, document)
    assert all(f"/tables/battle_maps/0/{column}" in pointer for pointer, _message in refusal.value.errors)


def test_a_map_of_a_campaign_is_none_of_battles(table, kept):
    document = taken_along(table.campaign)
    document["tables"]["battle_maps"][0]["written"]["kind"] = "campaign"
    document["tables"]["battle_maps"][0]["written"]["terrain"] = ["." * 16] * 15
    with pytest.raises(InvalidInput) as refusal:
        bring_in(table.gm, document)
    assert "/tables/battle_maps/0/written" in refusal.value.errors[0][0]
