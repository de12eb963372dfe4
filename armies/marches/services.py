"""Services for marches and for places of armies: set out, change route, halt; place in free words or on a hex of the
map.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.db import transaction

from armies.forces.busy import explain_no_army, lock_armies, lock_army
from armies.marches.queries import build_traveller
from armies.models import Army
from armies.models.routes import route_along
from armies.ruleset_ui import get_army_ui
from armies.weeks.ruleset_weeks import get_weeks_ui
from core.clean_input import NAME_MAX, clean_text
from kingdom.access.decorators import gm_only, needs_approval
from kingdom.access.queries import require_gm, require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.map.fog_services import update_visibility
from kingdom.map.queries import load_map_state
from kingdom.map.services import get_hex, get_map, settle_on
from kingdom.models import Campaign, Settlement, User
from rules.core.errors import IllegalCommand, require
from rules.core.text import Said, _, by_number, say
from rules.hexes.geometry import label_of
from rules.travel import Itinerary

# Services for marches: set out, change route, halt.

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
        require(army.marching and army.route, _("{army}: not on the march."), army=army.name)
        army.break_off()
        army.save(update_fields=Army.BROKEN_OFF)
        told.text = say(_("{army} halted at {place}."), army=army.name, place=army.hex)
    return army


def set_out(army: Army, found: Itinerary, manner: tuple[str, ...] = ()) -> tuple[Said, Sequence[str]]:
    """Puts the loaded army on this march from today, unsaved. Returns the chronicle text and the changed columns.

    Raises `IllegalCommand` if it may not march.
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


# Services for places of armies: in free words, and on a hex of the map.


@needs_approval("armies.place_army", "march")
@transaction.atomic
def place_army(*, by: User, army: Army, place: str) -> Army:
    """Sets the army's place in free words; "" clears it."""
    require_runs(by, army.kingdom)
    place = clean_text(place, field="/place", most=NAME_MAX) if place.strip() else ""
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        army = lock_army(army)
        army.break_off()
        army.place, army.marching_until = place, None
        army.save(update_fields=["place", *Army.BROKEN_OFF])
        told.text = say(_("{army}: now at {place}."), army=army.name, place=place or _("an unknown place"))
    return army


@gm_only
@transaction.atomic
def put_army(*, by: User, army: Army, hex: str) -> Army:
    """Puts the army on this hex of the map, "" to take it off (GM). Its place in words stays.

    Raises `InvalidInput` at `/hex`; `IllegalCommand` for an army that no longer stands, or without a map.
    """
    require_gm(by, army.campaign)
    with record_changes(by=by, campaign=army.campaign, kind="army", on=[("army", army)]) as told:
        update_visibility(army.campaign)  # Stores who sees it at its present place.
        army = lock_armies([army.pk], type(army))[army.pk]
        if not army.standing:
            raise IllegalCommand(explain_no_army(army))
        army.break_off()
        army.hex = settle_on(army.campaign, hex)
        army.save(update_fields=["hex", *Army.BROKEN_OFF])
        template = _("{army}: now on {hex}.") if army.hex else _("{army}: no longer on the map.")
        told.text = say(template, army=army.name, hex=army.hex)
    update_visibility(army.campaign)
    return army


@gm_only
@transaction.atomic
def place_on_map(*, by: User, campaign: Campaign, towns: Mapping[Settlement, str], armies: Mapping[Army, str]) -> None:
    """Puts towns (visible to everybody from now on) and armies on these hexes, in one chronicle entry (GM).

    Raises `InvalidInput`, and `IllegalCommand` without a map.
    """
    require_gm(by, campaign)
    on = [*(("settlement", town) for town in towns), *(("army", army) for army in armies)]
    with record_changes(by=by, campaign=campaign, kind="other", on=on) as told:
        field = load_map_state(get_map(campaign)).field
        for town, label in towns.items():
            town.hex, town.revealed = label_of(get_hex(field, label)), True
        for army, label in armies.items():
            army.hex = label_of(get_hex(field, label))
        Settlement.objects.bulk_update(towns, ["hex", "revealed"])
        Army.objects.bulk_update(armies, ["hex"])
        told.text = _("Towns and armies were placed on the map.")
    update_visibility(campaign)
