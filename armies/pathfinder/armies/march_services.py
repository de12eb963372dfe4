"""Services for marches by road, places of armies, and a day of rest (PF-1.8, PF-7.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db import transaction

from armies.forces.busy import load_recent_battles, lock_campaign
from armies.marches.services import SET_OUT
from armies.pathfinder.armies.reform_queries import explain_reserve
from armies.pathfinder.forces.access import lock_army
from armies.pathfinder.forces.specs import Road, compute_recovery, march_of, may_live_off_the_land, recovery_limit
from armies.pathfinder.models import PathfinderArmy, RestCheck
from armies.pathfinder.weeks.week_choices import as_it_marches
from core.clean_input import NAME_MAX, clean_text
from kingdom.access.decorators import internal, needs_approval
from kingdom.access.queries import require_runs
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.transaction import record_changes
from kingdom.models import Kingdom, User
from kingdom.realms.check_services import CheckResult, roll_check
from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.errors import IllegalCommand, require
from rules.core.text import Said, _, say
from rules.pathfinder.travel import March

# Services for marches by road, and for places of armies (PF-1.8).


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
    return _describe_march(army, march)


def reckon_march(*, army: PathfinderArmy, road: Road) -> March:
    """The march by this road. Writes nothing. Raises like `march_army`, except for an army that may not set out
    today.
    """
    if road.land:
        refuse_unskilled(army)
    return march_of(army, as_it_marches(army, road))


def _refuse_tired(army: PathfinderArmy) -> None:
    template = _("{army}: on the march until day {day}. Halt the army first.")
    require(not army.marching, template, army=army.name, day=army.marching_until)
    refuse_rested(army)


def refuse_rested(army: PathfinderArmy) -> None:
    """Raises `IllegalCommand` for an army that has rested today (PF-7.1), or is in reserve (R-94)."""
    refuse_in_reserve(army)
    rested = army.rested_on == army.campaign.day
    require(not rested, _("{army} rested today. It can march tomorrow."), army=army.name)


def refuse_in_reserve(army: PathfinderArmy) -> None:
    """Raises `IllegalCommand` for an army that is in reserve, or on its way out (R-94)."""
    if army.in_reserve:
        raise IllegalCommand(explain_reserve(army))


def refuse_unskilled(army: PathfinderArmy) -> None:
    template = _("No active commander of {army} can live off the land.")
    require(may_live_off_the_land(army), template, field="/land", army=army.name)


def _describe_march(army: PathfinderArmy, march: March) -> Said:
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


# Services for a day of rest and its healing (PF-7.1).


@dataclass(frozen=True, slots=True)
class Rested:
    """Result of a day of rest: hp regained with their breakdown, and the Loyalty check, if one was made."""

    army: PathfinderArmy
    healed: int
    breakdown: Breakdown
    check: CheckResult | None
    text: Said


@needs_approval("armies.pathfinder.rest_army", "march")
@transaction.atomic
def rest_army(*, by: User, army: PathfinderArmy, rally: bool = False, dice: Sequence[int] | None = None) -> Rested:
    """The army rests today: it heals its ACR in hp, and as much again if `rally` succeeds.

    `rally`: the kingdom's Loyalty check against its control DC, one a day for all its armies (R-79); `dice`: its d20 as
    typed. An army rests at most once a day, and not on a day of march or battle. Undo keeps the die of the check.
    """
    require_runs(by, army.kingdom)
    lock_campaign(army.campaign_id)
    army = lock_army(army)
    day = army.campaign.day
    refuse_restless(army, load_recent_battles(army.campaign, day).fought)
    check = make_check(by=by, kingdom=army.kingdom, dice=dice) if rally else None
    lines = compute_recovery(army, rallied=bool(check and check.success))
    healed = count_healed(army, lines)
    rested = Rested(army, healed, lines, check, _describe_rest(army, healed, check))
    _write(by, army, rested, day)
    return rested


def refuse_restless(army: PathfinderArmy, fought: Collection[str]) -> None:
    """Raises `IllegalCommand` for an army that cannot rest today. `fought`: ids of the armies that have fought
    today.
    """
    day = army.campaign.day
    require(
        not army.marching,
        _("{army}: on the march until day {day}. Halt the army before it rests."),
        army=army.name,
        day=army.marching_until,
    )
    require(army.rested_on != day, _("{army} already rested today. It can rest again tomorrow."), army=army.name)
    require(str(army.pk) not in fought, _("{army} fought today. It can rest tomorrow."), army=army.name)


def count_healed(army: PathfinderArmy, lines: Breakdown) -> int:
    """Number of hp that a day of rest with this breakdown gives the army."""
    return min(lines.total, max(0, recovery_limit(army) - army.hp))


def made_today(kingdom: Kingdom) -> CheckResult | None:
    """The kingdom's check of today; None if none was made."""
    made = RestCheck.objects.filter(kingdom=kingdom, day=kingdom.campaign.day).first()
    return CheckResult(made.check_made, Roll(str(kingdom.pk), "check", 20, made.roll)) if made else None


@internal
def make_check(*, by: User, kingdom: Kingdom, dice: Sequence[int] | None) -> CheckResult:
    """The kingdom's Loyalty check of today, made now if there is none yet. Raises `IllegalCommand` for dice if it was
    made before.
    """
    if made := made_today(kingdom):
        require(not dice, _("{kingdom} already made its Loyalty check for rest "
                            "today. The result applies to all its armies."),
                field="/dice", kingdom=kingdom.name)  # fmt: skip
        return made
    check = roll_check(by=by, kingdom=kingdom, attribute="loyalty", dice=dice)
    RestCheck.objects.create(
        campaign=kingdom.campaign, kingdom=kingdom, day=kingdom.campaign.day, roll=check.roll,
        loyalty=kingdom.loyalty, unrest=kingdom.unrest, dc=check.dc,
    )  # fmt: skip
    return check


def _describe_rest(army: PathfinderArmy, healed: int, check: CheckResult | None) -> Said:
    if check is None:
        return say(_("{army} rested for a day and regained {healed} hp."), army=army.name, healed=healed)
    template = (
        _("{army} rested for a day and regained {healed} hp; Loyalty check passed ({total} against DC {dc}).")
        if check.success
        else _("{army} rested for a day and regained {healed} hp; Loyalty check failed ({total} against DC {dc}).")
    )
    return say(template, army=army.name, healed=healed, total=check.total, dc=check.dc)


def _write(by: User, army: PathfinderArmy, rested: Rested, day: int) -> None:
    def change(field: str, before: int | None, after: int, label: Said) -> chronicle_changes.Change:
        return chronicle_changes.Change("army", str(army.pk), field, before, after, "PF-7.1", label, army.name)

    changes = [change("rested_on", army.rested_on, day, _("Last day of rest"))]
    if rested.healed:
        changes.insert(0, change("hp", army.hp, army.hp + rested.healed, _("Hit points")))
    chronicle_changes.apply(campaign=army.campaign, changes=changes, by=by, kind="army", text=rested.text, private=True)
    army.hp += rested.healed
    army.rested_on = day
