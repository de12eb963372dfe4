"""Reads. Whoever may not see something does not get it."""

from battles.selectors.access import Eyes, battle_for, battles_of, eyes_as, eyes_of, viewer_of
from battles.selectors.lists import Glance, battles_in, battles_of_army, battles_of_commander, glance_at, open_battles
from battles.selectors.log import LogLine, log_of, replay_of

__all__ = [
    "Eyes",
    "Glance",
    "LogLine",
    "battle_for",
    "battles_in",
    "battles_of",
    "battles_of_army",
    "battles_of_commander",
    "eyes_as",
    "eyes_of",
    "glance_at",
    "log_of",
    "open_battles",
    "replay_of",
    "viewer_of",
]
