"""Services for fog of war: they store what kingdoms see, since what was seen stays visible."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from armies.models import Army, Sighting
from core.live import notify_campaign
from kingdom.access.decorators import gm_only, internal, lock_campaign_as_gm, require_not_deleted
from kingdom.map.queries import MapState, bits_of, find_hex, find_map, forget_map, hexes_of, load_map_state
from kingdom.models import Campaign, CampaignMap, Kingdom, MapKnowledge, Settlement, User
from rules.hexes.geometry import Hex
from rules.hexes.mapfile import HexMap


def hexes_around(field: HexMap, at: Hex, far: int) -> Iterable[Hex]:
    """Yield the hexes of the map within `far` hexes of this one, including itself."""
    for south in range(-far, far + 1):
        for east in range(max(-far, -south - far), min(far, far - south) + 1):
            one = Hex(at.q + east, at.r + south)
            if one in field:
                yield one


def watched_by(campaign: Campaign, drawn: CampaignMap, land: MapState) -> dict[UUID, frozenset[Hex]]:
    """Return what each kingdom sees now: the hexes it claims, and those around its settlements and armies."""
    from_where: dict[UUID, set[Hex]] = defaultdict(set)
    towns = Settlement.objects.filter(campaign=campaign).exclude(hex="").values_list("kingdom_id", "hex")
    armies = _armies_on_the_map(campaign).order_by().values_list("kingdom_id", "hex")
    for kingdom, label in (*towns, *armies):
        if at := find_hex(land.field, label):
            from_where[kingdom].add(at)
    seen = {kingdom: set(land.of(kingdom)) for kingdom in {*from_where, *land.realms}}
    for kingdom, places in from_where.items():
        for at in places:
            seen[kingdom].update(hexes_around(land.field, at, drawn.sight))
    return {kingdom: frozenset(hexes) for kingdom, hexes in seen.items()}


@internal
def update_visibility(campaign: Campaign, passed: Mapping[UUID, Iterable[Hex]] | None = None) -> None:
    """Store what each kingdom sees now, if there is fog. Call it after anything moves.

    `passed`: hexes from which a kingdom looked around on its way.
    """
    forget_map(campaign)
    drawn = find_map(campaign)
    if drawn is None or not drawn.fog:
        return
    land = load_map_state(drawn)
    watched = watched_by(campaign, drawn, land)
    known = {row.kingdom_id: row for row in drawn.knowledge.select_for_update()}
    for kingdom in {*watched, *(passed or {})}:
        seen = set(watched.get(kingdom, ()))
        for at in (passed or {}).get(kingdom, ()):
            seen.update(hexes_around(land.field, at, drawn.sight))
        _learn(drawn, kingdom, known.get(kingdom), seen)
    _sight_armies(campaign, land, watched)


def _sight_armies(campaign: Campaign, land: MapState, watched: Mapping[UUID, frozenset[Hex]]) -> None:
    """Store where each kingdom now sees armies of others, without hidden ones."""
    found = [
        Sighting(campaign=campaign, kingdom_id=kingdom, army=army, hex=army.hex, day=campaign.day)
        for army in _armies_on_the_map(campaign).filter(hidden=False)
        if (at := find_hex(land.field, army.hex))
        for kingdom, hexes in watched.items()
        if kingdom != army.kingdom_id and at in hexes
    ]
    Sighting.objects.bulk_create(
        found, update_conflicts=True, unique_fields=["kingdom", "army"], update_fields=["hex", "day"]
    )


def _armies_on_the_map(campaign: Campaign) -> QuerySet[Army]:
    return Army.objects.filter(campaign=campaign, status__in=Army.STANDING).exclude(hex="")


def _learn(drawn: CampaignMap, kingdom: UUID, row: MapKnowledge | None, seen: set[Hex]) -> None:
    if row is None:
        row = MapKnowledge(campaign_id=drawn.campaign_id, map=drawn, kingdom_id=kingdom)
    together = bits_of(hexes_of(bytes(row.seen)) | seen)
    if together != bytes(row.seen) or row._state.adding:
        row.seen = together
        row.save()


@gm_only
@transaction.atomic
def forget_seen(*, by: User, kingdom: Kingdom) -> None:
    """Reset what the kingdom has seen to what it sees now (GM). Raises Http404 if it is dissolved meanwhile."""
    lock_campaign_as_gm(by, kingdom.campaign)
    require_not_deleted(kingdom)
    MapKnowledge.objects.filter(campaign=kingdom.campaign_id, kingdom=kingdom).delete()
    update_visibility(kingdom.campaign)
    notify_campaign(kingdom.campaign_id)
