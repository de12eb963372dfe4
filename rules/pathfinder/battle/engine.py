"""The doors of the battle engine."""

from .aftermath import aftermath
from .decide import decide
from .evolve import evolve, fold
from .legal import awaiting, figures, legal
from .narrate import describe, luck
from .setup import open_battle

__all__ = ["aftermath", "awaiting", "decide", "describe", "evolve", "figures", "fold", "legal", "luck", "open_battle"]
