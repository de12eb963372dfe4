"""Armies on the march: hexes a day, days for a road (PF-1.8, PF-2.9)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from rules.breakdown import Breakdown
from rules.errors import demand
from rules.text import _

MOST_HEXES = 10_000
MOST_DAYS = 3_650


def pace(speed: Breakdown, *, difficult: bool = False, land: bool = False) -> Breakdown:
    """Hexes a day: the army's speed, halved by difficult ground and by living off the land, never below 1."""
    lines = speed
    if land:
        lines = lines.plus(_("Lives off the land: halved"), max(1, lines.total // 2) - lines.total, "PF-2.9")
    if difficult:
        lines = lines.plus(_("Difficult terrain: halved"), max(1, lines.total // 2) - lines.total, "PF-1.8")
    return lines


@dataclass(frozen=True, slots=True)
class March:
    """A road of hexes, open and difficult, and the days it takes. Teleporting armies are there the same day."""

    open_hexes: int
    difficult_hexes: int
    open_pace: Breakdown
    difficult_pace: Breakdown
    days: int
    teleports: bool = False

    @property
    def hexes(self) -> int:
        return self.open_hexes + self.difficult_hexes


def march(
    speed: Breakdown, *, open_hexes: int = 0, difficult_hexes: int = 0, land: bool = False, teleports: bool = False
) -> March:
    """How many days the road takes: a day begun in the open may end in difficult ground; the last one is whole.

    Raises `InvalidInput` for a road of no hexes, or of too many.
    """
    for field, hexes in (("/hexes", open_hexes), ("/difficult_hexes", difficult_hexes)):
        demand(0 <= hexes <= MOST_HEXES, _("From {least} to {most} hexes."), field=field, least=0, most=MOST_HEXES)
    demand(open_hexes or difficult_hexes, _("A march goes at least one hex."), field="/hexes")
    open_pace, difficult_pace = pace(speed, land=land), pace(speed, land=land, difficult=True)
    spent = Fraction(open_hexes, open_pace.total) + Fraction(difficult_hexes, difficult_pace.total)
    return March(open_hexes, difficult_hexes, open_pace, difficult_pace, 0 if teleports else ceil(spent), teleports)


def reach(speed: Breakdown, *, days: int, difficult: bool = False, land: bool = False) -> int:
    """How many hexes an army goes in so many days. Raises `InvalidInput` for days out of bounds."""
    demand(1 <= days <= MOST_DAYS, _("From {least} to {most} days."), field="/days", least=1, most=MOST_DAYS)
    return days * pace(speed, difficult=difficult, land=land).total
