"""Encounters: armies of several kingdoms in one hex, where a battle may be fought.

Nobody has to fight: the app does not know who is at peace.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from armies.forces.busy import find_engaged
from armies.forces.recent_battles import load_recent_battles
from armies.models import Army
from kingdom.access.queries import was_mapless
from kingdom.map.map_state import load_map_state
from kingdom.map.queries import find_hex, find_map
from kingdom.models import Campaign, Kingdom, Settlement
from rules.hexes.mapfile import HexMap
from rules.hexes.terrain import HexTerrain

MOST = 20  # most encounters listed at once


class Party(NamedTuple):
    """A kingdom's armies in a hex. `since`: day of arrival. `first`: it came before all others; `home`: the hex is its
    own land.
    """

    kingdom: Kingdom
    armies: Sequence[Army]
    since: int
    first: bool = False
    home: bool = False


class Encounter(NamedTuple):
    """Armies that stand in one hex. The first party came last: it attacks. `land`: the map; `town`: name of a
    settlement there.
    """

    hex: str
    terrain: HexTerrain
    parties: Sequence[Party]
    land: HexMap
    town: str = ""

    @property
    def armies(self) -> list[Army]:
        return [army for party in self.parties for army in party.armies]


def list_encounters(campaign: Campaign) -> list[Encounter]:
    """Encounters by hex, without armies that fight now or have fought today."""
    found = [] if was_mapless(campaign) else list(_crowded(campaign.pk))
    if not found:
        return []
    met = _encounters(campaign, found, load_recent_battles(campaign, campaign.day).fought)
    towns = Settlement.objects.filter(campaign=campaign, hex__in=[one.hex for one in met]) if met else ()
    names = {town.hex: town.name for town in towns}
    return [one._replace(town=names.get(one.hex, "")) for one in met]


def meetings_ahead(campaign: Campaign, moving: Mapping[UUID, str], gone: Collection[str] = ()) -> list[Encounter]:
    """Encounters once the `moving` armies stand on these hexes, all others where they are now, without those `gone`.

    Only encounters in which a moving army takes part.
    """
    if not moving:
        return []
    there = Q(pk__in=list(moving)) | Q(hex__in=sorted(set(moving.values())))
    rows = Army.objects.filter(there, campaign=campaign, status__in=Army.STANDING).exclude(pk__in=list(gone))
    found = list(rows.select_related("kingdom").order_by("hex", "id"))
    for army in found:
        army.hex = moving.get(army.pk, army.hex)
    told = _encounters(campaign, [army for army in found if army.hex in moving.values()])
    return [one for one in told if any(army.pk in moving for army in one.armies)]


def _encounters(campaign: Campaign, found: Sequence[Army], fought: Collection[str] = ()) -> list[Encounter]:
    drawn = find_map(campaign)
    if drawn is None:
        return []
    busy = {*fought, *(str(pk) for pk in find_engaged(campaign))}
    here: dict[str, list[Army]] = defaultdict(list)
    for army in found:
        if str(army.pk) not in busy:
            here[army.hex].append(army)
    land = load_map_state(drawn)
    told = []
    for label, armies in here.items():
        at = find_hex(land.field, label)
        parties = list(_parties(armies, land.claims.get(at) if at else None))
        if at and len(parties) > 1:
            told.append(Encounter(label, land.field.at(at), parties, land.field))
    return told[:MOST]


def _crowded(campaign: UUID) -> QuerySet[Army]:
    """Standing armies in hexes with armies of several kingdoms."""
    rows = Army.objects.filter(campaign=campaign, status__in=Army.STANDING).exclude(hex="")
    crowded = rows.order_by().values("hex").annotate(realms=Count("kingdom", distinct=True)).filter(realms__gt=1)
    return rows.filter(hex__in=crowded.values("hex")).select_related("kingdom").order_by("hex", "id")


def _parties(armies: Sequence[Army], claimed: UUID | None) -> Iterator[Party]:
    """Parties, latest first; of those who came on the same day, those in their own land last."""
    of: dict[UUID, list[Army]] = defaultdict(list)
    for army in armies:
        of[army.kingdom_id].append(army)
    came = {kingdom: max(_since(army) for army in own) for kingdom, own in of.items()}
    first = min(came.values())
    alone = list(came.values()).count(first) == 1
    order = sorted(of, key=lambda kingdom: (-came[kingdom], kingdom == claimed, str(kingdom)))
    for kingdom in order:
        own = of[kingdom]
        there_first = alone and came[kingdom] == first
        yield Party(own[0].kingdom, own, came[kingdom], there_first, kingdom == claimed)


def _since(army: Army) -> int:
    """Day on which the army came to its hex; -1 where it did not march there."""
    way = army.way
    return way.since + way.stops.index(army.hex) if way and army.hex in way.stops else -1
