"""Library of a campaign's battle maps, as choices of a form."""

from __future__ import annotations

from functools import cached_property

from battles.maps.queries import list_maps, read_map
from battles.models import BattleMap
from kingdom.models import Campaign
from rules.hexes.mapfile import HexMap

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
