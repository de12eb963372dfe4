"""Job runner of a process, or of a Dask cluster if `WARHOST_DASK` names one."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from threading import Lock, Thread
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.utils import timezone

from battles.codec.storage import dump_plain
from battles.forecast.queries import GONE
from battles.forecast.single_flight import SingleFlight, TooBusy, WorkerLost, before_closing
from battles.models import Job, JobResult
from core import text
from rules.core.errors import IllegalCommand, Refusal
from rules.core.text import Said, _, say
from rules.odds.tasks import GivenUp, Task, perform_anywhere

PATIENCE = 5  # seconds for the scheduler to answer; no request waits for it
MISSING = _(
    "WARHOST_DASK names a cluster, but the package “distributed” isn’t installed. Run: pip install distributed."
)
AWAY = _("The cluster in WARHOST_DASK doesn’t answer: {address}. Start its scheduler, or unset WARHOST_DASK.")
STRANGE = _("The workers of the cluster don’t have this version of Warhost: {module} is missing. Install it there.")


class Cluster:
    """Dask cluster with the interface of `battles.forecast.single_flight.Pool`. If it is unusable, every task is
    answered with the reason.
    """

    def __init__(self, address: str = ""):
        self._address = address
        self._client: Any = None
        self._lock = Lock()

    @property
    def address(self) -> str:
        return self._address or settings.DASK

    @property
    def size(self) -> int:
        """Number of tasks that the workers do at once, as far as known."""
        return sum(self._client.nthreads().values()) if self._client is not None else 1

    def submit(self, task: Task) -> Future[Any]:
        try:
            work = self._executor().submit(perform_anywhere, list(settings.LAWS), task.function, task.arguments)
        except IllegalCommand as refusal:
            return _failed(refusal)
        answer: Future[Any] = Future()
        work.add_done_callback(lambda done: _pass_on(done, answer))
        answer.add_done_callback(lambda given: work.cancel() if given.cancelled() else None)
        return answer

    def give_up(self, future: Future[Any]) -> None:
        """Cancel a task. One that a worker has begun is finished, because tasks are small."""
        future.cancel()

    def stop(self) -> None:
        """Disconnect from the pool or cluster; results are no longer wanted."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _executor(self) -> Any:
        """Return the executor. Raises `IllegalCommand` if the cluster cannot be reached."""
        with self._lock:
            if self._client is None or self._client.status != "running":
                self._client = _client_of(self.address)
                before_closing(self.stop)
            return self._client.get_executor(pure=False)


def _client_of(address: str) -> Any:
    try:
        from distributed import Client
    except ImportError as error:
        raise IllegalCommand(MISSING) from error
    try:
        return Client(address, timeout=PATIENCE, set_as_default=False)
    except (OSError, ValueError) as error:
        raise IllegalCommand(say(AWAY, address=address)) from error


