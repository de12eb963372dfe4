"""Proposals for importing another tool's map: the terrain for each of its names, and the losses of the current map."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from django.db import transaction

from core.clean_input import clean_text
from kingdom.map.displacement import WOULD_GO, WOULD_HALT, describe_displaced
from kingdom.map.displacement_services import list_displaced
from kingdom.map.queries import find_hex, find_map, list_held, load_map_state
from kingdom.models import Campaign, Settlement
from kingdom.models.base import Natural
from rules.core.errors import InvalidInput, demand, pointer
from rules.core.text import Said, Term, _, say
from rules.hexes.imports.azgaar import OWN_NAMES
from rules.hexes.imports.layout import NOTHING, ForeignMap, key_of
from rules.hexes.imports.terrain_names import guess_terrain
from rules.hexes.mapfile import NAME_MOST, HexMap
from rules.hexes.terrain import BY_SLUG, MapKind, plainest

KEPT_UNDER = "map"
"""The campaign's `headings` have the names of imported maps under this word."""
KEPT_EMPTY = "EMPTY"
"""Choice for hexes without terrain, kept beside those of names, which are in small letters."""
KEPT_EMPTY_BEFORE = "-"
"""The same in campaigns of before: it may also be of a tile with this name."""
KEPT_MOST = 200
TERRAINS = BY_SLUG[MapKind.CAMPAIGN]
NAMED = 12
UNCHOSEN = _("Choose a terrain for “{name}”.")

type TerrainByName = Mapping[str, str]
"""Slug of a terrain, or `NOTHING`, by name; names without a choice are left out."""


class TerrainChoice(NamedTuple):
    """A name found in the file. `terrain`: the choice, None if there is none yet."""

    name: str
    told: Said | str
    hexes: int
    terrain: str | None


class Replaced(NamedTuple):
    """Losses of the current map through an import. `towns`: settlements whose hex would be gone. `armies`: which would
    leave the map.
    """

    name: str
    columns: int
    rows: int
    claims: int
    claims_lost: int
    lines_lost: int
    towns: tuple[str, ...]
    armies: Said | None


@dataclass(frozen=True)
class MapProposal:
    """Preview of an import. `mark` identifies the map it would replace."""

    campaign: Campaign
    foreign: ForeignMap
    terrains: TerrainByName
    empty: str
    name: str
    mark: str

    @cached_property
    def choices(self) -> list[TerrainChoice]:
        """Names without a choice first, then the most frequent."""
        found = [
            TerrainChoice(name, OWN_NAMES.get(name, name), hexes, self.terrains.get(name))
            for name, hexes in self.foreign.counts().items()
        ]
        return sorted(found, key=lambda one: one.terrain is not None)

    @property
    def open(self) -> list[str]:
        return [choice.name for choice in self.choices if choice.terrain is None]

    @property
    def empties(self) -> int:
        return self.foreign.empties(self.terrains)

    def without(self, names: Iterable[str]) -> MapProposal:
        """The proposal without a choice for these names."""
        left = set(names)
        return replace(self, terrains={name: one for name, one in self.terrains.items() if name not in left})

    @cached_property
    def field(self) -> HexMap | None:
        """The map that would be drawn; None while a choice is missing."""
        return None if self.open else self.foreign.drawn(self.terrains, self.empty, self.name)

    @cached_property
    def replaced(self) -> Replaced | None:
        """None if there is no map yet, or while a choice is missing."""
        return find_replaced(self.campaign, self.field) if self.field else None


