"""Tracked fields of a battle map: its name, and its existence."""

from __future__ import annotations

from battles.models import BattleMap
from core.clean_input import clean_text
from kingdom.archive.versions import locate_faults
from kingdom.chronicle import undelete
from kingdom.chronicle.changes import Occasion, RowsById
from kingdom.chronicle.field_change import TrackedModel
from kingdom.models import Campaign, User
from rules.core.errors import demand
from rules.core.text import _
from rules.hexes.mapfile import parse
from rules.hexes.terrain import MapKind


def demand_map(kept: BattleMap) -> None:
    """Checks an archived battle map: its document is a battle map of the stored size. Raises `InvalidInput`."""
    clean_text(kept.name, field="/name", kept=True)
    demand(isinstance(kept.written, dict), _("Enter a JSON object."), field="/written")
    with locate_faults("/written"):
        land = parse(kept.document, kept=True)
        demand(land.kind is MapKind.BATTLE, _("This is a campaign map. Choose a battle map."), field="/kind")
    for side in ("columns", "rows"):
        demand(
            getattr(kept, side) == getattr(land, side),
            _("The size doesn’t match the map. Use the map’s size."),
            field=f"/{side}",
        )


def _maps(campaign: Campaign, ids: set[str]) -> RowsById:
    found = BattleMap.objects.select_for_update().filter(campaign=campaign, pk__in=ids).order_by("pk")
    return undelete.find_or_build(BattleMap, campaign, ids, {str(row.pk): row for row in found})


def _readers(_user: User, _campaign: Campaign, ids: set[str]) -> set[str]:
    """Every member reads the whole library."""
    return ids


def _fit_to_stand(kept: BattleMap, _told: undelete.KeptColumns, _occasion: Occasion) -> None:
    demand_map(kept)


TRACKED = TrackedModel(
    "battle_map",
    _maps,
    fields={"exists": undelete.build_existence(BattleMap.delete, _fit_to_stand)},
    visible=_readers,
    words={"name": _("Name")},
    names={"exists": _("In the library")},
)
