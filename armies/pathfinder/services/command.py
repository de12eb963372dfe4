"""Who leads an army (PF-2.5, PF-2.7)."""

from __future__ import annotations

from django.db import transaction

from armies import locks
from armies.locking import lock_army, lock_commander
from armies.models import Army, Commander
from armies.pathfinder.services.presence import count_days_led
from kingdom.inputs import clean_text
from kingdom.models.user import User
from kingdom.recording import recorded
from kingdom.selectors import require_runs
from kingdom.warrants import by_leave
from rules.errors import demand, require
from rules.text import Said, _, say


@by_leave("appoint")
@transaction.atomic
def assign_commander(*, by: User, army: Army, commander: Commander | None) -> Army:
    """Give the army a commander, or none. A commander leads one army at a time."""
    require_runs(by, army.kingdom)
    with recorded(by=by, campaign=army.campaign, kind="army", rule="PF-2.5", on=[("army", army)]) as told:
        army = lock_army(army)
        if commander is None:
            count_days_led(army, parting=True)
            army.commander = None
            army.save(update_fields=["commander"])
            told.text = say(_("{army}: no commander any more."), army=army.name)
        else:
            hand_over(army, commander)
            told.text = took_command(army, commander)
    return army


def took_command(army: Army, commander: Commander) -> Said:
    return say(_("{commander} took command of {army}."), commander=commander.name, army=army.name)


def hand_over(army: Army, commander: Commander, *, raised: bool = False) -> None:
    """Put a free commander of the same kingdom at the head of the army. One just `raised` he was with all the week."""
    demand(
        commander.kingdom_id == army.kingdom_id,
        _("This kingdom has no such commander."),
        field="/commander",
    )
    commander = lock_commander(commander)
    refuse_unfit(army, commander)
    if army.commander_id != commander.pk and not raised:
        count_days_led(army, parting=True)
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


@by_leave("appoint")
@transaction.atomic
def promote_soldier(*, by: User, army: Army, name: str) -> Army:
    """A soldier takes command: Charisma 0, no ranks, the level of his unit (PF-2.7)."""
    require_runs(by, army.kingdom)
    with recorded(by=by, campaign=army.campaign, kind="army", rule="PF-2.7", on=[("army", army)]) as told:
        army = lock_army(army)
        require(army.commander_id is None, _("{army} has a commander."), army=army.name)
        soldier = _risen(army, clean_text(name, field="/name"))
        told.made("commander", soldier)
        hand_over(army, soldier)
        text = _("{commander}, a soldier of {army}, took command.")
        told.text = say(text, commander=soldier.name, army=army.name)
    return army


def _risen(army: Army, name: str) -> Commander:
    return Commander.objects.create(
        campaign=army.campaign,
        kingdom=army.kingdom,
        name=name,
        character_class=army.unit["name"],
        level=army.unit["level"],
    )
