"""Weights of a battle's events: how much a reader cares, and who fell."""

from __future__ import annotations

from enum import IntEnum


class Weight(IntEnum):
    """Weight of an event in a report: usual, worth a second look, or a turning point."""

    USUAL = 0
    TELLING = 1
    TURNING = 2


class Fall(IntEnum):
    """Who no longer fights after an event of a battle in units: a unit that flees, one destroyed, a character, or a
    whole army. The higher, the more a reader remembers it.
    """

    NOBODY = 0
    ROUTED = 1
    DESTROYED = 2
    CHARACTER = 3
    ARMY = 4
