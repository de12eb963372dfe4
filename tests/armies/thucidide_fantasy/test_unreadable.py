"""Contingents and commanders that the ruleset no longer accepts: every page stands, and says what to do."""

from __future__ import annotations

from armies.models import Army, Commander
from armies.weeks.services import confirm_time
from tests.kingdom.conftest import api_of
from tests.rulesets.browsing import Reader


def test_an_army_without_its_type_says_so_everywhere(table):
    for spoilt in ({"units": [{"type": "dragoons"}]}, {"units": []}, {}, {"units": [{"type": "bows", "lost": 9}]}):
        Army.objects.filter(pk=table.watch.pk).update(sheet=spoilt)
        gm = Reader(table.gm)
        assert "no longer accepts this army. Edit the army." in gm.read(f"/armies/{table.watch.pk}/"), spoilt
        for address in (f"/armies/{table.watch.pk}/edit/", f"/kingdoms/{table.realm.pk}/",
                        f"/kingdoms/{table.realm.pk}/armies/cards/", f"/c/{table.campaign.pk}/",
                        f"/c/{table.campaign.pk}/tables/armies.csv"):  # fmt: skip
            assert gm.status(address) == 200, (spoilt, address)
        assert api_of(table.gm).get(f"/api/v1/armies/{table.watch.pk}/").data["sheet"] is None
    confirm_time(by=table.gm, campaign=table.campaign, days=7)
    assert Army.objects.get(pk=table.watch.pk).health == 13, "a week leaves it alone"


def test_a_commander_of_another_shape_says_so_everywhere(table):
    for spoilt in ({"rank": "king"}, {"cards": ["wish"]}, {"strange": 1}):
        Commander.objects.filter(pk=table.leader.pk).update(sheet=spoilt)
        gm = Reader(table.gm)
        assert "no longer accepts these values. Edit them." in gm.read(f"/commanders/{table.leader.pk}/"), spoilt
        for address in (f"/commanders/{table.leader.pk}/edit/", f"/armies/{table.watch.pk}/",
                        f"/kingdoms/{table.realm.pk}/armies/cards/"):  # fmt: skip
            assert gm.status(address) == 200, (spoilt, address)
        assert api_of(table.gm).get(f"/api/v1/commanders/{table.leader.pk}/").data["sheet"] is None
