"""What time does to armies and kingdoms (PF-7, PF-8.4): days, weeks, months."""

from .passage import Troops, pass_time
from .plan import Choices, Plan
from .report import DatedChange, Note, Payment, Report
from .state import ArmyNow, KingdomNow

__all__ = [
    "ArmyNow",
    "Choices",
    "DatedChange",
    "KingdomNow",
    "Note",
    "Payment",
    "Plan",
    "Report",
    "Troops",
    "pass_time",
]
