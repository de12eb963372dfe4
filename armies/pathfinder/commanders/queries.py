"""Queries for commanders, stores and offices of a kingdom."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from armies.pathfinder.forces.specs import build_commander_spec
from armies.pathfinder.models import ArmyResource, KingdomStock, PathfinderCommander
from kingdom.access.queries import reads_kingdom
from kingdom.models import Kingdom, User
from kingdom.realms.figures import get_ruleset
from rules.core.content import Item


class CommanderLine(NamedTuple):
    commander: PathfinderCommander
    sheet: Any
    office: Item | None
    army: Any


class StockLine(NamedTuple):
    pk: UUID
    resource: Item
    size: Item
    quantity: int


def commander_lines(kingdom: Kingdom, commanders: Iterable[PathfinderCommander]) -> list[CommanderLine]:
    """These commanders of the kingdom with their figures."""
    for row in (found := list(commanders)):
        row.campaign = kingdom.campaign
    ruleset = get_ruleset(kingdom.campaign)
    return [
        CommanderLine(
            row,
            ruleset.commander_sheet(build_commander_spec(row)),
            ruleset.offices.get(row.office) if row.office else None,
            row.led,
        )
        for row in found
    ]


def commanders_in(kingdom: Kingdom) -> QuerySet[PathfinderCommander]:
    """All commanders of the kingdom, free or not."""
    return PathfinderCommander.objects.filter(kingdom=kingdom)


def stores_in(kingdom: Kingdom) -> QuerySet[KingdomStock]:
    return KingdomStock.objects.filter(kingdom=kingdom)


def carries(army_id: UUID, resource: str) -> bool:
    """Whether the army has this resource."""
    return ArmyResource.objects.filter(army=army_id, resource=resource).exists()


def kingdom_stores(user: User, kingdom: Kingdom) -> list[StockLine]:
    """Content of the kingdom's stores; empty for users who may not read the kingdom."""
    if not reads_kingdom(user, kingdom):
        return []
    ruleset = get_ruleset(kingdom.campaign)
    return [
        StockLine(row.pk, ruleset.resources[row.resource], ruleset.sizes[row.size], row.quantity)
        for row in KingdomStock.objects.filter(kingdom=kingdom)
        if row.resource in ruleset.resources
    ]


# Offices of a kingdom and their holders (PF-2.6).


class Seat(NamedTuple):
    """An office with its holders, and the boons it gives them."""

    office: Item
    holders: tuple[PathfinderCommander, ...]
    boons: tuple[Item, ...]


class Offices(NamedTuple):
    held: tuple[Seat, ...]
    vacant: tuple[Item, ...]


def offices_of(kingdom: Kingdom) -> Offices:
    """Every office of the ruleset, in order. One query. Dead commanders hold none."""
    law = get_ruleset(kingdom.campaign)
    living = (
        PathfinderCommander.objects.filter(kingdom=kingdom)
        .exclude(status=PathfinderCommander.Status.KILLED)
        .exclude(office=None)
    )
    holders = list(living)
    seats = [
        Seat(office, found, _boons(law.boons, found))
        for slug, office in law.offices.items()
        if (found := tuple(one for one in holders if one.office == slug))
    ]
    taken = {one.office for one in holders}
    return Offices(tuple(seats), tuple(office for slug, office in law.offices.items() if slug not in taken))


def _boons(known: dict[str, Item], holders: tuple[PathfinderCommander, ...]) -> tuple[Item, ...]:
    chosen = dict.fromkeys(one.office_boon for one in holders if one.office_boon in known)
    return tuple(known[slug] for slug in chosen if slug)
