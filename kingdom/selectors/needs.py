"""What the buildings of a kingdom let its armies buy (PF-5)."""

from __future__ import annotations

from typing import NamedTuple

from kingdom.models import Kingdom
from kingdom.selectors.figures import ruleset_of
from rules.pathfinder.content import Resource
from rules.text import Term


class Source(NamedTuple):
    """A building that sells it, and the towns it stands in."""

    building: Term
    towns: tuple[str, ...]


class Need(NamedTuple):
    """A resource: where it can be had, else which building would sell it. Without `needs` it needs none."""

    resource: Resource
    sources: tuple[Source, ...]
    missing: tuple[Term, ...]
    needs: bool

    @property
    def open(self) -> bool:
        return bool(self.sources) or not self.needs


def needs_of(kingdom: Kingdom) -> tuple[Need, ...]:
    """Every resource that no house rule switches off. Reads the settlements: prefetch them."""
    law = ruleset_of(kingdom.campaign)
    required = law.house.buildings_required
    return tuple(
        _need(kingdom, item, law.buildings, required=required) for item in law.resources.values() if not item.off
    )


def _need(kingdom: Kingdom, item: Resource, buildings: dict, *, required: bool) -> Need:
    found = tuple(
        Source(buildings[slug].name, towns)
        for slug in item.buildings
        if slug in buildings and (towns := _towns_with(kingdom, slug))
    )
    missing = () if found else tuple(buildings[slug].name for slug in item.buildings if slug in buildings)
    return Need(item, found, missing, required and bool(item.buildings))


def _towns_with(kingdom: Kingdom, slug: str) -> tuple[str, ...]:
    return tuple(town.name for town in kingdom.settlements.all() if slug in town.buildings)


def unlocked_by(kingdom: Kingdom, standing: list[str]) -> tuple[Term, ...]:
    """Resources that these buildings sell."""
    there = set(standing)
    known = ruleset_of(kingdom.campaign).resources.values()
    return tuple(item.name for item in known if not item.off and there & set(item.buildings))
