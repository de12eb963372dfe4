"""Queries for a campaign's map, limited to what a user may see.

GM and viewers see everything. Without fog players do too, except for settlements of kingdoms they do not read. With fog
they see hexes that their kingdoms have seen (*known*), and what moves only where these look now (*watched*).
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import groupby
from threading import Lock
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from armies.models import Army, ArmySeat, list_seat_models
from core.clean_input import make_readable
from core.queries import find_one
from core.text import render
from kingdom.access.queries import build_membership_condition, build_reads_condition, reads_all, run_kingdom_ids
from kingdom.models import Campaign, CampaignMap, Kingdom, MapKnowledge, MapRow, Settlement, User
from kingdom.models.base import Natural
from kingdom.models.map import SIDE_MOST
from kingdom.realms.figures import get_realm_law
from rules.hexes.geometry import LABEL, Hex, at_place, hex_at, place_of
from rules.hexes.mapfile import HexMap, document, parse

# State of a campaign's map in memory: terrain and claims, cached by the map's revision. It holds nothing that depends
# on the reader.

KEPT = 16
IN_COLUMNS = frozenset({"name", "columns", "rows", "terrain"})
type ClaimRun = tuple[int, int, int, str]
"""A run of hexes claimed by one kingdom: row, first and last column, and the kingdom's id."""


@dataclass(frozen=True)
class MapState:
    """A state of the map. `field`: the map of the rules. `claims`: the kingdom of every claimed hex."""

    field: HexMap
    claims: Mapping[Hex, UUID]

    @cached_property
    def realms(self) -> Mapping[UUID, frozenset[Hex]]:
        """The hexes of each kingdom that claims any."""
        found: dict[UUID, set[Hex]] = defaultdict(set)
        for at, kingdom in self.claims.items():
            found[kingdom].add(at)
        return {kingdom: frozenset(hexes) for kingdom, hexes in found.items()}

    def of(self, kingdom: UUID) -> frozenset[Hex]:
        return self.realms.get(kingdom, frozenset())


_states: OrderedDict[UUID, MapState] = OrderedDict()
_lock = Lock()


def load_map_state(drawn: CampaignMap) -> MapState:
    """Return the state of the map at its revision. One query, or none if it is cached."""
    with _lock:
        if found := _states.get(drawn.revision):
            _states.move_to_end(drawn.revision)
            return found
    found = _read(drawn)
    with _lock:
        _states[drawn.revision] = found
        while len(_states) > KEPT:
            _states.popitem(last=False)
    return found


def _read(drawn: CampaignMap) -> MapState:
    lines = list(drawn.lines.all())
    runs = [(line.number, *run) for line in lines for run in line.claims]
    return MapState(parse(document_of(drawn, [line.terrain for line in lines]), kept=True), claims_in(runs))


def document_of(drawn: CampaignMap, terrain: list[str]) -> dict[str, Any]:
    own = {"name": drawn.name, "columns": drawn.columns, "rows": drawn.rows, "terrain": terrain}
    return {**make_readable(drawn.written), **own}


def claims_in(runs: Iterable[ClaimRun]) -> dict[Hex, UUID]:
    """Return the kingdom of each hex in these runs."""
    return {
        at_place(column, row): UUID(kingdom) for row, first, last, kingdom in runs for column in range(first, last + 1)
    }


def runs_of(claims: Mapping[Hex, UUID]) -> list[ClaimRun]:
    """Return the claims as runs, by row and column."""
    places = sorted((row, column, claims[at]) for at in claims for column, row in (place_of(at),))
    # within a run, column minus index is constant
    keyed = groupby(enumerate(places), key=lambda one: (one[1][0], one[1][1] - one[0], one[1][2]))
    stretches = ([place for _number, place in run] for _key, run in keyed)
    return [(run[0][0], run[0][1], run[-1][1], str(run[0][2])) for run in stretches]


