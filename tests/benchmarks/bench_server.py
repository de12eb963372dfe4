"""The server on real connections: kept ones against fresh ones, beside a bare uvicorn, and beside slow clients.

Numbers of two things are taken in turns, so that whatever else the machine does touches both alike.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from statistics import median
from time import perf_counter
from typing import Any

from django.test import Client

from kingdom.models import User
from kingdom.realms.services import found_kingdom
from tests.battles.conftest import make_table, open_ford
from tests.benchmarks import Row
from tests.benchmarks.serving import serving
from tests.config.web.wire import Wire, unfinished_form

HEALTH, PAGE, FILE = "/healthz/", "/credits/", "/static/favicon.svg"
TURNS, WARM = 60, 10
SLOW = 40
CLIENTS, SECONDS, RATES = 8, 1, 5


def bench_connections() -> Iterator[Row]:
    """What a kept connection saves, and what stands between a request and uvicorn."""
    with serving(_application()) as url, serving(_bare) as bare:
        for path in (HEALTH, PAGE, FILE):
            kept, fresh = _in_turns(_kept(url, path), lambda path=path: _fresh(url, path))
            name = f"{path} kept ({1000 * kept:.2f} ms) / fresh connection ({1000 * fresh:.2f} ms)"
            yield Row(name, kept / fresh, 1.2, "lower")
        ours, theirs = _rates((url, HEALTH, CLIENTS), (bare, HEALTH, CLIENTS))
        name = f"{CLIENTS} kept connections, {HEALTH} ({ours:,.0f}/s) / bare uvicorn ({theirs:,.0f}/s)"
        yield Row(name, ours / theirs, 0.2, "higher")
        many, one = _rates((url, PAGE, CLIENTS), (url, PAGE, 1))
        yield Row(f"{PAGE} by {CLIENTS} kept connections ({many:,.0f}/s) / by one", many / one, 0.7, "higher")


def bench_slow_clients() -> Iterator[Row]:
    """Half of them send the head of a form and one byte of it, half an unfinished head."""
    with serving(_application()) as url:
        for path in (HEALTH, PAGE, FILE):
            beside, alone = _in_turns(
                lambda path=path: _beside_slow_ones(url, path), lambda path=path: _alone(url, path)
            )
            name = f"{path} beside {SLOW} slow connections ({1000 * beside:.2f} ms) / alone"
            yield Row(name, beside / alone, 1.5, "lower")


def bench_compression() -> Iterator[Row]:
    """Bytes that travel, compressed / not."""
    gm = User.objects.create_user(username="gm")
    table = make_table(gm)
    for number in range(100):
        found_kingdom(by=gm, campaign=table.campaign, name=f"Kingdom {number}")
    client = Client()
    client.force_login(gm)
    battle = f"/battles/{open_ford(table).pk}/"
    for name, path in (("battle page", battle), ("a list of 100 kingdoms", "/api/v1/kingdoms/?limit=100")):
        plain, packed = _size(client, path), _size(client, path, HTTP_ACCEPT_ENCODING="gzip")
        yield Row(f"{name}, bytes: {packed:,} / {plain:,}", packed / plain, 0.25, "lower")


def _application() -> Any:
    from config.asgi import application

    return application


async def _bare(scope: Any, receive: Any, send: Any) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", b"16")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"status": "ok"}'})


def _in_turns(first: Callable[[], float], second: Callable[[], float]) -> tuple[float, float]:
    """Medians of seconds; the first turns warm up."""
    pairs = [(first(), second()) for _ in range(TURNS)][WARM:]
    one, other = zip(*pairs, strict=True)
    return median(one), median(other)


def _kept(url: str, path: str) -> Callable[[], float]:
    wire = Wire(url)
    return lambda: _timed(lambda: wire.ask(path))


def _fresh(url: str, path: str) -> float:
    return _timed(lambda: _ask(url, path))


def _ask(url: str, path: str) -> None:
    with Wire(url) as wire:
        assert wire.ask(path).status == 200


def _timed(action: Callable[[], object]) -> float:
    start = perf_counter()
    action()
    return perf_counter() - start


def _beside_slow_ones(url: str, path: str) -> float:
    with ExitStack() as stack:
        for number in range(SLOW):
            stack.enter_context(Wire(url)).put(unfinished_form() if number % 2 else b"GET / HTTP/1.1\r\nHost: lo")
        _ask(url, path)  # those before it in the queue are in
        return median(_fresh(url, path) for _ in range(5))


def _alone(url: str, path: str) -> float:
    _ask(url, path)
    return median(_fresh(url, path) for _ in range(5))


def _rates(first: tuple[str, str, int], second: tuple[str, str, int]) -> tuple[float, float]:
    pairs = [(_rate(*first), _rate(*second)) for _ in range(RATES)]
    one, other = zip(*pairs, strict=True)
    return median(one), median(other)


def _rate(url: str, path: str, clients: int) -> float:
    """Answers per second to so many clients at once, each on a connection of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.load", url, path, str(clients), str(SECONDS)]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def _size(client: Client, path: str, **headers: str) -> int:
    response = client.get(path, **headers)
    assert response.status_code == 200, path
    return len(response.content)
