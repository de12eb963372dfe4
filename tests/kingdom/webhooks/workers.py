"""Workers as processes of their own, which may be killed."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings as in_force
from django.db import connection

from kingdom.models import Webhook, WebhookDelivery
from kingdom.webhooks.event_types import put
from tests.config.house import ROOT, environment


def waiting() -> bool:
    return WebhookDelivery.objects.filter(state="waiting").exists()


def fill(hook: Webhook, count: int) -> None:
    for _one in range(count):
        put(WebhookDelivery(campaign_id=hook.campaign_id, webhook=hook, event="webhook.test"))


class Process:
    """`manage.py worker` on the database of the test."""

    def __init__(self, home: Path) -> None:
        known = connection.settings_dict
        own = {
            "DATABASE_URL": f"postgres://{known['USER']}@/{known['NAME']}?host={known['HOST']}",
            "SECRET_KEY": in_force.SECRET_KEY,
            "WARHOST_WEBHOOKS_TO": "127.0.0.1",
        }
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "worker"], cwd=ROOT, env=environment(home, **own), stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> str:
        self.process.terminate()
        said, _none = self.process.communicate(timeout=60)
        return said


@contextmanager
def processes(home: Path) -> Iterator[Callable[[], Process]]:
    """Starts one each time it is called; in the end none is left."""
    begun: list[Process] = []

    def one() -> Process:
        begun.append(Process(home))
        return begun[-1]

    yield one
    for process in begun:
        process.kill()
