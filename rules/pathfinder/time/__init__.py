"""What time does to armies and kingdoms (PF-7, PF-8.4): days, weeks, months."""

from .passage import Troops, pass_time
from .plan import Choices, Plan, Returning
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
    "Returning",
    "Troops",
    "pass_time",
]
