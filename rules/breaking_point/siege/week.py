"""Week of a siege: bombardment, two to one, count, hunger, breaking (B-57, B-58, B-60)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import floor
from operator import attrgetter
from typing import NamedTuple

from rules.breaking_point.dice import need_of, percent_lost, throw, worth
from rules.breaking_point.figures import Terms, armour_to_beat, besieges, fire_power, mean, test_combat
from rules.breaking_point.siege.events import (
    Bombarded,
    GarrisonBroke,
    SiegeEvent,
    SiegeLifted,
    Starved,
    WeekCounted,
    WeekNotCounted,
)
from rules.breaking_point.siege.siege_state import (
    BESIEGER,
    BROKEN,
    GARRISON,
    LIFTED,
    OPEN,
    STATUSES,
    Siege,
    SiegeParty,
    Troops,
    eats,
)
from rules.breaking_point.spec import RANGES, Fortification, Place, Unit
from rules.core import dice as dice_needs
from rules.core.breakdown import Breakdown
from rules.core.dice import Dice, DiceNeeded, Roll
from rules.core.errors import require
from rules.core.text import Message, Term, _, say

# Time a garrison holds, and the slices in which hunger strikes (BP-8, B-57, B-59).

RULE = "BP-8"


def hold_weeks(siege: Siege) -> Breakdown:
    """Return the weeks the garrison holds from the beginning: combat × factor. Engineers of at least half its heads
    today halve it, rounded down (B-59).
    """
    whole = weeks_of(siege.garrison.figures.combat, siege.place)
    if not (siege.engineers and 2 * siege.engineers >= siege.garrison.heads):
        return whole
    return whole.plus(
        _("Engineers number at least half the garrison: time halved"), whole.total // 2 - whole.total, RULE
    )


def weeks_of(combat: int, place: Place) -> Breakdown:
    """Return the weeks for troops of this combat in this place, without engineers."""
    factor, base = place.kind.factor, max(0, combat)
    lines = Breakdown().plus(_("Combat of the garrison"), base, RULE)
    return lines.plus(say(_("Force factor × {factor}"), factor=factor), base * (factor - 1), RULE)


def slice_of(weeks: int) -> int:
    """Return the weeks between losses to hunger: a tenth of the time, rounded down, at least 1 (B-57)."""
    return max(1, weeks // 10)


def starving_after(weeks: int, hold: int) -> bool:
    """Whether hunger takes a tenth in week number `weeks`."""
    beyond = weeks - hold
    return beyond > 0 and beyond % slice_of(hold) == 0


def hungry(siege: Siege) -> tuple[int, ...]:
    """Return the indices of the garrison's units that suffer hunger (B-57)."""
    return tuple(place for place, unit in enumerate(siege.garrison.units) if eats(unit))


# Bombardment: one shot a week by each side's pieces, at medium distance (BP-4.4, BP-4.6, BP-4.8, B-58).

MEDIUM_DISTANCE = 10

AT_GARRISON, AT_CONTACT, AT_SHOOTING = "garrison", "contact", "shooting"
OUTSIDE = {AT_CONTACT: _("the besiegers’ main body"), AT_SHOOTING: _("the besiegers’ shooting group")}


class Worn(NamedTuple):
    """Effect of damage on a body's tests and powers (BP-4.8)."""

    slug: str
    name: Term
    penalty: int = 0
    halved: bool = False


FRESH = Worn("fresh", _("Fresh"))
ENGAGED = Worn("engaged", _("Engaged"), -1)
BATTERED = Worn("battered", _("Battered"), -2, True)
DECIMATED = Worn("decimated", _("Decimated"), -5, True)
ANNIHILATED = Worn("annihilated", _("Annihilated"), -5, True)


def worn(troops: Troops) -> Worn:
    """Return the body's state by its losses (BP-4.8)."""
    lost, force = troops.lost, troops.force
    if not lost:
        return FRESH
    if lost >= 2 * force:
        return ANNIHILATED
    if lost >= force:
        return DECIMATED
    return BATTERED if 2 * lost >= force else ENGAGED