def write_map_state(drawn: CampaignMap, land: MapState) -> None:
    """Store this state: the rows that differ, and the other parts of its file. The campaign is locked."""
    told, claims = document(land.field), defaultdict(list)
    for row, *run in runs_of(land.claims):
        claims[row].append(run)
    drawn.name, drawn.columns, drawn.rows = land.field.name, land.field.columns, land.field.rows
    drawn.written = {key: value for key, value in told.items() if key not in IN_COLUMNS}
    touch(drawn, "name", "columns", "rows", "written")
    known = {line.number: line for line in drawn.lines.all()}
    fresh, changed = [], []
    for number, terrain in enumerate(land.field.terrain):
        line = known.pop(number, None)
        if line is None:
            of_map = MapRow(campaign_id=drawn.campaign_id, map=drawn, number=number)
            of_map.terrain, of_map.claims = terrain, claims[number]
            fresh.append(of_map)
        elif (line.terrain, line.claims) != (terrain, claims[number]):
            line.terrain, line.claims = terrain, claims[number]
            changed.append(line)
    MapRow.objects.bulk_create(fresh)
    MapRow.objects.bulk_update(changed, ["terrain", "claims"])
    drawn.lines.filter(number__in=known).delete()


def touch(drawn: CampaignMap, *fields: str) -> None:
    """Save these fields with a new version and revision."""
    drawn.version += 1
    drawn.revision = CampaignMap._meta.get_field("revision").get_default()
    drawn.save(update_fields=["version", "revision", *fields], force_update=True)


# What a kingdom has seen: one bit a hex


