"""Services that put armies in reserve and call them up (R-94)."""

from __future__ import annotations

from django.db import transaction

from armies.pathfinder.forces.access import lock_army
from armies.pathfinder.models import PathfinderArmy
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from kingdom.models.calendar import DAYS_A_WEEK
from kingdom.realms.figures import get_ruleset
from rules.core.errors import require
from rules.core.text import Said, _, say
from rules.pathfinder.reform import OFF

RULE = "R-94"
COLUMNS = ("reserved_on", "called_up")


@needs_approval("armies.pathfinder.reserve_army", "march")
@transaction.atomic
def reserve_army(*, by: User, army: PathfinderArmy) -> PathfinderArmy:
    """Puts the army in reserve: it is paid once a month and does nothing. Raises `IllegalCommand` for one on the march,
    or in reserve already.
    """
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=RULE, on=[("army", army)]) as told:
        army = lock_army(army)
        told.text = set_reserve(army)
        army.save(update_fields=COLUMNS)
    return army


@needs_approval("armies.pathfinder.call_up_army", "march")
@transaction.atomic
def call_up_army(*, by: User, army: PathfinderArmy) -> PathfinderArmy:
    """Calls the army up from the reserve: it is ready in a week. Raises `IllegalCommand` for one that is not there."""
    require_runs(by, army.kingdom)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=RULE, on=[("army", army)]) as told:
        army = lock_army(army)
        told.text = set_called_up(army)
        army.save(update_fields=COLUMNS)
    return army


def set_reserve(army: PathfinderArmy) -> Said:
    """Puts the loaded army in reserve, unsaved. Returns the chronicle text. Raises `IllegalCommand` for an army on the
    march or in reserve, and if a house rule has no reserves.
    """
    require(get_ruleset(army.campaign).house.reform, OFF)
    text = _("{army}: on the march until day {day}. Halt the army first.")
    require(not army.marching, text, army=army.name, day=army.marching_until)
    require(not army.in_reserve or army.called_up is not None, _("{army}: already in reserve."), army=army.name)
    if not army.in_reserve:
        army.reserved_on = army.campaign.day
    army.called_up = None
    return say(_("{army} put in reserve."), army=army.name)


def set_called_up(army: PathfinderArmy) -> Said:
    """Calls the loaded army up, unsaved. Returns the chronicle text. It is ready after a week. Raises `IllegalCommand`
    if it is not in reserve, or called up already.
    """
    require(army.in_reserve, _("{army}: not in reserve."), army=army.name)
    text = _("{army}: being called up, ready on day {day}.")
    require(army.called_up is None, text, army=army.name, day=army.called_up)
    army.called_up = army.campaign.day + DAYS_A_WEEK
    return say(_("{army} called up: ready on day {day}."), army=army.name, day=army.called_up)
