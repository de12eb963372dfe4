"""Workers: two never send the same at once, a killed one loses nothing, one that is stopped ends what it is at."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

import pytest
from django.conf import settings as in_force
from django.db import connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from config import worker as working_room
from config.worker import Foreman, working
from kingdom.hooks.outbox import put
from kingdom.hooks.tasks import LOST
from kingdom.models import Webhook, WebhookAttempt, WebhookDelivery
from kingdom.services.webhooks import send_test
from tests.config.house import ROOT, environment, until
from tests.hooks.conftest import answer

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def foremen(count: int) -> Iterator[None]:
    over = threading.Event()
    threads = [threading.Thread(target=Foreman(over, look=0.02).work) for _one in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def waiting() -> bool:
    return WebhookDelivery.objects.filter(state="waiting").exists()


def fill(hook: Webhook, count: int) -> None:
    for _one in range(count):
        put(WebhookDelivery(campaign_id=hook.campaign_id, webhook=hook, event="webhook.test"))


def test_two_workers_send_everything_once_and_never_two_things_at_once_to_one_address(hook, table, listener):
    at_once: list[int] = []
    inside, gate = [0], threading.Lock()

    def counted(handler):
        with gate:
            inside[0] += 1
            at_once.append(inside[0])
        time.sleep(0.02)
        with gate:
            inside[0] -= 1
        answer(handler, 204, "")

    listener.then = counted
    fill(hook, 30)
    with foremen(2):
        until(lambda: not waiting(), 60)
    assert len(listener.heard) == 30
    assert listener.ids() == sorted(set(listener.ids()))
    assert max(at_once) == 1
    assert WebhookAttempt.objects.count() == 30


def test_a_slow_address_keeps_no_other_waiting(hook, table, listener):
    other = Webhook.objects.get(pk=hook.pk)
    other.pk, other.url, other._state.adding = None, listener.url.replace("/hook", "/quick"), True
    other.save()
    release = threading.Event()

    def slow(handler):
        if "/hook" in handler.path:
            release.wait(30)
        answer(handler, 204, "")

    listener.then = slow
    fill(hook, 3)
    fill(other, 3)
    with foremen(1):
        until(lambda: [one.path for one in listener.heard].count("/quick?of=mine") == 3, 20)
        assert [one.path for one in listener.heard].count("/hook?of=mine") == 1
        release.set()
        until(lambda: not waiting(), 60)
    assert len(listener.heard) == 6


class Process:
    """`manage.py worker` on the database of the test."""

    def __init__(self, home) -> None:
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

    def end(self) -> str:
        self.process.terminate()
        said, _none = self.process.communicate(timeout=60)
        return said


@pytest.fixture
def start(tmp_path) -> Iterator[Callable[[], Process]]:
    begun: list[Process] = []

    def one() -> Process:
        begun.append(Process(tmp_path))
        return begun[-1]

    yield one
    for process in begun:
        process.process.kill()
        process.process.wait()


def test_what_a_killed_worker_was_sending_is_sent_again_under_the_same_id(hook, table, listener, start):
    """kill -9 after it was heard and before that was written down: at least once, and receivers know it by its id."""
    release = threading.Event()
    listener.then = lambda handler: release.wait(30)
    sent = send_test(by=table.gm, webhook=hook)
    first = start()
    until(lambda: listener.heard, 60)
    first.process.kill()
    first.process.wait()
    release.set()
    listener.then = None
    assert DBTaskResult.objects.get().status == "RUNNING"
    assert WebhookDelivery.objects.get().state == "waiting"
    long_ago = timezone.now() - LOST - timedelta(seconds=1)
    DBTaskResult.objects.update(started_at=long_ago)
    WebhookDelivery.objects.update(next_at=long_ago)
    second = start()
    until(lambda: not waiting(), 60)
    assert listener.ids() == [sent.message_id] * 2
    assert listener.heard[0].body == listener.heard[1].body
    assert WebhookAttempt.objects.get().status == 204
    assert "Warhost works no more." in second.end()
    assert second.process.returncode == 0


def test_one_that_is_stopped_ends_what_it_is_at(hook, table, listener, start):
    def slow(handler):
        time.sleep(1.5)
        answer(handler, 204, "")

    listener.then = slow
    send_test(by=table.gm, webhook=hook)
    process = start()
    until(lambda: listener.heard, 60)
    assert "Warhost works no more." in process.end()
    assert WebhookDelivery.objects.get().state == "delivered"


def test_it_waits_for_a_database_that_is_away(hook, table, listener, monkeypatch, caplog):
    """One line in the log, not one a second."""
    send_test(by=table.gm, webhook=hook)
    looked: list[int] = []

    def away() -> int:
        looked.append(1)
        if len(looked) < 4:
            raise working_room.DatabaseError("away")
        return 0

    monkeypatch.setattr(working_room, "look_after", away)
    with foremen(1):
        until(lambda: not waiting(), 60)
    assert [record.message for record in caplog.records if "waits for the database" in record.message] == [
        "The worker waits for the database: away"
    ]


def test_where_a_worker_of_its_own_runs_the_server_does_nothing(hook, table, listener):
    send_test(by=table.gm, webhook=hook)
    with working(False):
        time.sleep(0.3)
    assert waiting()
    with working():
        until(lambda: not waiting(), 60)
    assert len(listener.heard) == 1
