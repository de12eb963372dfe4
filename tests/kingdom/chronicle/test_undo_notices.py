"""What was just done is taken back where it was done: the notice offers it to the GM, and to nobody else."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse

from armies.pathfinder.models import PathfinderArmy
from kingdom.models import ChronicleEntry, Settlement
from tests.armies.conftest import war  # noqa: F401 (fixture)
from tests.kingdom.conftest import client_of, table  # noqa: F401 (fixture)

pytestmark = pytest.mark.django_db
UNDO = re.compile(r'<form[^>]* action="(/c/[^"]+/undo/)"')


def undo_in(answer) -> str:
    """Where the notice of this page takes back what it tells, "" where it does not."""
    notices = answer.content.decode().partition('id="messages"')[2].partition("<main")[0]
    found = UNDO.search(notices)
    return found[1] if found else ""


def bought(client, army, **how):
    data = {"resource": "improved-weapons", "quantity": "1"}
    sheet = reverse("armies:army", args=[army.pk])
    return client.post(f"{sheet}resources/", data, **how), sheet


def test_a_purchase_is_taken_back_from_its_notice_and_leads_back_to_the_sheet(war):  # noqa: F811
    client = client_of(war.gm)
    answer, sheet = bought(client, war.levy)
    assert answer.status_code == 302, answer.content
    shown = client.get(sheet)
    undo = undo_in(shown)
    assert undo
    assert undo_in(client.get(sheet)) == ""  # told once
    back = client.post(undo, {"here": "1"}, headers={"Referer": f"http://testserver{sheet}"})
    assert back["Location"] == f"http://testserver{sheet}"
    assert not PathfinderArmy.objects.get(pk=war.levy.pk).resources.exists()
    again = client.get(sheet)
    assert "Undone:" in again.content.decode()
    assert undo_in(again) == ""


def test_what_scripts_draw_in_place_offers_it_too(war):  # noqa: F811
    answer, _sheet = bought(client_of(war.gm, **{"HX-Request": "true"}), war.levy)
    entry = ChronicleEntry.objects.latest("seq")
    assert f"/chronicle/{entry.pk}/undo/" in answer.content.decode().partition('id="messages"')[2]


def test_players_are_not_offered_what_only_the_gm_may(war):  # noqa: F811
    client = client_of(war.ana)
    answer, sheet = bought(client, war.levy)
    assert answer.status_code == 302
    shown = client.get(sheet)
    assert "Purchase made." in shown.content.decode()
    assert undo_in(shown) == ""


def test_who_takes_back_what_was_made_is_led_to_the_chronicle(war):  # noqa: F811
    """The page they were on may be of what is gone now."""
    client, founding = client_of(war.gm), reverse("kingdom:settlement_new", args=[war.crown.pk])
    made = client.post(founding, {"name": "Olegs", "districts": "1"})
    assert made.status_code == 302
    undo = undo_in(client.get(made["Location"]))
    back = client.post(undo, {"here": "1"}, headers={"Referer": f"http://testserver{founding}"})
    assert back["Location"] == reverse("kingdom:chronicle", args=[war.campaign.pk])
    assert not Settlement.objects.filter(name="Olegs").exists()


def test_a_notice_of_nothing_entered_offers_nothing(war):  # noqa: F811
    client = client_of(war.gm)
    client.post(reverse("kingdom:invite", args=[war.campaign.pk]), {"role": "player", "uses": "1", "days": "7"})
    assert undo_in(client.get(reverse("kingdom:members", args=[war.campaign.pk]))) == ""
