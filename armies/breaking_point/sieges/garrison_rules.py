"""Garrison rules: what keeps an army out of a place, for whoever enters, builds, or comes back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from uuid import UUID

from armies.breaking_point.models import FortifiedPlace, SiegeRow
from armies.breaking_point.models.sieges import RUNNING
from armies.breaking_point.sieges.specs import build_place
from armies.breaking_point.specs import load_units
from armies.models import Army
from rules.breaking_point.siege.siege_state import check_room
from rules.core.errors import require
from rules.core.text import _

BESIEGED = _("{place} is besieged.")


def is_besieged(place: FortifiedPlace) -> bool:
    return SiegeRow.objects.filter(place=place, status__in=RUNNING).exists()


def refuse_besieged(place: FortifiedPlace) -> None:
    require(not is_besieged(place), BESIEGED, place=place.name)


def refuse_stranger(place: FortifiedPlace, army: Army) -> None:
    require(place.kingdom_id == army.kingdom_id, _("{place} is held by another kingdom."), place=place.name)


def garrison_of(place: FortifiedPlace) -> list[Army]:
    return [row.army for row in place.stationed.select_related("army__campaign")]


def check_garrison(place: FortifiedPlace, armies: Iterable[Army]) -> None:
    """Raises `IllegalCommand` where these are more than twice its garrison (B-61)."""
    check_room(build_place(place), [unit for army in armies for unit in load_units(army)])


def lies_behind(place: FortifiedPlace, outer: FortifiedPlace | None) -> bool:
    """Whether what is to lie before a place is the place itself, or lies behind it (B-61)."""
    return any(wall.pk == place.pk for wall in walls_from(outer))


def walls_from(outer: FortifiedPlace | None) -> Iterator[FortifiedPlace]:
    """This one and those before it, outward; each once, even if they lay in a ring."""
    seen: set[UUID] = set()
    while outer is not None and outer.pk not in seen:
        yield outer
        seen.add(outer.pk)
        outer = outer.outer
