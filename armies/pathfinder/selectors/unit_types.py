"""The unit types of a campaign: the library, with the campaign's own in place and beside."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any
from uuid import UUID

from armies.pathfinder.models import UnitType
from kingdom.models import Campaign
from kingdom.models.natural import natural
from kingdom.text import render
from rules.pathfinder.abilities import ABILITIES
from rules.pathfinder.parse import unit_to_json
from rules.pathfinder.units import FAMILIES, UNITS
from rules.text import Said


@dataclass(frozen=True, slots=True)
class UnitEntry:
    """One unit type in the shape of the API. `pk`: the campaign's row, or None for one of the library."""

    slug: str
    name: str
    family: str
    unit: Mapping[str, Any]
    pk: UUID | None = None

    @property
    def abilities(self) -> list[tuple[Said, int | None]]:
        """Its abilities by name, each with its number if it has one."""
        return [(ABILITIES[choice["ability"]].name, choice.get("value")) for choice in self.unit["abilities"]]

    @property
    def in_library(self) -> bool:
        return self.slug in UNITS


@dataclass(frozen=True, slots=True)
class Family:
    slug: str
    name: Said
    entries: tuple[UnitEntry, ...]


ORDER = {slug: place for place, slug in enumerate(FAMILIES)}


def unit_types_of(campaign: Campaign) -> dict[str, UnitEntry]:
    """Every unit type by slug; what the campaign changed stands for the library's (one query)."""
    found = {kind.slug: _of_library(kind.slug) for kind in UNITS.values()}
    own = UnitType.objects.filter(campaign=campaign)
    return found | {row.slug: UnitEntry(row.slug, row.name, row.family, row.unit, row.pk) for row in own}


def _of_library(slug: str) -> UnitEntry:
    kind = UNITS[slug]
    name = render(kind.name)
    return UnitEntry(slug, name, kind.family, {**unit_to_json(kind.unit), "name": name})


def listed(campaign: Campaign, query: str = "", family: str = "") -> list[UnitEntry]:
    """Those whose name or abilities hold the query, by family and then by name."""
    wanted = query.casefold()
    found = [e for e in unit_types_of(campaign).values() if family in ("", e.family) and wanted in _searched(e)]
    return sorted(found, key=lambda entry: (ORDER[entry.family], natural(entry.name)))


def families_of(campaign: Campaign, query: str = "") -> list[Family]:
    """All of them, or those that hold the query, family by family."""
    return by_family(listed(campaign, query))


def by_family(entries: Iterable[UnitEntry]) -> list[Family]:
    """Entries that come in the order of their families, with a heading each."""
    groups = groupby(entries, key=lambda entry: entry.family)
    return [Family(slug, FAMILIES[slug], tuple(found)) for slug, found in groups]


def _searched(entry: UnitEntry) -> str:
    abilities = " ".join(choice["ability"] for choice in entry.unit["abilities"])
    return f"{entry.name} {entry.slug} {abilities} CR {entry.unit['cr']}".casefold()