def propose_map(
    campaign: Campaign,
    foreign: ForeignMap,
    chosen: TerrainByName | None = None,
    empty: str | None = None,
    name: str | None = None,
) -> MapProposal:
    """The proposal. `chosen`: choices of a person; for other names the kept choice counts, then the guess by name.

    Raises `InvalidInput` at `/terrains`, `/empty` or `/name`.
    """
    known, kept = foreign.counts(), kept_terrains(campaign)
    chosen = clean_terrains({} if chosen is None else chosen, known)
    proposed = {one: kept.get(key_of(one), guess_terrain(one) or None) for one in known}
    sure = {one: terrain for one, terrain in proposed.items() if terrain is not None}
    drawn = find_map(campaign)
    if empty is None:
        empty = kept.get(KEPT_EMPTY) or kept.get(KEPT_EMPTY_BEFORE) or plainest(MapKind.CAMPAIGN).slug
    demand(empty in TERRAINS, _("Choose one of: {choices}."), field="/empty", choices=", ".join(TERRAINS))
    title = clean_text(name, field="/name") if name else (drawn.name if drawn else foreign.name or campaign.name)
    return MapProposal(campaign, foreign, sure | chosen, empty, title, read_mark(campaign))


def read_mark(campaign: Campaign) -> str:
    """The state of the map in use, "" if there is none."""
    drawn = find_map(campaign)
    return str(drawn.revision) if drawn else ""


def clean_terrains(given: object, known: Iterable[str]) -> dict[str, str]:
    """Choices as they should be. Raises `InvalidInput` below `/terrains`."""
    demand(isinstance(given, Mapping), _("Enter a JSON object here."), field="/terrains")
    assert isinstance(given, Mapping)
    names = set(known)
    for name, terrain in given.items():
        at = pointer("/terrains", str(name)[:NAME_MOST])
        demand(name in names, _("The file has no terrain of this name."), field=at)
        demand(isinstance(terrain, str) and (terrain == NOTHING or terrain in TERRAINS),
               _("Choose one of: {choices}."), field=at, choices=", ".join(TERRAINS))  # fmt: skip
    return dict(given)


def demand_chosen(proposal: MapProposal) -> HexMap:
    """The map to draw. Raises `InvalidInput` with every name that has no terrain yet."""
    faults = tuple((pointer("/terrains", name), say(UNCHOSEN, name=_told(name))) for name in proposal.open)
    if faults:
        raise InvalidInput(faults[0][1], faults[0][0], faults)
    assert proposal.field is not None
    return proposal.field


def _told(name: str) -> Term | str:
    return OWN_NAMES.get(name, name)


# What is kept.


def kept_terrains(campaign: Campaign) -> dict[str, str]:
    """Terrains that people chose in this campaign before, by key of the name."""
    kept = campaign.headings.get(KEPT_UNDER, {})
    pairs = kept.items() if isinstance(kept, Mapping) else ()
    return {key: slug for key, slug in pairs if isinstance(slug, str) and (slug == NOTHING or slug in TERRAINS)}


def merge_kept(campaign: Campaign, proposal: MapProposal) -> dict[str, str]:
    """The stored choices, extended by those of this proposal. The oldest are dropped beyond the limit."""
    told = {key_of(name): terrain for name, terrain in proposal.terrains.items()} | {KEPT_EMPTY: proposal.empty}
    kept = {key: slug for key, slug in kept_terrains(campaign).items() if key not in told}
    return dict([*kept.items(), *told.items()][-KEPT_MOST:])


# What is replaced.


def find_replaced(campaign: Campaign, field: HexMap) -> Replaced | None:
    """Losses of the current map if this one replaces it; None if there is no current map."""
    drawn = find_map(campaign)
    if drawn is None:
        return None
    land = load_map_state(drawn)
    now = land.field
    with transaction.atomic():  # figures of armies are read locked
        left = [change for _kingdom, change in list_displaced(campaign, now, field)]
    towns = Settlement.objects.filter(kingdom__campaign=campaign).exclude(hex="").order_by(Natural("name"), "id")
    lost = [town.name for town in towns if find_hex(now, town.hex) and find_hex(field, town.hex) is None]
    return Replaced(
        now.name, now.columns, now.rows,
        claims=len(land.claims),
        claims_lost=sum(at not in field for at in land.claims),
        lines_lost=len(now.roads) + len(now.rivers) + len(now.edges) + len(now.labels),
        towns=tuple(lost),
        armies=describe_displaced(left, list_held(campaign), words=(WOULD_GO, WOULD_HALT), most=NAMED),
    )  # fmt: skip
