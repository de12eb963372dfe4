"""Two hundred clients that begin a request and never end it: nobody else waits for them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from time import sleep

import pytest

from tests.faults.report import spread, told
from tests.faults.site import Site

pytestmark = pytest.mark.slow
CLIENTS, ASKED = 200, 60
HEAD = b"GET /accounts/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
BODY = b"POST /api/v1/campaigns/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10000\r\n\r\n{"


@contextmanager
def dawdling(site: Site, count: int) -> Iterator[list[socket.socket]]:
    """Half of them in the middle of their head, half of their body."""
    with ExitStack() as stack:
        lines = []
        for number in range(count):
            line = stack.enter_context(socket.create_connection(("127.0.0.1", site.house.port), timeout=10))
            line.sendall(BODY if number % 2 else HEAD)
            lines.append(line)
        yield lines


def test_two_hundred_slow_clients_keep_nobody_waiting(site: Site) -> None:
    quiet = [site.ask("campaigns/").seconds for _ in range(ASKED)]
    with dawdling(site, CLIENTS) as lines:
        beside = []
        for number in range(ASKED):
            lines[number % CLIENTS].sendall(b"x")
            answer = site.ask("campaigns/")
            assert answer.status == 200
            beside.append(answer.seconds)
            sleep(0.02)
        assert site.house.ask("/healthz/").status == 200
    told("200 slow clients", clients=CLIENTS, alone_median_s=spread(quiet)["median_s"], **spread(beside))
    assert site.ask("campaigns/").status == 200
