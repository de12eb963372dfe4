"""Economy, Loyalty and Stability checks (PF-3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kingdom import selectors
from kingdom.inputs import ATTRIBUTE_MAX, clean_slug, clean_whole
from kingdom.models import Kingdom, User
from kingdom.warrants import freely
from rules.breakdown import Breakdown
from rules.dice import Roll, Rolled, Typed, TypedDie
from rules.errors import demand
from rules.pathfinder.kingdom import ATTRIBUTES, KingdomCheck, kingdom_check
from rules.text import _


@dataclass(frozen=True, slots=True)
class CheckResult:
    """A check that was rolled: the natural die, the total and the lines that make it."""

    check: KingdomCheck
    die: Roll

    @property
    def attribute(self) -> str:
        return self.check.attribute

    @property
    def roll(self) -> int:
        return self.check.roll

    @property
    def total(self) -> int:
        return self.check.total

    @property
    def dc(self) -> int:
        return self.check.dc

    @property
    def success(self) -> bool:
        return self.check.success

    @property
    def breakdown(self) -> Breakdown:
        return self.check.breakdown


@freely("Nothing is stored.")
def roll_check(
    *, by: User, kingdom: Kingdom, attribute: str, dc: int | None = None, dice: Sequence[int] | None = None
) -> CheckResult:
    """d20 + attribute − Unrest against `dc` (default: the control DC), by whoever runs the kingdom.

    `dice` is the d20 as typed; without it the server rolls. Nothing is stored. Raises `InvalidInput`.
    """
    selectors.require_runs(by, kingdom)
    attribute = clean_slug(attribute, field="/attribute", among=ATTRIBUTES)
    if dc is None:
        dc = selectors.control_dc(kingdom).total
    dc = clean_whole(dc, field="/dc", least=-ATTRIBUTE_MAX, most=SUM_MAX)
    die = _die(by, kingdom, dice)
    check = kingdom_check(
        attribute=attribute, value=getattr(kingdom, attribute), unrest=kingdom.unrest, dc=dc, roll=die.value
    )
    return CheckResult(check, die)


SUM_MAX = 1_000_000  # a control DC adds size and districts, each of which may be large


def _die(by: User, kingdom: Kingdom, dice: Sequence[int] | None) -> Roll:
    army = str(kingdom.pk)
    if not dice:
        return Rolled().roll(army, "check", 20)
    demand(len(dice) == 1, _("A check takes one d20."), field="/dice")
    face = clean_whole(dice[0], field="/dice", least=1, most=20)
    return Typed((TypedDie(army, "check", (face,)),), by=by.get_username()).roll(army, "check", 20)
