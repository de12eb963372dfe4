"""Ends of a siege, and what of its losses the armies are left with (B-47, B-48, B-57, B-59, B-60)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from rules.breaking_point.figures import served
from rules.breaking_point.losses import SURRENDERED, lasting, men_out, toll
from rules.breaking_point.siege.events import SiegeLifted, Surrendered
from rules.breaking_point.siege.siege_state import (
    ASSAULT,
    BESIEGER,
    BROKEN,
    FALLEN,
    FOUGHT,
    GARRISON,
    LIFTED,
    OPEN,
    SORTIE,
    STATUSES,
    TAKEN,
    UNCONDITIONAL,
    Siege,
    SiegeParty,
    Troops,
)
from rules.core.errors import demand, require
from rules.core.text import _

NO_FATES: Mapping[tuple[str, int], str] = {}
GOES_ON, FELL = "goes-on", "fell"
OUTCOMES = (GOES_ON, LIFTED, FELL)
"""What a battle of the siege may end in: it goes on, it is lifted, the place has fallen."""


def lift(siege: Siege) -> tuple[Siege, SiegeLifted]:
    """The besieger goes away: what was counted is nothing any more, losses stay (B-60)."""
    require(siege.status in (OPEN, BROKEN), _("This siege cannot be lifted: {status}."), status=STATUSES[siege.status])
    return replace(siege, status=LIFTED, weeks=0), SiegeLifted(siege.weeks)


def surrender(siege: Siege) -> tuple[Siege, Surrendered]:
    """The broken garrison gives up: all of it are prisoners (B-48, B-57)."""
    require(siege.status == BROKEN, _("The garrison has not reached its breaking point."))
    return replace(siege, status=UNCONDITIONAL), Surrendered()


def assault(siege: Siege) -> Siege:
    """An assault begins (B-53). It is one on a place that is besieged, whose garrison still holds."""
    require(siege.status == OPEN, _("No assault can be begun: {status}."), status=STATUSES[siege.status])
    return replace(siege, status=ASSAULT)


def sortie(siege: Siege) -> Siege:
    """The garrison comes out into the open field (B-56): of its own will, or as its last resort (B-57)."""
    require(siege.status in (OPEN, BROKEN), _("No sortie can be begun: {status}."), status=STATUSES[siege.status])
    require(siege.garrison.heads, _("Nobody of the garrison is left who could make a sortie."))
    return replace(siege, status=SORTIE)


def relief(siege: Siege) -> Siege:
    """Somebody attacks the besieger in the open field; the garrison may join them (B-60)."""
    require(siege.status in (OPEN, BROKEN), _("No relief can be begun: {status}."), status=STATUSES[siege.status])
    return replace(siege, status=SORTIE)


def fought(siege: Siege, outcome: str) -> Siege:
    """A battle of the siege is over; its losses were taken back before (`fields`).

    `outcome`: one of `OUTCOMES`. A place whose garrison falls in a sortie, or is left broken, surrenders.
    """
    require(siege.status in FOUGHT, _("No battle of this siege is being fought."))
    demand(outcome in OUTCOMES, _("A battle of a siege ends in one of: {known}."), field="/outcome",
           known=", ".join(OUTCOMES))  # fmt: skip
    if outcome == LIFTED:
        return replace(siege, status=LIFTED, weeks=0)
    if outcome == FELL:
        return replace(siege, status=TAKEN if siege.status == ASSAULT else UNCONDITIONAL)
    broken = siege.garrison.lost >= siege.garrison.breaks_at
    return replace(siege, status=BROKEN if broken else OPEN)


def captured(siege: Siege) -> bool:
    """Whether the garrison are prisoners now (B-56): a place that was taken while nobody shut it in was fled from."""
    return siege.status == UNCONDITIONAL or (siege.status == TAKEN and siege.invested)


class UnitLeft(NamedTuple):
    """What a unit is left with: heads able to fight, wounded new to it, and dead; `prisoners` it has lost to the enemy.
    `pieces`: those that still have their share of crew, None where it serves none.
    """

    army: str
    nth: int
    strength: int
    wounded: int
    dead: int
    prisoners: int = 0
    pieces: int | None = None


type Fates = Mapping[tuple[str, int], str]
"""What became in the last battle of the bodies of units, by army and number, as battles call it."""


def winner_of(before: Siege, after: Siege) -> SiegeParty | None:
    """Who carried the day in the battle that ended it; None where it ended without one."""
    if before.status not in FOUGHT or after.running:
        return None
    return BESIEGER if falls(after) else GARRISON


def reckoned(siege: Siege, winner: SiegeParty | None = None, fates: Fates = NO_FATES) -> list[UnitLeft]:
    """What every unit is left with once the siege is over. The winner of the battle that ended it has half of their
    points back; of everybody else's losses half are dead, half wounded, and who fled leaves their wounded behind
    (B-48). A garrison that is captured stays together, its wounded with it.
    """
    sides = ((siege.garrison, GARRISON), (siege.contact, BESIEGER), (siege.shooting, BESIEGER))
    alike = {GARRISON: NO_FATES if captured(siege) else fates, BESIEGER: fates}
    return [left for troops, side in sides for left in _left(troops, alike[side], victor=side == winner)]


def _left(troops: Troops, fates: Fates, *, victor: bool) -> Iterator[UnitLeft]:
    parts = lasting(troops.lost, troops.points, victor=victor)
    for member, unit, points in zip(troops.members, troops.units, parts, strict=True):
        out = men_out(unit, points, troops.factor)
        standing, fate = unit.strength - out, fates.get((member.army, member.nth), "")
        dead, wounded, prisoners = toll(out, victor=victor, status=fate, standing=standing)
        left = 0 if fate == SURRENDERED and not victor else standing
        yield UnitLeft(member.army, member.nth, left, wounded, dead, prisoners, served(unit, left))


def falls(siege: Siege) -> bool:
    """Whether the place changes hands."""
    return siege.status in FALLEN
