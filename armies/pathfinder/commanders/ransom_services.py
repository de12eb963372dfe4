"""Services that buy a captive commander back (PF-2.8)."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from armies.pathfinder.commanders.presence_services import count_days_led
from armies.pathfinder.forces.row_locks import lock_commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from kingdom.models.ledger import LedgerEntry
from kingdom.realms.treasury_services import spend
from rules.core.errors import require
from rules.core.text import _, say


@needs_approval("armies.pathfinder.ransom_commander", "buy")
@transaction.atomic
def ransom_commander(*, by: User, commander: PathfinderCommander) -> PathfinderCommander:
    """Pay their ransom, the Consumption of the army they led, from their kingdom's treasury: they are free.

    Raises `IllegalCommand` naming the missing BP, or when they are no captive or nobody has named a price.
    """
    require_runs(by, commander.kingdom)
    on: list[tuple[str, PathfinderCommander | UUID]] = [("commander", commander), ("kingdom", commander.kingdom_id)]
    with record_changes(by=by, campaign=commander.campaign, kind="army", rule="PF-2.8", on=on) as told:
        commander = lock_commander(commander)
        price = _price(commander)
        told.text = say(_("{commander} is ransomed for {bp} BP."), commander=commander.name, bp=price)
        if price:
            reason = say(_("Ransom of {commander}"), commander=commander.name)
            spend(by=by, kingdom=commander.kingdom, amount=price, reason=reason, source=LedgerEntry.Origin.RANSOM)
        if led := PathfinderArmy.objects.filter(commander=commander).first():
            told.watch([("army", led)])
            count_days_led(led)  # the days of their captivity were none with their army
        commander.status, commander.ransom, commander.away_until = PathfinderCommander.Status.FREE, None, None
        commander.save(update_fields=["status", "ransom", "away_until"])
    return commander


def _price(commander: PathfinderCommander) -> int:
    captive = commander.status == PathfinderCommander.Status.CAPTURED
    require(captive, _("{commander} is no captive: there is nobody to pay."), commander=commander.name)
    require(
        commander.ransom is not None,
        _("Nobody has named the ransom of {commander}: the GM sets it on his form."),
        commander=commander.name,
    )
    return int(commander.ransom or 0)
