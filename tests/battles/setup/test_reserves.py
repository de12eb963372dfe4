"""Armies in reserve are led into no battle until they are called up and ready (R-94)."""

from __future__ import annotations

import pytest
from django.test import Client as Browser
from django.urls import reverse

from armies.pathfinder.armies.reserve_services import call_up_army, reserve_army
from armies.pathfinder.models import PathfinderArmy
from battles.setup.queries import count_eligible, find_reserves, free_armies
from kingdom.models import Campaign
from rules.core.errors import IllegalCommand
from tests.battles.conftest import Client, open_ford


def test_r94_no_battle_begins_with_an_army_in_reserve_until_it_is_ready(table):
    reserve_army(by=table.gm, army=table.raiders)
    with pytest.raises(IllegalCommand, match=r"Raiders: in reserve\. Call the army up first") as refused:
        open_ford(table)
    assert refused.value.field == "/sides/1/armies/0"
    call_up_army(by=table.gm, army=PathfinderArmy.objects.get(pk=table.raiders.pk))
    with pytest.raises(IllegalCommand, match=r"Raiders: being called up, ready on day 7"):
        open_ford(table)
    Campaign.objects.filter(pk=table.campaign.pk).update(day=7)
    table.campaign.refresh_from_db()
    assert open_ford(table).seats.count() == 2


def test_r94_the_gm_brings_no_army_from_the_reserve_into_a_battle(table, battle):
    reserve_army(by=table.gm, army=table.spare)
    answer = Client(table.gm, battle).send(type="reinforce", army=str(table.spare.pk), side="Horde")
    assert (answer.status_code, answer.json()["detail"]) == (
        409, "Spare: in reserve. Call the army up first; that takes a week.",
    )  # fmt: skip
    assert (find_reserves(battle, "Spare"), battle.seats.count()) == ([], 2)


def test_r94_an_army_in_a_battle_is_not_put_in_reserve(table, battle):
    with pytest.raises(IllegalCommand, match="Ironwatch: still in battle"):
        reserve_army(by=table.gm, army=table.watch)


def test_r94_the_setup_says_why_an_army_in_reserve_stays_away(table):
    assert {one.name: one.free for one in count_eligible(table.campaign)} == {"Crown": 1, "Horde": 2}
    reserve_army(by=table.gm, army=table.raiders)
    assert {one.name: one.free for one in count_eligible(table.campaign)} == {"Crown": 1, "Horde": 1}
    assert {army.name for army in free_armies(table.campaign)} == {"Ironwatch", "Spare"}
    client = Browser()
    client.force_login(table.gm)
    address = reverse("battles:battle_new", args=[table.campaign.pk])
    shown = client.get(address).text
    assert "Raiders: in reserve. Call the army up first" in shown
    body = {"name": "The ford", f"army-{table.watch.pk}": "1", f"army-{table.raiders.pk}": "2"}
    answer = client.post(address, body)
    assert (answer.status_code, "Raiders: in reserve" in answer.text) == (422, True)
