"""Process pool that computes for the server: its processes know the rules alone, so no request's thread is held up.

There are as many as `RECKONERS` says, started when the first piece of work comes. With 0 the work is done where it is
given, for tests and commands that want no processes.
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
    """One for a server process. A worker that was killed breaks what was under way; the next piece starts others."""

    def __init__(self, size: int):
        self.size = size
        self._executor: ProcessPoolExecutor | None = None
        self._board: Board | None = None
        self._numbers: WeakKeyDictionary[Future[Any], int] = WeakKeyDictionary()
        self._count = count(1)
        self._lock = Lock()

    def submit(self, task: Task) -> Future[Any]:
        """Its answer will be what the function answers or raises, `BrokenProcessPool` or `GivenUp`."""
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
        """Nobody waits for this any more: it is not begun, or broken off."""
        if not future.cancel() and not future.done() and self._board is not None:
            self._board.give_up(self._numbers[future], self.workers)

    def stop(self) -> None:
        """Nothing more is done, and nobody waits for what is under way."""
        if (executor := self._forget()) is None:
            return
        workers = list((getattr(executor, "_processes", None) or {}).values())
        executor.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.kill()

    @property
    def workers(self) -> list[int]:
        """The ids of its processes."""
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
    """What goes over and comes back does so as between processes, or tests would not see what cannot."""
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
    """This process's own."""
    global _pool
    if _pool is None:
        _pool = Pool(settings.RECKONERS)
    return _pool


def before_closing(act: Callable[[], None]) -> None:
    """To be done when the server stops, before its pool does."""
    if act not in _closing:
        _closing.append(act)


def close() -> None:
    """The server stops."""
    global _pool
    for act in _closing:
        with suppress(Exception):  # a database that went away first keeps nobody from stopping
            act()
    if _pool is not None:
        _pool.stop()
        _pool = None
