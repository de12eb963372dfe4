"""Tasks of a worker: the turns of sides that the engine plays (`manage.py worker`, and `serve` beside its pages)."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.tasks import task
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from battles.models import ENGINE, Battle
from battles.opponents.turn_services import play_turn

QUEUE = "engine"
LOST = timedelta(seconds=60)  # after which a task that was begun is taken for dead with its worker


@task(queue_name=QUEUE)
def take_turn(battle: str) -> None:
    """One command of the engine's. Where another is due, a task for it is queued with it."""
    play_turn(UUID(battle))


def look_after() -> int:
    """Queue the turns that nobody is going to play: whoever had them is gone, or gave them up. Answers how many."""
    due = Battle.objects.filter(
        status__in=Battle.OPEN, state__awaited__contains=[ENGINE], campaign__deleted_at=None
    ).values_list("pk", flat=True)
    lost = {str(pk) for pk in due}
    if lost:
        lost -= _in_hand()
    for battle in lost:
        take_turn.enqueue(battle)
    return len(lost)


def _in_hand() -> set[str]:
    """The battles for which a task waits or is being done."""
    tasks = DBTaskResult.objects.filter(queue_name=QUEUE, task_path=take_turn.module_path)
    begun = tasks.running().filter(started_at__gt=timezone.now() - LOST)
    return {found["args"][0] for some in (tasks.ready(), begun) for found in some.values_list("args_kwargs", flat=True)}
