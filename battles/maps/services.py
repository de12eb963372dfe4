"""Services for a campaign's battle maps: store, rename, delete."""

from __future__ import annotations

import json

from django.db import transaction

from battles.models import BattleMap
from core.clean_input import clean_text
from core.text import render
from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import demand, require
from rules.core.text import _, say
from rules.hexes import mapfile
from rules.hexes.mapfile import MAP_MOST_BYTES
from rules.hexes.terrain import MapKind

MAPS_MOST = 200
OTHER = ChronicleEntry.Kind.OTHER


@gm_only
@transaction.atomic
def keep_map(*, by: User, campaign: Campaign, document: object, name: str = "") -> BattleMap:
    """Stores a battle map in the campaign's library (GM). `name`: that of the document by default.

    Raises `InvalidInput` with pointers into the document.
    """
    require_gm(by, campaign)
    land = mapfile.parse(document)
    demand(land.kind is MapKind.BATTLE, _("This is a campaign map. Choose a battle map."), field="/kind")
    named = clean_text(name or render(land.name), field="/name")
    written = {key: value for key, value in mapfile.document(land).items() if key != "name"}
    size = len(json.dumps(written, ensure_ascii=False).encode())
    demand(size <= MAP_MOST_BYTES, _("A map file can be at most 256 KB."))
    with record_changes(by=by, campaign=campaign, kind=OTHER, private=False) as told:
        count = BattleMap.objects.filter(campaign=campaign).count()
        require(
            count < MAPS_MOST, _("A campaign can have at most {most} battle maps. Delete one first."), most=MAPS_MOST
        )
        kept = BattleMap(campaign=campaign, name=named, columns=land.columns, rows=land.rows, written=written)
        kept.kept_by = by
        kept.save(force_insert=True)
        told.made("battle_map", kept)
        told.text = say(_("Battle map saved: {map}."), map=named)
    return kept


@gm_only
@transaction.atomic
def rename_map(*, by: User, kept: BattleMap, name: str) -> BattleMap:
    """Renames a battle map (GM). Raises `InvalidInput`, and `Http404` where it is deleted meanwhile."""
    require_gm(by, kept.campaign)
    on = [("battle_map", kept)]
    with record_changes(by=by, campaign=kept.campaign, kind=OTHER, on=on, private=False) as told:
        held: BattleMap = told.held("battle_map", kept)
        before, held.name = held.name, clean_text(name, field="/name")
        held.save(update_fields=["name"])
        told.text = say(_("Battle map {before} renamed to {map}."), before=before, map=held.name)
    return held


@gm_only
@transaction.atomic
def delete_map(*, by: User, kept: BattleMap) -> None:
    """Deletes a battle map from the library (GM). Undo restores it; battles keep their copies."""
    require_gm(by, kept.campaign)
    on = [("battle_map", kept)]
    with record_changes(by=by, campaign=kept.campaign, kind=OTHER, on=on, private=False) as told:
        for row in told.rows("battle_map").values():  # no row: somebody else has deleted it meanwhile
            told.text = say(_("Battle map {map} deleted."), map=row.name)
            told.gone("battle_map", row)
            row.delete()
