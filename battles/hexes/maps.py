"""Maps for opening a battle: a built-in one, one from a file, a generated one, a given one, or one of the campaign's
library.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from armies.marches.queries import Encounter
from battles.maps.queries import list_maps, read_map
from battles.models import BattleMap
from kingdom.models import Campaign
from rules.core.errors import InvalidInput, demand
from rules.core.text import _
from rules.hexbattle.ground import checked
from rules.hexbattle.law import HexBattles
from rules.hexes.battlefields import STARTERS, ground_at, local_map
from rules.hexes.generate import generate
from rules.hexes.geometry import hex_at
from rules.hexes.mapfile import HexMap, document
from rules.hexes.orders import choices_in
from rules.hexes.terrain import MapChoices, MapKind

# Maps for opening a battle: a built-in one, one from a file, a generated one, or a given one.

OF_A_FILE = ("format", "terrain")
"""Members that occur in a map's file but not in the options of a generated map."""


def is_made(told: object) -> bool:
    """Whether these are options of a generated map, not a map."""
    return isinstance(told, Mapping) and not any(name in told for name in OF_A_FILE)


def starter_document(slug: str) -> dict[str, Any]:
    """The document of a built-in map. Raises `InvalidInput` if there is none with this slug."""
    known = ", ".join(f"{land.name} ({slug})" for slug, land in STARTERS.items())
    demand(slug in STARTERS, _("Choose one of: {choices}."), choices=known)
    return document(STARTERS[slug])


def made_document(told: object, make: Callable[[MapChoices], HexMap] = generate, rows: int = 0) -> dict[str, Any]:
    """The document of a map generated from the options of HX-8.1. `rows`: by default. Raises `InvalidInput`."""
    usual = {"rows": rows} if rows else {}
    return document(make(choices_in({**usual, **told} if isinstance(told, Mapping) else told, MapKind.BATTLE)))


def map_from_json(
    told: object, usual: str, make: Callable[[MapChoices], HexMap] = generate, *, rows: int = 0
) -> dict[str, Any]:
    """The document of the requested map.

    `told`: the slug of a built-in map, a map's document, or the options of HX-8.1; `usual`: the slug used if it is None
    or "". `rows`: the default number of rows of a generated map. Raises `InvalidInput` with pointers below "/map".
    """
    try:
        if told is None or isinstance(told, str):
            return starter_document(told or usual)
        return made_document(told, make, rows) if is_made(told) else checked(told)
    except InvalidInput as refusal:
        raise refusal.below("/map") from refusal


# The battlefield where armies met on the campaign's map


def ground_of(meeting: Encounter, law: HexBattles | type[HexBattles]) -> HexMap:
    """The battlefield for the place where armies met.

    The same place on the same map always gives the same battlefield, with the rows and zones of the law. It is named
    after the place.
    """
    at = hex_at(meeting.hex)
    name = meeting.town or meeting.land.labels.get(at, "") or meeting.hex
    ground = ground_at(meeting.land, at, name=name, town=bool(meeting.town))
    seed = f"{meeting.land.name} {meeting.hex}"
    return local_map(ground, seed, rows=law.generated_rows, zone_rows=law.zone_rows, margin=law.zone_margin)


# Library of a campaign's battle maps, as choices of a form.

KEPT = "kept:"


class MapLibrary:
    """Maps stored in the campaign, newest first, by their slug in a form. Only the chosen map is read."""

    def __init__(self, campaign: Campaign):
        self.campaign = campaign

    @cached_property
    def lines(self) -> dict[str, BattleMap]:
        """The maps without their content, by slug."""
        return {f"{KEPT}{one.pk}": one for one in list_maps(self.campaign).defer("written")}

    def read(self, slug: str) -> HexMap:
        """The map with this slug. Raises `KeyError` if there is none."""
        return read_map(self.lines[slug])
