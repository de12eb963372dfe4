"""Worker tasks: turns of sides that the computer plays (`manage.py worker`, or `serve` beside the pages)."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.tasks import task
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from battles.models import ENGINE, Battle
from battles.opponents.services import play_turn

QUEUE = "engine"
LOST = timedelta(seconds=60)  # a task that runs longer counts as lost, like its worker


@task(queue_name=QUEUE)
def take_turn(battle: str) -> None:
    """Play one command of a computer-played side, and queue the next task if another command is due."""
    play_turn(UUID(battle))


def look_after() -> int:
    """Queues due turns whose tasks were lost or failed. Returns how many."""
    due = Battle.with_branches.filter(
        status__in=Battle.OPEN, state__awaited__contains=[ENGINE], campaign__deleted_at=None
    ).values_list("pk", flat=True)
    lost = {str(pk) for pk in due}
    if lost:
        lost -= _in_hand()
    for battle in lost:
        take_turn.enqueue(battle)
    return len(lost)


def _in_hand() -> set[str]:
    """Ids of battles with a task that waits or runs."""
    tasks = DBTaskResult.objects.filter(queue_name=QUEUE, task_path=take_turn.module_path)
    begun = tasks.running().filter(started_at__gt=timezone.now() - LOST)
    return {found["args"][0] for some in (tasks.ready(), begun) for found in some.values_list("args_kwargs", flat=True)}
