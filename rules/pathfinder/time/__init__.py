"""What time does to armies and kingdoms (PF-7, PF-8.4): days, weeks, months."""

from .passage import PLANNED, CampaignArmies, pass_time
from .plan import Choices, TimePlan
from .report import DatedChange, Payment, Report, WeekNote
from .state import ArmyNow, KingdomNow

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
