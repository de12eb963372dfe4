"""Marches of mass combat: an army's pace, the days for a route, and the cost of ground (PF-1.8, PF-2.9, R-72, R-95)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rules.core.breakdown import Breakdown
from rules.core.errors import demand
from rules.core.text import _
from rules.hexes.terrain import CLEAR, DIFFICULT, Footing
from rules.pathfinder.leadership import commander_sheet
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import army_sheet
from rules.pathfinder.spec import ArmySpec
from rules.travel import Manner, MarchPace, StepToll

# Pace in hexes a day, and days for a route (PF-1.8, PF-2.9, R-72).

MOST_HEXES = 10_000
MOST_DAYS = 3_650
TWICE = 2  # cost of a difficult hex, in hexes of speed


def pace(speed: Breakdown, *, land: bool = False) -> Breakdown:
    """Return the speed in hexes a day: halved by living off the land, at least 1."""
    if not land:
        return speed
    return speed.plus(_("Living off the land: halved"), max(1, speed.total // 2) - speed.total, "PF-2.9")


def road_cost(open_hexes: int, difficult_hexes: int) -> Breakdown:
    """Return the cost of a route in hexes of speed. A difficult hex costs two (R-72)."""
    lines = Breakdown().plus(_("Open hexes"), open_hexes, "PF-1.8")
    return lines.plus(_("Hexes of difficult ground (cost two each)"), TWICE * difficult_hexes, "R-72")


@dataclass(frozen=True, slots=True)
class March:
    """Route of open and difficult hexes, and the days it takes. Armies that teleport arrive on the same day. `pace` is
    in hexes of speed a day, `cost` in hexes of speed.
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
        """Days of the march. Movement left over carries into the next day of the same march (R-72); the last day counts
        in full.
        """
        return 0 if self.teleports else -(-self.cost.total // self.pace.total)


def march(
    speed: Breakdown, *, open_hexes: int = 0, difficult_hexes: int = 0, land: bool = False, teleports: bool = False
) -> March:
    """Return the march along a route. Raises `InvalidInput` for a route of no hexes or of too many."""
    for field, hexes in (("/hexes", open_hexes), ("/difficult_hexes", difficult_hexes)):
        demand(0 <= hexes <= MOST_HEXES, _("Enter {least} to {most} hexes."), field=field, least=0, most=MOST_HEXES)
    demand(open_hexes or difficult_hexes, _("Enter a march of at least one hex."), field="/hexes")
    cost = road_cost(open_hexes, difficult_hexes)
    return March(open_hexes, difficult_hexes, pace(speed, land=land), cost, teleports)


def reach(speed: Breakdown, *, days: int, difficult: bool = False, land: bool = False) -> int:
    """Return how many hexes an army goes in this many days of one march. Raises `InvalidInput` for days out of
    bounds.
    """
    demand(1 <= days <= MOST_DAYS, _("Enter {least} to {most} days."), field="/days", least=1, most=MOST_DAYS)
    return days * pace(speed, land=land).total // (TWICE if difficult else 1)


FORCED, LAND = "forced", "land"
TELEPORTS, FORAGE = "teleportation", "live-off-the-land"

TOLLS: Mapping[Footing, StepToll] = {
    CLEAR: StepToll(1, _("Open hexes"), "PF-1.8"),
    DIFFICULT: StepToll(TWICE, _("Hexes of difficult ground (cost two each)"), "R-72"),
}
MANNERS = {
    FORCED: Manner(
        FORCED, _("Forced march"), _("Goes 50% farther. Costs half its ACR in hit points each day, at least 1.")
    ),
    LAND: Manner(LAND, _("Lives off the land (half speed)"), _("The commander finds food on the way.")),
}


@dataclass(frozen=True, eq=False)
class Travel:
    """`rules.travel.TravelLaw` of mass combat, for armies given as `ArmySpec`."""

    law: Rulebook
    tolls = TOLLS
    by_road = StepToll(1, _("Hexes by road"), "R-95")

    def pace(self, army: ArmySpec, manner: Collection[str] = ()) -> MarchPace:
        sheet = army_sheet(self.law, army)
        speed, wear = pace(sheet.speed, land=LAND in manner), Breakdown()
        if FORCED in manner:
            speed = speed.plus(_("Forced march: 50% more"), max(1, speed.total // 2), "R-95")
            wear = wear.plus(_("Forced march: half its ACR per day"), max(1, sheet.acr.floor // 2), "R-95")
        return MarchPace(speed, wear, teleports=self._teleports(army))

    def manners(self, army: ArmySpec) -> Sequence[Manner]:
        """Return the forced march, and living off the land if its commander is present and has that boon. None for
        armies that teleport.
        """
        if self._teleports(army):
            return ()
        return (MANNERS[FORCED], *((MANNERS[LAND],) if self._forages(army) else ()))

    def _teleports(self, army: ArmySpec) -> bool:
        known = self.law.abilities
        names = {slug for slug, item in known.items() if item.key == TELEPORTS and not item.off}
        return any(choice.ability in names for choice in army.unit.abilities)

    def _forages(self, army: ArmySpec) -> bool:
        if army.commander is None or not army.commander.active:
            return False
        boons = commander_sheet(self.law, army.commander).boons
        return any(state.active for state in boons if state.boon.slug == FORAGE and not state.boon.off)
