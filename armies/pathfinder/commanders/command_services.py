"""Services for who leads an army: assign, promote, ransom (PF-2.5, PF-2.7, PF-2.8)."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction

from armies.forces import busy
from armies.forces.services import describe_command_taken, describe_left_alone, fit_to_lead
from armies.pathfinder.forces.access import lock_army, lock_commander
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander
from armies.pathfinder.weeks.mapping import map_army
from core.clean_input import clean_text
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models.kingdom import LedgerEntry
from kingdom.models.user import User
from kingdom.realms.treasury_services import spend
from rules.core.errors import require
from rules.core.text import _, say
from rules.pathfinder.weeks.week_state import ACTIVE_DAYS

# Days of the week that a commander has been with their army are stored when the command changes.

PRESENCE = ("led_days", "led_to")


def count_days_led(army: PathfinderArmy, *, parting: bool = False) -> None:
    """Saves the days led so far. Call it before the commander, or whether they are present, changes.

    `parting`: they give up the command. Three days or more count for the whole week; fewer are lost for their
    successor.
    """
    days_led_so_far(army, parting=parting)
    army.save(update_fields=PRESENCE)


def days_led_so_far(army: PathfinderArmy, *, parting: bool = False) -> None:
    """Count on the loaded army, without saving it, the days in this week on which a commander led it. `parting`: the
    commander leaves, so fewer than `ACTIVE_DAYS` days count as none.
    """
    day = army.campaign.day
    led = map_army(army, day).days_led(day)
    army.led_days, army.led_to = 0 if parting and led < ACTIVE_DAYS else led, day


@needs_approval("armies.pathfinder.assign_commander", "appoint")
@transaction.atomic
def assign_commander(*, by: User, army: PathfinderArmy, commander: PathfinderCommander | None) -> PathfinderArmy:
    """Gives the army this commander, or none. Raises `IllegalCommand` for a commander who leads another army."""
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
    """Puts a free commander of the same kingdom in command of the army. With an army just `raised` they count as
    present all week.
    """
    commander = fit_to_lead(army, commander)
    if army.commander_id != commander.pk and not raised:
        count_days_led(army, parting=True)
    army.commander = commander
    army.save(update_fields=["commander"])


def refuse_if_leading_busy(commander: PathfinderCommander) -> None:
    """Raises `IllegalCommand` while this commander's army may not be changed."""
    led = commander.led
    if led is not None:
        busy.refuse_if_busy(led)


@needs_approval("armies.pathfinder.promote_soldier", "appoint")
@transaction.atomic
def promote_soldier(*, by: User, army: PathfinderArmy, name: str) -> PathfinderArmy:
    """Makes a soldier the commander: Charisma modifier 0, no ranks, the level of their unit (PF-2.7). Raises
    `IllegalCommand` if the army has a commander, `InvalidInput` for the name.
    """
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-2.7", on=[("army", army)]) as told:
        army = lock_army(army)
        require(army.commander_id is None, _("A commander already leads {army}."), army=army.name)
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


# Ransom of a captive commander (PF-2.8).


@needs_approval("armies.pathfinder.ransom_commander", "buy")
@transaction.atomic
def ransom_commander(*, by: User, commander: PathfinderCommander) -> PathfinderCommander:
    """Pays a captive's ransom from their kingdom's treasury and frees them. By default it is the Consumption of the
    army they led.

    Raises `IllegalCommand` that names the missing BP, or for a commander who is no captive or has no price.
    """
    require_runs(by, commander.kingdom)
    on: list[tuple[str, PathfinderCommander | UUID]] = [("commander", commander), ("kingdom", commander.kingdom_id)]
    with record_changes(by=by, campaign=commander.campaign, kind="army", rule="PF-2.8", on=on) as told:
        commander = lock_commander(commander)
        price = _price(commander)
        told.text = say(_("{commander} was ransomed for {bp} BP."), commander=commander.name, bp=price)
        if commander.kingdom.without_treasury:
            told.text = say(_("{commander} was freed without a ransom."), commander=commander.name)
        elif price:
            reason = say(_("Ransom of {commander}"), commander=commander.name)
            spend(by=by, kingdom=commander.kingdom, amount=price, reason=reason, source=LedgerEntry.Origin.RANSOM)
        if led := PathfinderArmy.objects.filter(commander=commander).first():
            told.watch([("army", led)])
            count_days_led(led)  # days of captivity do not count as days with the army
        commander.status, commander.ransom, commander.away_until = PathfinderCommander.Status.FREE, None, None
        commander.save(update_fields=["status", "ransom", "away_until"])
    return commander


def _price(commander: PathfinderCommander) -> int:
    captive = commander.status == PathfinderCommander.Status.CAPTURED
    require(captive, _("{commander} isn’t a captive, so no ransom is due."), commander=commander.name)
    require(
        commander.ransom is not None,
        _("{commander} has no ransom yet. The GM can set it on the commander’s form."),
        commander=commander.name,
    )
    return int(commander.ransom or 0)
