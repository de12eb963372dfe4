"""Battle maps a campaign keeps: written by the GM, told in the chronicle, and undone like anything else (HX-7.5)."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.http import Http404

from battles.maps import services
from battles.maps.queries import get_map_for, read_map
from battles.maps.services import delete_map, keep_map, rename_map
from battles.models import BattleMap
from core.text import load_said, render
from kingdom.chronicle.services import undo_last
from kingdom.models import ChronicleEntry
from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexes.battlefields import STARTERS
from rules.hexes.mapfile import MAP_MOST_BYTES, blank, document, written
from rules.hexes.terrain import MapKind

FORD = STARTERS["the-ford"]


def last_entry(table):
    return render(load_said(ChronicleEntry.objects.filter(campaign=table.campaign).latest("seq").text))


def keep(table, by="gm", told=None, **more):
    return keep_map(by=getattr(table, by), campaign=table.campaign, document=told or document(FORD), **more)


def test_a_kept_map_reads_back_byte_for_byte(table):
    kept = keep(table)
    kept = BattleMap.objects.get(pk=kept.pk)
    assert written(read_map(kept)) == written(FORD)
    assert (kept.name, kept.columns, kept.rows, kept.kept_by) == ("The ford", 16, 15, table.gm)
    assert last_entry(table) == "Battle map saved: The ford."


def test_it_may_have_another_name_and_its_file_then_has_it(table, kept):
    assert read_map(kept).name == "Old ford"
    rename_map(by=table.gm, kept=kept, name="  New   ford ")
    kept.refresh_from_db()
    assert (kept.name, read_map(kept).name) == ("New ford", "New ford")
    assert last_entry(table) == "Battle map Old ford renamed to New ford."
    undo_last(by=table.gm, campaign=table.campaign)
    kept.refresh_from_db()
    assert kept.name == "Old ford"


def test_a_deleted_map_comes_back_as_it_was(table, kept):
    before = written(read_map(kept))
    delete_map(by=table.gm, kept=kept)
    assert last_entry(table) == "Battle map Old ford deleted."
    with pytest.raises(Http404):
        get_map_for(table.gm, kept.pk)
    undo_last(by=table.gm, campaign=table.campaign)
    assert written(read_map(get_map_for(table.ana, kept.pk))) == before


def test_undoing_that_it_was_kept_takes_it_away(table, kept):
    undo_last(by=table.gm, campaign=table.campaign)
    assert not BattleMap.objects.exists()


def test_members_read_and_the_gm_alone_writes(table, kept):
    for reader in (table.gm, table.ana, table.bo, table.viewer):
        assert get_map_for(reader, kept.pk) == kept
    with pytest.raises(Http404):
        get_map_for(table.stranger, kept.pk)
    for who, refusal in (("ana", PermissionDenied), ("viewer", PermissionDenied), ("stranger", Http404)):
        by = getattr(table, who)
        with pytest.raises(refusal):
            keep(table, by=who)
        with pytest.raises(refusal):
            rename_map(by=by, kept=kept, name="Mine")
        with pytest.raises(refusal):
            delete_map(by=by, kept=kept)
    assert BattleMap.objects.get().name == "Old ford"


@pytest.mark.parametrize(
    ("told", "at"),
    [
        ({}, "/format"),
        (document(blank("Marches", MapKind.CAMPAIGN, 8, 8)), "/kind"),
        ({**document(FORD), "terrain": ["."]}, "/terrain"),
        ({**document(FORD), "notes": "x" * MAP_MOST_BYTES}, "/notes"),
    ],
)
def test_what_is_no_battle_map_is_refused(table, told, at):
    with pytest.raises(InvalidInput) as refusal:
        keep_map(by=table.gm, campaign=table.campaign, document=told)
    assert at in [pointer for pointer, _message in refusal.value.errors]
    assert not BattleMap.objects.exists()


def test_a_library_has_room_for_so_many(table, kept, monkeypatch):
    monkeypatch.setattr(services, "MAPS_MOST", 1)
    with pytest.raises(IllegalCommand, match="at most 1"):
        keep(table)
