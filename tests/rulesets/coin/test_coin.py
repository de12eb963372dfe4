"""A law without numbered dice, played through its pages, and its odds."""

from __future__ import annotations

from typing import Any

from armies.models import Army
from battles.models import Battle
from battles.setup.queries import MOST_FOUND
from kingdom.models import Kingdom
from kingdom.models.base import uuid7
from tests.rulesets.coin.driver import DRIVER as coin
from tests.rulesets.drivers import table_of
from tests.worlds import built_once


@built_once
def table(db) -> Any:
    return table_of(coin)


def test_a_battle_is_played_through_its_pages(table, client):
    """Set up, called, tossed with a typed coin, settled, and undone."""
    client.force_login(table.gm)
    sides = {"one": "Crown", "armies-one": [table.watch.pk], "two": "Horde", "armies-two": [table.raiders.pk]}
    opened = client.post(f"/c/{table.campaign.pk}/battles/new/", {"name": "The ford", **sides})
    battle = Battle.objects.get()
    page = f"/battles/{battle.pk}/"
    assert opened.headers["Location"] == page

    def send(user: Any, **data: Any) -> str:
        client.force_login(user)
        version = Battle.objects.get(pk=battle.pk).version
        answer = client.post(f"{page}command/", {"version": version, **data}, headers={"HX-Request": "true"})
        assert answer.status_code == 200, answer.content
        return answer.content.decode()

    for _round in range(2):
        send(table.ana, type="order", army=table.watch.pk, call="heads")
        send(table.bo, type="order", army=table.raiders.pk, call="tails")
        asked = send(table.gm, type="toss", how="asked")
        assert 'name="side-0" value="heads"' in asked
        assert 'name="side-0" value="tails"' in asked
        drawn = send(table.gm, type="toss", how="asked", die="coin|toss|2", face="", **{"side-0": "heads"})
        assert "heads" in drawn
    assert "Crown is left." in drawn
    assert 'aria-label="Health: ' in drawn
    assert "hit points" not in drawn

    before = Kingdom.objects.get(pk=table.horde.pk).treasury
    version = Battle.objects.get(pk=battle.pk).version
    ransom = {"die": f"{table.raiders.pk}|ransom|2", "face": "tails", "do": "confirm"}
    settled = client.post(f"{page}aftermath/", {"version": version, **ransom})
    assert settled.status_code == 302
    assert Kingdom.objects.get(pk=table.horde.pk).treasury == before - 4
    send(table.gm, type="undo")
    assert Kingdom.objects.get(pk=table.horde.pk).treasury == before


def test_a_call_that_is_no_side_of_a_coin_comes_back_with_its_message(table, client):
    client.force_login(table.gm)
    sides = {"one": "Crown", "armies-one": [table.watch.pk], "two": "Horde", "armies-two": [table.raiders.pk]}
    client.post(f"/c/{table.campaign.pk}/battles/new/", {"name": "The ford", **sides})
    page = f"/battles/{Battle.objects.get().pk}/"
    sent = {"type": "order", "version": 1, "army": table.watch.pk, "call": "edge"}
    refused = client.post(f"{page}command/", sent, headers={"HX-Request": "true"})
    assert refused.status_code == 422
    assert "This choice isn’t available" in refused.content.decode()


def test_a_setup_form_says_who_commands_which_side(table, client):
    """The computer for the horde, left to it; a form that grew or was refused keeps what was chosen."""
    client.force_login(table.gm)
    address = f"/c/{table.campaign.pk}/battles/new/"
    sides = {"one": "Crown", "armies-one": [table.watch.pk], "two": "Horde", "armies-two": [table.raiders.pk]}
    chosen = {"leaning-0": "", "leaning-1": "bold", "left-1": "on"}
    assert 'name="leaning-1"' in client.get(address).content.decode()
    refused = client.post(address, {**sides, **chosen, "name": ""})
    assert refused.status_code == 422
    assert '<option value="bold" selected>' in " ".join(refused.content.decode().split())
    client.post(address, {**sides, **chosen, "name": "The ford"})
    assert Battle.objects.get().opponents == {"1": {"leaning": "bold", "left": True}}


def test_a_setup_without_two_companies_is_refused(table, client):
    client.force_login(table.gm)
    sides = {
        "one": "Crown",
        "armies-one": [table.watch.pk],
        "two": "Horde",
        "armies-two": [table.raiders.pk, table.spare.pk],
    }
    refused = client.post(f"/c/{table.campaign.pk}/battles/new/", {"name": "The ford", **sides})
    assert refused.status_code == 422
    assert "Two companies, one a side." in refused.content.decode()


def test_where_armies_are_many_they_are_searched_for(table, client):
    """A law of plain numbers lists no more than was put on a side and what a search found."""
    client.force_login(table.gm)
    address = f"/c/{table.campaign.pk}/battles/new/"
    rows = [Army(id=uuid7(), campaign=table.campaign, kingdom=table.horde, name=f"Band {n}", health=1, health_max=1)
            for n in range(1, 300)]  # fmt: skip
    Army.objects.bulk_create(rows)
    empty = client.get(address).content.decode()
    listed = empty.count("data-army=")
    assert (listed, "Find armies" in empty, len(empty) < 90_000) == (MOST_FOUND, True, True)
    typed = {"name": "The ford", "one": "Crown", "armies-one": [table.watch.pk], "two": "Horde"}
    found = client.post(address, {**typed, "add": "find", "find": "band 29"}).content.decode()
    assert (f"seat:0:{rows[28].pk}" in found, f"seat:0:{rows[27].pk}" in found) == (True, False)
