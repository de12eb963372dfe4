"""Timers: temporary effects on units or hexes, and when they end (HX-2.4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from rules.hexes.terrain import LAID, OF_A_WHILE, harder

BOTH = -1  # The side of a phase that belongs to no side.


class Timer(NamedTuple):
    """A temporary effect. It ends when this phase of this side has ended `left` more times.

    `on`: ids of units or labels of hexes it is on. `lays`: pairs of a hex and the terrain it puts there. `by`: the id
    of its cause, or "".
    """

    effect: str
    on: tuple[str, ...]
    by: str
    side: int
    phase: str
    left: int = 1
    lays: tuple[tuple[str, str], ...] = ()

    def ticks(self, side: int, phase: str) -> bool:
        return (self.side, self.phase) == (side, phase)


def after_phase(timers: Iterable[Timer], side: int, phase: str) -> tuple[Timer, ...]:
    """The timers left after this phase of this side ended or was skipped."""
    ticked = (timer._replace(left=timer.left - timer.ticks(side, phase)) for timer in timers)
    return tuple(timer for timer in ticked if timer.left > 0)


def ending(timers: Iterable[Timer], side: int, phase: str) -> tuple[Timer, ...]:
    """The timers that end with this phase of this side."""
    return tuple(timer for timer in timers if timer.left <= 1 and timer.ticks(side, phase))


def overlays(timers: Iterable[Timer]) -> dict[str, str]:
    """The terrain that these timers put over the map, by hex.

    Later terrain replaces earlier, except that a temporary terrain doesn't replace a harder temporary one (a mire
    doesn't replace a fire).
    """
    found: dict[str, str] = {}
    for timer in timers:
        for at, terrain in timer.lays:
            below, laid = LAID[found.get(at, terrain)], LAID[terrain]
            keeps = below in OF_A_WHILE and laid in OF_A_WHILE and harder(below.footing, laid.footing) != laid.footing
            found[at] = below.slug if keeps else terrain
    return found


def on(timers: Iterable[Timer], what: str) -> tuple[Timer, ...]:
    """The effects on a unit or hex."""
    return tuple(timer for timer in timers if what in timer.on)


def without_all(timers: Iterable[Timer], gone: Collection[str]) -> tuple[Timer, ...]:
    """The timers without these units. A timer left with nothing to act on is dropped."""
    kept = (timer._replace(on=tuple(one for one in timer.on if one not in gone)) for timer in timers)
    return tuple(timer for timer in kept if timer.on or timer.lays)


def by_hex(timers: Iterable[Timer]) -> Mapping[str, tuple[Timer, ...]]:
    """The effects on each unit or hex, changed terrain included."""
    found: dict[str, tuple[Timer, ...]] = {}
    for timer in timers:
        for what in dict.fromkeys((*timer.on, *(at for at, _terrain in timer.lays))):
            found[what] = (*found.get(what, ()), timer)
    return found
