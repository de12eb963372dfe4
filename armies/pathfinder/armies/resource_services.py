"""Services for resources and cached figures of an army: put, take, store, transfer (PF-5.2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django.db import transaction

from armies.adjustments.services import adjusts_health, count_spared, keep_spared
from armies.forces.busy import lock_armies, lock_kingdom, refuse_unusable
from armies.pathfinder.forces.specs import build_army_spec, in_force
from armies.pathfinder.models import ArmyResource, KingdomStock, PathfinderArmy
from armies.pathfinder.models.army import columns
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models.user import User
from kingdom.realms.figures import get_ruleset
from rules.adjustments import carry_health
from rules.core.errors import IllegalCommand, InvalidInput, demand, refuse, require
from rules.core.text import MINUS, Said, _, say
from rules.pathfinder.catalogue.items import Resource
from rules.pathfinder.spec import ADJUSTABLE, ARREARS, breaks
from rules.pathfinder.weeks.week import regrowth_lines

# Cached figures of an army.

CACHED = ["hp", "hp_max", "consumption", "acr", "regrowth", "adjustments"]


def set_figures(army: PathfinderArmy, spared: int | None = None) -> None:
    """Computes the figures that an army caches of its sheet, and keeps the damage taken. Does not save.

    `spared`: damage that its adjustments have spared it so far, if they are others now. Raises `InvalidInput` when the
    army would be too small (below ACR 1/8).
    """
    spec = build_army_spec(army)
    sheet = get_ruleset(army.campaign).sheet(spec)
    before = army.hp if army.hp is not None else sheet.hp_max
    rise = sheet.hp_max - (army.hp_max or sheet.hp_max)
    spared = count_spared(army.adjustments) if spared is None else spared
    army.hp_max = sheet.hp_max
    set_hit_points(army, *carry_health(before, rise, spared, keeps=adjusts_health(army.adjustments, ADJUSTABLE)))
    army.consumption = sheet.consumption.total
    army.acr = sheet.acr.floor
    army.regrowth = regrowth_lines(in_force(army, spec)).total


def set_hit_points(army: PathfinderArmy, hp: int, spared: int = 0) -> None:
    """Sets its hit points, unsaved. `spared`: damage beyond the last of them, kept with its adjustments."""
    army.hp = hp
    army.adjustments = keep_spared(army.adjustments, ADJUSTABLE, spared)


def refresh(army: PathfinderArmy, spared: int | None = None) -> None:
    """Reads the army's resources and tactics again, computes its figures and saves them. `spared`: as in
    `set_figures`.
    """
    forget_rows(army)
    set_figures(army, spared)
    army.save(update_fields=columns(CACHED))


def forget_rows(army: PathfinderArmy) -> None:
    """Drops prefetched resources and tactics, since rows were just written."""
    army.refresh_from_db(fields=["resources", "tactics"])


# Resources, and the kind of mounts.

MOUNTS = "mounts"
MOST = 1000


def get_resource(army: PathfinderArmy, slug: str) -> Resource:
    resources = get_ruleset(army.campaign).resources
    demand(slug in resources, _("Unknown resource. Choose one from the list."), field="/resource")
    return resources[slug]


def check_quantity(item: Resource, quantity: int) -> int:
    """The quantity, which is 1 unless the resource comes by the piece. Raises `InvalidInput`."""
    whole = isinstance(quantity, int) and not isinstance(quantity, bool) and 1 <= quantity <= MOST
    demand(whole, _("Enter a whole number from 1 to {most}."), field="/quantity", most=MOST)
    demand(
        quantity == 1 or item.several,
        _("{resource}: one set equips the whole army. Buy only one."),
        field="/quantity",
        resource=item.name,
    )
    return quantity


def held(army: PathfinderArmy, slug: str) -> ArmyResource | None:
    return next((row for row in army.resources.all() if row.resource == slug), None)


def refuse_unfit(army: PathfinderArmy, item: Resource, quantity: int = 1) -> None:
    """Raises `IllegalCommand` if the army cannot use it (PF-5.1), has it already, or has something better."""
    get_ruleset(army.campaign).refuse_resource(build_army_spec(army), item.slug, quantity)


def put(army: PathfinderArmy, item: Resource, quantity: int, mount: dict[str, Any] | None = None) -> ArmyResource:
    """Adds a resource to the army. What it replaces goes to the kingdom's stores."""
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
    """Takes a resource from the army. Returns the mount, if these are mounts. Raises `IllegalCommand` if the army has
    fewer.
    """
    row = held(army, slug)
    if row is None or row.quantity < quantity:
        refuse(_("Too many for {army}. Enter a lower number."), field="/quantity", army=army.name)
    row.quantity -= quantity
    row.save(update_fields=["quantity"]) if row.quantity else row.delete()
    mount = army.mount if slug == MOUNTS else None
    if mount:
        army.mount = None
        army.save(update_fields=["sheet"])
    refresh(army)
    return mount


def store(army: PathfinderArmy, slug: str, quantity: int, mount: dict[str, Any] | None = None) -> KingdomStock:
    """Puts resources of the army's size into its kingdom's stores."""
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
    """Puts these resources of the army into its kingdom's stores (PF-5.2)."""
    for row in rows:
        store(army, row.resource, row.quantity)
        row.delete()
    forget_rows(army)


def unfit_for(army: PathfinderArmy) -> list[ArmyResource]:
    """Resources that the army cannot use, since it has become another kind of unit (PF-5.1)."""
    law = get_ruleset(army.campaign)
    unit = law.unit(army.unit)
    return [row for row in army.resources.all() if law.unfit(unit, row.resource)]


