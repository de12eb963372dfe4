"""Process pool for computations. Its processes know only the rules, and no request's thread is blocked.

`RECKONERS` is their number; they start with the first task. With 0 the caller does the work itself, for tests and
commands without processes.
"""

from __future__ import annotations

import multiprocessing
import pickle
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from itertools import count
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings

from rules.odds.tasks import Board, Task, perform, perform_numbered, settle


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
        """Ids of its processes."""
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
