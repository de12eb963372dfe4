"""What a week gives back to an army: its wounded (B-69)."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rules.breaking_point.spec import Host, Unit

PART = 4  # one of so many returns, up


class Recovered(NamedTuple):
    """The army after a week, and how many of its wounded are back."""

    host: Host
    back: int


def returning(wounded: int) -> int:
    """A quarter, up."""
    return -(-wounded // PART)


def a_week_on(host: Host, *, marched: bool = False, fought: bool = False) -> Recovered:
    """Who neither marched nor fought has a quarter of each unit's wounded back in the ranks."""
    if marched or fought:
        return Recovered(host, 0)
    units = tuple(_rested(unit) for unit in host.units)
    return Recovered(replace(host, units=units), sum(returning(unit.wounded) for unit in host.units))


def _rested(unit: Unit) -> Unit:
    back = returning(unit.wounded)
    return replace(unit, strength=unit.strength + back, wounded=unit.wounded - back) if back else unit
