"""Armies and kingdoms as time sees them."""

from __future__ import annotations

from dataclasses import dataclass

from rules.breakdown import Breakdown
from rules.pathfinder.kingdom import KingdomCheck, control_dc, kingdom_check

READY, ROUTED, DISBANDED = "ready", "routed", "disbanded"
STANDING = (READY, ROUTED)
DAYS_A_WEEK = 7
ACTIVE_DAYS = 3  # PF-2.5: a commander counts for a week from three days with his army


@dataclass(frozen=True, slots=True)
class ArmyNow:
    """An army's record. hp in points, consumption, surcharge and owed in BP, `regrowth` in hp a day.

    `acr` is the floor. `free`: whoever leads it is neither captive nor dead; `back_on`: the day he is back, if away;
    `active_days`: how many days of a week he is with it. Until day `marching_until` it is on the march.
    """

    id: str
    name: str = ""
    kingdom: str = ""
    hp: int = 1
    hp_max: int = 1
    acr: int = 0
    rank: int = 0
    regrowth: int = 0
    morale: int = 0
    status: str = READY
    arrears: bool = False
    owed: int = 0
    disease: int = 0
    ill: bool = False
    drain: int = 0
    consumption: int = 1
    surcharge: int = 0
    commander: str | None = None
    free: bool = True
    back_on: int | None = None
    active_days: int = DAYS_A_WEEK
    marching_until: int | None = None
    rested_on: int | None = None
    foraging: int | None = None

    @property
    def standing(self) -> bool:
        return self.status in STANDING

    def led(self, day: int) -> bool:
        """Whether its commander was with it on at least three days of the week that ends on `day` (PF-2.5)."""
        if self.commander is None or not self.free or self.active_days < ACTIVE_DAYS:
            return False
        return self.back_on is None or self.back_on <= day - ACTIVE_DAYS


@dataclass(frozen=True, slots=True)
class KingdomNow:
    """A kingdom's figures (PF-8.1). Treasury in BP, `consumption` in BP a month, size in hexes."""

    id: str
    name: str = ""
    economy: int = 0
    loyalty: int = 0
    stability: int = 0
    unrest: int = 0
    size: int = 1
    treasury: int = 0
    consumption: int = 0
    districts: int = 0
    modifier: int = 0
    override: int | None = None

    @property
    def control_dc(self) -> Breakdown:
        return control_dc(size=self.size, districts=self.districts, modifier=self.modifier, override=self.override)

    def check(self, attribute: str, roll: int, *, disease: int = 0) -> KingdomCheck:
        """d20 + attribute − Unrest (− the penalty of a disease) against the control DC (PF-3.1, PF-8.2)."""
        return kingdom_check(
            attribute=attribute,
            value=getattr(self, attribute),
            unrest=self.unrest,
            dc=self.control_dc.total,
            roll=roll,
            disease=disease,
        )
