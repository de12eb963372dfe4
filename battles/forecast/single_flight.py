"""Coalescing of equal requests: each question is computed once for all who ask it.

An asker is one person with one subject. Their newer question cancels their older one, unless somebody else waits for
it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from threading import Lock
from typing import Any, Protocol

from battles.forecast.process_pool import pool
from rules.core.text import Said, _
from rules.odds.tasks import GivenUp, Task

KEPT = 512
QUEUE_MOST = 40  # unanswered questions, beyond which askers have to come back


class Unanswered(Exception):
    """Raised when there is no answer now. `said` is the reason and what to do."""

    said: Said


class TooBusy(Unanswered):
    """Too many computations are running to accept another."""

    said = _("Too many calculations are running. Try again in a moment.")


class WorkerLost(Unanswered):
    """The process that computed the answer was killed. The question may be asked again."""

    said = _("The calculation was interrupted. Try again.")


class Overtaken(WorkerLost):
    """The same asker has asked something newer meanwhile."""


class Workers(Protocol):
    """Protocol of a pool that does `size` tasks at once."""

    @property
    def size(self) -> int: ...

    def submit(self, task: Task) -> Future[Any]: ...

    def give_up(self, future: Future[Any]) -> None:
        """Cancel a task. One that is running is broken off if possible."""


class SingleFlight:
    def __init__(self, own: Workers | None = None):
        self._own = own
        self._known: OrderedDict[str, Future[Any]] = OrderedDict()
        self._askers: dict[str, set[str]] = {}
        self._lock = Lock()

    @property
    def pool(self) -> Workers:
        return self._own or pool()

    def ask(self, tasks: Sequence[Task], asker: str, *, also: bool = False) -> list[Future[Any]]:
        """Return futures of the answers. Raises `TooBusy`, and starts nothing then. `also`: the asker's older questions
        are kept.
        """
        with self._lock:
            self._tidy()
            fresh = [task for task in tasks if task.key not in self._known]
            if not also:
                self._leave_others(asker, {task.key for task in tasks})
            if len(self._askers) + len(fresh) > QUEUE_MOST and self._askers:
                raise TooBusy
            return [self._one(task, asker) for task in tasks]

    def leave(self, asker: str, keys: Iterable[str]) -> None:
        """Withdraw the asker from these questions."""
        with self._lock:
            self._leave(asker, [key for key in keys if asker in self._askers.get(key, ())])

    def clear(self) -> None:
        with self._lock:
            self._known.clear()
            self._askers.clear()

    def _one(self, task: Task, asker: str) -> Future[Any]:
        future = self._known.get(task.key)
        if future is None:
            future = self._known[task.key] = self.pool.submit(task)
        self._known.move_to_end(task.key)
        if not future.done():
            self._askers.setdefault(task.key, set()).add(asker)
        return future

    def _tidy(self) -> None:
        """Clean up: finished questions have no askers, lost ones are forgotten, and the oldest answers are dropped."""
        for key in [key for key in self._askers if self._known[key].done()]:
            del self._askers[key]
        for key in [key for key, future in self._known.items() if _is_lost(future)]:
            del self._known[key]
        while len(self._known) > KEPT:
            oldest = next((key for key in self._known if key not in self._askers), None)
            if oldest is None:
                return
            del self._known[oldest]

    def _leave_others(self, asker: str, keys: Iterable[str]) -> None:
        wanted = set(keys)
        self._leave(asker, [key for key, askers in self._askers.items() if asker in askers and key not in wanted])

    def _leave(self, asker: str, keys: Iterable[str]) -> None:
        for key in keys:
            self._askers[key].discard(asker)
            if not self._askers[key] and not self._known[key].done():
                self.pool.give_up(self._known[key])
                del self._askers[key], self._known[key]


def _is_lost(future: Future[Any]) -> bool:
    return future.done() and (future.cancelled() or isinstance(future.exception(), BrokenProcessPool | GivenUp))


flights = SingleFlight()
