"""The doors of the battle engine."""

from rules.pathfinder.battle.orders.legal import awaiting, figures, legal
from rules.pathfinder.battle.orders.opening import open_battle
from rules.pathfinder.battle.state.evolve import evolve, fold
from rules.pathfinder.battle.telling.narrate import describe, luck

from .aftermath import aftermath
from .decide import decide

__all__ = ["aftermath", "awaiting", "decide", "describe", "evolve", "figures", "fold", "legal", "luck", "open_battle"]
