"""Models of battles, their armies, maps, records and jobs."""

from battles.models.battle import Battle, BattleArmy
from battles.models.battle_map import BattleMap
from battles.models.job import Job, JobResult, Weighing
from battles.models.record import ENGINE, FORWARD, PASSED, TOGETHER, BattleRecord

__all__ = [
    "ENGINE",
    "FORWARD",
    "PASSED",
    "TOGETHER",
    "Battle",
    "BattleArmy",
    "BattleMap",
    "BattleRecord",
    "Job",
    "JobResult",
    "Weighing",
]
