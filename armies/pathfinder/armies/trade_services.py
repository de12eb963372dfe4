"""Services that buy resources from the treasury or issue them from the stores, and that disband an army: its resources
are given away, stored, or sold for half (PF-5, PF-5.2).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import transaction

from armies.forces.busy import lock_armies, refuse_unusable
from armies.pathfinder.armies import resource_services
from armies.pathfinder.armies.queries import missing_building
from armies.pathfinder.armies.resource_services import Share, hand_out, involved, refresh, refuse_foreign
from armies.pathfinder.armies.services import clean_mount
from armies.pathfinder.forces.access import lock_army
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import ArmyResource, KingdomStock, PathfinderArmy
from core.queries import find_one
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models.user import User
from kingdom.realms.figures import get_ruleset
from kingdom.realms.treasury_services import record_entry, spend
from rules.core.content import Item
from rules.core.errors import IllegalCommand, InvalidInput, demand, refuse, require
from rules.core.text import Said, _, say
from rules.pathfinder.catalogue.items import Resource

# Services that buy resources from the treasury, or issue them from the stores (PF-5).


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
    require(not army.mount, _("{army}: already mounted."), field="/mount", army=army.name)
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
    """Gives an army a set from the kingdom's stores: free, for armies of the stored size or smaller (PF-5.2). Raises
    `InvalidInput` for stores of another kingdom, and `IllegalCommand`.
    """
    require_runs(by, army.kingdom)
    demand(stock.kingdom_id == army.kingdom_id, _("The stores don’t contain this."), field="/stock")
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-5.2", on=touched(army)) as told:
        army = lock_army(army)
        item, beast = _out_of(army, stock, quantity)
        told.text = say(_("{army} received {resource}."), army=army.name, resource=_lot(item, quantity))
        return resource_services.put(army, item, quantity, beast)


def _out_of(army: PathfinderArmy, stock: KingdomStock, quantity: int) -> tuple[Resource, dict[str, Any] | None]:
    """Takes from the stores what the army can use. Returns the resource and its mount."""
    kept = find_one(KingdomStock.objects.select_for_update().filter(pk=stock.pk))
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
        _("{army}: too large. This set only equips an army of size {size}."),
        army=army.name,
        size=ruleset.sizes[size].name,
    )


# Services that disband an army: its resources are given away, stored, or sold for half (PF-5.2).

CHOICES = ("give", "store", "sell")


class Disposal(NamedTuple):
    """Disposal of one resource: "give" (to `shares`), "store" or "sell"."""

    choice: str = "store"
    shares: tuple[Share, ...] = ()


class Parting(NamedTuple):
    """A resource in the preview of disbanding."""

    resource: Item
    quantity: int
    choice: str
    bp: int
    half_price: int
    text: Said


@dataclass(frozen=True, slots=True)
class Disbanding:
    """Preview of disbanding: the disposal of each resource, and the BP from sales."""

    army: PathfinderArmy
    partings: tuple[Parting, ...]

    @property
    def bp(self) -> int:
        return sum(parting.bp for parting in self.partings)


def preview_disband(*, army: PathfinderArmy, choices: Mapping[str, Disposal] | None = None) -> Disbanding:
    """Preview of disbanding. Writes nothing. Raises `InvalidInput` for invalid choices."""
    choices = choices or {}
    rows = {row.resource: row for row in army.resources.all()}
    _demand_known(army, choices, rows)
    return Disbanding(
        army,
        tuple(_parting(army, row.resource, row.quantity, choices.get(row.resource)) for row in rows.values()),
    )


def _demand_known(army: PathfinderArmy, choices: Mapping[str, Disposal], rows: Mapping[str, object]) -> None:
    for place, (slug, disposal) in enumerate(choices.items()):
        pointer = f"/resources/{place}"
        demand(slug in rows, _("The army doesn’t have this resource."), field=f"{pointer}/resource")
        demand(disposal.choice in CHOICES, _("Use give, store or sell."), field=f"{pointer}/choice")
        takers = bool(disposal.shares) or disposal.choice != "give"
        demand(takers, _("Choose at least one army to receive it."), field=f"{pointer}/to")
        text = _("{kingdom} has no treasury, so nothing can be sold. Give or store it instead.")
        sold = disposal.choice == "sell" and army.kingdom.without_treasury
        demand(not sold, text, field=f"{pointer}/choice", kingdom=army.kingdom.name)


def _parting(army: PathfinderArmy, slug: str, quantity: int, disposal: Disposal | None) -> Parting:
    item = get_ruleset(army.campaign).resources[slug]
    choice = disposal.choice if disposal else "store"
    half = get_ruleset(army.campaign).price(build_army_spec(army), slug, quantity).bp // 2
    bp = half if choice == "sell" else 0
    return Parting(item, quantity, choice, bp, half, _said(item, choice, bp, disposal))


def _said(item: Item, choice: str, bp: int, disposal: Disposal | None) -> Said:
    match choice:
        case "sell":
            return say(_("{resource}: sold for {bp} BP."), resource=item.name, bp=bp)
        case "give":
            names = [share.army.name for share in disposal.shares] if disposal else []
            return say(_("{resource}: given to {armies}."), resource=item.name, armies=names)
        case _:
            return say(_("{resource}: moved to the stores."), resource=item.name)


@needs_approval("armies.pathfinder.disband_army", "disband")
@transaction.atomic
def disband_army(*, by: User, army: PathfinderArmy, choices: Mapping[str, Disposal] | None = None) -> PathfinderArmy:
    """Disbands the army and frees its commander. Resources without a choice are stored.

    An army that has deserted may have left resources behind, which are distributed in the same way. Sales pay the
    treasury half the price, rounded down.
    """
    require_runs(by, army.kingdom)
    choices = choices or {}
    takers = _takers(by, army, choices)
    on = [*involved(army, takers), ("kingdom", army.kingdom_id)]
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-5.2", on=on) as told:
        army, choices = _locked(army, takers, choices)
        deserted = not army.standing
        _share_out(by, army, choices)
        army.commander = None
        army.status = PathfinderArmy.Status.DISBANDED
        army.save(update_fields=["commander", "status"])
        refresh(army)
        text = _("{army}’s equipment was distributed.") if deserted else _("{army} disbanded.")
        told.text = say(text, army=army.name)
    return army


def _share_out(by: User, army: PathfinderArmy, choices: Mapping[str, Disposal]) -> None:
    plan = preview_disband(army=army, choices=choices)
    for place, parting in enumerate(plan.partings):
        _part(army, parting, choices.get(parting.resource.slug, Disposal()), place)
    if plan.bp:
        reason = say(_("Sale of {army}’s equipment"), army=army.name)
        record_entry(by=by, kingdom=army.kingdom, amount=plan.bp, reason=reason, source="sale")


def _takers(by: User, army: PathfinderArmy, choices: Mapping[str, Disposal]) -> list[Share]:
    """Return the shares of all armies that get equipment. Raises a refusal for the army itself, and for armies that are
    not the user's.
    """
    takers = [share for disposal in choices.values() for share in disposal.shares]
    itself = army.pk in {taker.army.pk for taker in takers}
    demand(not itself, _("An army can’t give equipment to itself. Choose another army."), field="/resources")
    for place, disposal in enumerate(choices.values()):
        refuse_foreign(army, disposal.shares, f"/resources/{place}/to")
    for kingdom in {taker.army.kingdom for taker in takers}:
        require_runs(by, kingdom)
    return takers


def _locked(
    army: PathfinderArmy, takers: Sequence[Share], choices: Mapping[str, Disposal]
) -> tuple[PathfinderArmy, dict[str, Disposal]]:
    """The rows, locked and read again. A deserted army is accepted if it has resources left."""
    rows = lock_armies([army.pk, *(taker.army.pk for taker in takers)], PathfinderArmy)
    for row in rows.values():
        left = row.pk == army.pk and row.status == PathfinderArmy.Status.DISBANDED and row.resources.all()
        if not left:
            refuse_unusable(row)
    return rows[army.pk], {slug: _fresh(disposal, rows) for slug, disposal in choices.items()}


def _fresh(disposal: Disposal, rows: Mapping[UUID, PathfinderArmy]) -> Disposal:
    return Disposal(disposal.choice, tuple(Share(rows[share.army.pk], share.quantity) for share in disposal.shares))


def _part(army: PathfinderArmy, parting: Parting, disposal: Disposal, place: int) -> None:
    item = parting.resource
    assert isinstance(item, Resource)
    match parting.choice:
        case "give":
            _give(army, item, parting.quantity, disposal.shares, place)
        case "store":
            mount = army.mount if item.slug == resource_services.MOUNTS else None
            resource_services.store(army, item.slug, parting.quantity, mount)
            resource_services.drop(army, item.slug)
        case _:
            resource_services.drop(army, item.slug)


def _give(army: PathfinderArmy, item: Resource, quantity: int, shares: Sequence[Share], place: int) -> None:
    """Gives the resource to the shares. Siege engines nobody gets are stored."""
    rest = quantity - sum(share.quantity for share in shares) if item.several else 0
    pointer = f"/resources/{place}/to"
    if rest < 0:
        raise InvalidInput(_("The army doesn’t have that many. Enter a lower number."), pointer)
    hand_out(army, item, shares)
    if rest:
        resource_services.store(army, item.slug, rest)
        resource_services.drop(army, item.slug)
