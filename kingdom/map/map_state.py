"""State of a campaign's map in memory: terrain and claims, cached by the map's revision. It holds nothing that depends
on the reader.
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

from django.db.models import OuterRef, Q, QuerySet, Subquery

from armies.models import Army, ArmySeat, list_seat_models
from core.strict_json import make_readable
from core.text import render
from kingdom.models import Campaign, CampaignMap, MapRow
from kingdom.models.map import SIDE_MOST
from kingdom.models.natural import Natural
from rules.hexes.geometry import Hex, at_place, place_of
from rules.hexes.mapfile import HexMap, document, parse

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
