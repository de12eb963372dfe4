"""Lookup of ids in request bodies: rows the user may see."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from armies.pathfinder.armies.disband_services import Disposal
from armies.pathfinder.armies.transfer_services import Share
from armies.pathfinder.forces.access import armies_of, list_visible_commanders, stores_visible_to
from armies.pathfinder.models import KingdomStock, PathfinderArmy, PathfinderCommander
from core.api.problems import NotVisible
from kingdom.models import User
from rules.core.errors import demand
from rules.core.text import _


def find_commander(user: User, army_campaign: UUID, pk: UUID | None) -> PathfinderCommander | None:
    """The commander of this campaign. Raises `NotVisible` pointing at them."""
    if pk is None:
        return None
    found = list_visible_commanders(user).filter(campaign=army_campaign, pk=pk).first()
    if found is None:
        raise NotVisible("/commander")
    return found


def stock_named(user: User, army: PathfinderArmy, pk: UUID) -> KingdomStock:
    found = stores_visible_to(user).filter(kingdom=army.kingdom_id, pk=pk).first()
    if found is None:
        raise NotVisible("/stock")
    return found


def shares_named(
    user: User, army: PathfinderArmy, to: list[dict[str, Any]], pointer: str, quantity: int = 1
) -> list[Share]:
    """The armies of this campaign that receive something, each with its quantity."""
    wanted = [share["army"] for share in to]
    seen = {row.pk: row for row in armies_of(user, army.campaign).filter(pk__in=wanted)}
    for place, pk in enumerate(wanted):
        if pk not in seen:
            raise NotVisible(f"{pointer}/{place}/army")
    return [Share(seen[share["army"]], share.get("quantity", quantity)) for share in to]


def disposals_named(user: User, army: PathfinderArmy, given: list[dict[str, Any]]) -> dict[str, Disposal]:
    """What becomes of each resource; whole lots where no quantity is given to a single army."""
    held = {row.resource: row.quantity for row in army.resources.all()}
    found: dict[str, Disposal] = {}
    for place, choice in enumerate(given):
        demand(choice["resource"] not in found, _("Name each resource once."), field=f"/resources/{place}/resource")
        to = choice.get("to", [])
        whole = held.get(choice["resource"], 1) if len(to) == 1 else 1
        shares = shares_named(user, army, to, f"/resources/{place}/to", whole)
        found[choice["resource"]] = Disposal(choice["choice"], tuple(shares))
    return found
