"""Services for who leads an army (PF-2.5, PF-2.7)."""

from __future__ import annotations

from django.db import transaction

from armies.forces import busy
from armies.forces.command_services import describe_command_taken, describe_left_alone, fit_to_lead
from armies.pathfinder.commanders.presence_services import count_days_led
from armies.pathfinder.forces.row_locks import lock_army
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from core.clean_input import clean_text
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models.user import User
from rules.core.errors import require
from rules.core.text import _, say


@needs_approval("armies.pathfinder.assign_commander", "appoint")
@transaction.atomic
def assign_commander(*, by: User, army: PathfinderArmy, commander: PathfinderCommander | None) -> PathfinderArmy:
    """Give the army a commander, or none. A commander leads one army at a time."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-2.5", on=[("army", army)]) as told:
        army = lock_army(army)
        if commander is None:
            count_days_led(army, parting=True)
            army.commander = None
            army.save(update_fields=["commander"])
            told.text = describe_left_alone(army)
        else:
            hand_over(army, commander)
            told.text = describe_command_taken(army, commander)
    return army


def hand_over(army: PathfinderArmy, commander: PathfinderCommander, *, raised: bool = False) -> None:
    """Put a free commander of the same kingdom at the head of the army. One just `raised` they were with all the
    week.
    """
    commander = fit_to_lead(army, commander)
    if army.commander_id != commander.pk and not raised:
        count_days_led(army, parting=True)
    army.commander = commander
    army.save(update_fields=["commander"])


def refuse_if_leading_busy(commander: PathfinderCommander) -> None:
    """Raise `IllegalCommand` while the army this commander leads may not be changed."""
    led = commander.led
    if led is not None:
        busy.refuse_if_busy(led)


@needs_approval("armies.pathfinder.promote_soldier", "appoint")
@transaction.atomic
def promote_soldier(*, by: User, army: PathfinderArmy, name: str) -> PathfinderArmy:
    """A soldier takes command: Charisma 0, no ranks, the level of their unit (PF-2.7)."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-2.7", on=[("army", army)]) as told:
        army = lock_army(army)
        require(army.commander_id is None, _("{army} has a commander."), army=army.name)
        soldier = _risen(army, clean_text(name, field="/name"))
        told.made("commander", soldier)
        hand_over(army, soldier)
        text = _("{commander}, a soldier of {army}, took command.")
        told.text = say(text, commander=soldier.name, army=army.name)
    return army


def _risen(army: PathfinderArmy, name: str) -> PathfinderCommander:
    return PathfinderCommander.objects.create(
        campaign=army.campaign,
        kingdom=army.kingdom,
        name=name,
        character_class=army.unit["name"],
        level=army.unit["level"],
    )
