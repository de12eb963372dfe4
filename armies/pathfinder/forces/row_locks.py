"""Row locks for mass combat's armies and commanders."""

from __future__ import annotations

from armies.forces import row_locks
from armies.pathfinder.models import PathfinderArmy, PathfinderCommander


def lock_army(army: PathfinderArmy) -> PathfinderArmy:
    """The army as it is now, locked. Raises Http404, and `IllegalCommand` if it is busy or no longer an army."""
    fresh = row_locks.lock_armies([army.pk], PathfinderArmy)[army.pk]
    row_locks.refuse_unusable(fresh)
    return fresh


def lock_commander(commander: PathfinderCommander) -> PathfinderCommander:
    """The commander as they are now, locked after the army they lead. Raises Http404."""
    return row_locks.lock_commander(PathfinderCommander(id=commander.pk))
