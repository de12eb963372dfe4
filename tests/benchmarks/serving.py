"""The server in a thread of this process, with the connections of `make run`, and clients that time what it answers."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from django.conf import settings
from django.db import connections
from django.test import Client, override_settings

from config.ops.serve import close_pool, open_pool
from config.web.lifespan import freeze_memory
from tests.config.web.wire import Reply, Wire

HTMX = "HX-Request: true"
TURNS, WARM = 25, 4
LONG, PATIENCE = 5, 300  # seconds


@contextmanager
def serving(application: Any) -> Iterator[str]:
    """A server with the settings of ours on a free port."""
    from config.web.server import build_server, listen

    door = listen("127.0.0.1", 0)
    running = build_server(application, patience=1)
    thread = threading.Thread(target=running.run, kwargs={"sockets": [door]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{door.getsockname()[1]}"
    finally:
        running.should_exit = True
        thread.join()


@contextmanager
def warhost() -> Iterator[str]:
    """Warhost, with the minimal views beside it, and a process prepared as the server's own."""
    from config.asgi import application

    open_pool()
    freeze_memory()
    try:
        with override_settings(ROOT_URLCONF="tests.benchmarks.minimal"), serving(application) as url:
            yield url
    finally:
        gc.unfreeze()
        connections.close_all()
        close_pool()
        del connections.settings["default"]["OPTIONS"]["pool"]


def cookies_of(user: Any) -> str:
    """The header of somebody who is signed in, with a token for their forms."""
    client = Client()
    client.force_login(user)
    token = "a" * 32
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    return f"Cookie: {settings.SESSION_COOKIE_NAME}={session}; csrftoken={token}\r\nX-CSRFToken: {token}"


def asking(url: str, path: str, *lines: str) -> Callable[[], Reply]:
    """Asks for one page again and again on a connection it keeps."""
    wire = Wire(url)
    wire.socket.settimeout(PATIENCE)

    def ask() -> Reply:
        reply = wire.ask(path, *lines)
        assert reply.status == 200, (path, reply.status, reply.text[:2000])
        return reply

    return ask


def fastest(works: Mapping[str, Callable[[], object]], turns: int = TURNS) -> dict[str, float]:
    """Seconds of each, the best of so many turns: whatever else the machine does touches all alike.

    What takes long is not asked for as often: a second is measured well in a few turns.
    """
    found: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(WARM + turns):
        for name, work in works.items():
            if turn and sum(found[name]) > LONG:
                continue
            started = perf_counter()
            work()
            found[name].append(perf_counter() - started)
    return {name: min(taken) for name, taken in found.items()}
