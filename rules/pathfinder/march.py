"""Armies on the march: hexes a day, days for a road (PF-1.8, PF-2.9, R-72)."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.breakdown import Breakdown
from rules.core.errors import demand
from rules.core.text import _

MOST_HEXES = 10_000
MOST_DAYS = 3_650
DIFFICULT = 2  # hexes of speed


def pace(speed: Breakdown, *, land: bool = False) -> Breakdown:
    """Hexes of speed a day, halved by living off the land, never below 1."""
    if not land:
        return speed
    return speed.plus(_("Lives off the land: halved"), max(1, speed.total // 2) - speed.total, "PF-2.9")


def road_cost(open_hexes: int, difficult_hexes: int) -> Breakdown:
    """What a road takes in hexes of speed: a difficult hex takes two (R-72)."""
    lines = Breakdown().plus(_("Hexes in the open"), open_hexes, "PF-1.8")
    return lines.plus(_("Hexes of difficult ground, two hexes of speed each"), DIFFICULT * difficult_hexes, "R-72")


@dataclass(frozen=True, slots=True)
class March:
    """A road of hexes, open and difficult, and the days it takes. Teleporting armies are there the same day.

    `pace`: hexes of speed a day; `cost`: what the road takes of them.
    """

    open_hexes: int
    difficult_hexes: int
    pace: Breakdown
    cost: Breakdown
    teleports: bool = False

    @property
    def hexes(self) -> int:
        return self.open_hexes + self.difficult_hexes

    @property
    def days(self) -> int:
        """What is left of a day is carried into the next one of the same march (R-72); the last one is whole."""
        return 0 if self.teleports else -(-self.cost.total // self.pace.total)


def march(
    speed: Breakdown, *, open_hexes: int = 0, difficult_hexes: int = 0, land: bool = False, teleports: bool = False
) -> March:
    """How many days the road takes. Raises `InvalidInput` for a road of no hexes, or of too many."""
    for field, hexes in (("/hexes", open_hexes), ("/difficult_hexes", difficult_hexes)):
        demand(0 <= hexes <= MOST_HEXES, _("From {least} to {most} hexes."), field=field, least=0, most=MOST_HEXES)
    demand(open_hexes or difficult_hexes, _("A march goes at least one hex."), field="/hexes")
    cost = road_cost(open_hexes, difficult_hexes)
    return March(open_hexes, difficult_hexes, pace(speed, land=land), cost, teleports)


def reach(speed: Breakdown, *, days: int, difficult: bool = False, land: bool = False) -> int:
    """How many hexes an army goes in so many days of one march. Raises `InvalidInput` for days out of bounds."""
    demand(1 <= days <= MOST_DAYS, _("From {least} to {most} days."), field="/days", least=1, most=MOST_DAYS)
    return days * pace(speed, land=land).total // (DIFFICULT if difficult else 1)
