"""Pace of an army's march, and what a day of rest heals (PF-1.8, PF-2.9, PF-7.1, PF-7.5)."""

from __future__ import annotations

from typing import NamedTuple

from armies.pathfinder.forces.specs import build_army_spec, build_commander_spec, has_in_force, in_force
from armies.pathfinder.models import PathfinderArmy
from kingdom.realms.figures import get_ruleset
from rules.core.breakdown import Breakdown
from rules.pathfinder.travel import FORAGE, TELEPORTS, March, march, reach
from rules.pathfinder.weeks.week import limit, regrowth_lines, rest_lines


class Road(NamedTuple):
    """Hexes in the open and in difficult ground, and whether the army lives off the land meanwhile."""

    hexes: int = 0
    difficult_hexes: int = 0
    land: bool = False


def compute_speed(army: PathfinderArmy) -> Breakdown:
    """Hexes a day by its sheet: a mounted army's are those of its mounts (R-3)."""
    found: Breakdown = get_ruleset(army.campaign).sheet(build_army_spec(army, unhurt=True)).speed
    return found


def march_of(army: PathfinderArmy, road: Road) -> March:
    """What the road takes. Raises `InvalidInput`."""
    return march(
        compute_speed(army),
        open_hexes=road.hexes,
        difficult_hexes=road.difficult_hexes,
        land=road.land,
        teleports=teleports(army),
    )


def reach_of(army: PathfinderArmy, *, days: int, difficult: bool = False, land: bool = False) -> int:
    """How many hexes it goes in so many days. Raises `InvalidInput`."""
    return reach(compute_speed(army), days=days, difficult=difficult, land=land)


def teleports(army: PathfinderArmy) -> bool:
    return has_in_force(army, TELEPORTS)


def may_live_off_the_land(army: PathfinderArmy) -> bool:
    """Whether its commander is with it today and has the boon in force (PF-2.9)."""
    return army.leader is not None and army.leader.present and knows_the_land(army)


def knows_the_land(army: PathfinderArmy) -> bool:
    """Whether the commander named at its head, wherever they are today, has the boon in force (PF-2.9)."""
    leader = army.leader
    if leader is None or leader.status != leader.Status.FREE:
        return False
    leader.campaign = army.campaign  # one object: its rules are read once
    sheet = get_ruleset(army.campaign).commander_sheet(build_commander_spec(leader))
    return any(state.active for state in sheet.boons if state.boon.slug == FORAGE and not state.boon.off)


# Healing by a day of rest (PF-7.1, PF-7.5).


def compute_recovery(army: PathfinderArmy, *, rallied: bool = False) -> Breakdown:
    """Hit points a day of rest gives, before the limit: ACR, again if rallied, and what grows back by itself."""
    spec = build_army_spec(army, unhurt=True)
    rest = rest_lines(get_ruleset(army.campaign).sheet(spec).acr.floor, rallied=rallied)
    return Breakdown((*rest.lines, *regrowth_lines(in_force(army, spec)).lines))


def recovery_limit(army: PathfinderArmy) -> int:
    """Rest heals up to this many hp: all, or half where the house rule says so (PF-7.1)."""
    return limit(army.hp_max, half=halved(army))


def halved(army: PathfinderArmy) -> bool:
    return bool(get_ruleset(army.campaign).house.recovery_cap == "half")
