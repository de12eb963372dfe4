"""Experience and what it buys (BP-6, B-50). Who grants it is the campaign's affair."""

from __future__ import annotations

from dataclasses import replace

from rules.breaking_point.spec import Unit
from rules.core.errors import require
from rules.core.text import _

LEAST_COST = 1


def training_cost(combat: int) -> int:
    """Points that raising combat to this value costs."""
    return max(LEAST_COST, combat)


def trained(unit: Unit) -> Unit:
    """The unit with one more combat, paid. Raises `IllegalCommand` where it has not the points."""
    combat = unit.combat + 1
    cost = training_cost(combat)
    short = _("{unit} has {has} points of experience: combat {combat} costs {cost}.")
    told = {"unit": unit.name, "has": unit.experience, "combat": combat, "cost": cost}
    require(unit.experience >= cost, short, field="/unit", **told)
    return replace(unit, combat=combat, experience=unit.experience - cost)


def with_recruits(strength: int, combat: int, men: int, their_combat: int) -> int:
    """Combat of a unit that takes in recruits: the mean weighted by strength, down (B-50)."""
    return (strength * combat + men * their_combat) // (strength + men)
