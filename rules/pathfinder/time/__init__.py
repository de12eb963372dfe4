"""What time does to armies and kingdoms (PF-7, PF-8.4): days, weeks, months."""

from .passage import PLANNED, Troops, pass_time
from .plan import Choices, Plan
from .report import DatedChange, Payment, Report, WeekNote
from .state import ArmyNow, KingdomNow

__all__ = [
    "PLANNED",
    "ArmyNow",
    "Choices",
    "DatedChange",
    "KingdomNow",
    "Payment",
    "Plan",
    "Report",
    "Troops",
    "WeekNote",
    "pass_time",
]