def _failed(error: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(error)
    return future


def _pass_on(done: Future[Any], answer: Future[Any]) -> None:
    """Pass on the result. A module that a worker lacks is reported as such."""
    if not answer.set_running_or_notify_cancel() or done.cancelled():
        return
    error = done.exception()
    if isinstance(error, ModuleNotFoundError):
        error = IllegalCommand(say(STRANGE, module=error.name or "rules"))
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(done.result())


CLERK = "clerk"
BEAT = 5.0  # seconds between two signs of life without progress
PAUSE = 0.1  # seconds between two checks
log = logging.getLogger(__name__)
type Enough = Callable[[Sequence[Any]], bool]
"""Whether the answers so far suffice. There is one for each task in order, None while there is none."""


@dataclass
class JobTask:
    """Running job: its tasks, those handed out and not answered, and answers not stored yet.

    `next` is the next task to hand out. `told` is the stored progress. If it may end before its last task (`enough`),
    `found` holds the answers so far.
    """

    job: UUID
    asker: str
    tasks: list[Task]
    pending: dict[int, Future[Any]] = field(default_factory=dict)
    enough: Enough | None = None
    found: dict[int, Any] = field(default_factory=dict)
    next: int = 0
    answers: dict[int, Any] = field(default_factory=dict)
    done: int = 0
    state: str = Job.Status.RUNNING
    trouble: Said | None = None
    told: tuple[int, str] = (-1, "")
    beat: float = 0.0

    def __post_init__(self) -> None:
        self.next = len(self.pending)

    def hand_out(self, flights: SingleFlight) -> None:
        """Hand out as many tasks as the workers hold ready, so that short questions of others need not wait for the
        whole job.
        """
        room = 2 * max(1, flights.pool.size) - len(self.pending)
        for place in range(self.next, min(self.next + max(0, room), len(self.tasks))):
            try:
                (self.pending[place],) = flights.ask([self.tasks[place]], self.asker, also=True)
            except TooBusy:
                return
            self.next = place + 1

    def gather(self) -> None:
        """Collect new answers. A failed task ends the job."""
        for place, future in list(self.pending.items()):
            if not future.done() or self.state != Job.Status.RUNNING:
                continue
            del self.pending[place]
            if future.cancelled() or isinstance(future.exception(), GivenUp):
                self.state = Job.Status.STOPPED
            elif error := future.exception():
                self._fail(error)
            else:
                self._keep(place, future.result())
        if self.state == Job.Status.RUNNING and (self.done == len(self.tasks) or self._has_enough()):
            self.state = Job.Status.DONE

    def _keep(self, place: int, answer: Any) -> None:
        self.answers[place] = dump_plain(answer)
        self.done += 1
        if self.enough is not None:
            self.found[place] = answer

    def _has_enough(self) -> bool:
        return self.enough is not None and self.enough([self.found.get(place) for place in range(len(self.tasks))])

    def _fail(self, error: BaseException) -> None:
        self.state = Job.Status.FAILED
        self.trouble = error.message if isinstance(error, Refusal) else WorkerLost.said
        if not isinstance(error, Refusal | BrokenProcessPool):
            log.error("A piece of work failed: %s", self.tasks[0].function, exc_info=error)

    def write(self) -> bool:
        """Store progress, if there is any. Returns False if nobody wants the job any more."""
        now = (self.done, self.state)
        if now == self.told and time.monotonic() - self.beat < BEAT:
            return True
        with transaction.atomic():
            found = self._tell()
            if found:
                JobResult.objects.bulk_create(
                    JobResult(job_id=self.job, place=place, answer=answer) for place, answer in self.answers.items()
                )
        self.answers.clear()
        self.told, self.beat = now, time.monotonic()
        return found

    def _tell(self) -> bool:
        told = Job.objects.filter(pk=self.job, state=Job.Status.RUNNING).update(
            done=self.done, state=self.state, trouble=text.dump_said(self.trouble), beat_at=timezone.now()
        )
        return bool(told)


class JobRunner:
    """Thread for all jobs of a process, while there are any."""

    def __init__(self, flights: SingleFlight):
        self._flights = flights
        self._errands: dict[UUID, JobTask] = {}
        self._lock = Lock()
        self._thread: Thread | None = None

    def take(self, errand: JobTask) -> None:
        with self._lock:
            self._errands[errand.job] = errand
            if self._thread is None:
                self._thread = Thread(target=self._work, name=CLERK, daemon=True)
                self._thread.start()
        before_closing(self.give_up)

    def drop(self, job: UUID) -> None:
        with self._lock:
            errand = self._errands.pop(job, None)
        if errand is not None and errand.state != Job.Status.STOPPED:  # its asker has left it for a newer question
            self._flights.leave(errand.asker, {task.key for task in errand.tasks})

    def give_up(self) -> None:
        """Mark the jobs as stopped, because the process ends."""
        jobs = list(self._errands)
        running = Job.objects.filter(pk__in=jobs, state=Job.Status.RUNNING)
        running.update(state=Job.Status.STOPPED, trouble=text.dump_said(GONE))
        for job in jobs:
            self.drop(job)

    def _work(self) -> None:
        try:
            while errands := self._all():
                self._look(errands)
                self._rest(errands)
        finally:
            connection.close()

    def _all(self) -> list[JobTask]:
        with self._lock:
            if not self._errands:
                self._thread = None
            return list(self._errands.values())

    def _look(self, errands: Iterable[JobTask]) -> None:
        for errand in errands:
            errand.hand_out(self._flights)
            errand.gather()
            try:
                wanted = errand.write()
            except (DatabaseError, InterfaceError):  # the database returns, or the job is found silent
                connection.close()
                continue
            if errand.state != Job.Status.RUNNING or not wanted:
                self.drop(errand.job)

    def _rest(self, errands: Iterable[JobTask]) -> None:
        connection.close()  # requests may need the connection
        pending = [future for errand in errands for future in errand.pending.values()]
        wait(pending, timeout=1, return_when=FIRST_COMPLETED)
        time.sleep(PAUSE)
