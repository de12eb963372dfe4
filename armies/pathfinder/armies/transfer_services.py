"""Services that hand resources to other armies (PF-5.2)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.db import transaction

from armies.forces.row_locks import lock_armies, refuse_unusable
from armies.pathfinder.armies import resource_services
from armies.pathfinder.forces.specs import build_army_spec
from armies.pathfinder.models import PathfinderArmy
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models.user import User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import IllegalCommand, InvalidInput, demand, require
from rules.core.text import MINUS, Said, _, say
from rules.pathfinder.catalogue.items import Resource
from rules.pathfinder.spec import ARREARS, breaks


class Share(NamedTuple):
    """What one army receives."""

    army: PathfinderArmy
    quantity: int = 1


@needs_approval("armies.pathfinder.transfer_resource", "buy")
@transaction.atomic
def transfer_resource(*, by: User, army: PathfinderArmy, resource: str, to: Sequence[Share]) -> PathfinderArmy:
    """Move a resource to one army of equal or smaller size, or split it among smaller ones.

    Free, but the donor's Morale −1. Nothing moves unless everything can.
    """
    _refuse_takers(by, army, to)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-5.2", on=involved(army, to)) as told:
        shares, donor = _locked(army, to)
        _refuse_breaking(donor)
        item = resource_services.get_resource(donor, resource)
        hand_out(donor, item, shares)
        donor.morale -= 1
        donor.save(update_fields=["morale"])
        told.text = _handed(donor, item, shares)
    return donor


def _refuse_breaking(donor: PathfinderArmy) -> None:
    """One morale less, arrears included, may not disband the donor (PF-1.9, PF-7.2)."""
    template = _("{army} is at morale −4: giving this up would break it up. Disband it to share out what it has.")
    if donor.arrears:
        template = _(
            "{army} is at morale {morale}, arrears included: giving this up would break it up. "
            "Pay what is owed first, or disband it to share out what it has."
        )
    standing = donor.morale - (ARREARS if donor.arrears else 0)
    require(
        not breaks(donor.morale - 1, donor.arrears), template, army=donor.name, morale=str(standing).replace("-", MINUS)
    )


def involved(army: PathfinderArmy, shares: Sequence[Share]) -> list[tuple[str, Any]]:
    """Everything handing over may change: the armies, and the stores of their kingdoms."""
    rows = [army, *(share.army for share in shares)]
    return [*(("army", row) for row in rows), *(("stores", row.kingdom_id) for row in rows)]


def _handed(donor: PathfinderArmy, item: Resource, shares: Sequence[Share]) -> Said:
    names = [share.army.name for share in shares]
    return say(_("{army} handed {resource} over to {armies}."), army=donor.name, resource=item.name, armies=names)


def _refuse_takers(by: User, army: PathfinderArmy, to: Sequence[Share]) -> None:
    """`to` names armies of this campaign that the user runs, each once, never the donor."""
    names = [share.army.pk for share in to]
    demand(names, _("Name at least one army to give it to."), field="/to")
    demand(len(set(names)) == len(names), _("Name each army once."), field="/to")
    demand(army.pk not in names, _("An army cannot give to itself."), field="/to")
    refuse_foreign(army, to, "/to")
    for kingdom in {army.kingdom, *(share.army.kingdom for share in to)}:
        require_runs(by, kingdom)


def refuse_foreign(army: PathfinderArmy, shares: Sequence[Share], pointer: str) -> None:
    """Raise `InvalidInput` for an army of another campaign."""
    for place, share in enumerate(shares):
        ours = share.army.campaign_id == army.campaign_id
        demand(ours, _("This army belongs to another campaign."), field=f"{pointer}/{place}/army")


def _locked(army: PathfinderArmy, to: Sequence[Share]) -> tuple[list[Share], PathfinderArmy]:
    """The rows as they are now."""
    rows = lock_armies([army.pk, *(share.army.pk for share in to)], PathfinderArmy)
    for row in rows.values():
        refuse_unusable(row)
    return [Share(rows[share.army.pk], share.quantity) for share in to], rows[army.pk]


def hand_out(donor: PathfinderArmy, item: Resource, shares: Sequence[Share]) -> None:
    """Give the resource away to armies that are locked. Raises before anything is written."""
    require_shares(donor, item, shares)
    total = sum(share.quantity for share in shares) if item.several else 1
    mount = resource_services.take(donor, item.slug, total)
    for share in shares:
        resource_services.put(share.army, item, share.quantity, mount)


def require_shares(donor: PathfinderArmy, item: Resource, shares: Sequence[Share]) -> None:
    sizes = {share.army.pk: _units(share.army) for share in shares}
    for place, share in enumerate(shares):
        try:
            resource_services.check_quantity(item, share.quantity)
            resource_services.refuse_unfit(share.army, item)
            _require_smaller(donor, share.army, sizes[share.army.pk])
        except (InvalidInput, IllegalCommand) as refusal:
            raise type(refusal)(refusal.message, f"/to/{place}{_within(refusal.field)}") from None
    require(
        item.several or len(shares) == 1 or sum(share.army.count for share in shares) <= donor.count,
        _("Together these armies have more units than {army}: it cannot equip them all."),
        field="/to",
        army=donor.name,
    )


def _within(field: str) -> str:
    return field if field == "/quantity" else "/army"


def _require_smaller(donor: PathfinderArmy, receiver: PathfinderArmy, units: int) -> None:
    require(
        units <= _units(donor),
        _("{army} is larger than {donor}: the set does not reach."),
        army=receiver.name,
        donor=donor.name,
    )


def _units(army: PathfinderArmy) -> int:
    return get_ruleset(army.campaign).sheet(build_army_spec(army)).size.units
