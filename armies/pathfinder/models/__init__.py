"""Models of mass combat: armies, commanders, stores, unit types, weeks."""

from armies.pathfinder.models.army import ArmyResource, ArmyTactic, PathfinderArmy, PathfinderCommander
from armies.pathfinder.models.stores import FoundryActor, KingdomStock, UnitType
from armies.pathfinder.models.time import ArmyWeek, RestCheck, WeekChoices

__all__ = [
    "ArmyResource",
    "ArmyTactic",
    "ArmyWeek",
    "FoundryActor",
    "KingdomStock",
    "PathfinderArmy",
    "PathfinderCommander",
    "RestCheck",
    "UnitType",
    "WeekChoices",
]
