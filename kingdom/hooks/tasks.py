"""What a worker does for webhooks (`manage.py worker`, and `serve` beside its pages)."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.tasks import TaskResultStatus, task
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from kingdom.hooks.delivering import BUSY, come_again, deliver_due
from kingdom.hooks.sending import LIMIT
from kingdom.models import Webhook, WebhookDelivery

QUEUE = "webhooks"
LATE = timedelta(seconds=15)  # after which one asks who was to see to it
LOST = timedelta(seconds=2 * (BUSY + LIMIT))  # after which whoever began it is taken for dead


@task(queue_name=QUEUE)
def deliver(webhook: str) -> None:
    """Send what is due to this webhook."""
    deliver_due(UUID(webhook))


def look_after() -> int:
    """Let somebody see to webhooks where something is due and nobody is going to: whoever was is gone.

    Answers how many there were.
    """
    now = timezone.now()
    waiting = WebhookDelivery.objects.filter(
        state=WebhookDelivery.Status.WAITING,
        next_at__lt=now - LATE,
        webhook__state=Webhook.Status.ON,
        campaign__deleted_at=None,
    )
    late = set(waiting.order_by().values_list("webhook", flat=True).distinct())
    seen_to = Q(status=TaskResultStatus.READY) | Q(status=TaskResultStatus.RUNNING, started_at__gt=now - LOST)
    tasks = DBTaskResult.objects.filter(seen_to, queue_name=QUEUE, task_path=deliver.module_path)
    alive = {UUID(found["args"][0]) for found in tasks.values_list("args_kwargs", flat=True)} if late else set()
    for webhook in late - alive:
        come_again(webhook, now)
    return len(late - alive)
