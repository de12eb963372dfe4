"""Marches over the map of a campaign: the pace of an army, and what ground takes (PF-1.8, PF-2.9, R-72, R-95)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rules.core.breakdown import Breakdown
from rules.core.text import _
from rules.hexes.terrain import CLEAR, DIFFICULT, Footing
from rules.pathfinder.leadership import commander_sheet
from rules.pathfinder.march import DIFFICULT as TWICE
from rules.pathfinder.march import pace as paced
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import army_sheet
from rules.pathfinder.spec import ArmySpec
from rules.travel import Manner, MarchPace, StepToll

FORCED, LAND = "forced", "land"
TELEPORTS, FORAGE = "teleportation", "live-off-the-land"

TOLLS: Mapping[Footing, StepToll] = {
    CLEAR: StepToll(1, _("Hexes in the open"), "PF-1.8"),
    DIFFICULT: StepToll(TWICE, _("Hexes of difficult ground, two hexes of speed each"), "R-72"),
}
MANNERS = {
    FORCED: Manner(
        FORCED, _("Forced march"), _("Half as far again; each day costs hit points, half its ACR, at least 1.")
    ),
    LAND: Manner(LAND, _("It lives off the land: half its speed"), _("Its commander finds what it eats on the way.")),
}


@dataclass(frozen=True, eq=False)
class Travel:
    """`rules.travel.TravelLaw`, of armies as `ArmySpec` says them."""

    law: Rulebook
    tolls = TOLLS
    by_road = StepToll(1, _("Hexes by road"), "R-95")

    def pace(self, army: ArmySpec, manner: Collection[str] = ()) -> MarchPace:
        sheet = army_sheet(self.law, army)
        speed, wear = paced(sheet.speed, land=LAND in manner), Breakdown()
        if FORCED in manner:
            speed = speed.plus(_("Forced march: half as much again"), max(1, speed.total // 2), "R-95")
            wear = wear.plus(_("Forced march: half its ACR a day"), max(1, sheet.acr.floor // 2), "R-95")
        return MarchPace(speed, wear, teleports=self._teleports(army))

    def manners(self, army: ArmySpec) -> Sequence[Manner]:
        """A forced march for all but those who teleport; off the land where its commander, with it today, knows how."""
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
