"""Models of mass combat: armies, commanders, stores, unit types, weeks."""

from armies.pathfinder.models.army import (
    ArmyResource,
    ArmyTactic,
    ArmyWeek,
    FoundryActor,
    KingdomStock,
    PathfinderArmy,
    PathfinderCommander,
    RestCheck,
    UnitType,
    WeekChoices,
)

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
