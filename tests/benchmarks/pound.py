"""`python -m tests.benchmarks.pound URL WAY SECONDS`, the clients as JSON on its input: what they did in a second.

`api` and `page` resolve a phase each time, each client in a battle of its own; `bare` sends an empty POST; `watch`
answers the seconds from the first client's resolving until all the others, who were told, have the page; `script` sends
each client's `bodies`, of which the first is meant for the version `first`.
"""

from __future__ import annotations

import json
import re
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from tests.config.web.wire import Wire, head

HTMX = "HX-Request: true"


class Playing:
    """A client in a battle, which knows the version it saw last."""

    def __init__(self, url: str, path: str, lines: Sequence[str] = ()):
        self.wire, self.path, self.lines = Wire(url), path, lines

    def begin(self) -> None:
        text = self._ok(self.path).text
        found = re.search(r'"version": ?(\d+)|data-version="(\d+)"', text)
        assert found, text[:500]
        self.version = int(found[1] or found[2])

    def _ok(self, path: str, *lines: str, method: str = "GET", body: bytes = b"") -> Any:
        reply = self.wire.ask(path, *self.lines, *lines, method=method, body=body)
        assert reply.status == 200, (reply.status, reply.text[:2000])
        return reply


class ByApi(Playing):
    def act(self) -> None:
        seen = f'If-Match: "{self.version}"'
        self._ok(f"{self.path}commands/", seen, method="POST", body=b'{"type": "resolve"}')
        self.version += 1


class ByScript(ByApi):
    """Sends the bodies it was given, one after the other."""

    def __init__(self, url: str, path: str, lines: list[str], bodies: list[Any], first: int):
        super().__init__(url, path, lines)
        self.bodies, self.first = bodies, first

    def act(self) -> None:
        seen, body = f'If-Match: "{self.version}"', self.bodies[self.version - self.first]
        self._ok(f"{self.path}commands/", seen, method="POST", body=json.dumps(body).encode())
        self.version += 1


class ByPage(Playing):
    def act(self) -> None:
        body = f"type=resolve&how=rolled&version={self.version}".encode()
        self._ok(f"{self.path}command/", method="POST", body=body)
        self.version += 1


class Bare(Playing):
    def begin(self) -> None:
        self.version = 0

    def act(self) -> None:
        self._ok(self.path, method="POST", body=b"{}")


WAYS: dict[str, type[Playing]] = {"api": ByApi, "page": ByPage, "bare": Bare, "script": ByScript}


def rate(clients: list[Any], seconds: float) -> float:
    """How often they acted in a second, all together."""
    counts = [0] * len(clients)
    for client in clients:
        client.begin()
        client.act()
    started = perf_counter()
    until = started + seconds

    def work(number: int) -> None:
        while perf_counter() < until:
            clients[number].act()
            counts[number] += 1

    _together([lambda number=number: work(number) for number in range(len(clients))])
    return sum(counts) / (perf_counter() - started)


def watched(url: str, resolving: ByApi, watching: list[dict[str, Any]]) -> float:
    """Seconds from the resolving until the last has drawn."""
    resolving.begin()
    ready = threading.Barrier(len(watching) + 1)
    drawn: list[float] = []

    def watch(path: str, lines: list[str]) -> None:
        stream, wire = Wire(url), Wire(url)
        live = path.replace("/battles/", "/live/battle/")
        stream.put(head(f"{live}?version={resolving.version}", *lines))
        stream._until(b"retry: 2000")
        assert wire.ask(path, *lines, HTMX).status == 200
        ready.wait()
        stream._until(b'"version":')
        reply = wire.ask(path, *lines, HTMX)
        assert reply.status == 200
        assert f'data-version="{resolving.version + 1}"' in reply.text
        drawn.append(perf_counter())
        stream.socket.shutdown(socket.SHUT_RDWR)

    threads = [threading.Thread(target=watch, args=(who["path"], who["lines"])) for who in watching]
    for thread in threads:
        thread.start()
    ready.wait()
    started = perf_counter()
    seen = f'If-Match: "{resolving.version}"'
    resolving._ok(f"{resolving.path}commands/", seen, method="POST", body=b'{"type": "resolve"}')
    for thread in threads:
        thread.join()
    assert len(drawn) == len(watching)
    return max(drawn) - started


def _together(works: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main(url: str, way: str, seconds: float) -> float:
    told = json.load(sys.stdin)
    if way == "watch":
        return watched(url, ByApi(url, told[0]["path"], told[0]["lines"]), told[1:])
    return rate([WAYS[way](url, **client) for client in told], seconds)


if __name__ == "__main__":
    print(main(sys.argv[1], sys.argv[2], float(sys.argv[3])))
