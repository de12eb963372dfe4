"""Secrecy (B-18): a reader knows neither orders that have not happened, nor what a reserve is made of, nor the figures
of enemies; but dice, scores, states, ground, weather, and losses as a share of the force.

Where the campaign lays a veil on enemies, losses are known by their word and state alone, and dice, scores and harm by
which their combat and defense could be reckoned are not told.
"""

from rules.breaking_point.battle.secrecy.seen import alike, rounded, seen
from rules.breaking_point.battle.secrecy.witnessed import witnessed

__all__ = ["alike", "rounded", "seen", "witnessed"]
