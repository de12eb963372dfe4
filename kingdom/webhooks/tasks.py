"""Tasks of a worker for webhooks (`manage.py worker`, and `serve` beside its pages)."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.tasks import task
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from kingdom.webhooks.delivery import come_again, deliver_due
from kingdom.webhooks.leases import in_hand, list_due

QUEUE = "webhooks"
LATE = timedelta(seconds=5)  # after which one asks who was to see to it


@task(queue_name=QUEUE)
def deliver(_webhook: str) -> None:
    """Send what is due: to this webhook, for whose sake somebody looks, and to any other whose turn it is."""
    deliver_due()


def look_after() -> int:
    """Let somebody see to webhooks where something is due and nobody is going to: whoever was is gone.

    Answers how many there were.
    """
    now = timezone.now()
    late = list_due(now - LATE).exclude(webhook__in=in_hand(now).values("pk"))
    lost = set(late.order_by().values_list("webhook", flat=True).distinct())
    tasks = DBTaskResult.objects.ready().filter(queue_name=QUEUE, task_path=deliver.module_path)
    lost -= {UUID(found["args"][0]) for found in tasks.values_list("args_kwargs", flat=True)} if lost else set()
    for webhook in lost:
        come_again(webhook, now)
    return len(lost)
