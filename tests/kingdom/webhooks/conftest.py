"""A table with a webhook, and a real server that hears it."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.test import override_settings
from django_tasks_db.management.commands import db_worker

from config.ops.worker import _hand_of
from core.client_info import parse_networks
from kingdom.webhooks import event_types
from kingdom.webhooks.services import create_webhook
from tests.kingdom.conftest import campaign, crown, gm, table  # noqa: F401 - fixtures
from tests.worlds import built_once

ORIGIN = "https://warhost.example.org"


@dataclass
class Heard:
    path: str
    headers: dict[str, str]
    body: str

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Listener:
    """What was heard, and how it answers: `then(handler)` writes the answer."""

    url: str = ""
    heard: list[Heard] = field(default_factory=list)
    status: int = 204
    then: Callable[[BaseHTTPRequestHandler], Any] | None = None
    server: Any = None

    def ids(self) -> list[str]:
        return [one.headers["webhook-id"] for one in self.heard]


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch):
    """The test's transaction outlives a look of the worker."""
    monkeypatch.setattr(db_worker, "close_old_connections", lambda: None)


@pytest.fixture
def listener(settings) -> Iterator[Listener]:
    settings.WEBHOOKS_TO = parse_networks(["127.0.0.1"])
    told = Listener()

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode(errors="replace")
            told.heard.append(Heard(self.path, {name.lower(): value for name, value in self.headers.items()}, body))
            if told.then:
                told.then(self)
            else:
                answer(self, told.status, "")

        def log_message(self, *_args: object) -> None:
            return

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_args: object) -> None:
            return

    server = Server(("127.0.0.1", 0), Answers)
    told.server = server
    told.url = f"http://127.0.0.1:{server.server_port}/hook?of=mine"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield told
    server.shutdown()
    server.server_close()


def answer(handler: BaseHTTPRequestHandler, status: int, text: str, **headers: str) -> None:
    said = text.encode()
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(said)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    if status != 204:
        handler.wfile.write(said)


@built_once
def bot(table):  # noqa: F811
    """A webhook of the table that is told everything there is. `secret` is on it, for the tests alone."""
    with override_settings(WEBHOOKS_TO=parse_networks(["127.0.0.1"])):
        made = create_webhook(
            by=table.gm, campaign=table.campaign, url="http://127.0.0.1/", events=event_types.list_slugs(),
            origin=ORIGIN, name="Bot",
        )  # fmt: skip
    made.webhook.secret = made.secret
    return made.webhook


@pytest.fixture
def hook(bot, listener):
    """The same, and somebody listens at its address."""
    bot.url = listener.url
    bot.save(update_fields=["url"])
    return bot


def work_off() -> None:
    """Everything that is due, done by a worker."""
    _hand_of().run()
