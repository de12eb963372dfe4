"""A week of a siege: bombardment, two to one, the count, hunger, breaking (B-57, B-58, B-60)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from rules.breaking_point.siege.bombard import AT_CONTACT, AT_GARRISON, bombardment, need_of_shot
from rules.breaking_point.siege.events import (
    Bombarded,
    GarrisonBroke,
    SiegeEvent,
    SiegeLifted,
    Starved,
    WeekCounted,
    WeekNotCounted,
)
from rules.breaking_point.siege.hold import hold_weeks, hungry, starving_after
from rules.breaking_point.siege.siege_state import BROKEN, LIFTED, OPEN, STATUSES, Siege
from rules.core import dice_needs
from rules.core.dice import Dice, DiceNeeded
from rules.core.errors import require
from rules.core.text import _

WEARY = 2  # weeks running without two to one (B-60)


class SiegeWeek(NamedTuple):
    """The siege after it, and what happened."""

    siege: Siege
    events: tuple[SiegeEvent, ...]


def week(siege: Siege, dice: Dice, *, plain: bool = False) -> SiegeWeek:
    """Seven days of a siege. Raises `IllegalCommand` unless it goes on with nothing to be answered first.

    `plain`: the house's die (B-1). Dice: the chief armies', name "shot".
    """
    require(siege.status == OPEN, _("No week passes for this siege: {status}."), status=STATUSES[siege.status])
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
    """Two to one: the week counts, and hunger may take its part; without it for the second time, all was in vain."""
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
    """A tenth of the initial force of those who eat, for each slice beyond the time."""
    who = hungry(siege)
    if not (who and starving_after(siege.weeks, hold)):
        return siege
    losses = sum(siege.garrison.forces[place] for place in who) // 10
    events.append(Starved(siege.weeks, hold, losses, siege.garrison.force))
    return replace(siege, garrison=siege.garrison.wearing(losses, who))


def _break(siege: Siege, events: list[SiegeEvent]) -> Siege:
    """Reaching the value is enough here (B-34)."""
    garrison = siege.garrison
    if garrison.lost < garrison.breaks_at:
        return siege
    events.append(GarrisonBroke(garrison.lost, garrison.breaks_at, garrison.force))
    return replace(siege, status=BROKEN)
