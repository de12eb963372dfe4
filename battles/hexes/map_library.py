"""Library of a campaign's battle maps, as choices of a form."""

from __future__ import annotations

from collections.abc import Mapping

from battles.maps.queries import list_maps, read_map
from kingdom.models import Campaign
from rules.hexes.mapfile import HexMap

KEPT = "kept:"


def library_of(campaign: Campaign) -> Mapping[str, HexMap]:
    """Maps the campaign keeps, newest first, by their slug in a form."""
    return {f"{KEPT}{one.pk}": read_map(one) for one in list_maps(campaign)}
