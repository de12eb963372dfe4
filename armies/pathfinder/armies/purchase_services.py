"""Services that buy resources from the treasury, or issue them from the stores (PF-5)."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from armies.pathfinder.armies import resource_services
from armies.pathfinder.armies.market import missing_building
from armies.pathfinder.armies.services import clean_mount
from armies.pathfinder.forces.access import lock_army
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import ArmyResource, KingdomStock, PathfinderArmy
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models.user import User
from kingdom.realms.figures import get_ruleset
from kingdom.realms.treasury_services import spend
from rules.core.errors import IllegalCommand, demand, refuse, require
from rules.core.text import Said, _, say
from rules.pathfinder.catalogue.items import Resource


@needs_approval("armies.pathfinder.buy_resource", "buy")
@transaction.atomic
def buy_resource(
    *,
    by: User,
    army: PathfinderArmy,
    resource: str,
    quantity: int = 1,
    waive_building: bool = False,
    mount: dict[str, Any] | None = None,
) -> ArmyResource:
    """Buys a resource for the army at price × size factor (BP) from the kingdom's treasury.

    A house rule can drop the need for a building, and the GM can waive it. `mount`: the kind of mount, for an army
    without one. Raises `IllegalCommand` that names the missing BP or building.
    """
    require_runs(by, army.kingdom)
    if waive_building:
        require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-5", on=touched(army)) as told:
        army = lock_army(army)
        item = resource_services.get_resource(army, resource)
        quantity = resource_services.check_quantity(item, quantity)
        beast = _ridden(army, item, mount)
        army.mount = army.mount or beast
        resource_services.refuse_unfit(army, item)
        if not waive_building:
            _require_building(army, item)
        _pay(by, army, item, quantity)
        told.text = say(_("{army} bought {resource}."), army=army.name, resource=_lot(item, quantity))
        return resource_services.put(army, item, quantity, army.mount)


def touched(army: PathfinderArmy) -> list[tuple[str, Any]]:
    """Rows that buying and issuing may change: the army, the treasury, the stores."""
    return [("army", army), ("kingdom", army.kingdom_id), ("stores", army.kingdom_id)]


def _lot(item: Resource, quantity: int) -> Said:
    return item.name if quantity == 1 else say(_("{what} × {count}"), what=item.name, count=quantity)


def _ridden(army: PathfinderArmy, item: Resource, mount: dict[str, Any] | None) -> dict[str, Any] | None:
    """The bought mount in its normal form; its price follows from it."""
    if mount is None:
        return None
    demand(item.slug == resource_services.MOUNTS, _("Only mounts can be described. Leave this out."), field="/mount")
    require(not army.mount, _("{army} is already mounted."), field="/mount", army=army.name)
    return clean_mount(mount, get_ruleset(army.campaign))


def _require_building(army: PathfinderArmy, item: Resource) -> None:
    if reason := missing_building(army, item):
        raise IllegalCommand(reason, "/resource")


def _pay(by: User, army: PathfinderArmy, item: Resource, quantity: int) -> None:
    price = get_ruleset(army.campaign).price(build_army_spec(army), item.slug, quantity)
    reason = say(_("{resource} for {army}"), resource=item.name, army=army.name)
    if price.bp:  # house rules may make it free
        spend(by=by, kingdom=army.kingdom, amount=price.bp, reason=reason, source="purchase")


@needs_approval("armies.pathfinder.issue_from_stores", "buy")
@transaction.atomic
def issue_from_stores(*, by: User, army: PathfinderArmy, stock: KingdomStock, quantity: int = 1) -> ArmyResource:
    """Gives an army a set from the kingdom's stores: free, for armies of the stored size or smaller (PF-5.2)."""
    require_runs(by, army.kingdom)
    demand(stock.kingdom_id == army.kingdom_id, _("The stores don’t contain this."), field="/stock")
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-5.2", on=touched(army)) as told:
        army = lock_army(army)
        item, beast = _out_of(army, stock, quantity)
        told.text = say(_("{army} received {resource}."), army=army.name, resource=_lot(item, quantity))
        return resource_services.put(army, item, quantity, beast)


def _out_of(army: PathfinderArmy, stock: KingdomStock, quantity: int) -> tuple[Resource, dict[str, Any] | None]:
    """Takes from the stores what the army can use. Returns the resource and its mount."""
    kept = KingdomStock.objects.select_for_update().filter(pk=stock.pk).first()
    if kept is None or kept.quantity < quantity:
        refuse(_("The stores don’t contain that many. Enter a lower number."), field="/quantity")
    item = resource_services.get_resource(army, kept.resource)
    resource_services.check_quantity(item, quantity)
    resource_services.refuse_unfit(army, item)
    _require_size(army, kept.size)
    kept.quantity -= quantity
    kept.save(update_fields=["quantity"]) if kept.quantity else kept.delete()
    return item, kept.mount


def _require_size(army: PathfinderArmy, size: str) -> None:
    ruleset = get_ruleset(army.campaign)
    own = ruleset.sheet(build_army_spec(army)).size
    require(
        own.units <= ruleset.sizes[size].units,
        _("{army} is too large. This set only equips an army of size {size}."),
        army=army.name,
        size=ruleset.sizes[size].name,
    )
