"""Worker for queued tasks (`settings.TASKS`): a thread beside the server, or a process of its own.

One thread checks each second whether a task is due and lets a pool run it. Half of the pool leaves slow tasks to the
other half, so that slow ones cannot block the rest. Two workers never take the same task (SKIP LOCKED); a killed
worker's task is taken up by another.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Event, Thread
from uuid import uuid4

from django.db import DatabaseError, InterfaceError, connections
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from battles.opponents.tasks import look_after as look_after_turns
from kingdom.webhooks.delivery import BUSY, look_after, slow_lane
from kingdom.webhooks.transport import LIMIT

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
