"""Models of armies and commanders under every ruleset, of battle participation and sightings, and of passed days."""

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
