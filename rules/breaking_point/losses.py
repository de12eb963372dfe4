"""Losses in points: shared among the units of a body, and what they cost in heads (BP-4.12, B-47)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rules.breaking_point.spec import Unit
from rules.core.health import WHOLE
from rules.core.proportion import shared as shared  # by force (B-47)


def unit_key(army: str, unit: int) -> str:
    """How a unit is called where not only its own army's are."""
    return f"{army}:{unit}"


def army_of_unit(key: str) -> str:
    """Whose the unit is that is called so; of an army's own id, that army's."""
    return key.partition(":")[0]


def share(points: int, force: int) -> int:
    """Hundredths of a force, dropped, but at least one of any loss: states stay what they are."""
    return max(min(points, 1), points * WHOLE // max(1, force))


def lasting(points: int, shares: Sequence[int], *, victor: bool = False) -> tuple[int, ...]:
    """What of a body's losses stays with each of its units once the battle is over: of the victor's half, down, comes
    back before they are shared (B-48).
    """
    return shared(points - points // 2 if victor else points, shares)


def men_out(unit: Unit, points: int, factor: int = 1) -> int:
    """Heads a unit has lost by these points, at most all (B-47). `factor`: of a place it stands in."""
    return min(unit.strength, points // (unit.a_head * factor))


FLED, ANNIHILATED, SURRENDERED = "fled", "annihilated", "surrendered"
BEATEN = (FLED, ANNIHILATED, SURRENDERED)
"""What becomes of bodies that leave their wounded to the enemy."""


class Toll(NamedTuple):
    """What has become of heads that are out of action, and of those who have given up."""

    dead: int = 0
    wounded: int = 0
    prisoners: int = 0


def toll(out: int, *, victor: bool = False, status: str = "", standing: int = 0) -> Toll:
    """Who stays out of the victor's has fallen; of others half, up, and the rest are wounded. The wounded of a body
    that has left them behind are prisoners, and all who surrender (B-48). `standing`: who is not out.
    """
    if victor:
        return Toll(out)
    dead, wounded = out - out // 2, out // 2
    if status not in BEATEN:
        return Toll(dead, wounded)
    return Toll(dead, prisoners=wounded + (standing if status == SURRENDERED else 0))
