"""Campaigns of wing command as a document: taken along, brought in, refused where a sheet says nothing that can be."""

from __future__ import annotations

from typing import Any

import pytest

from armies.forces.services import update_army
from armies.models import Army, Commander
from kingdom.models import Campaign
from rules.core.errors import InvalidInput
from tests.armies.wing_command.conftest import SHEET
from tests.kingdom.archive.journeys import bring_in, but_for_ids, taken_along

OWN = {"own": {"troops": {"pikes": {"name": "Pikes", "tag": "Pk"}}}, "overlay": {"spells": {"ward": {"off": True}}}}


def test_it_comes_back_as_it_was(table):
    Campaign.objects.filter(pk=table.campaign.pk).update(house_rules=OWN)
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    army = Army.objects.get(pk=table.raiders.pk)
    update_army(by=table.gm, army=army, sheet={"troops": [{"type": "pikes"}]})
    document = taken_along(campaign)
    again = bring_in(table.gm, document).campaign
    assert but_for_ids(taken_along(again))["tables"] == but_for_ids(document)["tables"]
    watch = Army.objects.get(campaign=again, name="Ironwatch")
    assert watch.sheet["troops"] == SHEET["troops"]
    assert watch.commander.sheet["ability"] == "B"


@pytest.mark.parametrize(
    ("table_name", "sheet", "pointer"),
    [
        ("armies", {"troops": []}, "/troops"),
        ("armies", {"troops": [{"type": "dragons"}]}, "/troops/0/type"),
        ("armies", {}, "/troops"),
        ("commanders", {"ability": "F"}, "/ability"),
        ("commanders", {"move": 99}, "/move"),
        ("commanders", {"ability": {"A": 1}}, "/ability"),
        ("commanders", {"motto": "x"}, "/motto"),
    ],
)
def test_a_sheet_that_cannot_be_is_refused_with_its_place(table, table_name, sheet: dict[str, Any], pointer):
    document = taken_along(table.campaign)
    document["tables"][table_name][0]["sheet"] = sheet
    before = Campaign.objects.count(), Army.objects.count(), Commander.objects.count()
    with pytest.raises(InvalidInput) as refused:
        bring_in(table.gm, document)
    assert refused.value.field == f"/tables/{table_name}/0/sheet{pointer}"
    assert (Campaign.objects.count(), Army.objects.count(), Commander.objects.count()) == before
