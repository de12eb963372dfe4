"""Services that give an army resources and take them away, mounts with the beasts they are."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from armies.forces.row_locks import lock_kingdom
from armies.pathfinder.armies.figure_services import forget_rows, refresh
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import ArmyResource, KingdomStock, PathfinderArmy
from kingdom.realms.figures import get_ruleset
from rules.core.errors import demand, refuse
from rules.core.text import _
from rules.pathfinder.catalogue.items import Resource

MOUNTS = "mounts"
MOST = 1000


def get_resource(army: PathfinderArmy, slug: str) -> Resource:
    resources = get_ruleset(army.campaign).resources
    demand(slug in resources, _("There is no such resource."), field="/resource")
    return resources[slug]


def check_quantity(item: Resource, quantity: int) -> int:
    """How many of it: 1 unless it comes by the piece. Raises `InvalidInput`."""
    whole = isinstance(quantity, int) and not isinstance(quantity, bool) and 1 <= quantity <= MOST
    demand(whole, _("Use a whole number from 1 to {most}."), field="/quantity", most=MOST)
    demand(
        quantity == 1 or item.several,
        _("{resource}: one set equips the whole army."),
        field="/quantity",
        resource=item.name,
    )
    return quantity


def held(army: PathfinderArmy, slug: str) -> ArmyResource | None:
    return next((row for row in army.resources.all() if row.resource == slug), None)


def refuse_unfit(army: PathfinderArmy, item: Resource, quantity: int = 1) -> None:
    """Raise `IllegalCommand` if the army cannot use it (PF-5.1), has it, or has better."""
    get_ruleset(army.campaign).refuse_resource(build_army_spec(army), item.slug, quantity)


def put(army: PathfinderArmy, item: Resource, quantity: int, mount: dict[str, Any] | None = None) -> ArmyResource:
    """Add to what the army carries. What it replaces goes to the kingdom's stores."""
    row, created = ArmyResource.objects.get_or_create(
        army=army, resource=item.slug, defaults={"campaign": army.campaign, "quantity": quantity}
    )
    if not created:
        row.quantity += quantity
        row.save(update_fields=["quantity"])
    if item.slug == MOUNTS and mount:
        army.mount = army.mount or mount
        army.save(update_fields=["sheet"])
    if item.replaces and (old := held(army, item.replaces)):
        store(army, item.replaces, old.quantity)
        old.delete()
    refresh(army)
    return row


def take(army: PathfinderArmy, slug: str, quantity: int) -> dict[str, Any] | None:
    """Take from what the army carries; mounts come with their beast, which is returned."""
    row = held(army, slug)
    if row is None or row.quantity < quantity:
        refuse(_("{army} does not have that many."), field="/quantity", army=army.name)
    row.quantity -= quantity
    row.save(update_fields=["quantity"]) if row.quantity else row.delete()
    mount = army.mount if slug == MOUNTS else None
    if mount:
        army.mount = None
        army.save(update_fields=["sheet"])
    refresh(army)
    return mount


def store(army: PathfinderArmy, slug: str, quantity: int, mount: dict[str, Any] | None = None) -> KingdomStock:
    """Lay resources of the army's size up in its kingdom's stores."""
    size = get_ruleset(army.campaign).sheet(build_army_spec(army)).size.slug
    lock_kingdom(army.kingdom_id)
    alike = KingdomStock.objects.filter(kingdom=army.kingdom_id, resource=slug, size=size)
    stock = next((row for row in alike if row.mount == mount), None)
    stock = stock or KingdomStock(
        campaign=army.campaign, kingdom=army.kingdom, resource=slug, size=size, quantity=0, mount=mount
    )
    stock.quantity += quantity
    stock.save()
    return stock


def lay_up(army: PathfinderArmy, rows: Iterable[ArmyResource]) -> None:
    """All of this that the army carries goes to its kingdom's stores (PF-5.2)."""
    for row in rows:
        store(army, row.resource, row.quantity)
        row.delete()
    forget_rows(army)


def unfit_for(army: PathfinderArmy) -> list[ArmyResource]:
    """What it carries and cannot use: it may have become another (PF-5.1)."""
    law = get_ruleset(army.campaign)
    unit = law.unit(army.unit)
    return [row for row in army.resources.all() if law.unfit(unit, row.resource)]


def drop(army: PathfinderArmy, slug: str) -> None:
    """The army has this no longer, however much it was."""
    army.resources.filter(resource=slug).delete()
    forget_rows(army)
