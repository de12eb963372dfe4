"""Choices for the running week, as they bear on an army's marches (R-81)."""

from __future__ import annotations

from armies.pathfinder.forces.march_pace import Road, may_live_off_the_land, teleports
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.weeks.week_choices import FED_BY_LAND, load_choices


def feeds_this_week(army: PathfinderArmy) -> bool:
    """Whether it lives off the land in the running week, and with it today is who knows how: its speed is halved as its
    Consumption is (PF-2.9). Who teleports has no use for speed.
    """
    able = may_live_off_the_land(army) and not teleports(army)
    return able and str(army.pk) in load_choices(army.campaign).get(FED_BY_LAND, ())


def as_it_marches(army: PathfinderArmy, road: Road) -> Road:
    """In a week in which it lives off the land it does so on its way, too (PF-2.9, R-81)."""
    return road if road.land else road._replace(land=feeds_this_week(army))
