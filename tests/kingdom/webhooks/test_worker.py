"""Workers: two never send the same at once, a killed one loses nothing, one that is stopped ends what it is at."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from config.ops import worker as working_room
from config.ops.worker import HANDS, QueueWorker, run_worker
from kingdom.models import Webhook, WebhookAttempt, WebhookDelivery
from kingdom.webhooks import delivery
from kingdom.webhooks.addresses import LIMIT
from kingdom.webhooks.delivery import AT_ONE_HOST, LEASE
from kingdom.webhooks.services import delete_webhook, send_test
from tests.config.house import until
from tests.kingdom.webhooks.conftest import answer
from tests.kingdom.webhooks.workers import fill, processes, waiting

pytestmark = pytest.mark.django_db(transaction=True)


@contextmanager
def foremen(count: int) -> Iterator[None]:
    over = threading.Event()
    threads = [threading.Thread(target=QueueWorker(over, look=0.05).work) for _one in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_two_workers_send_everything_once_and_never_two_things_at_once_to_one_address(
    hook, table, listener, monkeypatch
):
    """Also where a hand goes after a few turns, so that others have theirs."""
    monkeypatch.setattr(delivery, "BUSY", 0.1)
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
    fill(hook, 12)
    with foremen(2):
        until(lambda: not waiting(), 60)
    assert len(listener.heard) == 12
    assert listener.ids() == sorted(set(listener.ids()))
    assert max(at_once) == 1
    assert WebhookAttempt.objects.count() == 12


def beside(hook: Webhook, url: str, **fields: Any) -> Webhook:
    """Another webhook of the campaign."""
    other = Webhook.objects.get(pk=hook.pk)
    other.pk, other.url, other._state.adding = None, url, True
    for name, value in fields.items():
        setattr(other, name, value)
    other.save()
    return other


class Doors:
    """Servers at ports of their own, hosts to whoever sends: each takes its time until it is let."""

    def __init__(self) -> None:
        self.let, self.inside, self.most, self.gate = threading.Event(), 0, 0, threading.Lock()
        self.servers: list[ThreadingHTTPServer] = []

    def open(self) -> str:
        doors = self

        class Slow(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                with doors.gate:
                    doors.inside += 1
                    doors.most = max(doors.most, doors.inside)
                self.rfile.read(int(self.headers["Content-Length"]))
                doors.let.wait(LIMIT)
                with doors.gate:
                    doors.inside -= 1
                with suppress(OSError):
                    answer(self, 204, "")

            def log_message(self, *_args: object) -> None:
                return

        server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        self.servers.append(server)
        return f"http://127.0.0.1:{server.server_port}/"

    def close(self) -> None:
        self.let.set()
        for server in self.servers:
            server.shutdown()
            server.server_close()


@pytest.fixture
def doors() -> Iterator[Doors]:
    opened = Doors()
    yield opened
    opened.close()


@pytest.mark.parametrize("proven", [False, True], ids=["never tried", "quick until now"])
def test_slow_addresses_keep_no_quick_one_waiting(hook, table, listener, doors, proven):
    """As many as there are hands; each answers, nine seconds late. At the worst a hand is lost to each of them once."""
    Webhook.objects.update(quick=True)
    count = HANDS if not proven else HANDS - 1
    for _one in range(count):
        fill(beside(hook, doors.open(), quick=proven), 2)
    with foremen(1):
        until(lambda: doors.inside == (count if proven else HANDS // 2), 60)
        for _turn in range(2):
            began, before = time.monotonic(), len(listener.heard)
            fill(hook, 1)
            until(lambda before=before: len(listener.heard) > before, 60)
            assert time.monotonic() - began < LIMIT / 2
        assert doors.most == doors.inside
        doors.let.set()
        until(lambda: not waiting(), 60)


def test_one_host_has_few_hands_however_many_webhooks_lead_there(hook, table, listener, doors):
    url = doors.open()
    for number in range(AT_ONE_HOST + 3):
        fill(beside(hook, f"{url}{number}", quick=True), 1)
    Webhook.objects.filter(pk=hook.pk).update(quick=True)
    fill(hook, 1)
    with foremen(2):
        until(lambda: doors.inside == AT_ONE_HOST, 60)
        until(lambda: listener.heard, 60)
        doors.let.set()
        until(lambda: not waiting(), 60)
    assert doors.most == AT_ONE_HOST
    assert WebhookAttempt.objects.count() == AT_ONE_HOST + 4


def test_while_somebody_is_sent_something_nothing_is_locked_and_no_transaction_is_open(hook, table, listener, doors):
    """Its GM may pause or delete it meanwhile, and the connection is for others."""
    webhook = beside(hook, doors.open())
    fill(webhook, 1)
    with foremen(1):
        until(lambda: doors.inside == 1, 60)
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'"
            )
            assert cursor.fetchone() == (0,)
            cursor.execute("SET lock_timeout = '1s'")
            delete_webhook(by=table.gm, webhook=webhook)
            cursor.execute("RESET lock_timeout")
        doors.let.set()
        until(lambda: doors.inside == 0, 60)
    assert not WebhookDelivery.objects.exists()


def test_what_was_sent_is_written_down_though_the_database_was_away_for_a_moment(hook, table, listener, monkeypatch):
    write, broken = delivery._write, [1, 1]

    def away(*given: Any) -> None:
        if broken:
            broken.pop()
            raise OperationalError("away")
        write(*given)

    monkeypatch.setattr(delivery, "_write", away)
    fill(hook, 1)
    with foremen(1):
        until(lambda: not waiting(), 60)
    assert (len(listener.heard), WebhookAttempt.objects.count(), broken) == (1, 1, [])


@pytest.fixture
def start(tmp_path):
    with processes(tmp_path) as begin:
        yield begin


@pytest.mark.slow
def test_what_a_killed_worker_was_sending_is_sent_again_under_the_same_id(hook, table, listener, start):
    """kill -9 after it was heard and before that was written down: at least once, and receivers know it by its id."""
    release = threading.Event()
    listener.then = lambda handler: release.wait(30)
    sent = send_test(by=table.gm, webhook=hook)
    first = start()
    until(lambda: listener.heard, 60)
    first.kill()
    release.set()
    listener.then = None
    assert DBTaskResult.objects.get().status == "RUNNING"
    assert WebhookDelivery.objects.get().state == "waiting"
    long_ago = timezone.now() - LEASE
    Webhook.objects.update(taken_at=long_ago)
    WebhookDelivery.objects.update(next_at=long_ago)
    second = start()
    until(lambda: not waiting(), 60)
    assert listener.ids() == [sent.message_id] * 2
    assert listener.heard[0].body == listener.heard[1].body
    assert WebhookAttempt.objects.get().status == 204
    assert "Warhost works no more." in second.end()
    assert second.process.returncode == 0


@pytest.mark.slow
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
    with run_worker(False):
        time.sleep(0.3)
    assert waiting()
    with run_worker():
        until(lambda: not waiting(), 60)
    assert len(listener.heard) == 1
