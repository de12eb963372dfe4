"""Tasks for another process: a function's dotted name and pure values as its arguments."""

from __future__ import annotations

import os
import signal
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from multiprocessing import parent_process
from multiprocessing.context import SpawnContext
from threading import Thread
from typing import Any, NamedTuple

from rules.odds.viewer_forecast import prepare

NICE = 5
"""Niceness of a worker process, so that pages go first."""


ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""Environment variables that keep numpy to one core. Other processes use the other cores, and waiting for a busy core
costs more than sharing a matrix product gains.
"""


class Task(NamedTuple):
    """Task. `key` identifies the question: equal keys have equal answers."""

    function: str
    arguments: tuple[Any, ...]
    key: str = ""


def perform(function: str, arguments: tuple[Any, ...]) -> Any:
    return _found(function)(*arguments)


def perform_anywhere(laws: Sequence[str], function: str, arguments: tuple[Any, ...]) -> Any:
    """Perform a task in a foreign process, which may not know the laws yet."""
    prepare(laws)
    return perform(function, arguments)


# a task that nobody waits for any more
class GivenUp(BaseException):
    """Raised in a task that was cancelled because nobody waits for its result."""


PLACES = 1024
"""Tasks that a board can tell apart at one time."""


class Board:
    """Shared memory of the server and its worker processes: which process works on which task, and which tasks are
    cancelled. Task numbers start at 1 and increase.
    """

    def __init__(self, context: SpawnContext):
        self._workers = context.RawArray("q", PLACES)
        self._given_up = context.RawArray("q", PLACES)

    def give_up(self, number: int, workers: Collection[int]) -> None:
        """Cancel a task. A worker that is at it breaks off; one that takes it up later does not start it."""
        self._given_up[number % PLACES] = number
        worker = self._workers[number % PLACES]
        if worker in workers:
            with suppress(ProcessLookupError):
                os.kill(worker, GIVE_UP)

    def is_given_up(self, number: int) -> bool:
        return bool(self._given_up[number % PLACES] == number)

    def begin(self, number: int) -> None:
        self._workers[number % PLACES] = os.getpid()

    def end(self, number: int) -> None:
        self._workers[number % PLACES] = 0


GIVE_UP = signal.SIGUSR1
_board: Board | None = None
_at_work = 0  # number of this process's current task


def perform_numbered(number: int, function: str, arguments: tuple[Any, ...]) -> Any:
    """Perform a task in a process set up by `settle`. Raises `GivenUp`, at any point, once the task is cancelled."""
    global _at_work
    act = _found(function)  # imported before a cancellation can interrupt the import
    assert _board is not None
    _board.begin(number)
    try:
        _at_work = number
        if _board.is_given_up(number):
            raise GivenUp
        return act(*arguments)
    finally:
        _at_work = 0
        _board.end(number)


def _break_off(_signal: int, _frame: object) -> None:
    global _at_work
    if _board is not None and _at_work and _board.is_given_up(_at_work):
        _at_work = 0
        raise GivenUp


@cache
def _found(function: str) -> Any:
    module, _dot, name = function.rpartition(".")
    return getattr(import_module(module), name)


def settle(laws: Iterable[str], board: Board) -> None:
    """Set up a worker process: register the laws, ignore Ctrl-C, break off cancelled tasks, and end with the parent."""
    global _board
    _board = board
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(GIVE_UP, _break_off)
    os.nice(NICE)
    for name in ONE_CORE:
        os.environ.setdefault(name, "1")  # numpy reads it when `prepare` imports it
    prepare(laws)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)
