"""Models of armies and commanders of every ruleset, of seats and sightings, and of passed time."""

from armies.models.army import Army, ArmyQuerySet, rows_of
from armies.models.commander import Commander, CommanderQuerySet
from armies.models.insight import Insight, Sighting
from armies.models.seat import ArmySeat, list_seat_models
from armies.models.time import TimeStep

__all__ = [
    "Army", "ArmyQuerySet", "ArmySeat", "Commander", "CommanderQuerySet", "Insight", "Sighting", "TimeStep",
    "list_seat_models", "rows_of",
]  # fmt: skip
