"""Services for marches by road, and for places of armies (PF-1.8)."""

from __future__ import annotations

from django.db import transaction

from armies.marches.services import SET_OUT
from armies.pathfinder.forces.access import lock_army
from armies.pathfinder.forces.march_pace import Road, march_of, may_live_off_the_land
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.week_choices import as_it_marches
from core.clean_input import NAME_MAX, clean_text
from kingdom.access.decorators import needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle.transaction import record_changes
from kingdom.models import User
from rules.core.errors import require
from rules.core.text import Said, _, say
from rules.pathfinder.travel import March


@needs_approval("armies.pathfinder.march_army", "march")
@transaction.atomic
def march_army(*, by: User, army: PathfinderArmy, place: str, road: Road) -> PathfinderArmy:
    """The army sets out for `place` today; it cannot rest until it arrives. An army that teleports arrives today.

    Raises `InvalidInput` for a road without hexes; `IllegalCommand` for an army that has rested today, is on the march,
    or cannot live off the land as ordered.
    """
    require_runs(by, army.kingdom)
    place = clean_text(place, field="/place", most=NAME_MAX)
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-1.8", on=[("army", army)]) as told:
        army = lock_army(army)
        told.text = set_out(army, place, road)
        army.save(update_fields=["place", "marching_until", "route", "foraging"])
    return army


def set_out(army: PathfinderArmy, place: str, road: Road) -> Said:
    """Sets the loaded army on its march, unsaved. Returns the chronicle text. Raises like `march_army`."""
    _refuse_tired(army)
    march = reckon_march(army=army, road=road)
    army.place, army.marching_until = place, army.campaign.day + max(1, march.days)
    army.route = None
    army.foraging = None  # it leaves the hex it has foraged
    return _said(army, march)


def reckon_march(*, army: PathfinderArmy, road: Road) -> March:
    """The march by this road. Writes nothing. Raises like `march_army`, except for an army that may not set out
    today.
    """
    if road.land:
        refuse_unskilled(army)
    return march_of(army, as_it_marches(army, road))


def _refuse_tired(army: PathfinderArmy) -> None:
    template = _("{army} is on the march until day {day}. Halt it first.")
    require(not army.marching, template, army=army.name, day=army.marching_until)
    refuse_rested(army)


def refuse_rested(army: PathfinderArmy) -> None:
    """Raises `IllegalCommand` for an army that has rested today (PF-7.1)."""
    rested = army.rested_on == army.campaign.day
    require(not rested, _("{army} rested today. It can march tomorrow."), army=army.name)


def refuse_unskilled(army: PathfinderArmy) -> None:
    template = _("{army} has no active commander who can live off the land.")
    require(may_live_off_the_land(army), template, field="/land", army=army.name)


def _said(army: PathfinderArmy, march: March) -> Said:
    if march.teleports:
        return say(_("{army} teleported to {place}."), army=army.name, place=army.place)
    return say(SET_OUT, army=army.name, hexes=march.hexes, place=army.place, day=army.marching_until)


@needs_approval("armies.pathfinder.place_army", "march")
@transaction.atomic
def place_army(*, by: User, army: PathfinderArmy, place: str) -> PathfinderArmy:
    """Sets the army's place in free words; "" clears it. An army on the march halts there."""
    require_runs(by, army.kingdom)
    place = clean_text(place, field="/place", most=NAME_MAX) if place.strip() else ""
    with record_changes(by=by, campaign=army.campaign, kind="army", rule="PF-1.8", on=[("army", army)]) as told:
        army = lock_army(army)
        told.text = halt(army, place)
        army.save(update_fields=["place", *PathfinderArmy.BROKEN_OFF])
    return army


def halt(army: PathfinderArmy, place: str) -> Said:
    """Puts the loaded army there, unsaved. Returns the chronicle text."""
    template = _("{army} halted at {place}.") if army.marching else _("{army}: now at {place}.")
    army.break_off()
    army.marching_until = army.campaign.day + 1 if army.marching else None
    army.place = place
    return say(template, army=army.name, place=place or _("an unknown place"))
