"""The gate before the threads: who waits, who is turned away, and what is not begun because nobody waits for it."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from config.web import gate as gates
from config.web.gate import Full, Gate
from config.web.request_bodies import ClientGone
from tests.browsing import Server, run_apart
from tests.config.web.wire import Wire, eventually, head

PAGE = "/credits/"  # asks the database nothing
API = "/api/v1/campaigns/"


class Client:
    """What a server tells of one: that the request is complete, and at last that nobody is there."""

    def __init__(self) -> None:
        self.gone = asyncio.Event()
        self.told = False

    async def receive(self) -> dict[str, Any]:
        if not self.told:
            self.told = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}


class Work:
    """What is begun behind a gate, each until it is released."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self.begun: list[str] = []
        self.done = asyncio.Event()

    async def ask(self, name: str, client: Client) -> None:
        async with self.gate.entered(client.receive):
            self.begun.append(name)
            await self.done.wait()

    def asked(self, name: str, client: Client | None = None) -> asyncio.Task[None]:
        return asyncio.get_running_loop().create_task(self.ask(name, client or Client()))


def run(test: Callable[[Work], Awaitable[None]], inside: int = 1, waiting: int = 2) -> None:
    async def running() -> None:
        async with asyncio.timeout(10):
            await test(Work(Gate(inside, waiting)))

    run_apart(running())


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_work_whose_client_is_gone_is_not_begun():
    async def test(work: Work) -> None:
        leaver = Client()
        first, second, third = work.asked("first"), work.asked("second", leaver), work.asked("third")
        await settled()
        leaver.gone.set()
        with pytest.raises(ClientGone):
            await second
        work.done.set()
        await asyncio.gather(first, third)
        assert work.begun == ["first", "third"]

    run(test)


def test_the_queue_has_an_end_and_whoever_hangs_up_makes_room_in_it():
    async def test(work: Work) -> None:
        leaver = Client()
        inside, left, waiting = work.asked("inside"), work.asked("left", leaver), work.asked("waiting")
        await settled()
        assert work.gate.is_full
        with pytest.raises(Full):
            await work.asked("too many")
        leaver.gone.set()
        await asyncio.wait([left])
        assert not work.gate.is_full
        late = work.asked("late")
        work.done.set()
        await asyncio.gather(inside, waiting, late)
        assert work.begun == ["inside", "waiting", "late"]
        assert isinstance(left.exception(), ClientGone)

    run(test)


def test_a_turn_that_comes_as_its_client_leaves_is_the_next_one_s():
    async def test(work: Work) -> None:
        leaver = Client()
        inside, left, after = work.asked("inside"), work.asked("left", leaver), work.asked("after")
        await settled()
        work.done.set()
        leaver.gone.set()
        await asyncio.wait([inside, left, after])
        assert isinstance(left.exception(), ClientGone)
        assert work.begun == ["inside", "after"]

    run(test)


def test_a_turn_is_given_back_by_whoever_is_cancelled_or_fails():
    async def test(work: Work) -> None:
        inside, cancelled = work.asked("inside"), work.asked("cancelled")
        await settled()
        cancelled.cancel()
        inside.cancel()
        await asyncio.wait([inside, cancelled])
        work.done.set()
        await work.asked("next")
        assert work.begun == ["inside", "next"]
        assert not work.gate.is_full

    run(test)


# On the wire


@pytest.fixture
def busy(_running_server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server whose one place inside is taken until the test is over, and one may wait."""
    from config.asgi import pages

    monkeypatch.setattr(gates, "pages", Gate(1, 1))
    begun, release = threading.Event(), threading.Event()

    def answer(scope: Any, body: Any) -> Any:
        begun.set()
        release.wait(30)
        return type(pages).answer(pages, scope, body)

    with monkeypatch.context() as patch, Wire(_running_server.url) as inside:
        patch.setattr(pages, "answer", answer)
        inside.put(head(PAGE))
        assert begun.wait(10)
        patch.undo()
        yield _running_server
        release.set()
        assert inside.reply().status == 200
    _running_server.settle()


def test_beyond_the_queue_one_is_told_to_come_back(busy):
    with ExitStack() as stack:
        waiting = stack.enter_context(Wire(busy.url)).put(head(PAGE))
        assert eventually(lambda: gates.pages.is_full)
        page, part, french, problem = (
            stack.enter_context(Wire(busy.url)).ask(path, *lines)
            for path, *lines in ((PAGE,), (PAGE, "HX-Request: true"), (PAGE, "Accept-Language: fr"), (API,))
        )
        assert {one.status for one in (page, part, french, problem)} == {503}
        assert all(int(one.headers["retry-after"]) > 0 for one in (page, part, french, problem))
        assert "<h1>Server overloaded</h1>" in page.text
        assert "default-src 'self'" in page.headers["content-security-policy"]
        assert part.headers["hx-retarget"] == "#messages"
        assert '<html lang="fr">' in french.text
        assert problem.headers["content-type"] == "application/problem+json"
        assert json.loads(problem.body)["type"] == "urn:warhost:problem:unavailable"
        assert gates.pages.is_full, "nobody has lost their place"
        waiting.socket.close()


def test_a_full_queue_is_not_ready_and_lives(busy, db):
    with Wire(busy.url) as waiting:
        waiting.put(head(PAGE))
        assert eventually(lambda: gates.pages.is_full)
        with Wire(busy.url) as wire:
            told = wire.ask("/readyz/")
            assert (told.status, json.loads(told.body)) == (503, {"status": "too many requests are waiting"})
            assert wire.ask("/healthz/").status == 200
            assert wire.ask("/static/favicon.svg").status == 200
    assert eventually(lambda: not gates.pages.is_full)


def test_whoever_hangs_up_while_waiting_has_nothing_begun_for_them(busy, monkeypatch):
    from config.asgi import pages

    begun: list[str] = []
    monkeypatch.setattr(pages, "answer", lambda scope, body: begun.append(scope["path"]))
    for _ in range(5):
        with Wire(busy.url) as wire:
            wire.put(head(PAGE))
            assert eventually(lambda: gates.pages.is_full)
        assert eventually(lambda: not gates.pages.is_full)
    assert begun == []


@pytest.mark.slow
def test_after_two_thousand_requests_that_were_hung_up_on_a_page_is_there_at_once(server):
    """Each takes the server some milliseconds: worked off one after the other they would take a minute."""
    from config.asgi import pages

    def answer(scope: Any, body: Any) -> Any:
        if b"slow" in scope["query_string"]:
            time.sleep(0.3)
        return type(pages).answer(pages, scope, body)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pages, "answer", answer)
        for _ in range(40):
            with ExitStack() as burst:
                for _ in range(50):
                    burst.enter_context(Wire(server.url)).put(head(f"{PAGE}?slow"))
                time.sleep(0.05)
        with Wire(server.url) as wire:
            began = time.monotonic()
            assert wire.ask(PAGE).status == 200
            assert time.monotonic() - began < 2
            assert wire.ask("/readyz/").status == 200
