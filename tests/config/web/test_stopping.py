"""A server that stops, and streams whose listener has gone: nobody is waited for in vain, nothing is said about it."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from config.web.server import ENDLESS, build_server, listen
from tests.config.web.wire import Wire, eventually, head, unfinished_form


class Told:
    """An application that streams without end, waits for a body, or takes its time; it counts who is inside."""

    inside = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.inside += 1
        try:
            await getattr(self, scope["path"].strip("/"))(scope, receive, send)
        finally:
            self.inside -= 1

    async def stream(self, scope: Any, receive: Any, send: Any) -> None:
        scope["state"][ENDLESS] = True
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"on and on", "more_body": True})
        while (await receive())["type"] != "http.disconnect":
            pass

    async def form(self, scope: Any, receive: Any, send: Any) -> None:
        while (await receive()).get("more_body"):
            pass

    async def page(self, scope: Any, receive: Any, send: Any) -> None:
        await asyncio.sleep(0.7)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"4")]})
        await send({"type": "http.response.body", "body": b"done"})


class Running:
    def __init__(self) -> None:
        self.told = Told()
        door = listen("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{door.getsockname()[1]}"
        self.server = build_server(self.told)
        self.thread = threading.Thread(target=self.server.run, kwargs={"sockets": [door]})
        self.thread.start()

    def stop(self) -> float:
        start = time.monotonic()
        self.server.should_exit = True
        self.thread.join(20)
        return time.monotonic() - start


@pytest.fixture
def running(caplog: pytest.LogCaptureFixture) -> Iterator[Running]:
    running = Running()
    yield running
    running.stop()
    assert [record.getMessage() for record in caplog.records if "uvicorn" in record.name] == []


def test_a_page_under_way_is_finished_and_nobody_else_is_waited_for(running):
    with Wire(running.url) as page, Wire(running.url) as form, Wire(running.url) as stream, Wire(running.url) as idle:
        form.put(unfinished_form("/form/"))
        stream.put(head("/stream/"))
        idle.put(b"GET /")
        page.put(head("/page/"))
        assert eventually(lambda: running.told.inside == 3)
        assert running.stop() < 2.5
        assert page.reply().body == b"done"
        assert running.told.inside == 0


def test_a_stream_hears_that_its_listener_has_gone_even_behind_another_request(running):
    with Wire(running.url) as wire:
        wire.put(head("/stream/") + head("/page/"))
        assert eventually(lambda: running.told.inside == 1)
    assert eventually(lambda: running.told.inside == 0)