def bits_of(hexes: Iterable[Hex]) -> bytes:
    seen = 0
    for at in hexes:
        column, row = place_of(at)
        seen |= 1 << (row * SIDE_MOST + column)
    return seen.to_bytes((seen.bit_length() + 7) // 8, "little")


def hexes_of(bits: bytes) -> frozenset[Hex]:
    places = enumerate(reversed(f"{int.from_bytes(bits, 'little'):b}"))
    return frozenset(at_place(number % SIDE_MOST, number // SIDE_MOST) for number, bit in places if bit == "1")


# Occupants of the campaign's map, for the map editor.


class Occupant(NamedTuple):
    """An army on `hex` ("" if it has none) with its kingdom; `held`: the battle or other event it is in, "" for
    none.
    """

    id: str
    name: str
    kingdom: UUID
    hex: str
    held: str = ""


def list_occupants(campaign: Campaign) -> list[Occupant]:
    """Return the standing armies that are on a hex or in an event that goes on, for the map editor."""
    return list(_occupants(campaign))


def _occupants(campaign: Campaign) -> Iterator[Occupant]:
    seats = list_seat_models()
    names = {f"held_{number}": Subquery(_events(model)) for number, model in enumerate(seats)}
    there = reduce(Q.__or__, (Q(**{f"{name}__isnull": False}) for name in names), ~Q(hex=""))
    rows = Army.objects.filter(campaign=campaign, status__in=Army.STANDING).annotate(**names).filter(there)
    rows = rows.order_by(Natural("name"), "id")
    for key, name, kingdom, label, *events in rows.values_list("pk", "name", "kingdom_id", "hex", *names):
        held = next((f"{render(model.HELD)} {event}" for model, event in zip(seats, events, strict=True) if event), "")
        yield Occupant(str(key), name, kingdom, label, held)


def _events(model: type[ArmySeat]) -> QuerySet[Any, Any]:
    """Return the subquery for the name of the event an army is in now."""
    rows: QuerySet[Any] = model._default_manager.filter(model.GOES_ON)
    return rows.filter(army=OuterRef("pk")).values(model.EVENT_NAME)[:1]


def list_held(campaign: Campaign) -> dict[str, str]:
    """Return the event each army is in, by its id: "In battle: The ford"."""
    return {one.id: one.held for one in list_occupants(campaign) if one.held}


type Hexes = frozenset[Hex]


@dataclass(frozen=True, slots=True)
class Eyes:
    """Sight of a reader on the map: `known` are hexes they have seen, `watched` those they see now; None for all hexes.

    `kingdoms`: their own, where sight is limited.
    """

    known: Hexes | None = None
    watched: Hexes | None = None
    kingdoms: frozenset[UUID] = frozenset()

    def knows(self, at: Hex) -> bool:
        return self.known is None or at in self.known

    def watches(self, at: Hex) -> bool:
        return self.watched is None or at in self.watched


ALL = Eyes()


def find_map(campaign: Campaign) -> CampaignMap | None:
    """Return the campaign's map in use, or None. Queried once per campaign object."""
    if "_map" not in campaign.__dict__:
        campaign.__dict__["_map"] = find_one(CampaignMap.objects.filter(campaign=campaign, put_away=False))
    found: CampaignMap | None = campaign.__dict__["_map"]
    return found


def map_put_away(campaign: Campaign) -> bool:
    """Return whether the campaign has an archived map."""
    return CampaignMap.objects.filter(campaign=campaign, put_away=True).exists()


def forget_map(campaign: Campaign) -> None:
    """Forget the cached map after a change."""
    campaign.__dict__.pop("_map", None)


def get_extent_figure(campaign: Campaign) -> str:
    """Return the sheet figure that holds a kingdom's number of hexes in the campaign's ruleset; "" if there is none."""
    return next((slug for slug, figure in get_realm_law(campaign).sheet.items() if figure.hexes), "")


def get_followed_extent(campaign: Campaign) -> str:
    """Return the slug of the figure that follows a kingdom's number of hexes; "" if users enter the size."""
    slug = get_extent_figure(campaign)
    drawn = find_map(campaign) if slug else None
    return slug if drawn and drawn.sizes else ""


class Parted(NamedTuple):
    """A kingdom whose size differs from its number of hexes."""

    kingdom: UUID
    name: str
    size: int | None
    hexes: int


def all_parted(campaign: Campaign, drawn: CampaignMap, land: MapState) -> list[Parted]:
    """Return the kingdoms whose size should follow this map and does not, oldest first; none if sizes do not
    follow it.
    """
    slug = get_extent_figure(campaign)
    if not (drawn.sizes and slug):
        return []
    rows = Kingdom.objects.filter(campaign=campaign).order_by("pk").values_list("pk", "name", slug)
    return [Parted(key, name, size, len(land.of(key))) for key, name, size in rows if size != len(land.of(key))]


def parted_from_hexes(campaign: Campaign) -> Parted | None:
    """Return the oldest kingdom whose size differs from its number of hexes on the current map; None if there is
    none.
    """
    drawn = find_map(campaign)
    return next(iter(all_parted(campaign, drawn, load_map_state(drawn))), None) if drawn else None


def follows_map() -> Exists:
    """Return the condition, in a query of kingdoms, that a kingdom's size follows its hexes."""
    return Exists(CampaignMap.objects.filter(campaign=OuterRef("campaign"), put_away=False, sizes=True))


def load_eyes(user: User, campaign: Campaign, drawn: CampaignMap, watched: Iterable[Hex] = ()) -> Eyes:
    """Return the user's sight on the map. `watched`: what the armies and settlements of their kingdoms see now
    (`kingdom.map.fog_services.watched_by`).
    """
    if reads_all(user, campaign) or not drawn.fog:
        return ALL
    own = frozenset(run_kingdom_ids(user, campaign))
    now = frozenset(watched).union(*(load_map_state(drawn).of(kingdom) for kingdom in own))
    seen = MapKnowledge.objects.filter(map=drawn, kingdom__in=own).values_list("seen", flat=True)
    return Eyes(now.union(*(hexes_of(bytes(bits)) for bits in seen)), now, own)


def towns_seen(user: User, campaign: Campaign) -> QuerySet[Settlement]:
    """Return the settlements on the map that the user may know: those of kingdoms they read, and revealed ones.

    The caller checks with `Eyes` whether the user sees their hexes.
    """
    revealed = Q(revealed=True) & build_membership_condition(user)
    return (
        Settlement.objects.filter(build_reads_condition(user) | revealed, campaign=campaign)
        .exclude(hex="")
        .select_related("kingdom")
    )


def find_hex(field: HexMap, label: str) -> Hex | None:
    """Return the hex with this name; None if it is not on the map."""
    at = hex_at(label) if LABEL.fullmatch(label) else None
    return at if at is not None and at in field else None


def field_of(campaign: Campaign) -> HexMap | None:
    """Return the map of the rules; None if none is in use."""
    drawn = find_map(campaign)
    return load_map_state(drawn).field if drawn else None


def land_on_table(campaign: Campaign) -> MapState | None:
    drawn = find_map(campaign)
    return load_map_state(drawn) if drawn else None
