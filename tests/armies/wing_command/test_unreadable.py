"""Wings and commanders that the ruleset no longer accepts: every page stands, and says what to do."""

from __future__ import annotations

from typing import Any

import pytest

from armies.models import Army, Commander
from kingdom.chronicle.services import undo_entry
from kingdom.models import Campaign, ChronicleEntry
from rules.core.errors import IllegalCommand
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader

GONE = {"own": {}, "overlay": {"troops": {"griffins": {"off": True}}}}


def spoil(table: Any, sheet: dict[str, Any]) -> None:
    Army.objects.filter(pk=table.watch.pk).update(sheet=sheet)


def test_a_wing_without_its_type_says_so_everywhere(table):
    for spoilt in ({"troops": [{"type": "dragons"}]}, {"troops": []}, {}, {"troops": [{"type": "foot", "melee": 9}]}):
        spoil(table, spoilt)
        gm = Reader(table.gm)
        assert "no longer accepts this army. Edit the army." in gm.read(f"/armies/{table.watch.pk}/"), spoilt
        for address in (f"/armies/{table.watch.pk}/edit/", f"/kingdoms/{table.crown.pk}/",
                        f"/kingdoms/{table.crown.pk}/armies/cards/", f"/c/{table.campaign.pk}/",
                        f"/c/{table.campaign.pk}/tables/armies.csv"):  # fmt: skip
            assert gm.status(address) == 200, (spoilt, address)
        assert api_of(table.gm).get(f"/api/v1/armies/{table.watch.pk}/").data["sheet"] is None


def test_a_commander_of_another_shape_says_so_everywhere(table):
    for spoilt in ({"ability": "F"}, {"move": "fast"}, {"strange": 1}):
        Commander.objects.filter(pk=table.leader.pk).update(sheet=spoilt)
        gm = Reader(table.gm)
        told = gm.read(f"/commanders/{table.leader.pk}/")
        assert "no longer accepts these values. Edit them." in told, spoilt
        for address in (f"/commanders/{table.leader.pk}/edit/", f"/armies/{table.watch.pk}/",
                        f"/kingdoms/{table.crown.pk}/armies/cards/"):  # fmt: skip
            assert gm.status(address) == 200, (spoilt, address)
        assert api_of(table.gm).get(f"/api/v1/commanders/{table.leader.pk}/").data["sheet"] is None
    gm.done(f"/commanders/{table.leader.pk}/edit/", ability="C")
    assert Commander.objects.get(pk=table.leader.pk).sheet["ability"] == "C"


def test_a_type_that_is_switched_off_all_the_same_is_told_in_words(table):
    """Rules that came by another way than the settings."""
    Campaign.objects.filter(pk=table.campaign.pk).update(house_rules=GONE)
    gm = Reader(table.gm)
    assert "no longer accepts this army. Edit the army." in gm.read(f"/armies/{table.watch.pk}/")
    form = gm.read(f"/armies/{table.watch.pk}/edit/")
    assert "Griffins" in form


def test_undo_does_not_take_a_type_from_its_army(table):
    """WC-HOUSE: a type of the campaign's own stays as long as an army has it."""
    url = f"/api/v1/campaigns/{table.campaign.pk}/"
    own = {"own": {"troops": {"pikes": {"name": "Pikes", "tag": "Pk"}}}}
    api = api_of(table.gm)
    assert api.patch(url, {"house_rules": own}, format="json").status_code == 200
    entry = ChronicleEntry.objects.filter(campaign=table.campaign).order_by("-seq").first()
    changed = api.patch(f"/api/v1/armies/{table.watch.pk}/", {"troops": [{"type": "pikes"}]}, format="json")
    assert changed.status_code == 200, changed.content
    with pytest.raises(IllegalCommand, match="Troops of Ironwatch have the type Pikes"):
        undo_entry(by=table.gm, entry=entry)
    assert Campaign.objects.get(pk=table.campaign.pk).house_rules == {
        "own": {"troops": {"pikes": {"name": "Pikes", "tag": "Pk", "move": 3, "melee": 2, "shot": 0, "range": 0,
                                     "guard": 2, "command_class": "regular", "points": 2}}}
    }  # fmt: skip
