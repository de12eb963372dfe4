"""Models of armies and commanders of every ruleset, of seats and sightings, and of passed time."""

from armies.models.army import (
    Army,
    ArmyQuerySet,
    ArmySeat,
    Commander,
    CommanderQuerySet,
    Insight,
    Sighting,
    TimeStep,
    list_seat_models,
    rows_of,
)

__all__ = [
    "Army", "ArmyQuerySet", "ArmySeat", "Commander", "CommanderQuerySet", "Insight", "Sighting", "TimeStep",
    "list_seat_models", "rows_of",
]  # fmt: skip
