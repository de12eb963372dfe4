"""Passage of days, weeks and months for armies and kingdoms (PF-7, PF-8.4)."""

from rules.pathfinder.weeks.passage import PLANNED, CampaignArmies, pass_time
from rules.pathfinder.weeks.week_state import (
    ArmyNow,
    Choices,
    DatedChange,
    KingdomNow,
    Payment,
    Report,
    TimePlan,
    WeekNote,
)

__all__ = [
    "PLANNED",
    "ArmyNow",
    "CampaignArmies",
    "Choices",
    "DatedChange",
    "KingdomNow",
    "Payment",
    "Report",
    "TimePlan",
    "WeekNote",
    "pass_time",
]
