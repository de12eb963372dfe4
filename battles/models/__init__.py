"""Models of battles, their armies, maps, records and jobs."""

from battles.models.battle import (
    ENGINE,
    FORWARD,
    PASSED,
    TOGETHER,
    Battle,
    BattleArmy,
    BattleMap,
    BattleRecord,
    Job,
    JobResult,
    Weighing,
)

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
