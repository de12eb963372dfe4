"""Pages of the library, and the way of a map into the setup of a battle and out of it."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from battles.hexes.ui import map_of_battle
from battles.maps.queries import read_map
from battles.maps.services import delete_map, rename_map
from battles.models import BattleMap
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import document, read, written
from tests.kingdom.conftest import api_of, client_of


def shelf(table, name="maps"):
    return reverse(f"battles:{name}", args=[table.campaign.pk])


def of_map(kept, name="battle_map"):
    return reverse(f"battles:{name}", args=[kept.pk])


def lay(table, battle, **fields):
    """The form of another map, as the setup's page sends it."""
    battle.refresh_from_db()
    sent = {"version": battle.version, "type": "map", **fields}
    return client_of(table.gm).post(reverse("battles:command", args=[battle.pk]), sent)


def test_the_list_shows_each_map_with_its_picture_to_every_member(table, kept):
    for reader in (table.gm, table.ana, table.viewer):
        page = client_of(reader).get(shelf(table)).content.decode()
        assert "Old ford" in page
        assert of_map(kept, "map_picture") in page
        assert "16 × 15" in page
        assert ("New map" in page) is (reader == table.gm)
        assert shelf(table) in client_of(reader).get(shelf(table, "battle_list")).content.decode()
    picture = client_of(table.ana).get(of_map(kept, "map_picture"))
    assert picture["Content-Type"] == "image/svg+xml"
    assert b'class="bridge"' in picture.content


def test_its_file_reads_in_again(table, kept):
    found = client_of(table.bo).get(of_map(kept, "map_file"))
    assert read(found.content) == read_map(kept)
    assert "attachment" in found["Content-Disposition"]


@pytest.mark.parametrize("how", ["starter", "file", "generate"])
def test_the_gm_keeps_a_map_of_the_house_a_file_and_one_from_a_seed(table, how):
    fields = {
        "starter": {"starter": "the-pass"},
        "file": {"file": SimpleUploadedFile("pass.json", written(STARTERS["the-pass"]).encode())},
        "generate": {"land": "rough", "columns": 12, "rows": 10, "seed": "one"},
    }[how]
    answer = client_of(table.gm).post(shelf(table, "map_new"), {"how": how, "name": "Mine", **fields})
    assert answer.status_code == 302, answer.content.decode()
    kept = BattleMap.objects.get()
    assert kept.name == "Mine"
    assert (kept.columns, kept.rows) == ((12, 10) if how == "generate" else (16, 14))


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"how": "file"}, "This isn’t a map file."),
        ({"how": "file", "file": SimpleUploadedFile("map.json", b"[]")}, "This isn’t a map file."),
        ({"how": "generate", "land": "rough"}, "whole number"),
        ({"how": "generate", "land": "rough", "columns": 7, "rows": 10}, "8"),
    ],
)
def test_what_is_no_map_is_refused_on_the_form(table, fields, told):
    answer = client_of(table.gm).post(shelf(table, "map_new"), fields)
    assert answer.status_code == 422
    assert told in answer.content.decode()
    assert not BattleMap.objects.exists()


def test_the_gm_renames_and_deletes(table, kept):
    gm = client_of(table.gm)
    assert gm.post(of_map(kept, "map_rename"), {"name": ""}).status_code == 422
    assert gm.post(of_map(kept, "map_rename"), {"name": "Fords"}).status_code == 302
    assert "Fords" in gm.get(of_map(kept)).content.decode()
    assert gm.post(of_map(kept, "map_delete")).status_code == 302
    assert gm.get(of_map(kept)).status_code == 404


def test_hx_7_5_a_battle_gets_a_copy_that_the_library_never_changes(table, kept, battle):
    page = client_of(table.gm).get(f"{reverse('battles:battle', args=[battle.pk])}?do=brush").content.decode()
    assert "Old ford" in page
    answer = lay(table, battle, how=f"kept:{kept.pk}")
    assert answer.status_code in (200, 302), answer.content.decode()
    battle.refresh_from_db()
    assert map_of_battle(battle) == read_map(kept)
    rename_map(by=table.gm, kept=kept, name="Another")
    delete_map(by=table.gm, kept=kept)
    assert map_of_battle(battle).name == "Old ford"
    assert map_of_battle(battle).terrain == STARTERS["the-ford"].terrain


def test_a_map_that_is_gone_or_of_another_campaign_is_not_laid(table, kept, battle):
    before = map_of_battle(battle)
    BattleMap.objects.filter(pk=kept.pk).delete()
    assert lay(table, battle, how=f"kept:{kept.pk}").status_code == 422
    battle.refresh_from_db()
    assert map_of_battle(battle) == before


def test_the_gm_keeps_the_map_of_a_battle_as_it_is(table, battle):
    address = reverse("battles:map_keep", args=[battle.pk])
    assert client_of(table.ana).post(address, {"name": "Mine"}).status_code == 403
    assert client_of(table.gm).post(address, {"name": "Where they fought"}).status_code == 302
    kept = BattleMap.objects.get()
    assert kept.name == "Where they fought"
    assert document(read_map(kept)) == {**document(map_of_battle(battle)), "name": "Where they fought"}


def test_the_api_lists_keeps_reads_renames_and_deletes(table, kept, battle):
    api, address = api_of(table.gm), f"/api/v1/campaigns/{table.campaign.pk}/maps/"
    assert [one["name"] for one in api_of(table.ana).get(address).json()["results"]] == ["Old ford"]
    sources = {
        "map": document(STARTERS["meadows"]),
        "battle": str(battle.pk),
        "starter": "the-pass",
        "generate": {"columns": 16, "rows": 14, "kind": "mixed", "seed": "one"},
    }
    for source, told in sources.items():
        made = api.post(address, {source: told, "name": f"By {source}"}, format="json")
        assert made.status_code == 201, made.content
        assert made.json()["name"] == f"By {source}"
        assert read(json.dumps(made.json()["map"])).name == f"By {source}"
    for wrong in ({}, {"starter": "the-pass", "battle": str(battle.pk)}):
        assert api.post(address, wrong, format="json").status_code == 400
    broken = api.post(address, {"map": {**document(STARTERS["meadows"]), "columns": 9}}, format="json")
    assert broken.status_code == 400
    assert "/map/terrain" in broken.content.decode()
    one = f"{address}{kept.pk}/"
    found = api_of(table.bo).get(one)
    assert found.json()["map"]["name"] == "Old ford"
    assert api.patch(one, {"name": "Fords"}, format="json", HTTP_IF_MATCH='"stale"').status_code == 412
    changed = api.patch(one, {"name": "Fords"}, format="json", HTTP_IF_MATCH=found["ETag"])
    assert changed.json()["name"] == "Fords"
    assert api_of(table.ana).delete(one).status_code == 403
    assert api.delete(one).status_code == 204
    assert api.get(one).status_code == 404


def test_the_setup_offers_the_library_and_reads_only_the_map_that_is_chosen(table, kept, monkeypatch):
    read = []
    monkeypatch.setattr("battles.hexes.maps.read_map", lambda one: read.append(one.pk) or read_map(one))
    page = client_of(table.gm).get(shelf(table, "battle_new")).content.decode()
    assert f'value="kept:{kept.pk}"' in page
    assert of_map(kept, "map_picture") in page
    assert "16 × 15" in page
    assert read == []
