"""Requirements of purchases: which buildings a kingdom needs to buy a ware for its armies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kingdom.models import Kingdom
from kingdom.realms.figures import get_realm_law
from rules.core.content import Item
from rules.core.text import Term
from rules.realm import Ware


class Seller(NamedTuple):
    """A building that sells the ware, and the names of the settlements where it stands."""

    building: Term
    towns: tuple[str, ...]


class Need(NamedTuple):
    """A ware for armies: its sellers, or the missing buildings that would sell it. Without `needs` it requires no
    building.
    """

    item: Item
    sellers: tuple[Seller, ...]
    missing: tuple[Term, ...]
    needs: bool

    @property
    def open(self) -> bool:
        return bool(self.sellers) or not self.needs


def needs_of(kingdom: Kingdom) -> tuple[Need, ...]:
    """Return every ware of the campaign's ruleset. Reads the settlements: prefetch them."""
    realm = get_realm_law(kingdom.campaign)
    return tuple(_need(kingdom, ware, realm.buildings) for ware in realm.wares)


def _need(kingdom: Kingdom, ware: Ware, buildings: Mapping[str, Item]) -> Need:
    known = [slug for slug in ware.buildings if slug in buildings]
    found = tuple(Seller(buildings[slug].name, towns) for slug in known if (towns := _towns_with(kingdom, slug)))
    missing = () if found else tuple(buildings[slug].name for slug in known)
    return Need(ware.item, found, missing, not ware.free)


def _towns_with(kingdom: Kingdom, slug: str) -> tuple[str, ...]:
    return tuple(town.name for town in kingdom.settlements.all() if slug in town.buildings)


def unlocked_by(kingdom: Kingdom, standing: list[str]) -> tuple[Term, ...]:
    """Return the names of the wares that these buildings sell."""
    there = set(standing)
    return tuple(ware.item.name for ware in get_realm_law(kingdom.campaign).wares if there & set(ware.buildings))