def pieces_of(troops: Troops) -> tuple[Unit, ...]:
    """Return its units with siege pieces; none if it is annihilated."""
    return () if worn(troops) is ANNIHILATED else tuple(unit for unit in troops.units if besieges(unit))


def bombardment(siege: Siege, dice: Dice, *, plain: bool = False) -> list[Bombarded]:
    """Return both sides' shots, computed from the start of the week. `plain`: the die is not open (B-1)."""
    found = []
    if siege.bombards and (shot := _shot(siege, BESIEGER, dice, plain)):
        found.append(shot)
    if siege.answers and (shot := _shot(siege, GARRISON, dice, plain)):
        found.append(shot)
    return found


def _shot(siege: Siege, by: SiegeParty, dice: Dice, plain: bool) -> Bombarded | None:
    """Return a side's shot; None without pieces, power or a target."""
    shooters = siege.shooting if by == BESIEGER else siege.garrison
    guns = pieces_of(shooters)
    at = AT_GARRISON if by == BESIEGER else aim_of(siege)
    target = body_at(siege, at) if at else None
    if not guns or target is None:
        return None
    power = power_of(guns, shooters, target)
    if not power:
        return None
    owner = siege.besieged_by if by == BESIEGER else siege.held_by
    rolls = throw(dice, owner, "shot", plain=plain)
    value = worth(rolls, plain=plain)
    score = _score(guns, shooters)
    place = siege.place.kind if by == BESIEGER else None
    difficulty = difficulty_of(target, place)
    margin = score.total + value - difficulty.total
    return Bombarded(by, at, rolls, value, score, difficulty, power, _losses(power, margin, target), target.force)


def need_of_shot(siege: Siege, plain: bool, shot: Bombarded, _roll: Roll) -> Message:
    """Return the target of a shot's die, in words. Only the GM lets weeks pass, and may know it."""
    target, score = OUTSIDE.get(shot.at, siege.place.name), shot.score.total + shot.value
    return need_of(target, shot.rolls, score, shot.difficulty.total, plain=plain)


def body_at(siege: Siege, at: str) -> Troops:
    return {AT_GARRISON: siege.garrison, AT_CONTACT: siege.contact, AT_SHOOTING: siege.shooting}[at]


def aim_of(siege: Siege) -> str:
    """Return the garrison's target: the enemy's pieces if they are in range of it as well, else
    their main body (B-26).
    """
    standing = [at for at in (AT_SHOOTING, AT_CONTACT) if body_at(siege, at).heads]
    if AT_CONTACT not in standing:
        return standing[0] if standing else ""
    ranges = siege.garrison.figures.range, siege.shooting.figures.range if siege.shooting else ""
    reaches = all(ranges) and RANGES.index(ranges[0]) >= RANGES.index(ranges[1])
    worth_it = AT_SHOOTING in standing and pieces_of(siege.shooting)
    return AT_SHOOTING if reaches and worth_it else AT_CONTACT


def power_of(guns: Sequence[Unit], shooters: Troops, target: Troops) -> int:
    """Return the fire power of the pieces against this target, halved from battered on (B-2, B-64, BP-4.8)."""
    terms = Terms(charging=False, armour=armour_to_beat(target.units))
    power = sum(fire_power(unit, terms) for unit in guns)
    return floor(power / 2 if worn(shooters).halved else power)


def _score(guns: Sequence[Unit], shooters: Troops) -> Breakdown:
    """Return the bonus to the die of a shot."""
    combat = mean(guns, lambda unit: test_combat(unit, True))
    state = worn(shooters)
    return Breakdown().plus(_("Combat of the pieces"), combat, "BP-4.4").plus(state.name, state.penalty, "BP-4.8")


