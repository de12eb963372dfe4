"""Worker for queued tasks (`settings.TASKS`), and the daily housekeeping that deletes expired rows."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import partial
from threading import Event, Thread
from uuid import uuid4

from django.contrib.sessions.models import Session
from django.db import DatabaseError, InterfaceError, connections
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from battles.opponents.tasks import look_after as look_after_turns
from kingdom.api.idempotency import KEPT
from kingdom.members.services import remove_deleted
from kingdom.models import (
    DeletedMembership,
    DeliveryState,
    IdempotencyRecord,
    Membership,
    RateLimitCounter,
    SecurityEvent,
    SignIn,
    User,
    WebhookDelivery,
)
from kingdom.webhooks.addresses import LIMIT
from kingdom.webhooks.delivery import BUSY, look_after, slow_lane

# Worker for queued tasks (`settings.TASKS`): a thread beside the server, or a process of its own.
#
# One thread checks each second whether a task is due and lets a pool run it. Half of the pool leaves slow tasks to the
# other half, so that slow ones cannot block the rest. Two workers never take the same task (SKIP LOCKED); a killed
# worker's task is taken up by another.

HANDS = 8  # tasks at once
LOOK = 1.0  # seconds between two checks
AFTER = 10.0  # seconds between two checks for deliveries whose worker died
PATIENCE = BUSY + LIMIT + 1.0  # seconds that running tasks get when the worker ends
EVERY_QUEUE = ["*"]
log = logging.getLogger(__name__)


class QueueWorker:
    """Runs tasks until `over` is set."""

    def __init__(self, over: Event, hands: int = HANDS, look: float = LOOK):
        self._over, self._hands, self._look = over, hands, look
        slow_lane.room = max(1, hands // 2)
        self._busy: dict[Future[None], Worker] = {}
        self._looked_after = 0.0
        self._away = False

    def work(self) -> None:
        pool = ThreadPoolExecutor(self._hands, thread_name_prefix="worker")
        try:
            while not self._over.is_set():
                self._look_round(pool)
                self._over.wait(self._look)
        finally:
            for worker in self._busy.values():
                worker.running = False
            pool.shutdown(wait=True, cancel_futures=True)
            connections.close_all()

    def _look_round(self, pool: ThreadPoolExecutor) -> None:
        try:
            if time.monotonic() > self._looked_after + AFTER:
                look_after()
                look_after_turns()
                self._looked_after = time.monotonic()
            self._busy = {future: worker for future, worker in self._busy.items() if not future.done()}
            for _hand in range(min(DBTaskResult.objects.ready()[: self._hands].count(), self._hands - len(self._busy))):
                worker = _hand_of()
                self._busy[pool.submit(partial(_do, worker))] = worker
            self._away = False
        except (DatabaseError, InterfaceError) as error:  # it comes back, or lacks tables yet
            if not self._away:
                log.warning("The worker waits for the database: %s", error)
            self._away = True
            connections.close_all()


def _hand_of() -> Worker:
    """Return a worker that runs the due tasks and ends."""
    return Worker(
        queue_names=EVERY_QUEUE,
        excluded_queue_names=[],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=uuid4().hex,
    )


def _do(worker: Worker) -> None:
    try:
        worker.run()
    except (DatabaseError, InterfaceError) as error:
        log.warning("A task was broken off: %s", error)
    except Exception:
        log.exception("A worker broke down.")
    finally:
        connections.close_all()


@contextmanager
def run_worker(wanted: bool = True) -> Iterator[None]:
    """Context in which a thread runs queued tasks."""
    if not wanted:
        yield
        return
    over = Event()
    thread = Thread(target=QueueWorker(over).work, name="foreman", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(timeout=PATIENCE)


# Housekeeping: deletes expired rows, daily beside the server or by `manage.py housekeeping`.

PIECE = 5_000  # rows deleted at once, so that locks are short
TOLD_KEPT = timedelta(days=30)  # webhook deliveries
TASKS_KEPT = timedelta(days=2)  # tasks that were run, or interrupted by the death of their worker
FIRST, DAY = 300.0, 86_400.0  # seconds after the start, and between two runs


def tidy() -> dict[str, int]:
    """Delete expired rows. Return their number by kind. Two runs at once do no harm."""
    now = timezone.now()
    over: dict[str, QuerySet] = {
        "sessions": Session.objects.filter(expire_date__lte=now),
        "answers": IdempotencyRecord.objects.filter(at__lt=now - KEPT),
        "security events": SecurityEvent.objects.filter(at__lt=now - timedelta(days=SecurityEvent.KEPT_DAYS)),
        "webhook deliveries": _told_before(now - TOLD_KEPT),
        "tasks": _begun_before(now - TASKS_KEPT),
        "guests": _guests_gone(now),
        "counts": RateLimitCounter.objects.filter(until__lte=now),
    }
    return {**{kind: _remove(rows) for kind, rows in over.items()}, "campaigns": remove_deleted(now)}


def _guests_gone(now: datetime) -> QuerySet:
    """Return the guests without a seat and a live session: nobody can use them any more."""
    here = SignIn.objects.filter(user=OuterRef("pk"), session__expire_date__gt=now)
    seats = Exists(Membership.objects.filter(user=OuterRef("pk")))
    kept = Exists(DeletedMembership.objects.filter(user=OuterRef("pk")))
    return User.objects.filter(~Exists(here), ~seats, ~kept, guest=True)


def _told_before(moment: datetime) -> QuerySet:
    return WebhookDelivery.objects.filter(at__lt=moment).exclude(state=DeliveryState.WAITING)


def _begun_before(moment: datetime) -> QuerySet:
    return DBTaskResult.objects.filter(started_at__lt=moment)


def _remove(rows: QuerySet) -> int:
    removed = 0
    while piece := list(rows.order_by().values_list("pk", flat=True)[:PIECE]):
        removed += rows.filter(pk__in=piece).delete()[0]
    return removed


@contextmanager
def daily(first: float = FIRST, every: float = DAY) -> Iterator[None]:
    """Context in which a thread runs the housekeeping daily (`first`, `every`: seconds)."""
    over = Event()
    thread = Thread(target=_tidy_until, args=(over, first, every), name="housekeeping", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(timeout=5)


def _tidy_until(over: Event, first: float, every: float) -> None:
    wait = first
    while not over.wait(wait):
        try:
            tidy()
        except DatabaseError as error:  # the database comes back, or the next day's run does it
            log.warning("Housekeeping did not get done: %s", error)
        finally:
            connections.close_all()
        wait = every
