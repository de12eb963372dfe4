"""What people do at once, for Locust: tables that play with every phone on the battle's page, and others who read.

Each has the manners of a browser: what has not changed comes from its store, a battle's page is asked for again when
the live line says so, at once. WARHOST_TABLES names the file that `tests.load.seed` wrote, WARHOST_PLAYING how many
of its tables play.
"""

from __future__ import annotations

import http.client
import json
import os
import random
import time
from itertools import count, cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import gevent
from locust import FastHttpUser, between, events, task

TABLES: list[dict[str, Any]] = json.loads(Path(os.environ["WARHOST_TABLES"]).read_text())
PLAYING = [table for table in TABLES if table["battle"]][: int(os.environ.get("WARHOST_PLAYING", "30"))]
RESOLVED: dict[tuple[str, int], float] = {}  # when the answer of a resolve went out, by battle and version
PEOPLE = 6

gms, seats, readers = cycle(PLAYING), count(), count()


def cookie_of(session: str) -> dict[str, str]:
    return {"Cookie": f"sessionid={session}; csrftoken={'a' * 32}"}


class Gm(FastHttpUser):
    """Resolves a phase and takes it back, as long as the evening lasts."""

    fixed_count = len(PLAYING)
    wait_time = between(6, 12)

    def on_start(self) -> None:
        self.table = next(gms)
        self.headers = {"Authorization": f"Token {self.table['token']}"}
        self.path = f"/api/v1/battles/{self.table['battle']}/"
        self.version, self.kind = 1, "resolve"
        self.version = self._now()

    def _now(self) -> int:
        answer = self.client.get(self.path, headers=self.headers, name="API: a battle")
        return int(answer.json()["version"]) if answer.status_code == 200 else self.version  # a site may be busy

    @task
    def command(self) -> None:
        named = {**self.headers, "If-Match": f'"{self.version}"'}
        RESOLVED[self.table["battle"], self.version + 1] = time.perf_counter()
        with self.client.post(
            f"{self.path}commands/", json={"type": self.kind}, headers=named, name=f"API: {self.kind}",
            catch_response=True,
        ) as answer:  # fmt: skip
            if answer.status_code != 200:
                answer.failure(f"{answer.status_code}: {(answer.text or 'no answer')[:200]}")
                self.version = self._now()
                return
            answer.success()
        self.version, self.kind = self.version + 1, "undo" if self.kind == "resolve" else "resolve"


class AtTable(FastHttpUser):
    """A phone on the battle's page: told of each phase, and asks for the page then."""

    fixed_count = len(PLAYING) * (PEOPLE - 1)
    wait_time = between(1, 2)

    def on_start(self) -> None:
        number = next(seats)
        self.table = PLAYING[number // (PEOPLE - 1) % len(PLAYING)]
        self.headers = cookie_of(self.table["sessions"][1 + number % (PEOPLE - 1)])
        self.path = f"/battles/{self.table['battle']}/"
        self.client.get(self.path, headers=self.headers, name="page: a battle")

    @task
    def listen(self) -> None:
        host = urlsplit(self.host or "")
        line = http.client.HTTPConnection(host.hostname or "", host.port, timeout=60)
        try:
            line.request("GET", f"/live/battle/{self.table['battle']}/", headers=self.headers)
            stream = line.getresponse()
            while said := stream.readline():
                self._told(said)
        except OSError as fault:
            told("live: line", 0, fault)
        finally:
            line.close()

    def _told(self, said: bytes) -> None:
        if not said.startswith(b"data: {"):
            return
        version = json.loads(said[6:]).get("version")
        sent = RESOLVED.get((self.table["battle"], version))
        if sent is not None:
            told("live: from the command to the message", time.perf_counter() - sent)
            gevent.spawn(self._look)

    def _look(self) -> None:
        self.client.get(self.path, headers={**self.headers, "HX-Request": "true"}, name="page: a battle, again")


class Reader(FastHttpUser):
    """Somebody of another evening, who turns a page now and then."""

    fixed_count = (len(TABLES) - len(PLAYING)) * PEOPLE
    wait_time = between(30, 90)

    def on_start(self) -> None:
        number = next(readers)
        self.table = TABLES[len(PLAYING) + number // PEOPLE % max(1, len(TABLES) - len(PLAYING))]
        self.headers = cookie_of(self.table["sessions"][number % PEOPLE])
        gevent.sleep(random.uniform(0, 60))

    @task(3)
    def campaign(self) -> None:
        self.client.get(f"/c/{self.table['campaign']}/", headers=self.headers, name="page: a campaign")

    @task(2)
    def kingdom(self) -> None:
        kingdom = random.choice(self.table["kingdoms"])
        self.client.get(f"/kingdoms/{kingdom}/", headers=self.headers, name="page: a kingdom")

    @task
    def chronicle(self) -> None:
        path = f"/c/{self.table['campaign']}/chronicle/"
        self.client.get(path, headers=self.headers, name="page: a chronicle")


def told(name: str, seconds: float, fault: Exception | None = None) -> None:
    events.request.fire(
        request_type="", name=name, response_time=seconds * 1e3, response_length=0, exception=fault, context={}
    )
