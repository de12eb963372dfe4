"""Services for who leads an army."""

from __future__ import annotations

from django.db import transaction

from armies.forces.row_locks import lock_army, lock_commander
from armies.models import Army, Commander
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from rules.core.errors import demand, require
from rules.core.text import Said, _, say


@needs_approval("armies.assign_commander", "appoint")
@transaction.atomic
def assign_commander(*, by: User, army: Army, commander: Commander | None) -> Army:
    """Give the army a commander, or none. A commander leads one army at a time."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_army(army)
        if commander is None:
            army.commander = None
            army.save(update_fields=["commander"])
            told.text = describe_left_alone(army)
        else:
            lead(army, commander)
            told.text = describe_command_taken(army, commander)
    return army


def lead(army: Army, commander: Commander) -> None:
    """Put a free commander of the same kingdom at the head of the army."""
    commander = fit_to_lead(army, commander)
    army.commander = commander
    army.save(update_fields=["commander"])


def fit_to_lead[C: Commander](army: Army, commander: C) -> C:
    """The commander, locked. Raises unless they are free, of the same kingdom, and lead no other army."""
    ours = commander.kingdom_id == army.kingdom_id
    demand(ours, _("This kingdom has no such commander."), field="/commander")
    commander = lock_commander(commander)
    led = Army.objects.filter(commander=commander.pk).first()  # asked after the lock: another may have come first
    refuse_unfit(army, commander, led)
    return commander


def refuse_unfit(army: Army, commander: Commander, led: Army | None) -> None:
    """Raise `IllegalCommand` unless they are free; `led` is the army they lead now."""
    require(
        led is None or led.pk == army.pk,
        _("{commander} already leads {army}: take the command away there first."),
        field="/commander",
        commander=commander.name,
        army=led.name if led else "",
    )
    require(
        commander.status == Commander.Status.FREE,
        _("{commander} is not free: he cannot lead an army."),
        field="/commander",
        commander=commander.name,
    )


def describe_command_taken(army: Army, commander: Commander) -> Said:
    return say(_("{commander} took command of {army}."), commander=commander.name, army=army.name)


def describe_left_alone(army: Army) -> Said:
    return say(_("{army}: no commander any more."), army=army.name)