def difficulty_of(target: Troops, place: Fortification | None = None) -> Breakdown:
    """Return the difficulty at medium distance: 10, half the target's defense, and the place's bonus (BP-4.4, B-27)."""
    lines = Breakdown().plus(_("Medium distance"), MEDIUM_DISTANCE, "BP-4.4")
    lines = lines.plus(_("Half the defense"), target.figures.defense // 2, "BP-4.4")
    return lines.plus(_("Fortified place"), place.defense, "BP-8") if place else lines


def _losses(power: int, margin: int, target: Troops) -> int:
    """Return losses (BP-4.6): 10 % of the power and 10 % more for every 2 points of margin, at most the breaking value
    if there is one, and no more than twice its force in all (B-33).
    """
    if margin < 0:
        return 0
    losses, left = power * percent_lost(margin) // 100, max(0, 2 * target.force - target.lost)
    value = target.figures.breaking_value
    return min(losses, left) if value is None else min(losses, value, left)


# Weekly recovery of the wounded (B-69).

PART = 4  # one in four recovers, rounded up


def returning(wounded: int) -> int:
    """Return the wounded that recover: a quarter, rounded up."""
    return -(-wounded // PART)


WEARY = 2  # consecutive weeks without two to one that end a siege (B-60)


class SiegeWeek(NamedTuple):
    """Siege after a week, and the events."""

    siege: Siege
    events: tuple[SiegeEvent, ...]


def week(siege: Siege, dice: Dice, *, plain: bool = False) -> SiegeWeek:
    """Play seven days of a siege. `plain`: the house rules' die (B-1). Each side's chief army rolls a die named "shot".

    Raises `IllegalCommand` unless the siege is open and waits for no decision.
    """
    require(siege.status == OPEN, _("You can’t play a week of this siege: {status}."), status=STATUSES[siege.status])
    shots = bombardment(siege, dice, plain=plain)
    try:
        dice.checkpoint()
    except DiceNeeded as needed:
        raise dice_needs.foretold(needed, shots, attrgetter("rolls"), partial(need_of_shot, siege, plain)) from None
    after = replace(siege, age=siege.age + 1)
    for shot in shots:
        after = _hit(after, shot)
    events: list[SiegeEvent] = list(shots)
    after = _count(after, events)
    if after.status == OPEN:
        after = _break(after, events)
    return SiegeWeek(after, tuple(events))


def _hit(siege: Siege, shot: Bombarded) -> Siege:
    if shot.at == AT_GARRISON:
        return replace(siege, garrison=siege.garrison.losing(shot.losses))
    if shot.at == AT_CONTACT:
        return replace(siege, contact=siege.contact.losing(shot.losses))
    return replace(siege, shooting=siege.shooting.losing(shot.losses))


def _count(siege: Siege, events: list[SiegeEvent]) -> Siege:
    """Count the week if it is two to one, and apply hunger. A second week without it ends the siege."""
    besiegers, garrison = siege.besiegers, siege.garrison.heads
    if not siege.invested:
        thin = siege.thin + 1
        events.append(WeekNotCounted(thin, besiegers, garrison))
        if thin < WEARY:
            return replace(siege, thin=thin)
        events.append(SiegeLifted(siege.weeks, weary=True))
        return replace(siege, thin=thin, weeks=0, status=LIFTED)
    counted = replace(siege, thin=0, weeks=siege.weeks + 1)
    hold = hold_weeks(counted).total
    events.append(WeekCounted(counted.weeks, hold, besiegers, garrison))
    return _starve(counted, hold, events)


def _starve(siege: Siege, hold: int, events: list[SiegeEvent]) -> Siege:
    """Apply hunger: a tenth of the initial force of those who eat, for each slice beyond the time."""
    who = hungry(siege)
    if not (who and starving_after(siege.weeks, hold)):
        return siege
    losses = sum(siege.garrison.forces[place] for place in who) // 10
    events.append(Starved(siege.weeks, hold, losses, siege.garrison.force))
    return replace(siege, garrison=siege.garrison.wearing(losses, who))


def _break(siege: Siege, events: list[SiegeEvent]) -> Siege:
    """Break the garrison if its losses reach the breaking value; they need not exceed it (B-34)."""
    garrison = siege.garrison
    if garrison.lost < garrison.breaks_at:
        return siege
    events.append(GarrisonBroke(garrison.lost, garrison.breaks_at, garrison.force))
    return replace(siege, status=BROKEN)
