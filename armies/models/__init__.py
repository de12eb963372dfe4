"""Armies, their commanders, what they carry and what a kingdom keeps in store."""

from armies.models.army import Army, ArmyResource, ArmyTactic
from armies.models.commander import Commander
from armies.models.store import KingdomStock
from armies.models.time import ArmyWeek, RestCheck, TimeStep, WeekChoices
from armies.models.unit_type import UnitType

__all__ = [
    "Army",
    "ArmyResource",
    "ArmyTactic",
    "ArmyWeek",
    "Commander",
    "KingdomStock",
    "RestCheck",
    "TimeStep",
    "UnitType",
    "WeekChoices",
]
