"""Campaigns of THUCIDIDE fantasy as a document: taken along, brought in, refused where a sheet says nothing that can
be.
"""

from __future__ import annotations

from typing import Any

import pytest

from armies.forces.services import update_army
from armies.models import Army, Commander
from kingdom.models import Campaign
from rules.core.errors import InvalidInput
from tests.armies.thucidide_fantasy.conftest import kept
from tests.kingdom.archive.journeys import bring_in, but_for_ids, taken_along

PIKES = {"name": "Long pikes", "kind": "infantry", "weight": "heavy", "weapon": "long-pike", "points": 7}
OWN = {
    "own": {"weapons": {"long-pike": {"name": "Long pike", "assault": 3, "melee": 5}}, "troops": {"long-pikes": PIKES}},
    "overlay": {"spells": {"fear": {"cost": 2}}},
}


def test_it_comes_back_as_it_was(table):
    Campaign.objects.filter(pk=table.campaign.pk).update(house_rules=OWN)
    campaign = Campaign.objects.get(pk=table.campaign.pk)
    army = Army.objects.get(pk=table.raiders.pk)
    update_army(by=table.gm, army=army, sheet={"units": [{"type": "long-pikes"}]})
    document = taken_along(campaign)
    again = bring_in(table.gm, document).campaign
    assert but_for_ids(taken_along(again))["tables"] == but_for_ids(document)["tables"]
    watch = Army.objects.get(campaign=again, name="Ironwatch")
    assert kept(watch) == kept(table.watch)
    assert (watch.health, watch.health_max) == (13, 15)
    assert watch.commander.sheet["level"] == "great"


@pytest.mark.parametrize(
    ("table_name", "sheet", "pointer"),
    [
        ("armies", {"units": []}, "/units"),
        ("armies", {"units": [{"type": "dragoons"}]}, "/units/0/type"),
        ("armies", {"units": [{"type": "bows", "lost": 4}]}, "/units/0/lost"),
        ("armies", {}, "/units"),
        ("commanders", {"rank": "king"}, "/rank"),
        ("commanders", {"rank": "general", "melee": 2}, "/melee"),
        ("commanders", {"cards": ["wish"]}, "/cards/0"),
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
