"""Hold of a garrison: how long it lasts, and what a slice of that time is (BP-8, B-57, B-59)."""

from __future__ import annotations

from rules.breaking_point.siege.siege_state import Siege, eats
from rules.breaking_point.spec import Place
from rules.core.breakdown import Breakdown
from rules.core.text import _, say

RULE = "BP-8"


def hold_weeks(siege: Siege) -> Breakdown:
    """Weeks the garrison holds from the beginning: combat × factor, halved (down) by engineers of at least half its
    heads, as they stand today (B-59).
    """
    whole = weeks_of(siege.garrison.figures.combat, siege.place)
    if not (siege.engineers and 2 * siege.engineers >= siege.garrison.heads):
        return whole
    return whole.plus(_("Engineers, half as many as the garrison: halved"), whole.total // 2 - whole.total, RULE)


def weeks_of(combat: int, place: Place) -> Breakdown:
    """Of troops of this combat in this place, against nobody in particular."""
    factor, base = place.kind.factor, max(0, combat)
    lines = Breakdown().plus(_("Combat of the garrison"), base, RULE)
    return lines.plus(say(_("Force factor × {factor}"), factor=factor), base * (factor - 1), RULE)


def slice_of(weeks: int) -> int:
    """Weeks in which hunger takes a tenth: a tenth of the time, down, at least one (B-57)."""
    return max(1, weeks // 10)


def starving_after(weeks: int, hold: int) -> bool:
    """Whether hunger takes a tenth in the week that is the `weeks`th."""
    beyond = weeks - hold
    return beyond > 0 and beyond % slice_of(hold) == 0


def hungry(siege: Siege) -> tuple[int, ...]:
    """Which of the garrison's members hunger touches (B-57)."""
    return tuple(place for place, unit in enumerate(siege.garrison.units) if eats(unit))
