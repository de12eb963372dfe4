"""Pieces of work for the tests of jobs: they take as long, and end as badly, as they are told."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

from rules.core.errors import demand
from rules.core.text import _


def dawdle(seconds: float, answer: Any) -> Any:
    time.sleep(seconds)
    return answer


def held(gate: str, answer: Any) -> Any:
    """Answers when there is something at this path; where a test broke off before, after a minute."""
    began = time.monotonic()
    while not os.path.exists(gate) and time.monotonic() - began < 60:
        time.sleep(0.005)
    return answer


def spin(seconds: float) -> int:
    """Reckons for so long, and leaves the core to others now and then; what process it was."""
    began = time.monotonic()
    while time.monotonic() - began < seconds:
        sum(range(1000))
        time.sleep(0.001)
    return os.getpid()


def refused() -> None:
    demand(False, _("Must be a list."), field="/orders")


def killed() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def modules() -> list[str]:
    """What this process has loaded."""
    import sys

    return sorted(sys.modules)
