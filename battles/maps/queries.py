"""Queries for a campaign's battle maps, which every member may read."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet

from battles.hexes.ground_layer import Land
from battles.models import BattleMap
from kingdom.access.queries import get_one, list_campaigns
from kingdom.models import Campaign, User
from rules.hexes.mapfile import HexMap, parse


def list_maps(campaign: Campaign) -> QuerySet[BattleMap]:
    """The campaign's maps, newest first. The caller checks that the reader is a member."""
    return BattleMap.objects.filter(campaign=campaign).select_related("kept_by")


def get_map_for(user: User, map_id: UUID | str) -> BattleMap:
    """A map, for any member of its campaign. Raises `Http404`."""
    seen = BattleMap.objects.filter(campaign__in=list_campaigns(user))
    return get_one(seen.select_related("campaign", "kept_by"), map_id)


def read_map(kept: BattleMap) -> HexMap:
    return parse(kept.document, kept=True)


def land_of(kept: BattleMap) -> Land:
    """The map with a cache key for its drawing: a stored map never changes."""
    return Land(kept.pk.hex, read_map(kept))
