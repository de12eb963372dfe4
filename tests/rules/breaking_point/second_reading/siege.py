"""BP-8 by the week: B-57 to B-60."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor

from . import units
from .attacks import ROWS
from .dice import Open
from .units import Troop
from .war import Chief

OPEN_FIELD = units.Ground()


def engineers_enough(engineers: int, garrison_heads: int) -> bool:
    return 2 * engineers >= garrison_heads


def hold(garrison: Sequence[Troop], factor: int, *, halved: bool) -> int:
    """Weeks it can hold: combat × force factor, halved by engineers (down). Bare combat (B-10)."""
    weeks = max(0, units.body_combat(garrison)) * factor
    return weeks // 2 if halved else weeks


def slice_of(weeks: int) -> int:
    """B-57: a tenth of it, down, 1 at least."""
    return max(1, weeks // 10)


def slices(counted: int, weeks: int) -> int:
    """Full tenths of the time beyond it."""
    return max(0, counted - weeks) // slice_of(weeks)


def hunger(force: int, slices_now: int) -> int:
    """A tenth of the initial force a slice."""
    return force * slices_now // 10


def blockaded(besiegers: int, garrison: int) -> bool:
    """2:1 in heads."""
    return besiegers >= 2 * garrison


def broken(losses: int, force: int, percent: int | None) -> bool:
    """B-34, B-57: in a siege reaching the value, or the force, is enough."""
    value = force if percent is None else min(force, force * percent // 100)
    return losses >= value


def ratio(mine: int | Fraction, theirs: int | Fraction) -> int:
    if theirs == 0:
        return 5 if mine else 0
    return next((bonus for many, few, bonus in ROWS if mine * few >= theirs * many), 0)


def terms_difficulty(weeks: int, losses: int, force: int) -> int:
    """16 weeks, 20 % lost: 12."""
    return weeks - 2 * (10 * losses // force)


def terms(chief: Chief | None, combat: int, die: Open, modifier: int, difficulty: int) -> tuple[int, str]:
    """B-59: its score, and "refused", "honours" or "unconditional". Nobody commands: combat alone."""
    score = die.value + modifier + (chief.presence + chief.combat + chief.diplomacy if chief else combat)
    margin = score - difficulty
    return score, "unconditional" if margin >= 5 else "honours" if margin >= 0 else "refused"


def bombardment(power: int, rating: int, die: Open, guard: int, bonus: int, value: int | None) -> int:
    """B-58: one shot at medium distance, capped; what falls."""
    margin = rating + die.value - (10 + floor(Fraction(guard, 2)) + bonus)
    fell = power * (10 + 10 * (margin // 2)) // 100 if margin >= 0 else 0
    return fell if value is None else min(fell, value)