def drop(army: PathfinderArmy, slug: str) -> None:
    """Removes the resource from the army, whatever the quantity."""
    army.resources.filter(resource=slug).delete()
    forget_rows(army)


# Transfers to other armies (PF-5.2).


class Share(NamedTuple):
    """Share of one army in a distributed resource."""

    army: PathfinderArmy
    quantity: int = 1


@needs_approval("armies.pathfinder.transfer_resource", "buy")
@transaction.atomic
def transfer_resource(*, by: User, army: PathfinderArmy, resource: str, to: Sequence[Share]) -> PathfinderArmy:
    """Moves a resource to one army of equal or smaller size, or divides it among smaller ones.

    It costs nothing but Morale −1 for the donor. Nothing moves unless everything can.
    """
    _refuse_takers(by, army, to)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-5.2", on=involved(army, to)) as told:
        shares, donor = _locked(army, to)
        _refuse_breaking(donor)
        item = get_resource(donor, resource)
        hand_out(donor, item, shares)
        donor.morale -= 1
        donor.save(update_fields=["morale"])
        told.text = _handed(donor, item, shares)
    return donor


def _refuse_breaking(donor: PathfinderArmy) -> None:
    """Refuses a transfer that would disband the donor by its loss of Morale, arrears included (PF-1.9, PF-7.2)."""
    template = _(
        "{army}: Morale −4. Giving this up would disband the army. Disband the army "
        "yourself to distribute its equipment."
    )
    if donor.arrears:
        template = _(
            "{army}: Morale {morale}, arrears included. Giving this up would disband the army. Pay the arrears "
            "first, or disband the army yourself to distribute its equipment."
        )
    standing = donor.morale - (ARREARS if donor.arrears else 0)
    require(
        not breaks(donor.morale - 1, donor.arrears), template, army=donor.name, morale=str(standing).replace("-", MINUS)
    )


def involved(army: PathfinderArmy, shares: Sequence[Share]) -> list[tuple[str, Any]]:
    """Rows that a transfer may change: the armies, and the stores of their kingdoms."""
    rows = [army, *(share.army for share in shares)]
    return [*(("army", row) for row in rows), *(("stores", row.kingdom_id) for row in rows)]


def _handed(donor: PathfinderArmy, item: Resource, shares: Sequence[Share]) -> Said:
    names = [share.army.name for share in shares]
    return say(_("{army} gave {resource} to {armies}."), army=donor.name, resource=item.name, armies=names)


def _refuse_takers(by: User, army: PathfinderArmy, to: Sequence[Share]) -> None:
    """Checks that `to` names armies of this campaign that the user runs, each once, and not the donor."""
    names = [share.army.pk for share in to]
    demand(names, _("Choose at least one army to receive it."), field="/to")
    demand(len(set(names)) == len(names), _("List each army only once."), field="/to")
    demand(army.pk not in names, _("An army can’t give equipment to itself. Choose another army."), field="/to")
    refuse_foreign(army, to, "/to")
    for kingdom in {army.kingdom, *(share.army.kingdom for share in to)}:
        require_runs(by, kingdom)


def refuse_foreign(army: PathfinderArmy, shares: Sequence[Share], pointer: str) -> None:
    """Raises `InvalidInput` for an army of another campaign."""
    for place, share in enumerate(shares):
        ours = share.army.campaign_id == army.campaign_id
        demand(ours, _("This army belongs to another campaign."), field=f"{pointer}/{place}/army")


def _locked(army: PathfinderArmy, to: Sequence[Share]) -> tuple[list[Share], PathfinderArmy]:
    """The rows, locked and read again."""
    rows = lock_armies([army.pk, *(share.army.pk for share in to)], PathfinderArmy)
    for row in rows.values():
        refuse_unusable(row)
    return [Share(rows[share.army.pk], share.quantity) for share in to], rows[army.pk]


def hand_out(donor: PathfinderArmy, item: Resource, shares: Sequence[Share]) -> None:
    """Gives the resource to locked armies. Raises before anything is written."""
    require_shares(donor, item, shares)
    total = sum(share.quantity for share in shares) if item.several else 1
    mount = take(donor, item.slug, total)
    for share in shares:
        put(share.army, item, share.quantity, mount)


def require_shares(donor: PathfinderArmy, item: Resource, shares: Sequence[Share]) -> None:
    sizes = {share.army.pk: _units(share.army) for share in shares}
    for place, share in enumerate(shares):
        try:
            check_quantity(item, share.quantity)
            refuse_unfit(share.army, item)
            _require_smaller(donor, share.army, sizes[share.army.pk])
        except (InvalidInput, IllegalCommand) as refusal:
            raise type(refusal)(refusal.message, f"/to/{place}{_within(refusal.field)}") from None
    require(
        item.several or len(shares) == 1 or sum(share.army.count for share in shares) <= donor.count,
        _("Together, these armies have more units than {army}. Choose fewer or smaller armies."),
        field="/to",
        army=donor.name,
    )


def _within(field: str) -> str:
    return field if field == "/quantity" else "/army"


def _require_smaller(donor: PathfinderArmy, receiver: PathfinderArmy, units: int) -> None:
    require(
        units <= _units(donor),
        _("The set of {donor} isn’t enough for {army}. Choose a smaller army."),
        army=receiver.name,
        donor=donor.name,
    )


def _units(army: PathfinderArmy) -> int:
    return get_ruleset(army.campaign).sheet(build_army_spec(army)).size.units
