"""kill -9 of the worker while it tells a webhook: nothing is lost, little is told twice, and under the same id."""

from __future__ import annotations

import random
import threading
import time
from pathlib import Path

import pytest

from tests.config.house import until
from tests.faults.report import rounds, spread, told
from tests.kingdom.conftest import campaign, crown, gm, table  # noqa: F401 - fixtures
from tests.kingdom.webhooks.conftest import Listener, _one_connection, answer, bot, hook, listener  # noqa: F401 - fixtures
from tests.kingdom.webhooks.workers import fill, processes, waiting

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
KILLS, MESSAGES = 10, 20
TAKES = 0.1  # seconds the other end takes


def test_a_worker_killed_while_it_tells_loses_nothing(home: Path, hook, listener: Listener) -> None:  # noqa: F811
    """At a moment from just after the other end has heard a message to just after it has answered. Another worker
    takes up what was in its hand once nobody believes that it lives.
    """
    heard = threading.Event()

    def slowly(handler) -> None:
        heard.set()
        time.sleep(TAKES)
        answer(handler, 204, "")

    listener.then = slowly
    back = []
    with processes(home) as start:
        worker = start()
        for _round in range(rounds(KILLS)):
            begun = len(listener.heard)
            fill(hook, MESSAGES)
            enough = begun + random.randint(1, MESSAGES // 2)
            until(lambda enough=enough: len(listener.heard) >= enough)
            heard.clear()
            until(heard.is_set)
            time.sleep(random.uniform(0, 1.5 * TAKES))
            worker.kill()
            killed, before = time.monotonic(), len(listener.heard)
            worker = start()
            until(lambda before=before: len(listener.heard) > before)
            back.append(time.monotonic() - killed)
            until(lambda: not waiting())
    ids = listener.ids()
    first_heard = list(dict.fromkeys(ids))
    told(
        "kill -9 of the worker while it tells a webhook",
        rounds=rounds(KILLS),
        messages=len(first_heard),
        lost=rounds(KILLS) * MESSAGES - len(first_heard),
        twice=len(ids) - len(first_heard),
        **spread(back),
    )
    assert len(first_heard) == rounds(KILLS) * MESSAGES
    assert first_heard == sorted(first_heard)
    assert len(ids) - len(first_heard) <= rounds(KILLS)
