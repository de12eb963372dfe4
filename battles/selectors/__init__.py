"""Reads. Whoever may not see something does not get it."""

from battles.selectors.access import battle_for, battles_of, viewer_as, viewer_of
from battles.selectors.lists import Glance, battles_in, battles_of_army, battles_of_commander, glance_at, open_battles
from battles.selectors.log import LogLine, log_of, replay_of

__all__ = [
    "Glance",
    "LogLine",
    "battle_for",
    "battles_in",
    "battles_of",
    "battles_of_army",
    "battles_of_commander",
    "glance_at",
    "log_of",
    "open_battles",
    "replay_of",
    "viewer_as",
    "viewer_of",
]
