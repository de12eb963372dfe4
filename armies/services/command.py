"""Who leads an army (PF-2.5, PF-2.7)."""

from __future__ import annotations

from django.db import transaction

from armies import locks
from armies.models import Army, Commander
from armies.services.locking import lock_army, lock_commander
from kingdom.inputs import clean_text
from kingdom.models.user import User
from kingdom.selectors import require_runs
from rules.errors import demand, require
from rules.text import _


@transaction.atomic
def assign_commander(*, by: User, army: Army, commander: Commander | None) -> Army:
    """Give the army a commander, or none. A commander leads one army at a time."""
    require_runs(by, army.kingdom)
    army = lock_army(army)
    if commander is None:
        army.commander = None
        army.save(update_fields=["commander"])
        return army
    hand_over(army, commander)
    return army


def hand_over(army: Army, commander: Commander) -> None:
    """Put a free commander of the same kingdom at the head of the army."""
    demand(
        commander.kingdom_id == army.kingdom_id,
        _("This kingdom has no such commander."),
        field="/commander",
    )
    commander = lock_commander(commander)
    refuse_unfit(army, commander)
    army.commander = commander
    army.save(update_fields=["commander"])


def refuse_unfit(army: Army, commander: Commander) -> None:
    led = Army.objects.filter(commander=commander).first()  # asked after the lock: another may have come first
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


def refuse_if_leading_busy(commander: Commander) -> None:
    """Raise `IllegalCommand` while the army this commander leads may not be changed."""
    led = getattr(commander, "army", None)
    if led is not None:
        locks.refuse_if_busy(led)


@transaction.atomic
def promote_soldier(*, by: User, army: Army, name: str) -> Army:
    """A soldier takes command: Charisma 0, no ranks, the level of his unit (PF-2.7)."""
    require_runs(by, army.kingdom)
    army = lock_army(army)
    require(army.commander_id is None, _("{army} has a commander."), army=army.name)
    soldier = Commander.objects.create(
        campaign=army.campaign,
        kingdom=army.kingdom,
        name=clean_text(name, field="/name"),
        character_class=army.unit["name"],
        level=army.unit["level"],
    )
    hand_over(army, soldier)
    return army
