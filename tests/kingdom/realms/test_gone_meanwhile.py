"""Whoever waits for the campaign while its GM dissolves the kingdom their order is about is told that it is gone."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import Http404

from kingdom.chronicle.services import undo_last
from kingdom.map.fog_services import forget_seen
from kingdom.map.services import claim_hexes, make_map, redraw_map
from kingdom.members.services import take_kingdom_from
from kingdom.models import CampaignMap, Kingdom, KingdomPlayer, LedgerEntry
from kingdom.realms.planned_services import plan_line
from kingdom.realms.services import assign_player, dissolve_kingdom, update_kingdom
from kingdom.realms.treasury_services import record_entry, spend
from rules.hexes.mapfile import blank
from rules.hexes.terrain import MapKind
from tests.kingdom.conftest import api_of, client_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def crown_goes(table, waiting):
    """`with crown_goes():` whoever takes the campaign's lock in there gets it once the crown is dissolved."""
    return lambda: waiting(lambda: dissolve_kingdom(by=table.gm, kingdom=Kingdom.objects.get(pk=table.crown.pk)))


def how(response: Any) -> tuple[int, str]:
    return response.status_code, response["Content-Type"].partition(";")[0]


def test_pages_and_api_say_that_it_is_not_found(table, crown_goes):
    line = plan_line(by=table.gm, kingdom=table.crown, name="Wages", amount=-3).id
    realm, browser, program = f"/kingdoms/{table.crown.pk}", client_of(table.ana), api_of(table.ana)
    entry, plan = {"amount": "5", "reason": "Toll"}, {"name": "Toll", "amount": "3", "every": "week", "since": "0"}
    town = {"name": "Restov", "districts": "1"}
    for address, form in (
        (f"{realm}/ledger/", entry),
        (f"{realm}/entry/", entry),
        (f"{realm}/planned/", {f"plan-{name}": value for name, value in plan.items()}),
        (f"{realm}/planned/{line}/", plan),
        (f"{realm}/planned/{line}/strike/", {}),
        (f"{realm}/settlements/new/", town),
    ):
        with crown_goes():
            assert how(browser.post(address, form)) == (404, "text/html"), address
    for method, address, body in (
        ("post", f"{realm}/ledger/", {"amount": 5, "reason": "Toll"}),
        ("post", f"{realm}/planned/", {"name": "Toll", "amount": 3}),
        ("patch", f"{realm}/planned/{line}/", {"amount": 3}),
        ("delete", f"{realm}/planned/{line}/", {}),
        ("patch", f"{realm}/", {"alignment": "LG"}),
        ("patch", f"{realm}/", {"name": table.crown.name}),
        ("post", "/settlements/", {"kingdom": str(table.crown.pk), "name": "Restov"}),
    ):
        with crown_goes():
            told = getattr(program, method)(f"/api/v1{address}", body, format="json")
        assert how(told) == (404, "application/problem+json"), (method, address, told.content)
    assert Kingdom.objects.get(pk=table.crown.pk).planned[0]["amount"] == -3
    assert not LedgerEntry.objects.filter(kingdom=table.crown, amount=5).exists()


def test_nor_can_a_gm_do_anything_with_it(table, crown_goes):
    make_map(by=table.gm, campaign=table.campaign)
    for order in (
        lambda crown: assign_player(by=table.gm, kingdom=crown, player=table.bo),
        lambda crown: take_kingdom_from(by=table.gm, kingdom=crown, player=table.ana),
        lambda crown: update_kingdom(by=table.gm, kingdom=crown, players=[table.bo]),
        lambda crown: claim_hexes(by=table.gm, campaign=table.campaign, kingdom=crown, hexes=["A1"]),
        lambda crown: record_entry(by=table.gm, kingdom=crown, amount=1, reason="Toll"),
        lambda crown: forget_seen(by=table.gm, kingdom=crown),
    ):
        with pytest.raises(Http404), crown_goes():
            order(table.crown)
    assert [seat.user for seat in KingdomPlayer.objects.filter(kingdom=table.crown)] == [table.ana]


def test_what_a_dissolved_kingdom_had_buys_nothing(table):
    crown = Kingdom.objects.select_related("campaign").get(pk=table.crown.pk)
    dissolve_kingdom(by=table.gm, kingdom=table.crown)
    with pytest.raises(Http404):
        spend(by=table.gm, kingdom=crown, amount=1, reason="Wine", source="purchase")


def test_nobody_paints_on_a_map_that_was_taken_back(table):
    make_map(by=table.gm, campaign=table.campaign)
    drawn = CampaignMap.objects.select_related("campaign").get(campaign=table.campaign)
    undo_last(by=table.gm, campaign=table.campaign)
    with pytest.raises(Http404):
        redraw_map(by=table.gm, drawn=drawn, field=blank("Marches", MapKind.CAMPAIGN, 8, 8))


def test_two_who_make_the_first_map_at_once_make_one(table, waiting):
    with waiting(lambda: make_map(by=table.gm, campaign=table.campaign, name="First")):
        make_map(by=table.gm, campaign=table.campaign, name="Second")
    assert CampaignMap.objects.get().name == "Second"
