"""Services for marches: set out, change route, halt."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from armies.forces.row_locks import lock_army
from armies.marches.march_plan import build_traveller
from armies.models import Army
from armies.models.routes import route_along
from armies.ruleset_ui import get_army_ui
from armies.weeks.ruleset_weeks import get_weeks_ui
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.map.fog_services import update_visibility
from kingdom.models import User
from rules.core.errors import require
from rules.core.text import Said, _, by_number, say
from rules.hexes.geometry import label_of
from rules.travel import Itinerary

SET_OUT = by_number(
    "{army} set out for {place}, one hex away. It arrives on day {day}.",
    "{army} set out for {place}, {hexes} hexes away. It arrives on day {day}.",
    "hexes",
)
COLUMNS = ("hex", "place", *Army.BROKEN_OFF)


@needs_approval("armies.march_along", "march")
@transaction.atomic
def march_along(*, by: User, army: Army, path: Sequence[str], manner: Sequence[str] = ()) -> Army:
    """Sends the army along these hexes from today; an army on the march changes its route.

    `path`: the hexes entered, the last one being the destination; for a teleport only that one. `manner`: slugs that
    the army's ruleset offers. The health that a hard march costs is taken at once, for all its days. Raises
    `InvalidInput` for an impossible route, `IllegalCommand` where the army may not march today.
    """
    require_runs(by, army.kingdom)
    rule = get_weeks_ui(army.campaign).rules.arrives
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=rule, on=[("army", army)]) as told:
        army = lock_army(army)
        who = build_traveller(by, army)
        told.text, columns = set_out(army, who.along(path, manner), who.manner(manner))
        army.save(update_fields=columns)
    update_visibility(army.campaign)
    return army


@needs_approval("armies.halt_army", "march")
@transaction.atomic
def halt_army(*, by: User, army: Army) -> Army:
    """Halts the army where it stands today. Health taken for the remaining days of a hard march is given back.

    Raises `IllegalCommand` for an army that is not on the march.
    """
    require_runs(by, army.kingdom)
    rule = get_weeks_ui(army.campaign).rules.arrives
    with record_changes(by=by, campaign=army.campaign, kind="army", rule=rule, on=[("army", army)]) as told:
        army = lock_army(army)
        require(army.marching and army.route, _("{army} isn’t on the march."), army=army.name)
        army.break_off()
        army.save(update_fields=Army.BROKEN_OFF)
        told.text = say(_("{army} halted at {place}."), army=army.name, place=army.hex)
    return army


def set_out(army: Army, found: Itinerary, manner: tuple[str, ...] = ()) -> tuple[Said, Sequence[str]]:
    """Puts the loaded army on this march from today, unsaved. Returns the chronicle text and the changed columns.

    Raises `IllegalCommand` where it may not march.
    """
    more = get_army_ui(army.campaign).set_out(army)
    army.break_off()
    _go(army, found, manner)
    return _said(army, found), (*COLUMNS, *more)


def _go(army: Army, found: Itinerary, manner: tuple[str, ...]) -> None:
    day = army.campaign.day
    require(army.health > found.wear.total, _("{army} would not survive this march. Choose a slower one."),
            field="/manner", army=army.name)  # fmt: skip
    army.health -= found.wear.total
    army.place, army.marching_until = "", day + max(1, found.days)
    army.route = None if found.pace.teleports else route_along(found, day, manner).to_json()
    army.hex = label_of(found.stops[0])


def _said(army: Army, found: Itinerary) -> Said:
    end = label_of(found.path[-1])
    if found.pace.teleports:
        return say(_("{army} teleported to {place}."), army=army.name, place=end)
    return say(SET_OUT, army=army.name, hexes=len(found.path) - 1, place=end, day=army.marching_until)
