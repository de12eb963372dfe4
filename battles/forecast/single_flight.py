"""Coalescing of equal requests, and the process pool that computes them. Each question is computed once for all who ask
it; an asker is one person with one subject, and their newer question cancels their older one, unless somebody else
waits for it.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import count
from threading import Lock
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from django.conf import settings

from rules.core.text import Said, _
from rules.odds.tasks import Board, GivenUp, Task, perform, perform_numbered, settle

# Process pool for computations. Its processes know only the rules, and no request's thread is blocked.
#
# `RECKONERS` is their number; they start with the first task. With 0 the caller does the work itself, for tests and
# commands without processes.


class Pool:
    """Pool of a server process. A killed worker breaks running tasks; the next task starts new workers."""

    def __init__(self, size: int):
        self.size = size
        self._executor: ProcessPoolExecutor | None = None
        self._board: Board | None = None
        self._numbers: WeakKeyDictionary[Future[Any], int] = WeakKeyDictionary()
        self._count = count(1)
        self._lock = Lock()

    def submit(self, task: Task) -> Future[Any]:
        """Submit a task. The future returns or raises what the function does, or raises `BrokenProcessPool` or
        `GivenUp`.
        """
        if self.size < 1:
            return _done_here(task)
        number = next(self._count)
        try:
            future = self._running().submit(perform_numbered, number, task.function, task.arguments)
        except BrokenProcessPool:
            self._forget()
            future = self._running().submit(perform_numbered, number, task.function, task.arguments)
        self._numbers[future] = number
        return future

    def give_up(self, future: Future[Any]) -> None:
        """Cancel a task: it is not started, or broken off."""
        if not future.cancel() and not future.done() and self._board is not None:
            self._board.give_up(self._numbers[future], self.workers)

    def stop(self) -> None:
        """Stop at once. Running tasks are abandoned."""
        if (executor := self._forget()) is None:
            return
        workers = list((getattr(executor, "_processes", None) or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()

    @property
    def workers(self) -> list[int]:
        """Process ids of the running workers."""
        return list(getattr(self._executor, "_processes", None) or {})

    def _running(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._executor is None:
                context = multiprocessing.get_context("spawn")
                self._board = Board(context)
                self._executor = ProcessPoolExecutor(
                    self.size, context, initializer=settle, initargs=(list(settings.LAWS), self._board)
                )
            return self._executor

    def _forget(self) -> ProcessPoolExecutor | None:
        with self._lock:
            executor, self._executor = self._executor, None
        return executor


def _done_here(task: Task) -> Future[Any]:
    """Perform a task here. Arguments and answer are pickled as between processes, so that tests
    notice what cannot be.
    """
    future: Future[Any] = Future()
    try:
        answer = perform(task.function, pickle.loads(pickle.dumps(task.arguments)))
        future.set_result(pickle.loads(pickle.dumps(answer)))
    except Exception as error:
        future.set_exception(error)
    return future


_pool: Pool | None = None
_closing: list[Callable[[], None]] = []


def pool() -> Pool:
    """Return this process's pool."""
    global _pool
    if _pool is None:
        _pool = Pool(settings.RECKONERS)
    return _pool


def before_closing(act: Callable[[], None]) -> None:
    """Register a function to call before the pool stops, when the server does."""
    if act not in _closing:
        _closing.append(act)


def close() -> None:
    """Run the registered functions and stop the pool."""
    global _pool
    for act in _closing:
        with suppress(Exception):  # a lost database must not prevent the stop
            act()
    if _pool is not None:
        _pool.stop()
        _pool = None


# Coalescing of equal requests: each question is computed once for all who ask it.
#
# An asker is one person with one subject. Their newer question cancels their older one, unless somebody else waits for
# it.

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
    """Raised for a question that a newer one by the same asker has replaced."""


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
