"""Queries for marches: the plan of a march for one reader (route, days, cost), and encounters of several kingdoms'
armies in one hex, where a battle may be fought.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Count, Q, QuerySet

from armies.forces.busy import find_engaged, load_recent_battles
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from kingdom.access.queries import was_mapless
from kingdom.map.queries import find_hex, find_map, load_eyes, load_map_state
from kingdom.models import Campaign, Kingdom, Settlement, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import InvalidInput, Refusal, demand, require
from rules.core.text import _
from rules.hexes.geometry import Hex, hex_at, label_of
from rules.hexes.mapfile import HexMap
from rules.hexes.terrain import HexTerrain
from rules.travel import Itinerary, Manner, MarchPace, Overland, itinerary, planned

# Plan of a march on the map, for one reader: route, days, cost.


class Traveller(NamedTuple):
    """An army on the campaign's map, as far as its reader knows the land. `marcher`: the army as its ruleset's `travel`
    reads it. `bound`: manners in which it marches today in any case.
    """

    army: Army
    marcher: Any
    land: Overland
    at: Hex
    manners: Sequence[Manner]
    bound: Sequence[str] = ()

    def manner(self, wanted: Iterable[str] = ()) -> tuple[str, ...]:
        """Slugs of the manners of a march: the ordered ones, then those in `bound`."""
        return tuple(dict.fromkeys((*wanted, *self.bound)))

    def pace(self, manner: Iterable[str] = ()) -> MarchPace:
        """Speed by these manners. Raises `InvalidInput` for a manner that the army does not have."""
        wanted = self.manner(manner)
        offered = {one.slug for one in self.manners}
        for slug in wanted:
            demand(
                slug in offered,
                _("{army} can’t use this kind of march. Choose one from the list."),
                field="/manner",
                army=self.army.name,
            )
        return self.land.law.pace(self.marcher, wanted)

    def along(self, path: Sequence[str], manner: Iterable[str] = ()) -> Itinerary:
        """March over these hexes from where the army stands. Raises `InvalidInput`, `IllegalCommand`."""
        hexes = [_hex(label, f"/path/{place}") for place, label in enumerate(path)]
        demand(hexes, _("Enter a march of at least one hex."), field="/path")
        pace, here = self.pace(manner), int(hexes[0] == self.at)
        entered = hexes[here:]
        try:
            return itinerary(self.land, [self.at, *(entered[-1:] if pace.teleports else entered)], pace)
        except Refusal as refusal:
            raise _in_path(refusal, here, len(hexes) - 1) from refusal

    def to(self, label: str, manner: Iterable[str] = ()) -> Itinerary:
        """March to this hex by the cheapest route. Raises `InvalidInput`, `IllegalCommand`."""
        return planned(self.land, self.at, _hex(label, "/to"), self.pace(manner))

    def reach(self, days: int, manner: Iterable[str] = ()) -> Mapping[Hex, int]:
        """Hexes the army can reach within these days, with the days each takes; empty for an army that teleports."""
        pace = self.pace(manner)
        return {} if pace.teleports else self.land.reach(self.at, pace, days)


def load_overland(user: User, campaign: Campaign) -> Overland | None:
    """The campaign's map as this user knows it; None without a map."""
    drawn = find_map(campaign)
    if drawn is None:
        return None
    return Overland(load_map_state(drawn).field, get_ruleset(campaign).travel, load_eyes(user, campaign, drawn).known)


def standing_on(land: Overland, army: Army) -> Traveller | None:
    """The army as a traveller on this map; None where it does not stand on it."""
    at = find_hex(land.field, army.hex)
    if at is None:
        return None
    ui = get_army_ui(army.campaign)
    marcher = ui.traveller(army)
    return Traveller(army, marcher, land, at, land.law.manners(marcher), ui.bound_to(army))


def on_the_map(user: User, army: Army) -> Traveller | None:
    """The army as a traveller; None without a map, or where it does not stand on it."""
    land = load_overland(user, army.campaign)
    return standing_on(land, army) if land else None


def build_traveller(user: User, army: Army, land: Overland | None = None) -> Traveller:
    """The army as a traveller. `land`: saves loading the map. Raises `IllegalCommand` without a map, or where the army
    does not stand on it.
    """
    land = land or load_overland(user, army.campaign)
    require(land, _("This campaign has no map yet. Create one first."))
    assert land is not None
    found = standing_on(land, army)
    require(found, _("{army}: not on the map. Place the army on a hex first."), army=army.name)
    assert found is not None
    return found


def path_of(found: Itinerary) -> tuple[str, ...]:
    """Labels of the hexes entered."""
    return tuple(label_of(at) for at in found.path[1:])


def _in_path(refusal: Refusal, here: int, last: int) -> Refusal:
    """The refusal with its pointer into the submitted path, which may begin with the army's own hex, or for a teleport
    has only its last hex used.
    """
    of_path, _slash, number = refusal.field.rpartition("/")
    place = last if number == "to" else int(number) + here if of_path == "/path" else None
    return refusal if place is None else type(refusal)(refusal.message, f"/path/{place}")


def _hex(label: object, field: str) -> Hex:
    try:
        return hex_at(label)  # type: ignore[arg-type]  # it refuses what is no text
    except InvalidInput as refusal:
        raise refusal.below(field) from refusal


# Encounters: armies of several kingdoms in one hex, where a battle may be fought.
#
# Nobody has to fight: the app does not know who is at peace.

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
