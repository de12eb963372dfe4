"""Tasks for another process: a function by its dotted name, and pure values for it."""

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
"""How far it steps back behind those who wait for pages."""


ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""What keeps numpy from sharing a product of matrices with other cores: on those other processes reckon, and whoever
waits for a core that is taken loses more than they gain.
"""


class Task(NamedTuple):
    """One piece of work. `key` names the question: the same key always has the same answer."""

    function: str
    arguments: tuple[Any, ...]
    key: str = ""


def perform(function: str, arguments: tuple[Any, ...]) -> Any:
    return _found(function)(*arguments)


def perform_anywhere(laws: Sequence[str], function: str, arguments: tuple[Any, ...]) -> Any:
    """The same in a process that belongs to somebody else, and may not know the laws yet."""
    prepare(laws)
    return perform(function, arguments)


# what nobody waits for any more
class GivenUp(BaseException):
    """Whoever asked for this work wants it no more; it was broken off."""


PLACES = 1024
"""As many pieces of work can be told apart on a board at one time."""


class Board:
    """What a server and its reckoning processes tell each other: which process is at a piece of work, by its number,
    and which pieces nobody waits for. Numbers begin at 1 and go up.
    """

    def __init__(self, context: SpawnContext):
        self._workers = context.RawArray("q", PLACES)
        self._given_up = context.RawArray("q", PLACES)

    def give_up(self, number: int, workers: Collection[int]) -> None:
        """Whoever of these processes is at it breaks it off; who takes it up later does not begin it."""
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
_at_work = 0  # the number of the piece this process is at


def perform_numbered(number: int, function: str, arguments: tuple[Any, ...]) -> Any:
    """`perform` in a process that `settle` has begun. Raises `GivenUp`, at any place, once nobody waits for it."""
    global _at_work
    act = _found(function)  # what is loaded for it is loaded whole
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
    """What a process of its own begins with: it knows the laws, leaves Ctrl-C to its parent, breaks off what nobody
    waits for, and ends with them.
    """
    global _board
    _board = board
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(GIVE_UP, _break_off)
    os.nice(NICE)
    for name in ONE_CORE:
        os.environ.setdefault(name, "1")  # read when numpy is loaded, which `prepare` does
    prepare(laws)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)
