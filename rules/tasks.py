"""Work that goes to another process: a function by its dotted name, and pure values for it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from multiprocessing import parent_process
from threading import Thread
from typing import Any, NamedTuple

from rules.foretold import prepare

NICE = 5
"""How far it steps back behind those who wait for pages."""


ONE_CORE = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")
"""What keeps numpy from sharing a product of matrices with other cores: on those other processes reckon, and whoever
waits for a core that is taken loses more than he gains.
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


@cache
def _found(function: str) -> Any:
    module, _dot, name = function.rpartition(".")
    return getattr(import_module(module), name)


def settle(laws: Iterable[str]) -> None:
    """What a process of its own begins with: it knows the laws, leaves Ctrl-C to its parent, and ends with him."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(NICE)
    for name in ONE_CORE:
        os.environ.setdefault(name, "1")  # read when numpy is loaded, which `prepare` does
    prepare(laws)
    Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    if (parent := parent_process()) is not None:
        parent.join()
        os._exit(0)
