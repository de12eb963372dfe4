"""Time for armies and kingdoms (PF-7, PF-8.4): days, weeks, months."""

from rules.pathfinder.weeks.passage import PLANNED, CampaignArmies, pass_time
from rules.pathfinder.weeks.proposal_report import DatedChange, Payment, Report, WeekNote
from rules.pathfinder.weeks.week_state import ArmyNow, Choices, KingdomNow, TimePlan

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
